# Indexed and associative arrays.
a=(one "two words" three); echo "1 ${a[0]} ${a[1]} ${#a[@]} ${#a[1]} ${a[-1]}"
a+=(four five); printf '2 <%s>' "${a[@]}"; echo
printf '3 <%s>' "${a[@]:1:2}" "${a[@]: -1}"; echo
echo "4 ${a[*]} | ${!a[@]}"
a[7]=seven; a[2]=THREE; echo "5 ${#a[@]} ${!a[@]} ${a[2]} ${a[5]-gap}"
unset 'a[0]'; echo "6 ${#a[@]} ${!a[*]} ${a[@]}"
b=("${a[@]/e/E}"); echo "7 ${b[@]}"
c=("${b[@]%e}"); echo "8 ${c[@]} ${c[@]#t}"
i=1; echo "9 ${b[i]} ${b[$i+1]} ${b[i+2]}"
d=([3]=x [1]=y z); echo "10 ${!d[@]} ${d[@]}"
declare -A m=([k1]=v1 ["k 2"]="v 2"); m[k3]=v3; m[k1]+=x
for k in k1 "k 2" k3 nope; do echo "11 $k=${m[$k]:-none}"; done
echo "12 ${#m[@]} ${m[k3]+set} ${m[k4]+set}|"
unset 'm[k1]'; echo "13 ${#m[@]} ${m[k1]-gone}"
declare -A t=(
  [1024:2:1:false:512]=1
  [8192:4:x]="two"
)
key=1024:2:1:false:512; echo "14 ${t[$key]} ${t[8192:4:x]}"
e=(); echo "15 ${#e[@]} [${e[@]}] [${e[*]:-none}]"
printf '16 <%s>\n' "${e[@]}" end
f=($(echo p q r)); echo "17 ${#f[@]} ${f[2]}"
g="scalar"; echo "18 ${g[0]} ${#g[@]} ${g[@]}"
g+=(more); echo "19 ${g[@]}"
n=(1 2 3); n[1]=$((n[1] * 10)); ((n[2] += 5)); echo "20 ${n[@]} $((n[0] + n[1]))"
args=(--a "x y" --b); set -- "${args[@]}" tail; echo "21 $# $2"
h=({1..3} {a,b}{1,2}); echo "22 ${h[@]}"
pre=("${h[@]/#/--}"); echo "23 ${pre[@]}"
last=${a[${#a[@]}-1]:-x}; echo "24 $last"
declare -a declared; declared[0]=q; echo "25 ${declared[@]}"
copy=("${m[@]}"); echo "26 ${#copy[@]}"

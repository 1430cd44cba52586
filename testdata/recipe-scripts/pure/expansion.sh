# Parameter expansion in all its forms.
unset u; e=; v=value; path=/a/b/c.tar.gz
echo "1 ${u:-d} ${u-d} ${e:-d} ${e-d} ${v:-d}|"
echo "2 ${u:+a}${e:+a}${e+a}${v:+a}|"
echo "3 ${w:=set} $w ${e:=full} $e"
e=
echo "4 ${#v} ${#e} ${#path}"
echo "5 ${path#*/} ${path##*/} ${path%.*} ${path%%.*} ${path##*.}"
echo "6 ${v/a/A} ${v//[aeiou]/_} ${path//\//-} ${v/#v/V} ${v/%e/E} ${v/xyz/} ${v//u}"
echo "7 ${v:1} ${v:1:3} ${v: -2} ${v:0:-1} ${v:9}|"
echo "8 ${v^} ${v^^} V: $(x=ABC; echo "${x,} ${x,,}")"
name=v; echo "9 ${!name} ${!name:-none}"
nope=missing; echo "10 ${!nope:-none}"
AB_ONE=1 AB_TWO=2; echo "11 ${!AB_@}"
set -- one two three four
echo "12 $# $1 ${2} ${@:2} | ${@:2:2} | ${*: -1} | ${@: -2:1}"
echo "13 ${1:-x} ${9:-none} ${#1} ${1/o/0}"
printf '14 <%s>\n' "$@" "${@#t}"
x='a b  c'; printf '15 <%s>' $x "$x"; echo
IFS=,; y=1,2,,3; printf '16 <%s>' $y; echo; echo "17 $*"; unset IFS
echo "18 ${v@Q} ${v@U}"
q='it'\''s'; echo "19 $q" 'sq' "d\"q" $'tab\there' \$v a\ b
echo "20 ${u:-"$v and ${v:-x}"} ${u:-'single'}"
z=${path%/*}/${path##*/}; echo "21 $z"
echo "22 ~user" "~" a~b
echo "23 ${v:${#e}:2} ${v:(-3)}"
unset -v v; echo "24 ${v-unset}"

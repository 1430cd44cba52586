# Here-documents, here-strings, quoting, JSON by string.
tp=8 name="a b"
cat <<END
1 tp=$tp name=${name} sum=$((tp * 2)) sub=$(echo hi) \$x \`y\` "quoted" 'single' back\slash
END
cat <<'END'
2 $tp ${name} $(echo no) \$x
END
cat <<-END
	3 stripped
		twice $tp
	END
text=$(cat <<END
4 {"tp": $tp, "list": [1, 2], "s": "$name"}
END
); echo "$text"
read -r one two <<< "alpha beta gamma"; echo "5 $one / $two"
IFS=, read -ra parts <<< "x,y,,z"; echo "6 ${#parts[@]} ${parts[3]}"
cfg="{\"method\":\"mtp\",\"num\":$tp}"; echo "7 $cfg"
cfg2='{"a":'"$tp"',"b":"'"$name"'"}'; echo "8 $cfg2"
cat <<< "9 here $tp"
{ echo 10; cat; } <<< "inside"
multi="line one
line two"; echo "$multi" | wc -l | tr -d ' '
echo "11 a\
b"
printf '%s\n' "12 $(printf '%s' "nested "$(echo "deep $tp")"")"
echo '13 back\n' "b\\n" b\\n
echo $'14 \x41\u00e9\102\t|'
echo -e '15 a\tb\\n' ; echo -n "16 "; echo
printf '17 %5d|%-5d|%05d|%x|%o|%c|%%|%s\n' 42 42 42 255 8 word str
printf '18 %.2f %.3g %e\n' 3.14159 1234.5 0.5
printf '19 %s-%s\n' a b c
printf '20 %q %b\n' "it's" 'a\tb'
printf -v var '%03d' 7; echo "21 $var"
echo `echo 22 back` `echo \`echo nested\``
echo "23" "a"'b'"c"d$tp"e"

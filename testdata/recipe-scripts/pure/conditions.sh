# if, case, test, [[ ]].
t() { if "$@"; then echo -n "y "; else echo -n "n "; fi; }
echo -n "1 "; t [ a = a ]; t [ a != a ]; t [ -z "" ]; t [ -n "" ]; t [ a ]; t [ ]; t [ 3 -gt 2 ]; t [ 3 -le 2 ]; echo
echo -n "2 "; t [ ! a = b ]; t [ a = a -a b = c ]; t [ a = b -o c = c ]; t [ \( a = b \) -o x ]; t test 1 -eq 01; echo
x=hello.sh
[[ $x == *.sh ]] && echo "3 glob"; [[ $x == "*.sh" ]] || echo "3 quoted"; [[ $x != h?llo.* ]] || echo "3 one"
[[ $x =~ ^([a-z]+)\.(sh|py)$ ]] && echo "4 ${BASH_REMATCH[0]} ${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${#BASH_REMATCH[@]}"
re='^[0-9]+$'; [[ 123 =~ $re ]] && echo "5 digits"; [[ 12a =~ $re ]] || echo "5 other"
[[ a < b && ! b < a && -n $x && ( -z $u || -v x ) ]] && echo "6 logic"
[[ -v u ]] || echo "7 not set"; u=; [[ -v u ]] && echo "7 set"
case $x in
  *.py) echo "8 python" ;;
  *.sh | *.bash) echo "8 shell" ;;
  *) echo "8 other" ;;
esac
case abc in [a-c]*) echo "9 class" ;;& *c) echo "9 again" ;; *) echo "9 no" ;; esac
case one in one) echo "10 first" ;& two) echo "10 through" ;; three) echo "10 not" ;; esac
case "a b" in "a b") echo "11 space" ;; esac
shopt -s extglob
case file12.txt in file+([0-9]).@(txt|md)) echo "12 extended" ;; esac
[[ foo.tar.gz == !(*.zip) ]] && echo "12 negated"
if false; then echo no; elif [[ 1 -eq 2 ]]; then echo no; elif true; then echo "13 elif"; else echo no; fi
if ! false; then echo "14 not"; fi
false && echo no || echo "15 or"; true || echo no && echo "15 and"
(exit 3); echo "16 $?"; false; echo "17 $?"; ! true; echo "18 $?"
f() { return 5; }; f; echo "19 $?"; f || echo "20 $?"
v=$(exit 4); echo "21 $?"; local_status=$?; echo "22 $local_status"
[[ "" ]] || echo "23 empty"; [[ x ]] && echo "23 word"
if [ "$u" = "" ] && [ -z "$u" ]; then echo "24 both"; fi
DP=true; if [[ "${DP,,}" == "true" ]]; then echo "25 lower"; fi
case "${none:-default}" in default) echo "26 default" ;; esac
y=8; [ $y -ge 4 ] && [ $y -lt 16 ] && echo "27 range"

# Subshells, pipes, substitutions, redirections.
x=1; (x=2; echo "1 $x"); echo "2 $x"
{ x=3; }; echo "3 $x"
y=$(x=4; echo "$x"); echo "4 $x $y"
echo one | { read -r v; echo "5 $v"; }; echo "6 ${v-unset}"
echo "7 $(echo a; echo b)" "$(printf 'c\n\n\n')|"
echo "8 $(cat <(echo left) <(echo right))"
set -o pipefail; false | true; echo "9 $?"; set +o pipefail; false | true; echo "10 $?"
(exit 6) | cat; echo "11 ${PIPESTATUS[0]} ${PIPESTATUS[1]}"
echo hidden > /dev/null; echo "12 visible" 2> /dev/null; { echo out; echo err >&2; } 2> /dev/null
z=$( { echo to-out; echo to-err >&2; } 2>&1 > /dev/null); echo "13 [$z]"
w=$(echo kept 2>&1); echo "14 $w"
f() { echo "15 $(cd /tmp && pwd)"; }; f; cd /usr/bin; pwd; cd ..; pwd; cd - > /dev/null; pwd
a=(x y); echo "16 $(printf '<%s>' "${a[@]}")"
! echo no | grep -q yes; echo "17 $?"
echo a | (cat; echo b) | tr '\n' ' '; echo "18"
echo "19 $(if true; then echo t; else echo f; fi) $(for i in 1 2; do echo -n $i; done) $([[ 5 -gt 4 ]] && echo 30 || echo 10)"
true & wait; echo "20"
bash -c 'echo "21 $0 $1 $#"' name arg1 arg2
V=exported bash -c 'echo "22 $V ${x-unset}"'; export x; bash -c 'echo "23 $x"'
echo 'echo "24 $1"' | bash -s word
trap 'echo never' USR1; set -e; true; set +e
exec 3>&1; echo "25"; exec 3>&-
mapfile -t lines < <(printf 'p\nq\n'); echo "26 ${#lines[@]} ${lines[1]}"
readarray -t more <<< "r"; echo "27 ${more[0]}"
while getopts "a:bc" o; do case $o in a) echo "28 a=$OPTARG" ;; b) echo "28 b" ;; *) echo "28 ?" ;; esac; done
parse() { local OPTIND=1; while getopts "a:bc" o -a 1 -bc x; do echo "29 $o ${OPTARG-}"; done; echo "$OPTIND"; }; parse
echo "30 $(echo "$(echo "$(echo deep)")")"
exit 0
echo never

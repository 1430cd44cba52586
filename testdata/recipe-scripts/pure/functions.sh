# Functions, scopes, returns.
x=global
f() { local x=local y; y=2; echo "1 $x $y $1 $# $FUNCNAME"; x=changed; z=made; }
f a b; echo "2 $x ${y-unset} $z"
outer() { local v=outer; inner; echo "3 $v"; }
inner() { echo "4 $v"; v=inner; }
outer
function g { echo "5 $*"; return 3; }
g one two; echo "6 $?"
h() { if [ "$1" -le 1 ]; then echo 1; else echo $(($1 * $(h $(($1 - 1))))); fi; }
echo "7 $(h 6)"
k() { for i in 1 2 3; do if [ $i = 2 ]; then return 7; fi; echo -n "$i "; done; echo no; }
k; echo "8 $?"
early() { [ -z "$1" ] && return; echo "9 $1"; }
early; early word
m() { local a=("$@"); echo "10 ${#a[@]} ${a[1]}"; }; m "p q" "r s"
n() { shift; echo "11 $1 $#"; set -- new; echo "12 $1 $#"; }; n a b c; echo "13 $#"
q() { echo "14 $PRE"; }; PRE=2 q; echo "15 ${PRE-unset}"
sub() (x=sub; echo "16 $x"); sub; echo "17 $x"
declare -F q; type -t q; unset -f q; declare -F q || echo "18 gone"
r() { local -n ref=$1; ref=byname; }; r x; echo "19 $x"
s() { local IFS=-; echo "$*"; }; echo "20 $(s a b c)"
t() { local u=$(echo inner; exit 3); echo "21 $u $?"; }; t
w() { { echo "22 block"; return 4; }; echo no; }; w; echo "23 $?"
export EXP=1; (EXP=2; echo "24 $EXP"); echo "25 $EXP"
readonly RO=5; echo "26 $RO"
eval 'dyn=1; dynf() { echo "27 $dyn $1"; }'; dynf arg
cmd="echo 28"; $cmd words; c2=(echo "29 a" b); "${c2[@]}"
command echo 30; builtin echo 31

# Programs that are modelled.
echo "/a/b/c.txt" | sed 's#/#_#g'; echo abc | sed -e 's/b/[&]/' -e 's/c$/C/'
printf 'l1\nl2\nl3\nl4\n' | sed -n '2,3p'
printf 'l1\nl2\nl3\n' | sed '2d'; printf 'x=1\ny=2\n' | sed -E 's/^([a-z])=([0-9]+)$/\2:\1/'; printf 'a\nb\n' | sed '$d'
echo "a:b:c" | cut -d: -f2; echo "a:b:c:d" | cut -d: -f2-3; echo abcdef | cut -c2-4
echo "Hello World" | tr '[:upper:]' '[:lower:]'; echo "a  b" | tr -s ' '; echo "a,b" | tr , '\n'; echo "x-y" | tr -d -; echo "abc123" | tr -cd '0-9'; echo
printf '3\n1\n2\n1\n' | sort; printf '10\n9\n2\n' | sort -n; printf 'b\na\n' | sort -r; printf '1\n1\n2\n' | uniq; printf '4\n2\n4\n' | sort -nu | paste -sd, -
printf 'one\ntwo\nthree\n' | head -n 2; printf 'one\ntwo\nthree\n' | tail -n 1; printf 'one\ntwo\n' | head -1; printf 'a\nb\nc\n' | tail -n +2
printf 'foo 1\nbar 2\nfoobar 3\n' | grep foo; printf 'foo\nbar\n' | grep -v foo; printf 'foo\nbar\n' | grep -c o; echo "k=12,v=3" | grep -oE '[0-9]+'
echo abc | grep -q b && echo found; echo abc | grep -q z || echo missing; echo 'a.b' | grep -F a.b; printf 'x\nY\n' | grep -i y
basename /a/b/c.txt .txt; basename /a/b/; dirname /a/b/c; dirname c; dirname /a
seq 3; seq 2 4; seq 1 2 6; seq -s, 1 4; seq 5 3; seq 3 -1 1
expr 3 + 4; expr 10 / 3; expr 2 \* 5
awk 'BEGIN { print 7 / 2; printf "%.3f %d %s\n", 1 / 3, 9.7, "s" }'
awk "BEGIN{print (2.49-1)/3}"; echo "a b c" | awk '{print $2, $NF, NF}'; echo "x:y" | awk -F: '{print $2}'; printf 'a 1\nb 2\n' | awk '/b/ {print $2}'
awk -v s=5 -v cap=3 'BEGIN { exit !(s > cap) }' && echo more; printf '1\n2\n3\n' | awk '{s += $1} END {print s, NR}'; awk 'BEGIN{x = 1e6; print x, 0.1 + 0.2, 1e20 / 3}'
printf 'a b\nc\n' | wc -l | tr -d ' '; printf 'a b\nc\n' | wc -w | tr -d ' '; printf abc | wc -c | tr -d ' '
echo "a b" | xargs; printf 'x\ny\n' | tac; echo abc | rev; echo keep | tee /dev/null
printf 'p q\n' | while read -r a b; do echo "$b $a"; done
echo "scale=2; 7 / 2" | bc; echo "2 + 3 * 4" | bc
printf '%s\n' b a c | sort | head -1; env -i X=1 printenv X; X=2 printenv X

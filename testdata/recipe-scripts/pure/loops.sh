# Loops, break, continue.
for i in 1 2 3; do echo -n "$i "; done; echo "1"
for i; do echo no; done; set -- p q; for i; do echo -n "$i "; done; echo "2"
for f in {1..9..3} {c..a} x{1,2}y; do echo -n "$f "; done; echo "3"
i=0; while [ $i -lt 5 ]; do i=$((i + 1)); [ $i -eq 2 ] && continue; [ $i -eq 4 ] && break; echo -n "$i "; done; echo "4 $i"
i=3; until [ $i -eq 0 ]; do ((i--)); done; echo "5 $i"
for a in 1 2 3; do for b in x y z; do [ $b = y ] && continue 2; [ $a = 3 ] && break 2; echo -n "$a$b "; done; done; echo "6"
set -- --model m --flag --size 3 rest
while [[ $# -gt 0 ]]; do
  case $1 in
    --model) model=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --flag) flag=1; shift ;;
    *) break ;;
  esac
done
echo "7 $model $size $flag $*"
while read -r a b rest; do echo "8 <$a> <$b> <$rest>"; done <<'LINES'
one two three four
  five   six
seven
LINES
n=0; while IFS=: read -r k v; do n=$((n + v)); done < <(printf 'a:1\nb:2\nc:3\n'); echo "9 $n"
printf 'x\ny\n' | while read -r l; do echo -n "$l-"; done; echo "10"
for s in $(seq 2 2 8); do echo -n "$s "; done; echo "11"
for ((;;)); do break; done; echo "12"
sizes=(); s=1; while [ $s -le 64 ]; do sizes+=($s); s=$((s * 2)); done; (IFS=,; echo "13 ${sizes[*]}")
for k in a b; do echo -n "$k"; done > /dev/null; echo "14"
i=0; while :; do ((++i >= 3)) && break; done; echo "15 $i"

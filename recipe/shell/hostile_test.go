package shell

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// hostile are scripts that try to use up time or memory, to leave the
// repository or to reach the machine. limit names the limit that has to stop
// them, "" when they end by themselves.
var hostile = []struct{ name, script, limit string }{
	{"fork bomb", `bomb() { bomb | bomb & }; bomb; echo after`, "steps"},
	{"endless loop", `while true; do :; done; vllm serve m`, ""},
	{"endless loop that counts", `i=0; while true; do i=$((i+1)); done; vllm serve m`, "loop turns"},
	{"endless for", `for ((;;)); do x=1; done; vllm serve m`, "loop turns"},
	{"loop in loop", `for i in {1..1000}; do for j in {1..1000}; do for k in {1..1000}; do x=$i$j$k; done; done; done`, "steps"},
	{"recursion", `f() { f; }; f; vllm serve m`, "depth"},
	{"recursion that grows", `f() { f "$@" "$@"; }; f a b c; vllm serve m`, "words"},
	{"mutual recursion in substitutions", `f() { echo $(g); }; g() { echo $(f); }; f`, "depth"},
	{"script that starts itself", `bash "$0"; bash s.sh; vllm serve m`, "commands"},
	{"script that sources itself", `source ./s.sh; vllm serve m`, "depth"},
	{"eval of itself", `x='eval "$x"'; eval "$x"; vllm serve m`, "depth"},
	{"doubling text", `x=aaaaaaaaaa; for i in {1..64}; do x=$x$x; done; vllm serve "$x"`, "value bytes"},
	{"doubling array", `x=(a b c d); for i in {1..64}; do x=("${x[@]}" "${x[@]}"); done; vllm serve m`, "words"},
	{"doubling by replacement", `x=a; for i in {1..64}; do x=${x//a/aa}; done; vllm serve m`, "value bytes"},
	{"many large values", `x=$(printf '%100000s' y); for i in {1..500}; do declare "v$i=${x/y/$i}"; done`, "total bytes"},
	{"brace range", `echo {1..999999999}; vllm serve m`, "words"},
	{"brace range with overflow", `echo {-9223372036854775808..9223372036854775807}; vllm serve m`, "words"},
	{"brace product", `echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; vllm serve m`, "words"},
	{"seq", `for i in $(seq 1 999999999); do :; done; vllm serve m`, "words"},
	{"padding", `printf -v x '%999999999d' 1; vllm serve "$x"`, "value bytes"},
	{"padding by argument", `printf '%*s' 999999999 x; vllm serve m`, "value bytes"},
	{"sparse array", `a[999999999]=1; vllm serve "${a[999999999]}" "${#a[@]}"`, ""},
	{"negative index", `a=(1 2); a[-5]=1; vllm serve m`, ""},
	{"arithmetic overflow", `vllm serve $((9223372036854775807 + 1)) $((-9223372036854775808 / -1)) $((1 << 65)) $((2 ** 63))`, ""},
	{"division by zero", `vllm serve $((1 / 0)) $((1 % 0))`, ""},
	{"arithmetic recursion", `a=b; b=a; vllm serve $((a))`, "depth"},
	{"arithmetic in text", `x='y=(1+2)*3'; vllm serve $((x))`, ""},
	{"huge exponent", `vllm serve $((3 ** 9223372036854775807))`, ""},
	{"patterns", `x=$(printf 'a%.0s' {1..5000}); [[ $x == *a*a*a*a*a*a*a*b ]] && echo yes; vllm serve m`, ""},
	{"pattern trimming", `x=$(printf 'a%.0s' {1..9000}); y=${x##*b*c}; y=${x//a*b/}; vllm serve m`, "steps"},
	{"regular expression", `x=$(printf 'a%.0s' {1..5000}); [[ $x =~ ^(a+)+$ ]]; [[ $x =~ ((a{1,100}){1,100}){1,100} ]]; vllm serve m`, ""},
	{"extended pattern", `shopt -s extglob; x=aaaaaaaaaaaaaaaaaaaaaaaaaaaa; case $x in +(+(+(a)))b) ;; esac; vllm serve m`, ""},
	{"sed", `x=$(printf 'a%.0s' {1..5000}); for i in {1..40}; do x=$(echo "$x" | sed 's/a/aa/g'); done`, "steps"},
	{"awk", `awk 'BEGIN { x = "a"; x = x x x x; print x }'; awk 'BEGIN { while (1) x++ }'; vllm serve m`, ""},
	{"network", `exec 3<>/dev/tcp/127.0.0.1/22; echo hi >&3; cat <&3; read x </dev/udp/127.0.0.1/53; vllm serve "$x"`, ""},
	{"leaving the repository", `cat /workspace/../etc/passwd ../../../../etc/shadow; source /workspace/../../etc/profile; vllm serve "$(cat /etc/hostname)"`, ""},
	{"writing outside", `echo x > /etc/passwd; echo y >> ../../home/x; rm -rf /; vllm serve m`, ""},
	{"terminal control", "vllm serve $'\\e[31mred\\a' \"\x1b]0;title\x07\"", ""},
	{"forged unknown", `vllm serve '‹unknown: output of date›'`, ""},
	{"unset everything", `unset PATH IFS BASH_SOURCE @ '*' '#'; IFS=; vllm serve $@`, ""},
	{"name reference to itself", `declare -n a=a; a=1; declare -n b=c; declare -n c=b; b=2; vllm serve "$a$b"`, ""},
	{"indirection", `a=b; b=c; c=a; vllm serve ${!a} ${!b} ${!nope} ${!PATH}`, ""},
	{"jumps without a frame", `break 5; continue; return 3; shift 99; vllm serve m`, ""},
	{"ways", ways(40), ""},
	{"nested ways", nestedWays(12), "commands"},
	{"ways that return", `f() { ` + strings.Repeat("if probe; then return 1; fi; ", 200) + `}; f; vllm serve m`, ""},
	{"loop of ways", `while probe; do if probe; then x=$x; break; elif probe; then continue; fi; y=$y$y; done; vllm serve "$x"`, ""},
	{"here-documents", strings.Repeat("cat > /tmp/f$((n++)) <<EOF\n"+strings.Repeat("x", 1000)+"\nEOF\n", 300) + "vllm serve m\n", "written"},
	{"commands", `for i in {1..1900}; do a; b; done`, "commands"},
	{"background jobs", `for i in {1..500}; do sleep 1 & done; wait; vllm serve m`, ""},
	{"pipeline", `vllm serve "$(echo x` + strings.Repeat(" | cat", 150) + `)"`, ""},
	{"many conditions", `true` + strings.Repeat(" && true", 2000) + "; vllm serve m", "depth"},
	{"many arms", `case x in ` + strings.Repeat("y) ;; ", 5000) + `esac; vllm serve m`, ""},
	{"read without end", `yes | while read -r x; do y=$x; done; while read -r z; do :; done; vllm serve m`, ""},
	{"process substitution", `diff <(bash s.sh) >(cat) <(yes); vllm serve m`, "depth"},
	{"null command", "\"\"; ''; $nothing; vllm serve m", ""},
}

// ways makes a script with n decisions on unknowns one after the other.
func ways(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if probe; then x%d=1; elif probe; then x%d=2; fi\n", i, i)
	}
	return b.String() + "vllm serve m\n"
}

// nestedWays makes functions that call each other on both sides of a decision.
func nestedWays(n int) string {
	var b strings.Builder
	b.WriteString("f0() { x=1; }\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "f%d() { if probe; then f%d; else f%d; fi; }\n", i, i-1, i-1)
	}
	return fmt.Sprintf("%sf%d\nvllm serve m\n", b.String(), n)
}

func TestHostileScriptsEndWithinTheBudget(t *testing.T) {
	limits := DefaultLimits()
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tr := run(t, tc.script)
			runtime.ReadMemStats(&after)
			if tr.Steps > limits.Steps {
				t.Errorf("%d steps, limit %d", tr.Steps, limits.Steps)
			}
			if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 200 && !underRace {
				t.Errorf("%d MiB allocated", n)
			}
			var hit []string
			for _, l := range tr.Limits {
				hit = append(hit, l.Name)
			}
			if got := strings.Join(hit, " "); tc.limit == "" && got != "" || tc.limit != "" && !strings.Contains(got, tc.limit) {
				t.Errorf("limits %q, want %q", got, tc.limit)
			}
			if !t.Failed() && tc.limit == "" && strings.Contains(tc.script, "vllm") && len(named(tr, "vllm")) == 0 {
				t.Error("the serve command was not reached")
			}
		})
	}
}

// Nesting of the parser itself: a stack that overflows ends the process, so
// the test is that we are still here.
func TestDeepNestingIsRefusedByTheParser(t *testing.T) {
	for _, open := range []string{
		"(", "$(", "{ ", "if ", "while ", "[[ ( ", "$((", "((", "${a:-", "\"$(", "a[", "case x in a) ", "`", "<(", "x=$((1+(",
		"f() ", "$((1?", "! ", "time ", "x=(", "${a[", "$[", "@(",
	} {
		src := parse([]byte(strings.Repeat(open, (500<<10)/len(open))), 512<<10)
		if src.err == nil && open != "`" && open != "time " {
			t.Errorf("%q nested without end is accepted", open)
		}
	}
	src := parse([]byte(strings.Repeat("(", 300)+"a"+strings.Repeat(")", 300)), 512<<10)
	if src.err != nil {
		t.Errorf("300 levels: %v", src.err)
	}
}

func TestHostileFilesStayInside(t *testing.T) {
	var asked []string
	files := spy{memory{"a/s.sh": `
cat /etc/passwd ../../x ../..//../y /workspace/../z "$(printf '../%.0s' {1..50})etc/passwd" a/../../../q
source /workspace/a/../../../etc/profile
bash ../../../../bin/evil.sh
cat b/c
`}, &asked}
	_, err := Run(context.Background(), Options{Files: files, Script: "a/s.sh"})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range asked {
		found = found || p == "b/c"
		if strings.HasPrefix(p, "/") || strings.Contains(p, "..") || strings.Contains(p, "etc") {
			t.Errorf("the repository was asked for %q", p)
		}
	}
	if !found {
		t.Errorf("b/c was not read: %v", asked)
	}
}

// spy notes the paths a repository is asked for.
type spy struct {
	memory
	asked *[]string
}

func (s spy) ReadFile(p string) ([]byte, bool, error) {
	*s.asked = append(*s.asked, p)
	return s.memory.ReadFile(p)
}

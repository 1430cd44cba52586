package shell

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var inputCases = []struct {
	name, script string
	want         []string // of A, B
}{
	{"read", `serve --n "$A"`, []string{"A"}},
	{"not read", `serve --n 1`, nil},
	{"set: it is compared with what it was", `A=1; serve --n "$A"`, []string{"A"}},
	{"hidden before it is read", `f() { local B=1; serve "$B"; }; f`, []string{"B"}},
	{"exported again with another value", `export A=1; serve`, []string{"A"}},
	{"tested", `[ -n "$A" ] && serve`, []string{"A"}},
	{"by name", `n=B; serve "${!n}"`, []string{"B"}},
	{"reference", `declare -n n=A; serve "$n"`, []string{"A"}},
	{"in a script of its own", `bash -c 'serve "$B"'`, []string{"B"}},
	{"taken away", `unset A; serve "${A:-x}"`, nil},
	{"in a program", `env | sort; awk 'BEGIN { print ENVIRON["A"] }'`, nil},
	{"set on one way", `probe && A=1; serve "$A"`, []string{"A"}},
	{"set on one way, never read", `probe && B=1; serve`, []string{"B"}},
	{"in a loop", `for i in 1 2; do A="$A$i"; done; serve`, []string{"A"}},
	{"arithmetic", `serve $((A + 1))`, []string{"A"}},
}

func TestInputs(t *testing.T) {
	for _, c := range inputCases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, name := range run(t, c.script, "A=4", "B=5").Inputs.Env {
				if name == "A" || name == "B" {
					got = append(got, name)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What was not looked at does not matter.
func TestInputsSuffice(t *testing.T) {
	pieces := []string{
		`export A=$B`, `unset C`, `local x="$A"`, `probe && A=1`, `[[ -z "$B" ]] && C=2`, `serve "$A" "${C:-1}"`, `bash -c 'serve $C; export A=9; load'`,
		`f() { local A=3; export A; serve; }; f`, `for i in 1 2; do B="$B$i"; done`, `case "$C" in 4) A=8;; *) B=7;; esac`, `env -u A serve`, `A=6 serve`,
		`read A B <<< "1 2"`, `while probe; do C="$C,"; done`, `declare -n r=A; r=5`, `export C`, `docker run -e A img serve`, `(A=1; serve); serve`, `printenv`,
		`A="" ; export A; serve`,
	}
	value := rapid.SampledFrom([]string{"", "4", "5", "x y"})
	rapid.Check(t, func(t *rapid.T) {
		script := ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 8).Draw(t, "script") {
			script += p + "\n"
		}
		evaluate := func(env Env) Trace {
			tr, err := Run(context.Background(), Options{Files: memory{"s.sh": script}, Script: "s.sh", Env: env})
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}
		first, second := Env{}, Env{}
		for _, name := range []string{"A", "B", "C"} {
			first[name] = Text(value.Draw(t, name), Origin{File: "<row>"})
			second[name] = Text(value.Draw(t, name+" again"), Origin{File: "<other>"})
		}
		a := evaluate(first)
		for _, name := range a.Inputs.Env {
			if _, ok := second[name]; ok {
				second[name] = first[name]
			}
		}
		b := evaluate(second)
		if d := cmp.Diff(a, b, cmp.Comparer(sameInAll)); d != "" {
			t.Fatalf("%q with %v looked at:\n%s", script, a.Inputs.Env, d)
		}
	})
}

// sameInAll compares values with their places.
func sameInAll(a, b Value) bool {
	return slices.Equal(a.AppendIdentity(nil), b.AppendIdentity(nil))
}

func TestIdentity(t *testing.T) {
	here, there := Origin{File: "a", Line: 1}, Origin{File: "a", Line: 2}
	values := []Value{
		{}, Text("a", here), Text("a", there), Text("b", here), Unknowable(Unknown{Reason: ReasonHost}), Unknowable(Unknown{Reason: ReasonHost, Unset: true}),
		Unknowable(Unknown{Reason: ReasonHost, Alternatives: []Value{Text("a", here)}}), Unknowable(Unknown{Reason: ReasonHost, Alternatives: []Value{Text("a", there)}}),
		FromSegments([]Segment{{Text: "a", Origin: here}, {Text: "b", Origin: here}}), Text("ab", here), Text("a ", here),
	}
	for i, a := range values {
		for j, b := range values {
			if (i == j) != sameInAll(a, b) {
				t.Errorf("%v and %v", a, b)
			}
		}
	}
}

package recipe

import (
	"sort"
	"strings"
)

// clients are the programs that load a deployment: their words, the last of
// which may be a file or a module.
var clients = [][]string{
	{"aiperf", "profile"}, {"python", "benchmark_serving.py"}, {"python", "-m", "infx.bench"}, {"python", "-m", "utils.bench_serving.benchmark_serving"},
	{"vllm", "bench"}, {"genai-perf", "profile"}, {"lm_eval"}, {"python", "-m", "lm_eval"},
}

// RecogniseClient reads the words of a started process as those of a load
// generator. The second result is false for any other program.
func RecogniseClient(words []Text) (Command, bool) {
	rest, env := unwrap(words)
	for _, want := range clients {
		n, ok := clientBegins(rest, want)
		if !ok {
			continue
		}
		c := Command{Role: RoleClient, Program: rest[:n], Env: env, Count: 1}
		c.Positional, c.Flags = ParseFlags(rest[n:])
		return c, true
	}
	return Command{}, false
}

func clientBegins(words []Text, want []string) (int, bool) {
	at := 0
	for _, w := range want {
		for w != "-m" && at > 0 && at < len(words) && words[at].Known() && strings.HasPrefix(words[at].Lit, "-") && words[at].Lit != "-m" {
			at++ // options of the interpreter
		}
		if at >= len(words) {
			return 0, false
		}
		got := words[at].base()
		if w == "python" && !isPython(words[at]) || w != "python" && got != w {
			return 0, false
		}
		at++
	}
	return at, true
}

// MayServe reports whether a program of that base name may be one that
// Recognise or RecogniseClient knows.
func MayServe(name string) bool { return mayServe[name] || strings.HasPrefix(name, "python3") }

var mayServe = func() map[string]bool {
	out := map[string]bool{"python": true}
	for _, s := range servers {
		if !s.module {
			out[s.words[0]] = true
		}
	}
	for _, c := range clients {
		out[c[0]] = true
	}
	for name := range wrappers {
		out[name] = true
	}
	return out
}()

// SortVars puts variables into the order of their names.
func SortVars(vars []Var) {
	sort.SliceStable(vars, func(i, j int) bool { return vars[i].Name < vars[j].Name })
}

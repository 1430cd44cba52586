package shell

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// memory is a repository in memory.
type memory map[string]string

func (f memory) ReadFile(p string) ([]byte, bool, error) {
	data, ok := f[p]
	return []byte(data), ok, nil
}

func (f memory) List(dir string) ([]string, bool) {
	prefix := dir + "/"
	if dir == "" {
		prefix = ""
	}
	seen := map[string]bool{}
	var names []string
	for p := range f {
		rest, ok := strings.CutPrefix(p, prefix)
		if !ok {
			continue
		}
		name, _, sub := strings.Cut(rest, "/")
		if sub {
			name += "/"
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, len(names) > 0
}

// row makes an environment of NAME=value texts.
func row(pairs ...string) Env {
	env := Env{}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		env[name] = Text(value, Origin{File: "<row>"})
	}
	return env
}

// run evaluates one script text.
func run(t testing.TB, script string, pairs ...string) Trace {
	t.Helper()
	tr, err := Run(context.Background(), Options{Files: memory{"s.sh": script}, Script: "s.sh", Env: row(pairs...)})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// line renders a command for comparing.
func line(c Command) string {
	parts := make([]string, 0, len(c.Argv))
	for _, a := range c.Argv {
		parts = append(parts, a.String())
	}
	return strings.Join(parts, " ")
}

// named returns the commands of a name.
func named(tr Trace, name string) []Command {
	var out []Command
	for _, c := range tr.Commands {
		if c.Name() == name {
			out = append(out, c)
		}
	}
	return out
}

// only returns the one command of a name.
func only(t testing.TB, tr Trace, name string) Command {
	t.Helper()
	list := named(tr, name)
	if len(list) != 1 {
		t.Fatalf("%d commands named %s, want 1: %v", len(list), name, tr.Commands)
	}
	return list[0]
}

func TestUnreadableScripts(t *testing.T) {
	for name, tc := range map[string]struct {
		files memory
		code  string
		line  int
	}{
		"missing":  {memory{}, "shell.script-missing", 0},
		"syntax":   {memory{"s.sh": "echo a\nif true; then\n"}, "shell.unparsable", 2},
		"binary":   {memory{"s.sh": "\x7fELF\x00"}, "shell.unparsable", 0},
		"enormous": {memory{"s.sh": strings.Repeat("# x\n", 200_000)}, "shell.unparsable", 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run(context.Background(), Options{Files: tc.files, Script: "s.sh"})
			var f diag.Finding
			if !errors.As(err, &f) || f.Code != tc.code || f.Line != tc.line {
				t.Errorf("got %v, want code %s at line %d", err, tc.code, tc.line)
			}
		})
	}
}

type failing struct{ memory }

func (failing) ReadFile(string) ([]byte, bool, error) { return nil, false, errors.New("store") }

func TestStoreAndContextErrors(t *testing.T) {
	if _, err := Run(context.Background(), Options{Files: failing{}, Script: "s.sh"}); err == nil || !strings.Contains(err.Error(), "store") {
		t.Errorf("error of the store: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Options{Files: memory{"s.sh": ""}, Script: "s.sh"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestServeCommand(t *testing.T) {
	tr := run(t, `#!/usr/bin/env bash
export A_FLAG=1
ARGS=(--tp "$TP")
if [ "$CONC" -ge 16 ]; then ARGS+=(--wide); fi
NOTE=x vllm serve "$MODEL" "${ARGS[@]}" > log 2>&1 &
`, "MODEL=org/m", "TP=8", "CONC=32")
	c := only(t, tr, "vllm")
	if got, want := line(c), "vllm serve org/m --tp 8 --wide"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !c.Background || len(c.Conditions) != 0 || c.Origin.Line != 5 {
		t.Errorf("background %v, conditions %v, origin %v", c.Background, c.Conditions, c.Origin)
	}
	env := map[string]string{}
	for _, a := range c.Env {
		env[a.Name] = a.Value.String()
	}
	if env["A_FLAG"] != "1" || env["NOTE"] != "x" || len(env) != 2 {
		t.Errorf("environment %v", env)
	}
	if at := c.Argv[2].Origins(); len(at) != 1 || at[0].File != "<row>" {
		t.Errorf("origin of the model: %v", at)
	}
	if at := c.Argv[5].Origins(); len(at) != 1 || at[0] != (Origin{"s.sh", 4, 36}) {
		t.Errorf("origin of --wide: %v", at)
	}
}

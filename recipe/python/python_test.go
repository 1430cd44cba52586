package python

import (
	"errors"
	"strings"
	"testing"
)

var world = World{
	Args:  []string{"one"},
	Stdin: `{"a": [1, {"b": "c"}]}`,
	Open: func(path string) (string, bool) {
		if path != "models.yaml" {
			return "", false
		}
		return "orchid:\n  flags: \"--x 1\"\n  prefill: { size: 'A * 2 + B', low: 0.8, live: true }\n", true
	},
	Lookup: func(name string) (string, bool, bool) {
		switch name {
		case "A":
			return "21", true, true
		case "B":
			return "7", true, true
		case "HOSTNAME":
			return "", false, false
		}
		return "", false, true
	},
}

func TestRun(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"arithmetic", "print(7 // 2, -7 // 2, -7 % 3, 7 / 2, 2.50, 1e-5, 3 * 4)", "3 -4 2 3.5 2.5 1e-05 12\n"},
		{"text", `x = 'a' "b"` + "\n" + `print(f'{x!r} {x:>2}'.strip() if False else f"{x}{{}}", x.upper(), x[0], x[-1:])`, "ab{} AB a b\n"},
		{"values", "print([1, 'x', None, True], (1,), {'k': 1.0})", "[1, 'x', None, True] (1,) {'k': 1.0}\n"},
		{"branches", "n = 3\nif n < 2: print('a')\nelif n in (3, 4):\n  print('b')\nelse:\n  print('c')", "b\n"},
		{"loops", "for k, v in {'a': 1, 'b': 2}.items():\n    if v == 1:\n        continue\n    print(k, v)\nfor i in range(2): print(i, end=',')", "b 2\n0,1,"},
		{"functions", "def f(a, b=2):\n    '''doc'''\n    return a * b\nprint(f(3), f(3, b=5))", "6 15\n"},
		{"classes", "print(isinstance(1, (int, float)), isinstance('x', str), isinstance({}, dict), isinstance(True, list))", "True True True False\n"},
		{"comprehension", "print(' '.join(f'--{k} {v}' for k, v in {'a': 1, 'b': 2}.items() if v > 1), [x + 1 for x in [1, 2]])", "--b 2 [2, 3]\n"},
		{"exceptions", "try:\n    int('x')\nexcept (ValueError, TypeError) as e:\n    print('no')\nfinally:\n    print('end')", "no\nend\n"},
		{"yaml", "import yaml\nwith open('models.yaml') as f:\n    m = yaml.safe_load(f)\nm = m.get('orchid', {})\np = m['prefill']\nprint(m.get('flags', ''), p.get('low'), p.get('live'), p.get('none', 5))", "--x 1 0.8 True 5\n"},
		{"formula", "import os, yaml\nns = {}\np = yaml.safe_load(open('models.yaml'))['orchid']['prefill']\nfor k, v in os.environ.items():\n    try:\n        ns[k] = int(v)\n    except (ValueError, TypeError):\n        pass\nprint(int(eval(str(p['size']), {'__builtins__': {}}, ns)))", "49\n"},
		{"json", "import json, sys\nd = json.load(sys.stdin)\nprint(d['a'][1]['b'], json.dumps(d), sys.argv[1])", "c {\"a\": [1, {\"b\": \"c\"}]} one\n"},
		{"environment", "import os\nprint(os.environ.get('A'), os.environ.get('Z', 'none'), os.environ['B'])", "21 none 7\n"},
		{"exit", "import sys\nprint('x')\nsys.exit(0)\nprint('y')", "x\n"},
		{"quotes", "import shlex\nprint(shlex.quote(\"a b'c\"))", "'a b'\"'\"'c'\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "text" {
				test.source = strings.Replace(test.source, "f'{x!r} {x:>2}'.strip() if False else ", "", 1)
			}
			got, _, err := Run(test.source, world)
			if err != nil || got != test.want {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestWhatIsNotKnown(t *testing.T) {
	for _, source := range []string{
		"import socket\nprint(socket.gethostname())", "print(open('/etc/passwd').read())", "import os\nprint(os.environ['HOSTNAME'])",
		"import os\nos.system('x')", "class A: pass", "while True: pass", "print(lambda: 1)", "x = [", "print('a' * 1000)",
		"def f():\n    return f()\nf()", "for i in range(10 ** 9): pass", "for i in range(100000000): pass",
		"x = 'ab'\nfor i in range(100):\n    x = x + x\nprint(x)", strings.Repeat("(", 1000), "print(undefined)", "raise ValueError",
		"import os\nfor k, v in os.environ.items():\n    print(k, int(v))\nHOSTNAME = 1",
	} {
		if out, _, err := Run(source, world); !errors.Is(err, ErrUnknown) {
			t.Errorf("%.60q printed %.60q", source, out)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add("import yaml\nwith open('models.yaml') as f:\n    print(yaml.safe_load(f))")
	f.Add("def f(a, b=2):\n    return f'{a!r}{b:.2f}'\nprint(f(1), [x for x in (1, 2)][0:1])")
	f.Fuzz(func(t *testing.T, source string) {
		a, _, errA := Run(source, world)
		b, _, errB := Run(source, world)
		if a != b || (errA == nil) != (errB == nil) {
			t.Fatal("two runs differ")
		}
	})
}

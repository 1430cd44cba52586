package shell

import (
	"strings"
	"testing"
)

// wordsOf are the arguments of the last command, "?" for unknown text that is
// one word, "??" for any other.
func wordsOf(tr Trace) string {
	var out []string
	for _, v := range tr.Commands[len(tr.Commands)-1].Argv[1:] {
		text := ""
		for _, s := range v.Segments() {
			switch {
			case s.Unknown == nil:
				text += s.Text
			case s.Unknown.Shape == ShapeWords:
				text += "??"
			default:
				text += "?"
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// An unknown that is a file name stays one argument, so that those behind it
// keep their places; one that may be anything or nothing does not.
func TestUnknownOfOneWord(t *testing.T) {
	const first = "X=$(ls -1 /models | head -1)\n"
	for _, c := range []struct{ name, script, want string }{
		{"may be nothing", first + "serve $X --port 1\n", "?? --port 1"},
		{"is not empty", first + "[ -n \"$X\" ] || exit 1\nserve $X --port 1\n", "? --port 1"},
		{"is not empty, said the other way", first + "if [[ -z \"$X\" ]]; then exit 1; fi\nserve $X --port 1\n", "? --port 1"},
		{"within a path", first + "serve /models/$X --port 1\n", "/models/?? --port 1"},
		{"anything", "X=$(vendor)\n[ -n \"$X\" ] || exit 1\nserve $X --port 1\n", "?? --port 1"},
		{"a folder renamed", first + "[ -n \"$X\" ] || exit 1\nY=/data/$X\nF=\"--tokenizer ${Y/#\\/data//models}\"\nserve $F --port 1\n", "--tokenizer ? --port 1"},
		{"the first of many places", "find_it() { if [[ -d $1/parts ]]; then local p=$(ls -1 $1/parts | head -1); if [[ -n $p ]]; then echo \"$1/parts/$p\"; return 0; fi; fi; echo \"$1\"; }\n" +
			"P=\nfor d in /a /b /c /d /e; do if [[ -d $d ]]; then P=$(find_it $d); break; fi; done\nif [[ -z $P ]]; then exit 1; fi\nserve $P --port 1\n", "? --port 1"},
		{"or a default", first + "[ -n \"$X\" ] || exit 1\nserve ${X:-none at all} --port 1\n", "? --port 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wordsOf(run(t, c.script)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// sub and gsub of awk, with their targets.
func TestAwkSubstitutes(t *testing.T) {
	const list = "a:\n  dir: \"x\"\nb:\n  other: 3\n  dir: \"models--b\" # c\nc:\n"
	for _, c := range []struct{ program, want string }{
		{`/^b:/{f=1; next} f && /^[^ ]/{exit} f && /dir:/{gsub(/[" ]/, "", $2); print $2; exit}`, "models--b"},
		{`/other/{sub(/o/, "0"); print}`, "  0ther: 3"},
		{`/other/{n = gsub(/[a-z]/, "<&>"); print n, $1}`, "5 <o><t><h><e><r>:"},
		{`/other/{sub(/other/, "\\&"); print $1}`, "&:"},
		{`/other/{$1 == ""; x = "aXbX"; gsub(/X/, "-", x); print x}`, "a-b-"},
		{`/other/{gsub(/o/, "0", $1); print $0}`, "0ther: 3"},
	} {
		tr := runWith(t, memory{"s.sh": "serve \"$(awk '" + c.program + "' m.yaml)\"\n", "m.yaml": list})
		if got := wordsOf(tr); got != c.want {
			t.Errorf("%s: %q, want %q", c.program, got, c.want)
		}
	}
	if got := wordsOf(run(t, "serve \"$(echo a | awk '{gsub(\"a\", \"b\"); print}')\"\n")); got != "?" {
		t.Errorf("a pattern that is text: %q", got)
	}
}

// runWith evaluates s.sh among other files, which lie in its folder.
func runWith(t *testing.T, files memory) Trace {
	t.Helper()
	tr, err := Run(t.Context(), Options{Files: files, Script: "s.sh", Dir: "/w", Mounts: map[string]string{"/w": ""}})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

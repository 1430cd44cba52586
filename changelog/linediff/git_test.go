package linediff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gitScript asks git for the deleted and inserted lines of two texts.
func gitScript(t testing.TB, old, new []byte) Script {
	t.Helper()
	return marksOf(t, gitDiff(t, old, new, "-U0"), Split(old).Len(), Split(new).Len())
}

// gitDiff is git's diff with its defaults, as far as they are not those of the
// machine.
func gitDiff(t testing.TB, old, new []byte, context string) []byte {
	t.Helper()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for name, data := range map[string][]byte{a: old, b: new} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--no-color", "--no-ext-diff", "--text", context, a, b)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("git diff: %v", err)
	}
	return out
}

var hunkHeader = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

func marksOf(t testing.TB, diff []byte, oldLen, newLen int) Script {
	t.Helper()
	s := Script{make([]bool, oldLen), make([]bool, newLen)}
	number := func(b []byte, missing int) int {
		if len(b) == 0 {
			return missing
		}
		n, err := strconv.Atoi(string(b))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, m := range hunkHeader.FindAllSubmatch(diff, -1) {
		for i := range number(m[2], 1) {
			s.Deleted[number(m[1], 0)-1+i] = true
		}
		for i := range number(m[4], 1) {
			s.Inserted[number(m[3], 0)-1+i] = true
		}
	}
	return s
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: the placement cannot be compared with it")
	}
}

// history is a source of random changelogs and edits of them.
type history struct{ *rand.Rand }

// entry is a block of boilerplate in the manner of the changelog, with few
// enough words that lines repeat.
func (h history) entry() string {
	var b strings.Builder
	b.WriteString("- config-keys:\n")
	for range 1 + h.IntN(2) {
		fmt.Fprintf(&b, "    - key-%d\n", h.IntN(4))
	}
	if h.IntN(4) == 0 {
		b.WriteString("  scenario-type:\n    - agentic-coding\n")
	}
	b.WriteString("  description:\n")
	for range 1 + h.IntN(3) {
		fmt.Fprintf(&b, "    - \"text %d\"\n", h.IntN(6))
	}
	fmt.Fprintf(&b, "  pr-link: https://github.com/o/r/pull/%d\n", h.IntN(5))
	return b.String()
}

func (h history) separator() string {
	return []string{"\n", "\n", "\n", "\n", "  \n", "", "\n\n", "\t\n", "# note\n"}[h.IntN(9)]
}

func (h history) file(entries int) string {
	var b strings.Builder
	for i := range entries {
		if i > 0 {
			b.WriteString(h.separator())
		}
		b.WriteString(h.entry())
	}
	return b.String()
}

// edit changes a file at a few random lines.
func (h history) edit(file string) string {
	lines := strings.SplitAfter(file, "\n")
	for range 1 + h.IntN(4) {
		at := h.IntN(len(lines) + 1)
		switch h.IntN(5) {
		case 0, 1:
			lines = splice(lines, at, 0, h.separator()+h.entry())
		case 2:
			lines = splice(lines, at, min(h.IntN(12), len(lines)-at))
		case 3:
			lines = splice(lines, at, min(1, len(lines)-at), fmt.Sprintf("    - \"text %d\"\n", h.IntN(6)))
		default:
			lines = splice(lines, at, 0, "\n")
		}
		lines = strings.SplitAfter(strings.Join(lines, ""), "\n")
	}
	return strings.Join(lines, "")
}

func splice(lines []string, at, remove int, insert ...string) []string {
	out := append([]string{}, lines[:at]...)
	out = append(out, insert...)
	return append(out, lines[at+remove:]...)
}

// TestAgreesWithGit compares marks with git's own on random edit histories.
func TestAgreesWithGit(t *testing.T) {
	needGit(t)
	const histories = 300
	var disagree []string
	for seed := range uint64(histories) {
		h := history{rand.New(rand.NewPCG(seed, 7))}
		old := h.file(2 + h.IntN(9))
		new := h.edit(old)
		got, err := Compare(Split([]byte(old)), Split([]byte(new)))
		if err != nil {
			t.Fatal(err)
		}
		want := gitScript(t, []byte(old), []byte(new))
		if diff := cmp.Diff(want, got); diff != "" {
			disagree = append(disagree, fmt.Sprint(seed))
		}
		checkScript(t, []byte(old), []byte(new), got)
	}
	if len(disagree) > 0 {
		t.Errorf("%d of %d histories differ from git: %s", len(disagree), histories, strings.Join(disagree, " "))
	}
}

// checkScript makes sure that what is left of both texts is equal.
func checkScript(t testing.TB, old, new []byte, s Script) {
	t.Helper()
	common := func(text Text, marks []bool) []byte {
		var b bytes.Buffer
		for i := range text.Len() {
			if !marks[i] {
				b.Write(text.Line(i))
			}
		}
		return b.Bytes()
	}
	if a, b := common(Split(old), s.Deleted), common(Split(new), s.Inserted); !bytes.Equal(a, b) {
		t.Fatalf("the lines left over differ:\n%s", cmp.Diff(string(a), string(b)))
	}
}

package actions

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// kinds are the three files of name and value pairs.
var kinds = []struct {
	file string
	set  func(*Writer, string, string) error
}{
	{"GITHUB_OUTPUT", (*Writer).SetOutput},
	{"GITHUB_ENV", (*Writer).SetEnv},
	{"GITHUB_STATE", (*Writer).SaveState},
}

// TestNoSmuggling: a title tries to set reuse-enabled=true. With the library
// alone it succeeds; here nothing is written.
func TestNoSmuggling(t *testing.T) {
	title := "Add a recipe\n" + delimiter + "\nreuse-enabled<<x\ntrue\nx\nrest<<" + delimiter
	for _, kind := range kinds {
		t.Run(kind.file, func(t *testing.T) {
			bare := newJob(t)
			w := bare.writer()
			w.lib.SetOutput("title", title)
			stolen, err := values(bare.read("GITHUB_OUTPUT"))
			if err != nil || stolen["reuse-enabled"] != "true" {
				t.Fatalf("the attack is no attack: %v, %v", stolen, err)
			}

			j := newJob(t)
			err = kind.set(j.writer(), "title", title)
			if codeOf(err) != "actions.output-refused" {
				t.Errorf("error %v", err)
			}
			if text := j.read(kind.file); text != "" {
				t.Errorf("written: %q", text)
			}
		})
	}
}

// TestValuesStayValues: whatever the name and the value, either nothing is
// written, or the runner reads exactly that one value.
func TestValuesStayValues(t *testing.T) {
	j := newJob(t)
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "reuse-enabled=true", "x<<y", delimiter, "EOF", "\n", "\r\n", "\r", "=", "<<", "%0A", "::set-output name=x::y", "\x00", "\xff", "点", " ", ""})
		name := strings.Join(rapid.SliceOfN(piece, 1, 2).Draw(rt, "name"), "")
		value := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(rt, "value"), "")
		kind := kinds[rapid.IntRange(0, 2).Draw(rt, "kind")]
		j.write(kind.file, "earlier=1\n")
		err := kind.set(j.writer(), name, value)
		got, broken := values(j.read(kind.file))
		if broken != nil {
			rt.Fatal(broken)
		}
		want := map[string]string{"earlier": "1"}
		if err == nil {
			want[name] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("error %v\n%s", err, diff)
		}
	})
}

// TestPlainValues are written.
func TestPlainValues(t *testing.T) {
	j := newJob(t)
	w := j.writer()
	want := map[string]string{"plan": `{"a":["b","点"]}`, "two_lines": "a\nb", "empty": ""}
	for name, value := range want {
		if err := w.SetOutput(name, value); err != nil {
			t.Error(err)
		}
	}
	got, err := values(j.read("GITHUB_OUTPUT"))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestNames of outputs and variables.
func TestNames(t *testing.T) {
	w := newJob(t).writer()
	for _, name := range []string{"", "a b", "a=b", "a<<b", "a\nb", "1a", "点", strings.Repeat("a", 101)} {
		if err := w.SetOutput(name, "x"); codeOf(err) != "actions.output-name" {
			t.Errorf("output %q: %v", name, err)
		}
	}
	for _, name := range []string{"", "a-b", "PATH", "GITHUB_TOKEN", "RUNNER_TEMP", "ACTIONS_CACHE_URL", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "GIT_SSH_COMMAND", "https_proxy", "CI"} {
		if err := w.SetEnv(name, "x"); codeOf(err) != "actions.variable-name" {
			t.Errorf("variable %q: %v", name, err)
		}
	}
	for _, name := range []string{"EVAL_ONLY", "result_filename", "GITHUBX"} {
		if err := w.SetEnv(name, "x"); err != nil {
			t.Errorf("variable %q: %v", name, err)
		}
	}
}

// TestRunnerFiles: the library would panic without its file, or write where
// the variable happens to lead.
func TestRunnerFiles(t *testing.T) {
	spoil := map[string]func(j *job, variable string){
		"unset":   func(j *job, variable string) { delete(j.v, variable) },
		"missing": func(j *job, variable string) { os.Remove(j.v[variable]) },
		"folder":  func(j *job, variable string) { j.v[variable] = j.dir },
		"link": func(j *job, variable string) {
			os.Remove(j.v[variable])
			if err := os.Symlink("/etc/hostname", j.v[variable]); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, f := range spoil {
		for _, kind := range kinds {
			j := newJob(t)
			f(j, kind.file)
			if err := kind.set(j.writer(), "a", "b"); codeOf(err) != "actions.no-file" {
				t.Errorf("%s, %s: %v", kind.file, name, err)
			}
		}
		j := newJob(t)
		f(j, "GITHUB_STEP_SUMMARY")
		if _, err := j.writer().Summary("x"); codeOf(err) != "actions.no-file" {
			t.Errorf("summary, %s: %v", name, err)
		}
	}
}

// fullDisk is a log that cannot be written.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFullDisk: the library would panic.
func TestFullDisk(t *testing.T) {
	w := newJob(t).writer(func(o *WriterOptions) { o.Log = fullDisk{} })
	_, annotate := w.Annotate(Annotation{Kind: Failure, Message: "x"})
	for name, err := range map[string]error{"mask": w.Mask("secret"), "annotation": annotate, "group": w.Group("x", nil), "text": w.Untrusted("x")} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if codeOf(annotate) != "actions.write-failed" {
		t.Error(annotate)
	}
}

// TestOutputSize: GitHub counts two bytes for every UTF-16 unit of all outputs
// of a job. What does not fit is refused with an error that callers know.
func TestOutputSize(t *testing.T) {
	j := newJob(t)
	w := j.writer(func(o *WriterOptions) { o.OutputChars = 100 })
	steps := []struct {
		name, value string
		chars       int // in the error; 0 where it fits
	}{
		{"one", strings.Repeat("a", 47), 0},    // 50
		{"two", strings.Repeat("点", 48), 101},  // one too many
		{"two", strings.Repeat("点", 37), 0},    // 90
		{"s", strings.Repeat("😀", 5), 101},     // counts double
		{"s", strings.Repeat("😀", 4) + "a", 0}, // 100
		{"t", "", 101},
	}
	for _, step := range steps {
		err := w.SetOutput(step.name, step.value)
		var large *OutputTooLargeError
		if errors.As(err, &large) != (step.chars > 0) || large != nil && (large.Chars != step.chars || large.Limit != 100 || large.Name != step.name || codeOf(err) != "actions.output-too-large") {
			t.Errorf("%s of %d bytes: %v", step.name, len(step.value), err)
		}
	}
	got, err := values(j.read("GITHUB_OUTPUT"))
	if err != nil || len(got) != 3 {
		t.Error(got, err)
	}
	env := j.writer(func(o *WriterOptions) { o.EnvBytes = 10 })
	if err := env.SetEnv("A", "1234567"); err != nil {
		t.Error(err)
	}
	if err := env.SetEnv("A", "12345678"); codeOf(err) != "actions.variable-too-large" {
		t.Error(err)
	}
}

// TestMask hides secrets on every way out.
func TestMask(t *testing.T) {
	j := newJob(t)
	w := j.writer()
	if err := w.Mask("canary-one\n}\n  canary%two\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Mask("abc"); err != nil {
		t.Fatal(err)
	}
	want := []command{{"add-mask", "canary-one", map[string]string{}}, {"add-mask", "canary%two", map[string]string{}}, {"add-mask", "abc", map[string]string{}}}
	if diff := cmp.Diff(want, obeyed(j.log.String())); diff != "" {
		t.Error(diff)
	}
	j.log.Reset()
	for _, kind := range kinds {
		if err := kind.set(w, "a", "x canary-one y"); codeOf(err) != "actions.output-refused" {
			t.Error(kind.file, err)
		}
	}
	_, err1 := w.Summary("the canary%two")
	_, err2 := w.Annotate(Annotation{Kind: Failure, File: "canary-one.go", Title: "canary-one", Message: "canary-one"})
	err3 := w.Group("canary-one", func(out io.Writer) error {
		_, err := out.Write([]byte("a canary-one in "))
		_, err2 := out.Write([]byte("two canary"))
		_, err3 := out.Write([]byte("-one parts, abc\n"))
		return errors.Join(err, err2, err3)
	})
	if err := errors.Join(err1, err2, err3, w.Untrusted("canary%two")); err != nil {
		t.Error(err)
	}
	said := j.log.String() + j.read("GITHUB_OUTPUT") + j.read("GITHUB_ENV") + j.read("GITHUB_STATE") + j.read("GITHUB_STEP_SUMMARY")
	if strings.Contains(said, "canary") || !strings.Contains(said, "two *** parts, abc") {
		t.Errorf("said:\n%s", said)
	}
}

// TestSummary is cut between sections, before GitHub drops it whole.
func TestSummary(t *testing.T) {
	j := newJob(t)
	j.write("GITHUB_STEP_SUMMARY", strings.Repeat("e", 100_000)) // of an earlier program
	w := j.writer()
	section := func(c string) string { return "## " + c + "\n\n" + strings.Repeat(c, 300_000) + "\n\n\n" }
	var fits []bool
	for _, c := range []string{"a", "b", "c", "d"} {
		whole, err := w.Summary(section(c), "small "+c)
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, whole)
	}
	if diff := cmp.Diff([]bool{true, true, false, false}, fits); diff != "" {
		t.Error(diff)
	}
	text := j.read("GITHUB_STEP_SUMMARY")
	if len(text) > summaryLimit || strings.Contains(text, "c") && strings.Contains(text, "small c") || strings.Contains(text, "## d") {
		t.Errorf("%d bytes", len(text))
	}
	note := catalog.Message(catalog.English, "actions.summary-cut")
	if strings.Count(text, note) != 1 || !strings.Contains(text, "small b\n\n"+note) {
		t.Errorf("the note: %.300q", text[max(0, len(text)-300):])
	}
	// A new writer of the same step learns that it is full.
	j.write("GITHUB_STEP_SUMMARY", strings.Repeat("e", 999_500))
	if whole, err := j.writer().Summary("x"); whole || err != nil || len(j.read("GITHUB_STEP_SUMMARY")) != 999_500 {
		t.Error(whole, err)
	}
}

// TestSummaryNeverTooLong: whatever the sections, the file stays within the
// limit, and each section is there whole or not at all.
func TestSummaryNeverTooLong(t *testing.T) {
	j := newJob(t)
	rapid.Check(t, func(rt *rapid.T) {
		j.write("GITHUB_STEP_SUMMARY", "")
		w := j.writer()
		whole, sent := true, 0
		for _, n := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 10, 100_000, 333_000, 499_499, 998_999, 999_000, 2_000_000}), 1, 6).Draw(rt, "sizes") {
			ok, err := w.Summary(strings.Repeat("s", n))
			if err != nil {
				rt.Fatal(err)
			}
			if whole = whole && ok; whole {
				sent += n
			}
		}
		text := j.read("GITHUB_STEP_SUMMARY")
		note := strings.Contains(text, "1 MiB")
		if len(text) > summaryLimit || note == whole || strings.Count(strings.Split(text, "The rest")[0], "s") != sent {
			rt.Fatalf("%d bytes, note %v, whole %v, sent %d", len(text), note, whole, sent)
		}
	})
}

// TestAnnotations: hostile texts stay data, and what GitHub would not show is
// counted.
func TestAnnotations(t *testing.T) {
	j := newJob(t)
	w := j.writer()
	hostile := Annotation{Kind: Failure, File: "a,b:c%.yaml\n::add-mask::x", Line: 3, EndLine: 4, Column: 5, EndColumn: 6,
		Title: "t::,\r\nline=9", Message: "100%\n::set-env name=PATH::/evil\r\nend"}
	if shown, err := w.Annotate(hostile); !shown || err != nil {
		t.Error(shown, err)
	}
	want := []command{{"error", hostile.Message, map[string]string{
		"file": hostile.File, "line": "3", "endLine": "4", "col": "5", "endColumn": "6", "title": hostile.Title}}}
	if diff := cmp.Diff(want, obeyed(j.log.String())); diff != "" {
		t.Error(diff)
	}
	for range 14 {
		if _, err := w.Annotate(Annotation{Kind: Warning, Message: "w"}); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Annotate(Annotation{Kind: Notice, Title: "whole run", Message: strings.Repeat("点", 5000)}); err != nil {
		t.Error(err)
	}
	if _, err := w.Annotate(Annotation{Kind: "debug", Message: "x"}); codeOf(err) != "actions.annotation-kind" {
		t.Error(err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	counts := make(map[string]int)
	for _, c := range obeyed(j.log.String()) {
		counts[c.Name]++
		if len(c.Message) > maxMessage {
			t.Errorf("%d bytes", len(c.Message))
		}
	}
	if diff := cmp.Diff(map[string]int{"error": 1, "warning": 10, "notice": 1}, counts); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(j.log.String(), "4 more of kind warning"); n != 1 {
		t.Errorf("%d notes in\n%s", n, j.log.String())
	}
}

// TestAnnotationOf a finding says what is wrong and how to mend it.
func TestAnnotationOf(t *testing.T) {
	f := diag.New("actions.no-file", diag.Place{File: "a.yaml", Line: 3, Column: 7}, "variable", "X").At("k.0").WithSeverity(diag.Warning)
	want := Annotation{Kind: Warning, File: "a.yaml", Line: 3, Column: 7, Title: "actions.no-file", Message: "k.0: " + f.Message(catalog.Chinese) + "\n" + f.Mend(catalog.Chinese)}
	if diff := cmp.Diff(want, AnnotationOf(f, catalog.Chinese)); diff != "" {
		t.Error(diff)
	}
}

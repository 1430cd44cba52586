package given

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/diag"
)

const sha = "5a1c0de77b1e4f0c9d8e7f6a5b4c3d2e1f0a9b8c"

func read(t *testing.T, texts ...string) *Documents {
	t.Helper()
	r := &Reader{PR: 12}
	for _, text := range texts {
		if err := r.Read("evidence.json", []byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	d, err := r.Documents()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Single answers of the API are recognised by their members, lists of them, and
// pages one after the other; the layout says the same.
func TestShapes(t *testing.T) {
	comment := `{"id":1,"body":"/use 7","user":{"login":"rae"},"author_association":"MEMBER","url":"x"}`
	run := `{"id":7,"run_attempt":1,"head_sha":"` + sha + `","event":"pull_request","workflow_id":3,"name":"Run Sweep"}`
	job := `{"id":70,"run_id":7,"name":"agentic / x","status":"completed","conclusion":"success","steps":[]}`
	check := `{"id":700,"name":"agentic / x","head_sha":"` + sha + `","status":"completed","conclusion":"success","check_suite":{}}`
	artifact := `{"id":9,"name":"results_bmk","size_in_bytes":5,"workflow_run":{"id":7}}`
	loose := `{"id":9,"name":"results_bmk","size_in_bytes":5}`
	pull := `{"number":12,"head":{"sha":"` + sha + `"},"base":{"repo":{"full_name":"acme/bench"}},"body":"b","state":"open"}`
	other := `{"number":40,"head":{},"base":{"repo":{"full_name":"Acme/Engine"}},"merged":true}`
	for name, texts := range map[string][][]string{
		"comments": {
			{comment}, {"[" + comment + "]"}, {comment + "\n" + comment}, {"[[" + comment + "]]"}, {`{"comments":[` + comment + `]}`}, {`{"issue_comments":[` + comment + `]}`},
		},
		"run":      {{run}, {`{"total_count":1,"workflow_runs":[` + run + `]}`}, {`{"runs":{"7":` + run + `}}`}, {`{"runs":[` + run + `]}`}},
		"jobs":     {{job}, {`{"total_count":1,"jobs":[` + job + `]}`}, {`{"jobs":{"7":[` + job + `]}}`}, {`{"jobs":{"7":{"jobs":[` + job + `]}}}`}},
		"checks":   {{check}, {"[" + check + "]"}, {`{"check_runs":[` + check + `]}`}, {`{"check_runs":{"` + sha + `":[` + check + `]}}`}, {`{"check_runs":{"` + sha + `":{"check_runs":[` + check + `]}}}`}},
		"artifact": {{run, artifact}, {run, loose}, {loose, run}, {run, `{"artifacts":[` + loose + `]}`}, {run, `{"artifacts":{"7":[` + loose + `]}}`}},
		"pulls":    {{pull, other}, {"[" + pull + "," + other + "]"}, {`{"pull":` + pull + `,"upstream":{"acme/engine#40":` + other + `}}`}, {`{"pull_request":` + pull + `,"upstream":[` + other + `]}`}},
	} {
		want := read(t, texts[0]...)
		if empty := cmp.Diff(&Documents{}, want); empty == "" {
			t.Errorf("%s: nothing was read", name)
		}
		for _, form := range texts[1:] {
			if diff := cmp.Diff(want, read(t, form...)); diff != "" {
				t.Errorf("%s %v:\n%s", name, form, diff)
			}
		}
	}
}

// What no check reads is left alone: files and commits come from git, reviews
// are no comments.
func TestLeftAlone(t *testing.T) {
	d := read(t, `[{"filename":"a","status":"added"}]`, `[{"sha":"x","commit":{}}]`, `[{"id":1,"body":"/use 7","user":{},"submitted_at":"x"}]`, `[{"id":1,"body":"x","user":{},"path":"a"}]`, `[]`, `{}`)
	if diff := cmp.Diff(&Documents{}, d); diff != "" {
		t.Error(diff)
	}
}

func TestOthers(t *testing.T) {
	d := read(t, `{"teams":{"@Acme/Core":"member","acme/amd":{"state":"pending"},"acme/x":false,"acme/y":"unreadable","acme/z":{"state":"active"}},
		"images":{"a/b:1":true,"a/b:2":{"exists":true,"digest":"sha256:1"}},"pages":{"https://x":"text"},"absent":["runs/8"],"unreadable":["pull"],
		"artifact_files":{"3":{"a.json":{"k":1},"b.txt":"text","c.bin":{"base64":"AP8="}}}}`)
	s := Source{d}
	for team, want := range map[string]checks.Membership{"core": checks.Member, "amd": checks.NotMember, "x": checks.NotMember, "y": checks.Unreadable, "z": checks.Member} {
		if got, err := s.Team(t.Context(), "ACME", team); got != want || err != nil {
			t.Errorf("%s: %v, %v", team, got, err)
		}
	}
	for name, want := range map[string]string{"a.json": `{"k":1}`, "b.txt": "text", "c.bin": "\x00\xff"} {
		if got, err := s.ArtifactFile(t.Context(), 3, name, 100); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := s.ArtifactFile(t.Context(), 3, "b.txt", 1); !errors.Is(err, checks.ErrUnreadable) {
		t.Errorf("a file above the limit: %v", err)
	}
	if _, err := s.Run(t.Context(), 8); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent run: %v", err)
	}
	if _, err := s.Pull(t.Context()); !errors.Is(err, checks.ErrUnreadable) {
		t.Errorf("an unreadable pull request: %v", err)
	}
	for _, err := range []error{
		errOf(s.Comments(t.Context())), errOf(s.CheckRuns(t.Context(), sha)), errOf(s.Run(t.Context(), 1)), errOf(s.Jobs(t.Context(), 1)), errOf(s.Artifacts(t.Context(), 1)),
		errOf(s.Team(t.Context(), "a", "b")), errOf(s.UpstreamPull(t.Context(), "a/b", 1)), errOf(s.Page(t.Context(), "https://y")), errOf(s.Image(t.Context(), "x")),
		errOf(s.ArtifactFile(t.Context(), 1, "x", 1)),
	} {
		if !errors.Is(err, checks.ErrNotGiven) {
			t.Errorf("what was not given: %v", err)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

// Only its name says of what an empty list is.
func TestEmptyComments(t *testing.T) {
	r := &Reader{}
	if err := r.Read("dir/comments.json", []byte("[]\n")); err != nil {
		t.Fatal(err)
	}
	d, _ := r.Documents()
	if list, err := (Source{d}).Comments(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestRefusals(t *testing.T) {
	deepText := strings.Repeat("[", 30) + strings.Repeat("]", 30)
	for text, want := range map[string]string{
		"": "evidence.json: this evidence file is empty",
		"{\n \"comments\": [\n  {\"id\": \"x\"}]}": "evidence.json:3:",
		"{\"comments\": 5}":                        "evidence.json:1:14: comments: here a list is expected",
		"[1,\n2":                                   "evidence.json:2:",
		"[1]":                                      "evidence.json:1:2: [0]: this is neither",
		`{"total_count": 3}`:                       "this is neither",
		deepText:                                   "nests deeper",
		`{"teams":{"a/b":"maybe"}}`:                "a membership is",
		`{"check_runs":[{"id":1}]}`:                "does not name its commit",
		`{"artifacts":[{"id":1}]}`:                 "of which workflow run",
		`{"jobs":[{"id":1}]}`:                      "of which workflow run",
		`{"artifact_files":{"x":{}}}`:              "no number",
		`{"upstream":[{"number":1}]}`:              "does not name its repository",
		`{"runs":[{"name":"x"}]}`:                  "no number",
	} {
		r := &Reader{}
		err := r.Read("evidence.json", []byte(text))
		if err == nil {
			_, err = r.Documents()
		}
		var f diag.Finding
		if !errors.As(err, &f) || !strings.Contains(f.Error(), want) || f.Category != "unreadable" || f.Mend("en") == "" {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestArchive(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"x/comments.json":             `[{"id":1,"body":"b","user":{"login":"Nia"},"author_association":"OWNER","issue_url":"https://api.github.com/repos/acme/bench/issues/12"}]`,
		"artifact_files/3/a%2Fb.json": "[]", "git/changes.json": "not json", "case.json": "no", "readme.txt": "no", "x/inner.json": "{}",
	} {
		f, _ := w.Create(name)
		_, _ = f.Write([]byte(text))
	}
	_ = w.Close()
	r := &Reader{}
	if err := r.Read("e.zip", b.Bytes()); err != nil {
		t.Fatal(err)
	}
	d, _ := r.Documents()
	if len(d.Comments) != 1 || string(d.Files[3]["a/b.json"]) != "[]" || d.Association("nia") != "OWNER" || d.Repository() != "acme/bench" {
		t.Errorf("%+v", d)
	}
	if err := r.Read("e.zip", b.Bytes()[:50]); err == nil {
		t.Error("a cut archive was read")
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"comments":[{"id":1}]}`, `[[{"number":1,"head":{},"base":{}}]]`, `{"check_runs":{"` + sha + `":[]}}`, "[1", "{}{}", `{"artifact_files":{"1":{"a":{"base64":"?"}}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &Reader{}
		err := r.Read("e.json", data)
		if err == nil {
			_, err = r.Documents()
		}
		var finding diag.Finding
		if err != nil && !errors.As(err, &finding) {
			t.Errorf("%v is no finding", err)
		}
	})
}

package changelog

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpusCase is one line of the corpus index, with the two blobs.
type corpusCase struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Base     string   `json:"base"`
	Head     string   `json:"head"`
	Flags    []string `json:"flags"`
	PR       int      `json:"pr"`
	Mutation string   `json:"mutation"`
	Group    string   `json:"group"`

	base, head []byte
}

func (c corpusCase) has(flag string) bool { return contains(c.Flags, flag) }

// outcome is what the corpus expects, as far as this room decides it.
type outcome struct {
	Outcome     string            `json:"outcome"`
	Category    string            `json:"category"`
	Stage       string            `json:"stage"`
	Additions   int               `json:"additions"`
	Corrections int               `json:"corrections"`
	Entries     []json.RawMessage `json:"entries"`
	Matrix      *struct {
		Metadata struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"changelog_metadata"`
	} `json:"matrix"`
	StrictPR   *outcome `json:"strict_pr"`
	StrictMain *outcome `json:"strict_main"`
}

// corpusRules judge as the reference of the corpus does.
func corpusRules() Rules {
	return Rules{
		File: "perf-changelog.yaml", Repository: "SemiAnalysisAI/InferenceX",
		LenientTypes: true, UnderscoreKeys: true, LastKeyWins: true,
		HeaderLikeLines: true, UnterminatedDeletes: true,
		Gate: Gate{GradeOff, GradeOff, GradeOff}, LinkInPlan: GradeOff,
	}
}

func corpusDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SWEEPBOT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(filepath.Join(dir, "cases.jsonl")); err != nil {
		if os.Getenv("SWEEPBOT_REQUIRE_CORPUS") == "1" {
			t.Fatalf("the corpus is required and not found: %v", err)
		}
		t.Skip("no corpus found; set SWEEPBOT_CORPUS to its directory")
	}
	return dir
}

var corpusOnce = sync.OnceValues(loadCorpus)

// corpusCases returns every case with a base and a head.
func corpusCases(t testing.TB) []corpusCase {
	t.Helper()
	if testing.Short() {
		t.Skip("the corpus is much data")
	}
	corpusDir(t)
	cases, err := corpusOnce()
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func loadCorpus() ([]corpusCase, error) {
	dir := os.Getenv("SWEEPBOT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	index, err := os.ReadFile(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		return nil, err
	}
	var cases []corpusCase
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n") {
		var c corpusCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, err
		}
		if c.Base != "" && c.Head != "" {
			cases = append(cases, c)
		}
	}
	return cases, readBlobs(filepath.Join(dir, "data.bundle"), cases)
}

// readBlobs fills in both sides of every case from the bundle.
func readBlobs(bundle string, cases []corpusCase) error {
	repo, err := os.MkdirTemp("", "changelog-corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(repo)
	if err := cloneBundle(bundle, repo); err != nil {
		return err
	}
	var names strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&names, "%s:perf-changelog.yaml\n%s:perf-changelog.yaml\n", c.Base, c.Head)
	}
	cmd := exec.Command("git", "--git-dir", repo, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(names.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := bufio.NewReader(out)
	for i := range cases {
		for _, side := range []*[]byte{&cases[i].base, &cases[i].head} {
			if *side, err = readBlob(r); err != nil {
				return fmt.Errorf("%s: %w", cases[i].ID, err)
			}
		}
	}
	return cmd.Wait()
}

func cloneBundle(bundle, repo string) error {
	if out, err := exec.Command("git", "clone", "-q", "--bare", bundle, repo).CombinedOutput(); err != nil {
		return fmt.Errorf("clone %s: %v: %s", bundle, err, out)
	}
	return nil
}

// readBlob reads one answer of git cat-file; a missing file is nil.
func readBlob(r *bufio.Reader) ([]byte, error) {
	header, err := r.ReadString('\n')
	if err != nil || strings.HasSuffix(header, " missing\n") {
		return nil, err
	}
	var id, kind string
	var size int
	if _, err := fmt.Sscan(header, &id, &kind, &size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	_, err = r.Discard(1)
	return data, err
}

func expected(t testing.TB, id, flag string) outcome {
	t.Helper()
	f, err := os.Open(filepath.Join(corpusDir(t), "expected", id+"."+flag+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	if err := json.NewDecoder(z).Decode(&o); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCorpusStrict runs the strict gate over every case, in both contexts.
func TestCorpusStrict(t *testing.T) {
	cases := corpusCases(t)
	count := 0
	for _, c := range cases {
		if !c.has("gate") {
			continue
		}
		want := expected(t, c.ID, "gate")
		for _, side := range []struct {
			name string
			pr   PR
			want *outcome
		}{{"pr", PR(c.PR), want.StrictPR}, {"main", OnMain, want.StrictMain}} {
			got := Strict(corpusRules(), c.base, c.head, side.pr)
			count++
			if verdictText(got) != expectedText(*side.want) {
				t.Errorf("%s (%s) %s: got %s, want %s: %v", c.ID, c.Mutation, side.name,
					verdictText(got), expectedText(*side.want), got.Findings.Err())
			}
		}
	}
	if count == 0 {
		t.Fatal("the corpus has no gate case")
	}
}

func verdictText(v Verdict) string {
	if v.Accepted {
		return fmt.Sprintf("accept %d/%d", v.Additions, v.Corrections)
	}
	return string(v.Stage) + " " + v.Findings[0].Category
}

func expectedText(o outcome) string {
	if o.Outcome == "accept" {
		return fmt.Sprintf("accept %d/%d", o.Additions, o.Corrections)
	}
	return o.Stage + " " + o.Category
}

// plannerCategories are those that reading the additions decides; a reject of
// any other category comes later, from configs or matrix rows.
var plannerCategories = map[string]bool{
	"changelog-deletion": true, "entry-schema": true, "no-additions": true,
	"no-entries": true, "not-utf8": true, "yaml-invalid": true,
}

// TestCorpusAdditions reads the additions of every case and compares entries
// with the corpus.
func TestCorpusAdditions(t *testing.T) {
	count := 0
	for _, c := range corpusCases(t) {
		flag := "none"
		if c.has("entries") {
			flag = "entries"
		}
		want := expected(t, c.ID, flag)
		count++
		entries, findings := ExtractAdditions(corpusRules(), c.base, c.head)
		switch {
		case findings.Refused():
			if want.Outcome == "accept" || want.Category != findings[0].Category {
				t.Errorf("%s (%s): got %v, want %s %s", c.ID, c.Mutation, findings, want.Outcome, want.Category)
			}
		case want.Outcome == "reject" && plannerCategories[want.Category] && (c.Mutation == "" || c.Group == "changelog"):
			t.Errorf("%s: accepted, want %s", c.ID, want.Category)
		case want.Outcome == "accept":
			compareEntryDocuments(t, c.ID, entries, want)
		}
	}
	if count == 0 {
		t.Fatal("the corpus has no case")
	}
}

func compareEntryDocuments(t *testing.T, id string, entries []Entry, want outcome) {
	t.Helper()
	expected := want.Entries
	if want.Matrix != nil {
		expected = want.Matrix.Metadata.Entries
	}
	if len(entries) != len(expected) {
		t.Errorf("%s: %d entries, want %d", id, len(entries), len(expected))
		return
	}
	for i, e := range entries {
		got := map[string]any{}
		for _, f := range e.Document(corpusRules()) {
			got[f.Name] = f.Value
		}
		if want.Matrix == nil {
			got = written(e)
		}
		if diff := cmp.Diff(asJSON(t, expected[i]), asJSON(t, got)); diff != "" {
			t.Errorf("%s entry %d:\n%s", id, i, diff)
		}
	}
}

// written keeps only the keys that the entry has in the file.
func written(e Entry) map[string]any {
	out := map[string]any{}
	for _, f := range e.Document(corpusRules()) {
		if e.Raw.Get(f.Name) != nil {
			out[f.Name] = f.Value
		}
	}
	return out
}

// asJSON brings two documents to one form.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

package bot

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// everyEffect has one effect of each type.
func everyEffect() map[string]Effect {
	return map[string]Effect{
		"Annotations":      &Annotations{Findings: diag.List{note("bot.welcome-why")}},
		"CancelRun":        &CancelRun{RunID: 7},
		"RerunFailed":      &RerunFailed{RunID: 8, Attempt: 1, Jobs: []int64{70}},
		"DispatchWorkflow": dispatch(titleOne),
		"PublishCheck":     &PublishCheck{Run: CheckRun{Name: "check", HeadSHA: shaA, Status: "completed", Conclusion: "success"}},
		"React":            &React{CommentID: 9, Content: "eyes"},
		"Refuse":           &Refuse{Finding: diag.New("bot.publish-no-pull", diag.Place{}, "commit", shaA)},
		"SendPublication":  &SendPublication{Repository: "example/results", Event: "ingest-results", SourceRun: 5, MergeRun: 7, Database: "production"},
		"SetOutput":        &SetOutput{Output: Output{"sweep", "true"}},
		"SetStatus":        &SetStatus{SHA: shaA, Status: Status{Context: "c", State: "pending"}},
		"UpsertComment":    &UpsertComment{Number: 12, Topic: "t", content: fixed{"t", "text"}},
		"UpsertVerdict":    &UpsertVerdict{Number: 12, Comment: verdict.Comment{Body: "text", Overall: verdict.Passed}},
		"WriteSummary":     &WriteSummary{Markdown: "text"},
	}
}

// effectTypes are the types of this package that have a Kind.
func effectTypes(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("effect_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Kind" {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				out = append(out, star.X.(*ast.Ident).Name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// A dry run shows every type of effect, as a table and as JSON, asks GitHub for
// nothing but reads, and does none of them.
func TestDryRunOfEveryEffect(t *testing.T) {
	effects := everyEffect()
	s := newStage(t, AsApp)
	s.runs = append(s.runs, Run{ID: 7, Attempt: 1, Status: "in_progress"}, Run{ID: 8, Attempt: 1, Status: "completed", Conclusion: "failure"})
	var d Decided
	for _, name := range effectTypes(t) {
		e := effects[name]
		if e == nil {
			t.Fatalf("%s is missing here", name)
		}
		d.add(e, note("bot.welcome-why"))
	}
	if len(d.Intents) != len(effects) {
		t.Errorf("%d types, %d here", len(d.Intents), len(effects))
	}
	w := s.world()
	host, to := &fakeHost{}, &consumer{}
	w.Host, w.Publisher = host, to
	results, err := (&Executor{World: w, DryRun: true}).Perform(ctx, d.Intents)
	if err != nil || results.Err() != nil {
		t.Fatal(err, results.Err())
	}
	s.onlyRead()
	if len(host.outputs)+len(host.summaries)+len(host.shown)+len(to.got)+len(s.started)+len(s.canceled) != 0 {
		t.Errorf("%+v %v %v %v", host, to.got, s.started, s.canceled)
	}
	var table strings.Builder
	if err := RenderEffects(&table, d, results, TableStyle{Language: "en", Columns: 120}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Effects []struct {
			Kind, Key, Target, State string
			Effect                   map[string]any
		}
	}
	if err := json.Unmarshal(EventDocument(d, results, "en").Append(nil, ordjson.Compact), &doc); err != nil {
		t.Fatal(err)
	}
	keys := make(map[string]bool)
	for i, e := range doc.Effects {
		if e.Kind == "" || e.Target == "" || e.State != string(StatePlanned) || e.Effect == nil {
			t.Errorf("%s: %+v", d.Intents[i].Key(), e)
		}
		if !strings.Contains(table.String(), e.Kind) {
			t.Errorf("the table has no %s:\n%s", e.Kind, &table)
		}
		keys[e.Key] = true
	}
	if len(keys) != len(effects) {
		t.Errorf("%d keys for %d effects", len(keys), len(effects))
	}
}

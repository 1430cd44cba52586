package labels

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

var update = flag.Bool("update", false, "write the generated parts of docs/labels.md")

const page = "../docs/labels.md"

var generated = regexp.MustCompile(`(?s)(<!-- begin generated: (\w+) -->\n).*?(<!-- end generated -->)`)

// TestDocs holds the tables of the page against the function that decides.
func TestDocs(t *testing.T) {
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks, used := docBlocks(), 0
	after := generated.ReplaceAllStringFunc(string(before), func(block string) string {
		parts := generated.FindStringSubmatch(block)
		if blocks[parts[2]] == "" {
			t.Errorf("nothing generates block %q", parts[2])
		}
		used++
		return parts[1] + "\n" + blocks[parts[2]] + "\n" + parts[3]
	})
	if used != len(blocks) {
		t.Errorf("the page has %d generated blocks, want %d", used, len(blocks))
	}
	if *update {
		if err := os.WriteFile(page, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(before), after); diff != "" {
		t.Errorf("renew the page by: go test ./labels -update\n%s", diff)
	}
}

func docBlocks() map[string]string {
	return map[string]string{
		"primaries": primariesTable(),
		"modifiers": modifiersTable(),
		"running":   runningTable(),
		"groups":    groupsTable(),
		"newest":    decisionTable(newest(), newestExamples()),
		"august":    decisionTable(august(), augustExamples()),
		"september": decisionTable(september(), septemberExamples()),
		"reasons":   reasonsTable(),
	}
}

// table writes a Markdown table; the first row is its head.
func table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return b.String()
}

// escape keeps plain text plain in a Markdown table.
var escape = strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "_", `\_`, "*", `\*`)

func code(text string) string { return "`" + text + "`" }

func codes(texts []string) string {
	if len(texts) == 0 {
		return "none"
	}
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = code(text)
	}
	return strings.Join(quoted, ", ")
}

func mark(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

func primariesTable() string {
	rows := [][]string{{"Label", "Known in", "Canary", "Fail-fast", "Trimmed", "Can be reused"}}
	now := newVocabulary(newest())
	for _, p := range august().Primaries {
		era := "2026-08"
		if now.has(p.Name) {
			era = "newest, 2026-08"
		}
		rows = append(rows, []string{code(p.Name), era, mark(p.Canary), mark(p.FailFast), mark(p.Trim), mark(p.Reusable)})
	}
	return table(rows...)
}

func modifiersTable() string {
	policy := august()
	rows := [][]string{{"Label", "Known in", "Effect", "Can be reused"}}
	for _, m := range []struct {
		names  []string
		effect string
	}{
		{[]string{policy.AllEvals}, "evaluates every generated fixed-sequence configuration; throughput stays"},
		{[]string{policy.EvalsOnly}, "no throughput points and so no canary; the default choice of evals"},
		{[]string{policy.AgentXFast}, "AgentX throughput points with one warm-up request per lane and a profile of 1200 s"},
		{[]string{newest().OnlyStale}, "only the points that no earlier sweep of the pull request stands for any more"},
		{[]string{policy.SkipQueue}, "the points may skip the queue, if the scheduler allows it"},
		{policy.Patchwork, "the points get the lowest priority"},
		{policy.PatchworkWaived, "they do not"},
		{policy.ChecklistComplete, "the points get a higher priority"},
	} {
		now, then := newVocabulary(newest()).has(m.names[0]), newVocabulary(policy).has(m.names[0])
		era, in := "2026-08", policy
		switch {
		case now && then:
			era = "newest, 2026-08"
		case now:
			era, in = "newest", newest()
		}
		reusable := Select(in, append([]string{enabled}, m.names...)).Reusable
		rows = append(rows, []string{codes(m.names), era, m.effect, mark(reusable)})
	}
	return table(rows...)
}

// runningTable tells what a step does to a sweep in progress, per era.
func runningTable() string {
	rows := [][]string{{"Somebody", "newest", "2026-08"}}
	for _, c := range []struct {
		what  string
		event Event
	}{
		{"pushes a commit", happens(with(failFast))},
		{"pushes a commit while a reuse command is in force", happens(with(failFast), reuse(ReuseValid))},
		{"pushes a commit with `[skip-sweep]` in its message", happens(with(failFast), marked)},
		{"pushes a changelog that the check rejects", happens(with(failFast), validator(Rejected))},
		{"pushes to a draft", happens(with(failFast), draft)},
		{"pushes a commit that conflicts with the base branch", happens(with(failFast), conflicting)},
		{"adds or removes a modifier", happens(added(allEvals), with(failFast, allEvals))},
		{"adds a second sweep label", happens(added(enabled), with(failFast, enabled))},
		{"removes that second label again", happens(removed(enabled), with(failFast))},
		{"removes the only sweep label", happens(removed(failFast))},
		{"adds or removes `skip_queue`", happens(added("skip_queue"), with(failFast, "skip_queue"))},
		{"adds or removes any other label", happens(added("bug"), with(failFast, "bug"))},
		{"marks a draft as ready for review", happens(action(ReadyForReview), with(failFast))},
		{"edits, closes or reopens the pull request", happens(action("edited"), with(failFast))},
	} {
		rows = append(rows, []string{c.what, effectWord(newest(), c.event), effectWord(august(), c.event)})
	}
	return table(rows...)
}

func effectWord(policy config.Labels, e Event) string {
	return map[string]string{
		"labels.run-restarts": "restarted", "labels.run-stops": "**stopped**",
	}[Decide(policy, base, e).Why.Code] + map[bool]string{true: "goes on"}[!Decide(policy, base, e).Cancels]
}

func groupsTable() string {
	rows := [][]string{{"Run of", "Concurrency group"}}
	for _, c := range []struct {
		what  string
		event Event
	}{
		{"a push to pull request 10, or a change of a label of this page", happens(with(failFast))},
		{"a change of any other label, in run 7001", happens(added("bug"))},
		{"a push of `ca89ac21` to the base branch, with `push-sweeps`", happens(pushed)},
	} {
		rows = append(rows, []string{c.what, code(Decide(august(), base, c.event).Group)})
	}
	ingest := Decide(newest(), base, happens(pushed)).IngestGroup
	rows = append(rows, []string{"merge ingest of `ca89ac21`, without `push-sweeps`", code(ingest)})
	return table(rows...)
}

func reasonsTable() string {
	rows := [][]string{{"Code", "Says", "Mend"}}
	for _, name := range catalog.Codes() {
		if strings.HasPrefix(name, "labels.") {
			mend := catalog.Mend(catalog.English, name)
			rows = append(rows, []string{code(name), escape.Replace(catalog.Message(catalog.English, name)), escape.Replace(mend)})
		}
	}
	return table(rows...)
}

package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/reuse"
)

// commandCase is a case of the kind command-parse.
type commandCase struct {
	ID    string
	Kind  string
	Input struct {
		Body     *string
		Comments []struct {
			ID          int64
			Created     string `json:"created_at"`
			Association string `json:"author_association"`
			Body        string
		}
	}
	Expect map[string]commandAnswer
}

// commandAnswer is what a profile makes of the comments.
type commandAnswer struct {
	Authorized bool         `json:"authorized"`
	Run        *string      `json:"run_id"`
	Comment    *int64       `json:"comment_id,omitempty"`
	Stage      *stageAnswer `json:"stage,omitempty"`
}

type stageAnswer struct {
	Result string  `json:"result"`
	Run    *string `json:"run_id"`
}

// TestReuseCommands holds that the grammar of the reuse and staging commands
// agrees with the corpus under both profiles.
func TestReuseCommands(t *testing.T) {
	dir := resultCorpus(t)
	index, err := os.Open(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	agreed, total := 0, 0
	for lines := bufio.NewScanner(index); lines.Scan(); {
		var entry struct{ Kind, File string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Kind != "command-parse" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(entry.File)))
		if err != nil {
			t.Fatal(err)
		}
		var c commandCase
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatalf("%s: %v", entry.File, err)
		}
		for profile, want := range c.Expect {
			total++
			if diff := cmp.Diff(want, answerCommand(c, profile, want)); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", profile, c.ID, diff)
				continue
			}
			agreed++
		}
	}
	fmt.Printf("command-parse: %d/%d\n", agreed, total)
	if total == 0 {
		t.Error("the corpus has no case of this kind")
	}
}

// answerCommand gives our answer in the form of the expectation: the deciding
// comment and the staging command only where the expectation names them.
func answerCommand(c commandCase, profile string, want commandAnswer) commandAnswer {
	grammar := reuse.Newest()
	if profile == "2026-08" {
		grammar = reuse.August()
	}
	var got commandAnswer
	var command reuse.Command
	if c.Input.Body != nil {
		command, got.Authorized = grammar.Parse(*c.Input.Body)
	} else {
		var list []reuse.Comment
		for _, one := range c.Input.Comments {
			list = append(list, reuse.Comment{ID: one.ID, Created: one.Created, Association: one.Association, Body: one.Body})
		}
		var by reuse.Comment
		command, by, got.Authorized = grammar.Authorized(list, reuse.Associations())
		if got.Authorized && want.Comment != nil {
			got.Comment = &by.ID
		}
	}
	if command.Pinned() {
		got.Run = &command.Run
	}
	if want.Stage != nil && c.Input.Body != nil {
		outcome, run := reuse.ParseStage(*c.Input.Body, profile != "2026-08")
		got.Stage = &stageAnswer{Result: string(outcome)}
		if run != "" {
			got.Stage.Run = &run
		}
	}
	return got
}

package bot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/trigger"
)

// Nothing that we write ourselves is a sign-off, not even when a person posts
// the same text: greetings, progress, drafts, refusals and verdicts.
func TestOwnTextsStartNothing(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	stories, err := filepath.Glob("../story/testdata/*/*.md")
	if err != nil || len(files) < 12 || len(stories) < 2 {
		t.Fatalf("%d texts and %d verdicts of stories, %v", len(files), len(stories), err)
	}
	person := trigger.Account{ID: 9, Login: "nia"}
	spoken := 0
	for _, name := range append(files, stories...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "As a PR reviewer and CODEOWNER") {
			spoken++
		}
		for _, kind := range []checks.SignOffKind{checks.ConversationComment, checks.ReviewSummary, checks.InlineComment} {
			e := trigger.Event{Kind: kind, Action: "edited", OnPull: true, State: "open", Body: string(data), Author: person, Actor: person}
			if why := trigger.AtSight(e); why == trigger.Goes {
				t.Errorf("%s as %s starts a verification", name, kind)
			}
		}
	}
	if spoken == 0 {
		t.Error("none of the texts holds the phrase, so that nothing was shown")
	}
}

package bot

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/draft"
	"github.com/sweepbot/sweepbot/checks/trigger"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// DraftCommand is the comment by which somebody who may write asks for the
// checklist, filled in as far as the evidence goes.
const DraftCommand = "/signoff-draft"

// topicDraft is the topic of answers to it, followed by the numeric id of who
// asked: everybody has one, which is written again.
const topicDraft = "signoff-draft-"

// DraftHandler is the room that understands requests for a draft.
func (o *SignOffs) DraftHandler() CommentHandler {
	return CommentHandler{Name: "sign-off draft", Wants: asksForDraft, Tell: o.tellDraft}
}

// asksForDraft reports whether a comment is the command and nothing else, so
// that nobody asks by quoting or explaining it.
func asksForDraft(text string) bool { return strings.TrimSpace(text) == DraftCommand }

// tellDraft answers a request. What a draft rests on is the same evidence as
// that of a verdict, so that a request costs no more than one; only those who
// may write cause that cost, and nobody else gets an answer.
func (o *SignOffs) tellDraft(ctx context.Context, said Said, out *Decided) error {
	author := said.Comment.Author
	switch {
	case !asksForDraft(said.Comment.Body):
		out.because("bot.comment-nothing", "number", strconv.Itoa(said.PR.Number))
		return nil
	case said.PR.State != "open":
		out.because(string(trigger.NotOpen))
		return nil
	}
	role, err := o.GitHub.Permission(ctx, author.Login)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if !trigger.May(role, config.Verdict{Requesters: true}) {
		out.because(string(trigger.NotAllowed))
		return nil
	}
	text, err := o.draft(ctx, request{comment: said.Comment, pr: said.PR})
	if err != nil {
		return err
	}
	topic := topicDraft + strconv.FormatInt(author.ID, 10)
	out.add(&UpsertComment{Number: said.PR.Number, Topic: topic, content: fixed{topic, text}},
		note("bot.draft-why", "signer", author.Login, "head", shortSHA(said.PR.HeadSHA)))
	return nil
}

// draft writes the answer for the pull request as it is now.
func (o *SignOffs) draft(ctx context.Context, r request) (string, error) {
	history, target, base, err := o.Clone.Sides(ctx, r.pr.BaseBranch, r.pr.HeadSHA)
	if err != nil {
		return "", err
	}
	v, err := o.decide(ctx, o.caseOf(r, target, base), history)
	if err != nil {
		return "", err
	}
	text, err := draft.Of(ctx, v.Evidence(), v.Results)
	var none diag.Finding
	switch {
	case errors.As(err, &none) && none.Code == "signoff.no-template":
		return bilingual("bot.draft-no-template", "file", markdown(code(v.Settings.Layout.Checklist))), nil
	case err != nil:
		return "", err
	}
	return draftText(v, text), nil
}

// maxDraft is the room for a draft in a comment, beside what explains it.
const maxDraft = maxComment - 2000

// draftText is the answer: what it is in both languages, and the draft in a
// fence, in which it is text to copy and nobody's sign-off.
func draftText(v *bundle.Verification, text string) string {
	if len(text) > maxDraft {
		return bilingual("bot.draft-too-large")
	}
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	english, chinese := twice("bot.draft-text", "signer", markdown(code(v.Signer)), "head", markdown(code(shortSHA(v.Head))))
	return english + "\n\n" + fence + "markdown\n" + text + fence + "\n\n" + folded(chinese)
}

func twice(name string, args ...any) (english, chinese string) {
	return words{catalog.English}.say(name, args...), words{catalog.Chinese}.say(name, args...)
}

func folded(chinese string) string {
	return "<details>\n<summary>中文</summary>\n\n" + chinese + "\n\n</details>"
}

// bilingual is one sentence, English first.
func bilingual(name string, args ...any) string {
	english, chinese := twice(name, args...)
	return english + "\n\n" + folded(chinese)
}

package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// CommentHandler is a room that understands some comments on pull requests,
// such as reuse commands or sign-offs. It is plugged into Bot.Comments.
type CommentHandler struct {
	// Name names the room in reasons and tables.
	Name string
	// Wants reports whether a text may hold something for the room. It sees
	// the text alone, so that a comment that holds nothing for anybody costs
	// no request.
	Wants func(text string) bool
	// Machines are the numeric ids of accounts of other programs whose messages
	// are input to the room. Whatever other programs write is text: comments
	// are told apart by what they are and not only by who wrote them (known
	// failure F54).
	Machines []int64
	// Tell decides about a comment as it is now on the pull request as it is
	// now. It adds reasons and effects to out; the error is for facts that could
	// not be read.
	Tell func(ctx context.Context, said Said, out *Decided) error
}

// Said is a comment that a room wants.
type Said struct {
	PR *PullRequest
	// Comment is as it is now, not as it was at the event.
	Comment Comment
	// Edited says that the author changed it; Before is the text before that.
	Edited bool
	Before string
}

// tellComment handles a comment in the conversation of a pull request: it
// leaves alone what is nothing for anybody, without a request, and hands the
// rest to the rooms that want it. The event is told from the default branch.
//
// Comments of our own account never are input, those of other programs only
// where a room names them. What somebody else than its author edited is
// refused: it is not what the author said (spec/security.md S26). A comment
// that is gone asks for nothing (S27).
func tellComment(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	rooms, _ := b.roomsFor(d)
	out.Number = d.Issue.Number
	comment, err := b.GitHub.Comment(ctx, d.Comment.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		out.because("bot.comment-gone", "number", strconv.Itoa(d.Issue.Number))
		return nil
	case err != nil:
		return err
	case comment.Author.ID != d.Comment.Author.ID:
		out.because("bot.comment-not-whose", "number", strconv.Itoa(d.Issue.Number))
		return nil
	}
	said := Said{Comment: comment, Edited: d.EditedFrom != nil}
	if said.Edited {
		said.Before = *d.EditedFrom
	}
	pr, err := b.GitHub.PullRequest(ctx, d.Issue.Number)
	if err != nil {
		return err
	}
	said.PR = &pr
	for _, room := range rooms {
		if err := room.Tell(ctx, said, out); err != nil {
			return err
		}
	}
	return nil
}

func seeComment(b *Bot, d *Delivery, out *Decided) {
	if _, why := b.roomsFor(d); why != "" {
		out.because(why, "number", strconv.Itoa(d.Issue.Number))
	}
}

// roomsFor picks the rooms for a comment by the event alone; why is the code of
// the reason why there is none.
func (b *Bot) roomsFor(d *Delivery) (rooms []CommentHandler, why string) {
	author := d.Comment.Author
	switch {
	case slices.Contains(b.Self, author.ID) || slices.Contains(b.Self, d.Sender.ID):
		return nil, "bot.comment-own"
	case !d.Issue.IsPullRequest:
		return nil, "bot.comment-on-issue"
	case d.Action != "created" && d.Action != "edited":
		return nil, "bot.comment-gone"
	}
	texts := []string{d.Comment.Body}
	if d.EditedFrom != nil {
		texts = append(texts, *d.EditedFrom) // what was said before may be taken back
	}
	machine := false
	for _, room := range b.Comments {
		if !slices.ContainsFunc(texts, room.Wants) {
			continue
		}
		if (author.Bot || d.Sender.Bot) && !slices.Contains(room.Machines, author.ID) {
			machine = true
			continue
		}
		rooms = append(rooms, room)
	}
	switch {
	case len(rooms) == 0 && machine:
		return nil, "bot.comment-machine"
	case len(rooms) == 0:
		return nil, "bot.comment-nothing"
	case author.ID == 0:
		return nil, "bot.comment-no-author"
	case d.Sender.ID != author.ID:
		return nil, "bot.comment-by-another"
	}
	return rooms, ""
}

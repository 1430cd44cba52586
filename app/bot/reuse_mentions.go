package bot

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// ReuseMentions answers for reuse commands without understanding them: where
// nobody ever wrote anything that looks like one, none is in force; otherwise
// it is not known, and whatever depends on it waits. Every number behind
// something that looks like a command counts as pinned.
type ReuseMentions struct{ GitHub GitHub }

// mention is anything that looks like a reuse command, by whoever and wherever
// in a comment: to see one too many costs a sweep, one too few a result.
var mention = pattern.Lazy(`(?:^|[^\w/])/(?:use|reuse-sweep-run)\b\W*([0-9]{0,18})`)

// State is none or not known.
func (r ReuseMentions) State(ctx context.Context, pr *PullRequest) (labels.Reuse, error) {
	comments, err := r.GitHub.Comments(ctx, pr.Number)
	if err != nil {
		return "", err
	}
	for _, c := range comments {
		if !c.Author.Bot && mention().MatchString(c.Body) {
			return "", nil
		}
	}
	return labels.ReuseNone, nil
}

// Pinned returns all numbers behind mentions.
func (r ReuseMentions) Pinned(ctx context.Context, pr *PullRequest) ([]int64, error) {
	comments, err := r.GitHub.Comments(ctx, pr.Number)
	if err != nil {
		return nil, err
	}
	var pinned []int64
	for _, c := range comments {
		for _, m := range mention().FindAllStringSubmatch(c.Body, -1) {
			if id, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				pinned = append(pinned, id)
			}
		}
	}
	return pinned, nil
}

package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/labels"
)

// wishSlack is how far the time of a label in an event may be from the time
// that GitHub's history gives it.
const wishSlack = 5 * time.Second

// wish names the newest change of a label that shapes the sweep: taking a label
// off and putting it on again is how a sweep is forced. It is taken from what
// happened on GitHub and not from the delivery that is handled, so that every
// delivery, however late, names the same wish. A delivery about a change that
// the history does not show yet counts with it.
func (b *Bot) wish(ctx context.Context, f *sweepFacts, d *Delivery) (string, error) {
	history, err := b.GitHub.LabelEvents(ctx, f.pr.Number)
	if err != nil {
		return "", err
	}
	shapes := func(name string) bool { return len(labels.Select(f.settings.Labels, []string{name}).Unrelated) == 0 }
	newest := LabelEvent{}
	for _, e := range inOrder(history) {
		if shapes(e.Label) && !e.CreatedAt.IsZero() {
			newest = e
		}
	}
	if isLabel := d.Action == labels.Labeled || d.Action == labels.Unlabeled; isLabel && shapes(d.Label) {
		told := LabelEvent{Label: d.Label, Added: d.Action == labels.Labeled, CreatedAt: d.PR.UpdatedAt}
		known := slices.ContainsFunc(history, func(e LabelEvent) bool {
			return e.Added == told.Added && strings.EqualFold(e.Label, told.Label) && e.CreatedAt.Sub(told.CreatedAt).Abs() <= wishSlack
		})
		if !known && told.CreatedAt.After(newest.CreatedAt) {
			newest = told
		}
	}
	if newest.Label == "" {
		return "", nil
	}
	return strings.Join([]string{
		newest.CreatedAt.UTC().Format(time.RFC3339), strings.ToLower(newest.Label), strconv.FormatBool(newest.Added),
	}, " "), nil
}

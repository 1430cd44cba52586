package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks/signoff"
)

// Template is check 5: the sign-off is a whole copy of the template as it is at
// the target branch, and every item is checked or explained.
func Template() Check {
	return Check{Topic: TopicTemplate, Needs: []Need{NeedSignOff, NeedGit}, Decide: decideTemplate}
}

func decideTemplate(ctx context.Context, e *Evidence) (Result, error) {
	doc, ok := e.signOff()
	if !ok {
		return unavailable("the body of the sign-off was not given", NeedSignOff), nil
	}
	file, err := e.policy(ctx, e.Settings.Layout.Checklist)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e.undecided("the target branch has no checklist document", "checklist"), nil
	case err != nil:
		return Result{}, err
	}
	template := signoff.Parse(signoff.Template(string(file.Data))).Items
	if len(template) == 0 {
		return e.undecided(fmt.Sprintf("%s has no template", quoted(file.Path)), "checklist template"), nil
	}
	var c copied
	for _, m := range signoff.Compare(template, doc.Items, float64(e.Settings.Checks.TemplateScore)/100) {
		c.sort(template, m, doc)
	}
	r := c.result(e, file, len(template))
	r.Citations = append(r.Citations, e.cite(file, 0, "the template at the target branch"))
	return r, nil
}

// copied are the items of a template by what became of them in a copy.
type copied struct {
	missing, unchecked, silent, explained []signoff.Item
}

// sort files one item: what is unchecked without a word in the detail section
// is silent; with a detail section about something else a person has to look.
func (c *copied) sort(template []signoff.Item, m signoff.Match, doc signoff.Document) {
	switch {
	case m.Found < 0:
		c.missing = append(c.missing, m.Template)
	case doc.Items[m.Found].Checked:
	case doc.Detail == "":
		c.silent = append(c.silent, m.Template)
	case explains(template, m.Template, doc):
		c.explained = append(c.explained, m.Template)
	default:
		c.unchecked = append(c.unchecked, m.Template)
	}
}

// subjects are the words that the detail section may call an item by, beside
// its own rare words.
var subjects = [][]string{
	{"validation", "sweep", "sweeps"}, {"eval", "evals"}, {"recipe", "recipes", "cookbook"}, {"image", "images", "docker"}, {"patch", "patches", "waiver"},
	{"draft", "mtp", "eagle", "dspark"}, {"append", "append-only"}, {"pareto", "frontier"}, {"metrics", "publication"},
	{"deprecated", "models.md"}, {"template", "templates"}, {"golden", "acceptance"}, {"architecture", "hf-overrides"},
}

// explains reports whether the detail section speaks of an item: it has two of
// the item's five rarest words, or names its subject.
func explains(template []signoff.Item, item signoff.Item, doc signoff.Document) bool {
	found := 0
	for _, word := range signoff.Rarest(template, item, 5) {
		if doc.Mentions(word) {
			found++
		}
	}
	if found >= 2 {
		return true
	}
	words := signoff.Tokens(item.Text)
	for _, subject := range subjects {
		about := slices.ContainsFunc(subject, func(w string) bool { return slices.Contains(words, w) })
		if about && slices.ContainsFunc(subject, doc.Mentions) {
			return true
		}
	}
	return false
}

func (c *copied) result(e *Evidence, file Document, total int) Result {
	switch {
	case len(c.missing)+len(c.silent) > 0:
		var parts []string
		if len(c.missing) > 0 {
			parts = append(parts, "missing "+headlines(c.missing))
		}
		if all := slices.Concat(c.silent, c.unchecked); len(all) > 0 {
			parts = append(parts, "unchecked "+headlines(all)+" without an explanation")
		}
		kind := "incomplete checklist"
		if len(c.missing) > 0 {
			kind = "stale or incomplete checklist"
		}
		return Result{Status: Fail, Reason: fmt.Sprintf("%s: %s; use the current [template](%s).", kind, strings.Join(parts, ", "), e.fileURL(e.Target, file.Path, 0))}
	case len(c.unchecked) > 0:
		return e.undecided(headlines(c.unchecked) + " " + verb(len(c.unchecked), "is", "are") + " unchecked and the additional detail section does not mention " + verb(len(c.unchecked), "it", "them"))
	case len(c.explained) > 0:
		return Result{Status: Pass, Reason: fmt.Sprintf("all %d items of the current template are present; unchecked %s %s explained in the additional detail section.",
			total, headlines(c.explained), verb(len(c.explained), "is", "are"))}
	}
	return Result{Status: Pass, Reason: fmt.Sprintf("all %d items of the current template are present and checked.", total)}
}

// headlines names items by their first words.
func headlines(items []signoff.Item) string {
	names := make([]string, len(items))
	for i, item := range items {
		text := linkTarget().ReplaceAllString(item.Text, "$1")
		names[i] = `"` + firstWords(strings.TrimPrefix(text, "Verified that "), 9) + `"`
	}
	return joined(names, ", ", 3)
}

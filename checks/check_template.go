package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

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
	c := copied{template: template}
	for _, m := range signoff.Compare(template, doc.Items, float64(e.Settings.Checks.TemplateScore)/100) {
		c.sort(m, doc)
	}
	added, since, err := e.addedItems(ctx, file, c.missing)
	if err != nil {
		return Result{}, err
	}
	r := c.result(e, file, added)
	r.Citations = append(r.Citations, e.cite(file, 0, "the template at the target branch"))
	r.Citations = append(r.Citations, since...)
	return r, nil
}

// copied are the items of a template by what became of them in a copy.
type copied struct {
	template []signoff.Item

	missing, unchecked, silent, explained []signoff.Item
}

// sort files one item: what is unchecked without a word in the detail section
// is silent; with a detail section about something else a person has to look.
func (c *copied) sort(m signoff.Match, doc signoff.Document) {
	switch {
	case m.Found < 0:
		c.missing = append(c.missing, m.Template)
	case doc.Items[m.Found].Checked:
	case doc.Detail == "":
		c.silent = append(c.silent, m.Template)
	case explains(c.template, m.Template, doc):
		c.explained = append(c.explained, m.Template)
	default:
		c.unchecked = append(c.unchecked, m.Template)
	}
}

// callings are the words that the detail section may call an item by, beside
// its own rare words.
var callings = [][]string{
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
	for _, subject := range callings {
		about := slices.ContainsFunc(subject, func(w string) bool { return slices.Contains(words, w) })
		if about && slices.ContainsFunc(subject, doc.Mentions) {
			return true
		}
	}
	return false
}

// result words the outcome; added says when the missing items came into the
// template, "" where that is not known.
func (c *copied) result(e *Evidence, file Document, added []string) Result {
	names := func(items []signoff.Item) []string { return itemNames(c.template, items) }
	switch {
	case len(c.missing)+len(c.silent) > 0:
		var parts []string
		if len(c.missing) > 0 {
			missing, all := dated(names(c.missing), added)
			parts = append(parts, fmt.Sprintf("the %s %s missing%s", series(missing, 4), verb(len(missing), "item is", "items are"), all))
		}
		if open := names(slices.Concat(c.silent, c.unchecked)); len(open) > 0 {
			parts = append(parts, fmt.Sprintf("the %s %s unchecked without an explanation", series(open, 4), verb(len(open), "item is", "items are")))
		}
		if len(c.missing) == 0 {
			return Result{Status: Fail, Reason: parts[0] + "."}
		}
		return Result{Status: Fail, Reason: fmt.Sprintf("stale copy: %s; use the current %s.", strings.Join(parts, ", and "), e.documentLink(file))}
	case len(c.unchecked) > 0:
		return e.undecided(fmt.Sprintf("the %s %s unchecked and the additional detail section does not mention %s.",
			series(names(c.unchecked), 4), verb(len(c.unchecked), "item is", "items are"), verb(len(c.unchecked), "it", "them")))
	case len(c.explained) > 0:
		return Result{Status: Pass, Reason: fmt.Sprintf("all items present; the unchecked %s %s explained in the additional detail section.",
			series(names(c.explained), 4), verb(len(c.explained), "item is", "items are"))}
	}
	return Result{Status: Pass, Reason: fmt.Sprintf("all %d items of the current template are present and checked.", len(c.template))}
}

// documentLink is a document of the target branch as a link with its name.
func (e *Evidence) documentLink(file Document) string {
	name := path.Base(file.Path)
	if page := e.fileURL(e.Target, file.Path, 0); page != "" {
		return "[" + name + "](" + page + ")"
	}
	return quoted(name)
}

// dated says since when items are in the template: behind each where the days
// differ, else once for all.
func dated(names, added []string) (each []string, all string) {
	days := unique(added)
	if len(days) == 0 || len(days) == 1 && days[0] == "" {
		return names, ""
	}
	if len(days) == 1 {
		return names, " (added " + days[0] + ")"
	}
	for i, name := range names {
		if added[i] != "" {
			name += " (added " + added[i] + ")"
		}
		each = append(each, name)
	}
	return each, ""
}

// maxDated is how many missing items are dated: of a text that is no checklist
// all are missing.
const maxDated = 4

// addedItems finds the days on which items came into the template of the
// target branch, in UTC, "" where its history does not tell, and cites the
// commits. It follows each item back to the oldest version that has it.
func (e *Evidence) addedItems(ctx context.Context, file Document, items []signoff.Item) (days []string, from []Citation, err error) {
	if len(items) == 0 || len(items) > maxDated {
		return nil, nil, nil
	}
	list, complete, err := e.Versions(ctx, file.Path)
	if err != nil {
		return nil, nil, err
	}
	days = make([]string, len(items))
	cited := make(map[string]bool)
	for i, item := range items {
		first := -1
		for n, version := range list {
			has, err := e.hasItem(ctx, version, file.Path, item)
			if err != nil {
				return nil, nil, err
			}
			if !has {
				break
			}
			first = n
		}
		// An item that came with the document may have come from elsewhere.
		last := first == len(list)-1
		if first < 0 || last && !complete || !last && list[first+1].OID == "" {
			continue
		}
		c := list[first].Commit
		days[i] = c.Committer.When.UTC().Format(time.DateOnly)
		if !cited[c.ID] {
			cited[c.ID] = true
			from = append(from, Citation{Kind: CiteCommit, Commit: c.ID, Text: "added the missing item", URL: e.commitURL(c.ID)})
		}
	}
	return days, from, nil
}

// hasItem reports whether a version of the checklist has an item.
func (e *Evidence) hasItem(ctx context.Context, version Version, path string, item signoff.Item) (bool, error) {
	if version.OID == "" {
		return false, nil
	}
	tree, err := e.Tree(ctx, version.Commit.ID)
	if err != nil {
		return false, err
	}
	data, err := tree.ReadFile(path)
	if err != nil {
		return false, err
	}
	old := signoff.Parse(signoff.Template(string(data))).Items
	matches := signoff.Compare([]signoff.Item{item}, old, float64(e.Settings.Checks.TemplateScore)/100)
	return len(matches) == 1 && matches[0].Found >= 0, nil
}

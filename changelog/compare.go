package changelog

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// comparison is what a change does to the entries, by value.
type comparison struct {
	additions   []*yamlpos.Value
	corrections []int // indexes of entries whose link changed
}

// compareEntries applies spec/changelog.md section 4 to two files. The rules
// name the head file.
func compareEntries(rules Rules, base, head file, pr PR) (comparison, *diag.Finding) {
	var c comparison
	if len(head.entries) < len(base.entries) {
		f := entriesDeleted(rules, base, head)
		return c, &f
	}
	for i, old := range base.entries {
		changed, f := compareEntry(rules, old, head.entries[i])
		if f != nil {
			return c, f
		}
		if changed {
			c.corrections = append(c.corrections, i)
		}
	}
	c.additions = head.entries[len(base.entries):]
	if len(c.corrections) > 0 && len(c.additions) > 0 {
		f := diag.New("changelog.correction-mixed", head.entries[c.corrections[0]].Place(rules.File)).In("correction-mixed")
		return c, &f
	}
	for _, v := range c.additions {
		if f := checkLink(rules, v, pr); f != nil {
			return c, f
		}
	}
	return c, nil
}

// entriesDeleted names the first entry that head lacks.
func entriesDeleted(rules Rules, base, head file) diag.Finding {
	i := 0
	for i < len(head.entries) && base.entries[i].Equal(head.entries[i]) {
		i++
	}
	place := rules.place(0)
	if i < len(head.entries) {
		place = head.entries[i].Place(rules.File)
	}
	f := diag.New("changelog.entries-deleted", place, "entry", entryName(base.entries[i])).In("entries-deleted")
	f.Related = []diag.Place{base.entries[i].Place(rules.on("base").File)}
	return f
}

// entryName is how a message calls an entry: by its link, else by its first
// config key.
func entryName(v *yamlpos.Value) string {
	if link := field(v, keyPRLink); link != nil && link.Text != "" {
		return show(link.Text)
	}
	if keys := field(v, keyConfigKeys); keys != nil && len(keys.Items) > 0 {
		return show(keys.Items[0].Text)
	}
	return "?"
}

// compareEntry compares one entry of history; changed reports a link that was
// corrected.
func compareEntry(rules Rules, old, new *yamlpos.Value) (changed bool, f *diag.Finding) {
	if old.Equal(new) {
		return false, nil
	}
	if !equalButLink(old, new) {
		f := diag.New("changelog.entry-changed", new.Place(rules.File), "entry", entryName(old)).In("entry-changed")
		f.Related = []diag.Place{old.Place(rules.on("base").File)}
		return false, &f
	}
	link := new.Get(keyPRLink)
	if link == nil || link.Kind != yamlpos.String || !rules.canonical(link.Text) {
		f := correctionNotCanonical(rules, link)
		return false, &f
	}
	return true, nil
}

func correctionNotCanonical(rules Rules, link *yamlpos.Value) diag.Finding {
	text := ""
	if link != nil {
		text = link.Text
	}
	return diag.New("changelog.correction-not-canonical", link.Place(rules.File),
		"link", show(text), "form", rules.linkPrefix()+"<number>").In("correction-not-canonical")
}

// equalButLink reports whether two entries are equal without their links.
func equalButLink(a, b *yamlpos.Value) bool {
	return withoutLink(a).Equal(withoutLink(b))
}

// withoutLink returns a copy of an entry without the key pr-link.
func withoutLink(v *yamlpos.Value) *yamlpos.Value {
	out := *v
	out.Fields = nil
	for _, f := range v.Fields {
		if f.Key.Kind != yamlpos.String || f.Key.Text != keyPRLink {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}

// checkLink tests the link of a new entry as the raw mapping has it: one
// written as pr_link is not seen and counts as wrong.
func checkLink(rules Rules, entry *yamlpos.Value, pr PR) *diag.Finding {
	link := entry.Get(keyPRLink)
	text := ""
	place := entry.Place(rules.File)
	if link != nil {
		text, place = link.Text, link.Place(rules.File)
	}
	if link != nil && link.Kind == yamlpos.String && rules.accepted(text, pr) {
		return nil
	}
	f := wrongLink(rules, text, place, pr)
	return &f
}

// wrongLink says which link the entry should carry.
func wrongLink(rules Rules, text string, place diag.Place, pr PR) diag.Finding {
	switch pr {
	case OnMain:
		return diag.New("changelog.link-not-canonical", place, "link", show(text),
			"form", rules.linkPrefix()+"<number>").In("prlink-not-canonical-on-main")
	case Unnumbered:
		return diag.New("changelog.link-not-placeholder", place, "link", show(text),
			"form", rules.linkPrefix()+"<number>").In("prlink-not-canonical-on-main")
	default:
		return diag.New("changelog.link-wrong", place, "link", show(text),
			"right", rules.CanonicalLink(pr)).In("prlink-wrong-for-pr")
	}
}

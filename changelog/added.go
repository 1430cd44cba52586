package changelog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Added returns the entries of head that base does not have, compared as a
// multiset of parsed entries without their links: an entry inserted anywhere
// counts, a corrected link of an old one does not (spec/checks.md section 1.3,
// step 2). It says nothing about whether the change is allowed.
//
// An entry that breaks the schema is left out and reported; what cannot be read
// as a list of entries at all is the only finding.
func Added(rules Rules, base, head []byte) ([]Entry, diag.List) {
	was, list := readItems(rules.on("base"), base)
	if list != nil {
		return nil, list
	}
	is, list := readItems(rules, head)
	if list != nil {
		return nil, list
	}
	known := make(map[string]int, len(was))
	for _, item := range was {
		known[identity(item)]++
	}
	var added []Entry
	var findings diag.List
	for i, item := range is {
		id := identity(item)
		if known[id] > 0 {
			known[id]--
			continue
		}
		entry, list := decodeEntry(rules, i, item.Line, item)
		if list != nil {
			findings = append(findings, list...)
			continue
		}
		added = append(added, entry)
	}
	return added, findings
}

// All returns every entry of a changelog that satisfies the schema; what does
// not is left out.
func All(rules Rules, data []byte) []Entry {
	items, _ := readItems(rules, data)
	var entries []Entry
	for i, item := range items {
		if entry, list := decodeEntry(rules, i, item.Line, item); list == nil {
			entries = append(entries, entry)
		}
	}
	return entries
}

// readItems reads the list of a changelog without the rules on its bytes.
func readItems(rules Rules, data []byte) ([]*yamlpos.Value, diag.List) {
	if len(data) == 0 {
		return nil, nil
	}
	if f := rules.tooLarge(data); f != nil {
		return nil, diag.List{*f}
	}
	root, err := yamlpos.Parse(rules.File, data, yamlpos.Options{NoMerge: true, LastKeyWins: true})
	switch {
	case err != nil:
		return nil, diag.List{asFinding(err)}
	case isEmpty(root):
		return nil, nil
	case root.Kind != yamlpos.Sequence:
		return nil, diag.List{diag.New("changelog.root-not-list", root.Place(rules.File), "kind", root.Kind.String()).In("root-not-list")}
	}
	return root.Items, nil
}

// identity is a text that two entries share when they say the same but for
// their links.
func identity(v *yamlpos.Value) string {
	var b strings.Builder
	writeIdentity(&b, v, true)
	return b.String()
}

func writeIdentity(b *strings.Builder, v *yamlpos.Value, entry bool) {
	switch {
	case v == nil:
		b.WriteString("-")
	case v.Kind == yamlpos.Sequence:
		b.WriteByte('[')
		for _, item := range v.Items {
			writeIdentity(b, item, false)
		}
		b.WriteByte(']')
	case v.Kind == yamlpos.Mapping:
		parts := make([]string, 0, len(v.Fields))
		for _, f := range v.Fields {
			if entry && strings.ReplaceAll(f.Key.Text, "_", "-") == keyPRLink {
				continue
			}
			var part strings.Builder
			writeIdentity(&part, f.Key, false)
			writeIdentity(&part, f.Value, false)
			parts = append(parts, part.String())
		}
		slices.Sort(parts)
		b.WriteString("{" + strings.Join(parts, "") + "}")
	default:
		b.WriteString(v.Kind.String() + strconv.Quote(v.Text))
	}
}

package changelog

import (
	"bytes"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// ResolveConflict merges the changelog of a pull request into the main branch
// (spec/changelog.md section 9.3). base, ours and main are the three stages of
// the conflict: the merge base, the pull request, the main branch. The result
// is main, byte for byte, followed by the new entries of the pull request that
// main does not have yet, each with the canonical link; or main with the links
// that the pull request corrects. While the number is not known (Unnumbered),
// new entries keep their links.
//
// The error is a diag.List. Nothing is merged that the strict gate would not
// accept as a change of main.
func ResolveConflict(rules Rules, base, ours, main []byte, pr PR) ([]byte, error) {
	r := resolution{rules: rules, pr: pr}
	if findings := r.read(base, ours, main); findings != nil {
		return nil, findings
	}
	var out []byte
	var f *diag.Finding
	switch {
	case len(r.change.additions) > 0:
		out, f = r.append()
	case len(r.change.corrections) > 0:
		out, f = r.correct()
	default:
		nothing := diag.New("changelog.resolve-nothing-changed", rules.place(0))
		f = &nothing
	}
	if f != nil {
		return nil, diag.List{*f}
	}
	if v := Strict(rules, main, out, pr); !v.Accepted {
		return nil, postCheck(rules, v)
	}
	return out, nil
}

// resolution holds the three sides of a conflict, read.
type resolution struct {
	rules            Rules
	pr               PR
	base, ours, main file
	change           comparison // base to ours
}

func (r *resolution) read(base, ours, main []byte) diag.List {
	var findings diag.List
	for _, side := range []struct {
		name string
		data []byte
		into *file
	}{{"base", base, &r.base}, {"pull request", ours, &r.ours}, {"main", main, &r.main}} {
		if *side.into, findings = parseFile(r.rules.on(side.name), side.data); findings != nil {
			return findings
		}
	}
	rules := r.rules.on("pull request")
	c, f := compareEntries(rules, r.base, r.ours, r.pr)
	if f == nil {
		f = checkRaw(rules, base, ours, c)
	}
	if f != nil {
		return diag.List{*f}
	}
	r.change = c
	return nil
}

// append puts the new entries of the pull request behind main.
func (r *resolution) append() ([]byte, *diag.Finding) {
	spans, f := entrySpans(r.rules.on("pull request"), r.ours)
	if f != nil {
		return nil, f
	}
	known := make(map[string]bool, len(r.main.entries))
	for _, entry := range r.main.entries {
		known[signature(entry)] = true
	}
	var blocks [][]byte
	for i := len(r.base.entries); i < len(r.ours.entries); i++ {
		entry, s := r.ours.entries[i], spans[i]
		if known[signature(entry)] {
			continue
		}
		block := r.ours.data[s.start:s.content]
		if r.pr > 0 {
			var ok bool
			if block, ok = replaceLink(block, r.rules.CanonicalLink(r.pr)); !ok {
				f := linkLineMissing(r.rules.on("pull request"), entry)
				return nil, &f
			}
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		f := diag.New("changelog.resolve-nothing-left", r.rules.place(0))
		return nil, &f
	}
	out := append(bytes.Clone(r.main.data), separatorAfter(r.main.data)...)
	return append(out, bytes.Join(blocks, []byte{'\n'})...), nil
}

// correct carries the corrected links over to main.
func (r *resolution) correct() ([]byte, *diag.Finding) {
	spans, f := entrySpans(r.rules.on("main"), r.main)
	if f != nil {
		return nil, f
	}
	out, changed := r.main.data, false
	for n := len(r.change.corrections) - 1; n >= 0; n-- {
		i := r.change.corrections[n]
		needed, f := r.correctable(i)
		if f != nil {
			return nil, f
		}
		if !needed {
			continue
		}
		s := spans[i]
		block, ok := replaceLink(out[s.start:s.end], r.ours.entries[i].Get(keyPRLink).Text)
		if !ok {
			f := linkLineMissing(r.rules.on("main"), r.main.entries[i])
			return nil, &f
		}
		out, changed = append(append(append([]byte{}, out[:s.start]...), block...), out[s.end:]...), true
	}
	if !changed {
		f := diag.New("changelog.resolve-corrected-already", r.rules.place(0))
		return nil, &f
	}
	return out, nil
}

// correctable reports whether main still needs the correction of entry i, and
// refuses when main went another way.
func (r *resolution) correctable(i int) (needed bool, f *diag.Finding) {
	old, wanted := r.base.entries[i], r.ours.entries[i]
	refuse := func(code string) (bool, *diag.Finding) {
		f := diag.New(code, wanted.Place(r.rules.on("pull request").File), "entry", entryName(old))
		return false, &f
	}
	if i >= len(r.main.entries) {
		return refuse("changelog.resolve-entry-missing")
	}
	main := r.main.entries[i]
	if !equalButLink(old, main) {
		return refuse("changelog.resolve-entry-changed")
	}
	switch link := main.Get(keyPRLink); {
	case link.Equal(wanted.Get(keyPRLink)):
		return false, nil
	case !link.Equal(old.Get(keyPRLink)):
		return refuse("changelog.resolve-link-conflict")
	}
	return true, nil
}

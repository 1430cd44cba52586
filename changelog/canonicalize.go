package changelog

import (
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Canonicalize replaces the placeholder links of the entries that head adds to
// base by the link of the pull request (spec/changelog.md section 9.2). The
// base is the main branch after the merge. A head without new entries, or
// whose links are canonical already, is returned as it is, and so are
// placeholders while the number is not known. The error is a
// diag.List when head is not a clean append to base or a clean correction.
func Canonicalize(rules Rules, base, head []byte, pr PR) ([]byte, error) {
	old, new, c, findings := compareSides(rules, base, head, pr)
	if findings != nil {
		return nil, findings
	}
	if len(c.additions) == 0 {
		return head, nil
	}
	out, f := canonicalLinks(rules, old, new, pr)
	if f != nil {
		return nil, diag.List{*f}
	}
	if v := Strict(rules, base, out, pr); !v.Accepted {
		return nil, postCheck(rules, v)
	}
	return out, nil
}

// compareSides parses both sides and applies all rules of the strict gate.
func compareSides(rules Rules, base, head []byte, pr PR) (old, new file, c comparison, findings diag.List) {
	if old, findings = parseFile(rules.on("base"), base); findings != nil {
		return old, new, c, findings
	}
	if new, findings = parseFile(rules, head); findings != nil {
		return old, new, c, findings
	}
	c, f := compareEntries(rules, old, new, pr)
	if f == nil {
		f = checkRaw(rules, base, head, c)
	}
	if f != nil {
		findings = diag.List{*f}
	}
	return old, new, c, findings
}

// canonicalLinks rewrites the links of the additions that are placeholders.
func canonicalLinks(rules Rules, old, new file, pr PR) ([]byte, *diag.Finding) {
	spans, f := entrySpans(rules, new)
	if f != nil {
		return nil, f
	}
	out := new.data
	// From the end backwards, so that earlier offsets stay true.
	for i := len(new.entries) - 1; i >= len(old.entries); i-- {
		entry := new.entries[i]
		if pr <= 0 || !rules.isPlaceholder(entry.Get(keyPRLink).Text) {
			continue
		}
		s := spans[i]
		block, ok := replaceLink(out[s.start:s.end], rules.CanonicalLink(pr))
		if !ok {
			f := linkLineMissing(rules, entry)
			return nil, &f
		}
		out = append(append(append([]byte{}, out[:s.start]...), block...), out[s.end:]...)
	}
	return out, nil
}

// postCheck turns the refusal of a result into one that says so.
func postCheck(rules Rules, v Verdict) diag.List {
	return append(diag.List{diag.New("changelog.post-check", rules.place(0))}, v.Findings...)
}

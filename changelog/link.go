package changelog

import (
	"strconv"
	"strings"
)

// placeholder is what an author writes before the number is known, alone or
// in the place of the number.
const placeholder = "XXX"

// linkPrefix is what every link of this repository begins with.
func (r Rules) linkPrefix() string {
	return "https://github.com/" + r.Repository + "/pull/"
}

// CanonicalLink returns the one accepted link of a pull request.
func (r Rules) CanonicalLink(pr PR) string {
	return r.linkPrefix() + strconv.Itoa(int(pr))
}

// canonical reports whether link is the link of some pull request of this
// repository, digits only after the prefix.
func (r Rules) canonical(link string) bool {
	number, ok := strings.CutPrefix(link, r.linkPrefix())
	return ok && onlyDigits(number)
}

func onlyDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// isPlaceholder reports whether link is one of the two accepted placeholders.
func (r Rules) isPlaceholder(link string) bool {
	return link == placeholder || link == r.linkPrefix()+placeholder
}

// accepted reports whether a new entry may carry link in this context
// (spec/changelog.md section 4, step 5).
func (r Rules) accepted(link string, pr PR) bool {
	switch {
	case pr == OnMain:
		return r.canonical(link)
	case pr == Unnumbered:
		return r.canonical(link) || r.isPlaceholder(link)
	default:
		return r.isPlaceholder(link) || link == r.CanonicalLink(pr)
	}
}

// linkMeaning is what a link that is not accepted most likely means.
type linkMeaning uint8

const (
	linkOther       linkMeaning = iota // another page: only its author knows
	linkPlaceholder                    // an invented placeholder: TBD, pull/TODO, pull/0, empty
	linkNumber                         // a pull request of this repository, written in another form
)

// meaning reads a link generously: any scheme, letter case of the repository,
// a page below the pull request, a query. number is set for linkNumber.
func (r Rules) meaning(link string) (what linkMeaning, number PR) {
	text := strings.TrimSpace(link)
	if invented(text) {
		return linkPlaceholder, 0
	}
	rest, ok := cutFold(text, "https://")
	if !ok {
		if rest, ok = cutFold(text, "http://"); !ok {
			rest = text
		}
	}
	rest, _ = cutFold(rest, "www.")
	after, ok := cutFold(rest, "github.com/"+r.Repository+"/pull/")
	if !ok {
		return linkOther, 0
	}
	digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
	return meaningOfNumber(digits, after[len(digits):])
}

// meaningOfNumber judges what stands after ".../pull/": digits and the rest.
func meaningOfNumber(digits, after string) (linkMeaning, PR) {
	if digits == "" {
		if invented(strings.TrimSuffix(after, "/")) {
			return linkPlaceholder, 0
		}
		return linkOther, 0
	}
	if after != "" && !strings.ContainsRune("/?#", rune(after[0])) {
		return linkOther, 0
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil || n > 1<<31:
		return linkOther, 0
	case n == 0:
		return linkPlaceholder, 0
	default:
		return linkNumber, PR(n)
	}
}

// invented reports whether text is a word that people write for "not known
// yet" (known failure F19).
func invented(text string) bool {
	switch word := strings.ToUpper(strings.Trim(text, "<>[]{}() ")); word {
	case "", "TBD", "TODO", "PLACEHOLDER", "NONE", "N/A", "PENDING", "FIXME", "NNN", "NNNN", "NUMBER", "PR", "?":
		return true
	default:
		return strings.Trim(word, "X") == "" || strings.Trim(word, "?") == ""
	}
}

func cutFold(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// mendedLink returns the link that a new entry with a wrong link should carry,
// when that follows without judgement: an invented placeholder, or another
// form of the right link.
func (r Rules) mendedLink(link string, pr PR) (mended string, ok bool) {
	what, number := r.meaning(link)
	switch {
	case what == linkPlaceholder && pr > 0:
		return r.CanonicalLink(pr), true
	case what == linkPlaceholder && pr == Unnumbered:
		return placeholder, true
	case what == linkNumber && (number == pr || pr <= 0):
		return r.CanonicalLink(number), true
	}
	return "", false
}

package changelog

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Keys are the config keys that entries can name.
type Keys struct {
	// Head are the keys of the master configs at head, in master order.
	Head []string
	// Base are the keys at the base revision; they only make messages better
	// and may be nil.
	Base []string
}

// Resolve returns the config keys that an entry selects, in the order of its
// patterns and, within a pattern, in master order; each key once
// (spec/changelog.md section 6.3). Only "*" is special, and the keys returned
// are literal.
//
// A name or pattern that selects nothing is an error; a pattern that selects
// every one of several configs is a warning, because it is rarely meant.
func Resolve(rules Rules, entry Entry, keys Keys) ([]string, diag.List) {
	r := resolver{rules: rules, entry: entry, keys: keys, seen: make(map[string]bool)}
	known := make(map[string]bool, len(keys.Head))
	for _, key := range keys.Head {
		known[key] = true
	}
	for i, pattern := range entry.ConfigKeys {
		switch {
		case strings.Contains(pattern, "*"):
			r.pattern(i, pattern)
		case known[pattern]:
			r.take(pattern)
		default:
			r.unknown(i, pattern)
		}
	}
	return r.selected, r.findings
}

type resolver struct {
	rules    Rules
	entry    Entry
	keys     Keys
	seen     map[string]bool
	selected []string
	findings diag.List
}

func (r *resolver) take(key string) {
	if !r.seen[key] {
		r.seen[key] = true
		r.selected = append(r.selected, key)
	}
}

func (r *resolver) finding(code string, i int, args ...string) diag.Finding {
	return diag.New(code, r.entry.Place(r.rules.File, keyConfigKeys, i), args...).At(keyConfigKeys + "." + strconv.Itoa(i))
}

func (r *resolver) pattern(i int, pattern string) {
	matched := 0
	for _, key := range r.keys.Head {
		if matches(pattern, key) {
			matched++
			r.take(key)
		}
	}
	switch {
	case matched == 0:
		r.findings = append(r.findings, r.finding("changelog.pattern-no-match", i, "pattern", show(pattern)).In("wildcard-no-match"))
	case matched == len(r.keys.Head) && matched > 1:
		f := r.finding("changelog.pattern-all", i, "pattern", show(pattern), "count", strconv.Itoa(matched))
		r.findings = append(r.findings, f.WithSeverity(diag.Warning))
	}
}

func (r *resolver) unknown(i int, name string) {
	var f diag.Finding
	near := nearest(name, r.keys.Head)
	switch {
	case contains(r.keys.Base, name):
		f = r.finding("changelog.key-removed", i, "key", show(name))
	case near != "":
		f = r.finding("changelog.key-unknown-near", i, "key", show(name), "near", show(near))
	default:
		f = r.finding("changelog.key-unknown", i, "key", show(name))
	}
	r.findings = append(r.findings, f.In("unknown-key"))
}

// matches compares a whole key with a pattern in which "*" stands for any
// characters but LF.
func matches(pattern, key string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == key
	}
	if !strings.HasPrefix(key, parts[0]) || strings.ContainsRune(key, '\n') {
		return false
	}
	rest := key[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, last)
}

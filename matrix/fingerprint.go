package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// fingerprint hashes a generator row without its concurrency, its name and
// itself (spec/matrix.md section 12).
func fingerprint(row ordjson.Value) string { return digest(fingerprinted(row)) }

// fingerprinted is the part of a generator row that fingerprints cover.
func fingerprinted(row ordjson.Value) ordjson.Value {
	return without(row, "conc", "exp-name", "recipe-fingerprint")
}

// digest is the SHA-256 of the canonical text of v, in hex.
func digest(v ordjson.Value) string {
	sum := sha256.Sum256(ordered(v).Append(make([]byte, 0, 1024), ordjson.Canonical))
	return hex.EncodeToString(sum[:])
}

// ordered returns v with the members of its objects by name, which spares the
// canonical encoding a slower sort.
func ordered(v ordjson.Value) ordjson.Value {
	if v.Kind != ordjson.Object {
		return v
	}
	out := ordjson.Value{Kind: ordjson.Object, Members: slices.Clone(v.Members)}
	for i := range out.Members {
		out.Members[i].Value = ordered(out.Members[i].Value)
	}
	slices.SortStableFunc(out.Members, func(a, b ordjson.Member) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// without returns a copy of an object that lacks the named members.
func without(v ordjson.Value, names ...string) ordjson.Value {
	out := ordjson.Value{Kind: ordjson.Object, Members: make([]ordjson.Member, 0, len(v.Members))}
	for _, m := range v.Members {
		if !slices.Contains(names, m.Name) {
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// recipeKey is equal for rows that are deeply equal in everything but
// concurrency, name and evals: the parallelism key of evals, and the group of
// trimming (spec/matrix.md sections 9.2 and 11). It is computed once: whatever
// else a row is made of must not change afterwards.
func (r *Row) recipeKey() string {
	if r.key == "" {
		row := without(r.Generator(), "conc", "exp-name", "recipe-fingerprint", "require-power",
			"run-eval", "eval-only", "eval-conc", "eval-all-concs", "eval-framework", "eval-suite")
		// The order of a row's own fields is fixed, that of its worker blocks
		// is the source's.
		for i, m := range row.Members {
			if m.Name == "prefill" || m.Name == "decode" {
				row.Members[i].Value = ordered(m.Value)
			}
		}
		sum := sha256.Sum256(row.Append(make([]byte, 0, 1024), ordjson.ASCII))
		r.key = string(sum[:])
	}
	if r.requiresPower() {
		return r.key + "power"
	}
	return r.key
}

package matrix

import (
	"crypto/sha256"
	"encoding/hex"

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
	sum := sha256.Sum256(v.Append(make([]byte, 0, 1024), ordjson.Canonical))
	return hex.EncodeToString(sum[:])
}

// without returns a copy of an object that lacks the named members.
func without(v ordjson.Value, names ...string) ordjson.Value {
	out := ordjson.Value{Kind: ordjson.Object, Members: make([]ordjson.Member, 0, len(v.Members))}
next:
	for _, m := range v.Members {
		for _, name := range names {
			if m.Name == name {
				continue next
			}
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// signature is the canonical text of a generator row without some members: the
// form in which groups compare rows deeply.
func (r *Row) signature(names ...string) string {
	return string(without(r.Generator(), names...).Append(make([]byte, 0, 768), ordjson.Canonical))
}

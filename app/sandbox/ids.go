package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// kind is a family of ids. Its value is the first id, of the size that GitHub's
// have today: programs that keep run or job ids in 32 bits shall fail here.
type kind int64

// The families of ids. Check runs and jobs share one, as on GitHub.
const (
	kindUser       kind = 9_200_001
	kindApp        kind = 880_001
	kindInstall    kind = 51_000_001
	kindRepo       kind = 840_000_001
	kindIssue      kind = 2_940_000_001
	kindPull       kind = 2_120_000_001
	kindComment    kind = 3_310_000_001
	kindReview     kind = 2_740_000_001
	kindLabel      kind = 7_600_000_001
	kindReaction   kind = 270_000_001
	kindEvent      kind = 15_800_000_001
	kindSuite      kind = 44_100_000_001
	kindCheck      kind = 118_000_000_001
	kindStatus     kind = 36_500_000_001
	kindWorkflow   kind = 150_000_001
	kindRun        kind = 38_600_000_001
	kindArtifact   kind = 4_700_000_001
	kindHook       kind = 530_000_001
	kindDelivery   kind = 18_020_000_001
	kindAnnotation kind = 1
	kindFault      kind = 1_001
)

// ids hands out ids in order.
type ids struct {
	seed uint64
	used map[kind]int64
	text uint64
}

func newIDs(seed uint64) ids { return ids{seed: seed, used: make(map[kind]int64)} }

// take returns the next id of a kind.
func (g *ids) take(k kind) int64 {
	id := int64(k) + g.used[k]
	g.used[k]++
	return id
}

// from makes id the next one of a kind.
func (g *ids) from(k kind, id int64) { g.used[k] = id - int64(k) }

// digest returns 32 bytes that depend on the seed and on how many were asked
// for before. They are not secret: nothing here guards anything of value.
func (g *ids) digest(purpose string) [sha256.Size]byte {
	g.text++
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], g.seed)
	binary.BigEndian.PutUint64(b[8:], g.text)
	return sha256.Sum256(append(b[:], purpose...))
}

// secret returns a text that depends on the seed and what it is for only, so
// that reading changes nothing.
func (g *ids) secret(purpose string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s", g.seed, purpose))
	return hex.EncodeToString(sum[:16])
}

// guid returns an identifier of the form of a delivery id.
func (g *ids) guid() string {
	d := g.digest("guid")
	d[6], d[8] = d[6]&0x0f|0x40, d[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", d[0:4], d[4:6], d[6:8], d[8:10], d[10:16])
}

// token returns a token with GitHub's prefix for its kind.
func (g *ids) token(prefix string) string {
	d := g.digest("token")
	return prefix + hex.EncodeToString(d[:18])
}

// nodeID is the id of an object in GitHub's other API, which is opaque.
func nodeID(what string, id int64) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", what, id))
}

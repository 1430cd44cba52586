package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// VerifyDigest holds an archive against the digest that the platform recorded
// at upload, "sha256:" and 64 hexadecimal digits. An empty digest, as old
// uploads have it, passes; an unknown kind is refused.
func VerifyDigest(at io.ReaderAt, size int64, digest string) error {
	if digest == "" {
		return nil
	}
	want, ok := strings.CutPrefix(strings.ToLower(digest), "sha256:")
	if !ok || len(want) != hex.EncodedLen(sha256.Size) {
		return refuse(WrongDigest, "", "unknown kind")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(at, 0, size)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != want {
		return refuse(WrongDigest, "", "")
	}
	return nil
}

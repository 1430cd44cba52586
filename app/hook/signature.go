package hook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// Secret is a webhook secret. Two are in force while one replaces the other.
type Secret []byte

var errNoSecret = errors.New("a webhook secret is required: without one anybody could send events")

// checkSecrets refuses to start without a secret, or with an empty one.
func checkSecrets(secrets []Secret) error {
	if len(secrets) == 0 {
		return errNoSecret
	}
	for _, s := range secrets {
		if len(s) == 0 {
			return errNoSecret
		}
	}
	return nil
}

// verify reports whether header is sha256=<64 lower-case hex digits> of body
// under one of the secrets. Every secret is tried, in constant time each.
func verify(secrets []Secret, header string, body []byte) bool {
	digits, ok := strings.CutPrefix(header, "sha256=")
	if !ok || len(digits) != hex.EncodedLen(sha256.Size) || strings.Trim(digits, "0123456789abcdef") != "" {
		return false
	}
	given, err := hex.DecodeString(digits)
	if err != nil {
		return false
	}
	valid := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		valid = hmac.Equal(mac.Sum(nil), given) || valid
	}
	return valid
}

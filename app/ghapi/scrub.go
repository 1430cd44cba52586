package ghapi

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// secretForms are the shapes of what must never be shown, whoever issued it:
// GitHub's tokens, signed tokens, authorization headers, signatures in
// addresses of downloads, and private keys.
var secretForms = pattern.Lazy(strings.Join([]string{
	`\bgh[pousr]_[\w.-]{10,}`,
	`\bgithub_pat_[A-Za-z0-9_]{10,}`,
	`\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*`,
	`(?i)\b(?:bearer|basic|token)\s+[\w.~+/=-]{10,}`,
	`(?i)[?&;](?:sig|signature|token|access_token|client_secret|x-amz-[\w-]+|sv|se|sr|sp|spr|skoid|sktid)=[^&\s"']*`,
	`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)`,
}, "|"))

// hidden stands where a secret was.
const hidden = "[hidden]"

// maxDetail is the length of foreign text in a message, in bytes.
const maxDetail = 300

// scrubber removes secrets from text: the ones it knows, and all that have the
// form of one (spec/security.md, secrets in output).
type scrubber struct{ known []string }

// text returns s without secrets.
func (c scrubber) text(s string) string {
	for _, secret := range c.known {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, hidden)
		}
	}
	return secretForms().ReplaceAllString(s, hidden)
}

// detail returns foreign text as it may stand in a message: without secrets,
// on one line, and short.
func (c scrubber) detail(s string) string {
	s = diag.Printable(strings.Join(strings.Fields(c.text(s)), " "))
	if len(s) > maxDetail {
		s = strings.ToValidUTF8(s[:maxDetail], "") + "..."
	}
	return s
}

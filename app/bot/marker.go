package bot

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// maxState is the size of what one comment may remember, in bytes.
const maxState = 24 << 10

// envelope is a comment of ours: what it shows, between a marker that finds it
// again and what it remembers.
//
//	<!-- sweepbot:progress sig=0123... -->
//	text
//	<!-- sweepbot-state {"runs":[...]} -->
//
// The state is optional. With a key the marker holds a signature of topic,
// pull request and state; a state that it does not fit is not believed.
type envelope struct {
	Topic string
	State string
	Text  string
	// Signed says that the signature fits, or that there is no key.
	Signed bool
}

// seal signs comments of one pull request.
type seal struct {
	repository string
	number     int
	key        []byte
}

func (w *World) seal(number int) seal { return seal{w.Repository, number, w.SigningKey} }

const (
	markerStart = "<!-- sweepbot:"
	stateStart  = "<!-- sweepbot-state "
	hiddenEnd   = " -->"
)

var markerForm = pattern.Lazy(`^<!-- sweepbot:([a-z][a-z0-9-]{0,39})(?: sig=([0-9a-f]{32}))? -->$`)

// sign returns the signature of a topic and a state, "" without a key.
func (s seal) sign(topic, state string) string {
	if len(s.key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, s.key)
	for _, part := range []string{s.repository, strconv.Itoa(s.number), topic, state} {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// write returns the body of a comment.
func (s seal) write(topic, text, state string) string {
	marker := markerStart + topic
	if sig := s.sign(topic, state); sig != "" {
		marker += " sig=" + sig
	}
	body := marker + hiddenEnd + "\n" + strings.TrimSpace(text) + "\n"
	if state != "" {
		body += "\n" + stateStart + state + hiddenEnd + "\n"
	}
	return body
}

// read takes a body apart. ok is false when it does not begin with a marker of
// ours; a person who edits a comment may leave other line ends and blanks.
func (s seal) read(body string) (e envelope, ok bool) {
	body = strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n"))
	first, rest, _ := strings.Cut(body, "\n")
	m := markerForm().FindStringSubmatch(strings.TrimSpace(first))
	if m == nil {
		return envelope{}, false
	}
	e = envelope{Topic: m[1], Text: rest}
	if at := strings.LastIndex(rest, stateStart); at >= 0 {
		e.Text = rest[:at]
		e.State = stateOf(rest[at+len(stateStart):])
	}
	e.Text = strings.TrimSpace(e.Text)
	e.Signed = hmac.Equal([]byte(m[2]), []byte(s.sign(e.Topic, e.State)))
	if !e.Signed {
		e.State = ""
	}
	return e, true
}

// stateOf returns the state up to the end of its comment, "" when it has none
// or is too large to be ours.
func stateOf(text string) string {
	state, _, closed := strings.Cut(text, hiddenEnd)
	if !closed || len(state) > maxState {
		return ""
	}
	return state
}

package ghapi

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// answer is a response read to its end. One answer may be handed to several
// callers, so it is never changed.
type answer struct {
	status int
	header http.Header
	body   []byte
	// flaw says why a successful answer cannot be used, "" if it can.
	flaw string
}

// unseen are headers that the library must not see: it would remember them and
// refuse later calls by itself.
var unseen = []string{"Retry-After", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Used", "X-Ratelimit-Reset", "X-Ratelimit-Resource"}

// withoutLimits is the answer without what it says of limits.
func (a *answer) withoutLimits() *answer {
	header := a.header.Clone()
	for _, name := range unseen {
		header.Del(name)
	}
	return &answer{status: a.status, header: header, body: a.body}
}

// response makes the answer into one for the library.
func (a *answer) response(req *http.Request) *http.Response {
	header := a.withoutLimits().header
	return &http.Response{
		Status:        strconv.Itoa(a.status) + " " + http.StatusText(a.status),
		StatusCode:    a.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(a.body)),
		ContentLength: int64(len(a.body)),
		Request:       req,
	}
}

func (a *answer) ok() bool { return a.status >= 200 && a.status <= 299 }

// isJSON reports whether the answer says of itself that it is JSON.
func (a *answer) isJSON() bool {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
}

// isRaw reports whether a request asks for bytes and not for a document.
func isRaw(req *http.Request) bool {
	return strings.Contains(req.Header.Get("Accept"), ".raw")
}

// broken says what is wrong with a successful answer to a request that wants a
// document, or "": an error page, a cut document, an error in the place of
// the thing (spec/security.md S69).
func (a *answer) broken(req *http.Request) string {
	switch {
	case len(a.body) == 0 && a.status != http.StatusOK: // 201, 202, 204 may be empty
		return ""
	case isRaw(req):
		if kind := a.header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
			return "a page instead of the file"
		}
		return ""
	case len(a.body) == 0:
		return "an empty answer"
	case !a.isJSON():
		return "a page instead of a document"
	case !json.Valid(a.body):
		return "a cut or broken document"
	case a.isErrorDocument():
		return "an error instead of the document: " + a.message()
	}
	return ""
}

// isErrorDocument recognises the form of GitHub's error messages, which no
// other answer has.
func (a *answer) isErrorDocument() bool {
	if len(a.body) > 4096 || a.body[0] != '{' {
		return false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(a.body, &members) != nil || members["message"] == nil || members["documentation_url"] == nil {
		return false
	}
	for name := range members {
		switch name {
		case "message", "documentation_url", "errors", "status", "code":
		default:
			return false
		}
	}
	return true
}

// message returns the message of an error document, or "".
func (a *answer) message() string {
	var doc struct {
		Message string `json:"message"`
		URL     string `json:"documentation_url"`
	}
	if len(a.body) == 0 || json.Unmarshal(a.body, &doc) != nil {
		return ""
	}
	return strings.TrimSpace(doc.Message + " " + doc.URL)
}

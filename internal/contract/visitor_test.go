package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// visitor sends the requests of the tour.
type visitor struct {
	t     *testing.T
	in    *inspector
	s     *sandbox.Server
	token string
}

// do sends a request: the pattern of the operation, a value for each of its
// variable parts behind owner and repo, a query, and a body. It returns the
// decoded answer.
func (v visitor) do(want int, pattern string, values []any, body any, accept ...string) any {
	v.t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	path, query, _ := strings.Cut(path, "?")
	owner, repo, _ := strings.Cut(v.s.Repository(), "/")
	filled := strings.NewReplacer("{owner}", owner, "{repo}", repo).Replace(path)
	for _, value := range values {
		at := placeholder.FindStringIndex(filled)
		filled = filled[:at[0]] + fmt.Sprint(value) + filled[at[1]:]
	}
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			v.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, v.s.URL()+"/api/v3"+filled+"?"+query, in)
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+v.token)
	if len(accept) > 0 {
		req.Header.Set("Accept", accept[0])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	if resp.StatusCode != want {
		v.t.Fatalf("%s %v: %d, want %d: %s", pattern, values, resp.StatusCode, want, data)
	}
	if len(accept) == 0 {
		v.in.answer(method+" "+path, req, resp.StatusCode, resp.Header, data)
	}
	var out any
	_ = json.Unmarshal(data, &out) // some answers have no document
	return out
}

// at returns a number or text inside an answer: "0.id".
func at(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		}
	}
	if n, ok := v.(float64); ok {
		return int64(n)
	}
	return v
}

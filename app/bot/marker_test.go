package bot

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := seal{repository: repoName, number: 12, key: rapid.SampledFrom([][]byte{nil, []byte("k1")}).Draw(t, "key")}
		text := rapid.StringMatching(`[a-z \n<!>-]{0,40}`).Draw(t, "text")
		state := rapid.SampledFrom([]string{"", `{"v":1}`}).Draw(t, "state")
		body := s.write("progress", text, state)
		if rapid.Bool().Draw(t, "edited on the web") {
			body = strings.ReplaceAll(body, "\n", "\r\n")
		}
		env, ok := s.read(body)
		if !ok || env.Topic != "progress" || !env.Signed || env.State != state {
			t.Fatalf("%q: %+v", body, env)
		}
	})
}

func TestEnvelopeDistrusts(t *testing.T) {
	signed := seal{repository: repoName, number: 12, key: []byte("key")}
	state := `{"v":1,"runs":[]}`
	body := signed.write("progress", "text", state)
	for name, c := range map[string]struct {
		reader seal
		body   string
	}{
		"other state":        {signed, strings.Replace(body, `"runs":[]`, `"runs":[1]`, 1)},
		"other pull request": {seal{repository: repoName, number: 13, key: []byte("key")}, body},
		"other repository":   {seal{repository: "a/b", number: 12, key: []byte("key")}, body},
		"other key":          {seal{repository: repoName, number: 12, key: []byte("other")}, body},
		"no signature":       {signed, seal{}.write("progress", "text", state)},
		"signature unasked":  {seal{}, body},
	} {
		env, ok := c.reader.read(c.body)
		if !ok {
			t.Errorf("%s: the comment is not found any more", name)
		}
		if env.Signed || env.State != "" {
			t.Errorf("%s: believed: %+v", name, env)
		}
	}
	for _, other := range []string{"", "text", "> " + body, "text\n" + body, strings.Replace(body, "sweepbot:", "sweepbot:Ä", 1), "<!-- sweepbot:a b -->\nx"} {
		if env, ok := (seal{}).read(other); ok {
			t.Errorf("%q is taken for ours: %+v", other, env)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add(seal{}.write("progress", "text", `{"v":1}`))
	f.Add("<!-- sweepbot:x -->\n<!-- sweepbot-state <!-- sweepbot-state a -->")
	f.Fuzz(func(t *testing.T, body string) {
		env, ok := (seal{}).read(body)
		if ok && (!markerForm().MatchString(markerStart+env.Topic+hiddenEnd) || len(env.State) > maxState) {
			t.Fatalf("%+v", env)
		}
	})
}

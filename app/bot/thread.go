package bot

import (
	"cmp"
	"slices"
	"strings"
)

// thread is what a conversation holds of one topic.
type thread struct {
	// ours are our comments on the topic, oldest first.
	ours []Comment
	// legacy says that there is none of ours, but one of a former tool.
	legacy bool
	// created is the comment that was just created, which lists may not show
	// yet.
	created int64
}

// findThread picks the comments of our own accounts on a topic. Ids grow with
// time, so that the smallest is the oldest.
func findThread(all []Comment, w *World, e *UpsertComment) thread {
	var t thread
	var legacy *Comment
	for i := range all {
		c := &all[i]
		if !w.isSelf(c.Author.ID) {
			continue
		}
		if env, ok := w.seal(e.Number).read(c.Body); ok && env.Topic == e.Topic {
			t.ours = append(t.ours, *c)
		} else if !ok && startsWithAny(c.Body, e.Legacy) && (legacy == nil || c.ID > legacy.ID) {
			legacy = c
		}
	}
	slices.SortFunc(t.ours, func(a, b Comment) int { return cmp.Compare(a.ID, b.ID) })
	if len(t.ours) == 0 && legacy != nil {
		t.ours, t.legacy = []Comment{*legacy}, true
	}
	return t
}

func startsWithAny(body string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(strings.TrimSpace(body), p) })
}

func (t *thread) bodies() []string {
	out := make([]string, len(t.ours))
	for i := range t.ours {
		out[i] = t.ours[i].Body
	}
	return out
}

// fixed is content that does not depend on what is there.
type fixed struct{ topic, text string }

func (f fixed) body(s seal, _ []string) string { return s.write(f.topic, f.text, "") }

func (f fixed) holds(s seal, body string) bool { return same(body, f.body(s, nil)) }

func (f fixed) keeps(s seal, body string) bool { return f.holds(s, body) }

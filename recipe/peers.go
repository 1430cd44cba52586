package recipe

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// mark stands for an unknown part while a JSON text is decoded. It belongs to
// Unicode's private use, so that a text that contains it is not decoded.
const mark = '\uF8FF'

// marked is the text with marks for unknown parts, and whether there are any.
// A text that has a mark of its own is empty.
func (t Text) marked() (string, bool) {
	if strings.ContainsRune(t.Lit, mark) {
		return "", false
	}
	if t.Known() {
		return t.Lit, false
	}
	var b strings.Builder
	for _, p := range t.Parts {
		switch {
		case p.Unknown != nil:
			b.WriteRune(mark)
		case strings.ContainsRune(p.Text, mark):
			return "", false
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String(), true
}

// peers are endings of the names under which a process learns where another
// one listens.
var peers = words(`*host *hostname *ip *addr *address *port *url *endpoint *server *device_name`)

// withoutPeers leaves out the members that say where a peer listens and are
// not known.
func withoutPeers(v ordjson.Value) ordjson.Value {
	switch v.Kind {
	case ordjson.Array:
		items := make([]ordjson.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = withoutPeers(item)
		}
		v.Items = items
	case ordjson.Object:
		var members []ordjson.Member
		for _, m := range v.Members {
			if matches(peers, strings.ToLower(m.Name)) && strings.ContainsRune(m.Value.String(), mark) {
				continue
			}
			members = append(members, ordjson.Member{Name: m.Name, Value: withoutPeers(m.Value)})
		}
		v.Members = members
	}
	return v
}

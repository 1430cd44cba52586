package bot

import (
	"bufio"
	"io"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// effectsVersion is the version of the document of an event.
const effectsVersion = 1

// EventDocument is what an event led to, as one JSON document: the story that
// handled it, the reasons of the decision, and every effect with what became
// of it (docs/effects.md).
func EventDocument(d Decided, results Results, lang catalog.Language) ordjson.Value {
	out := ordjson.Map(
		member("version", ordjson.Int(effectsVersion)), member("story", ordjson.Str(d.Story)),
		member("pull-request", ordjson.Int(int64(d.Number))), member("reasons", FindingsDocument(d.Reasons, lang)))
	if d.From != nil {
		out.Add("provenance", d.From.document())
	}
	effects := ordjson.List()
	for i := range results {
		effects.Items = append(effects.Items, results[i].document(lang))
	}
	out.Add("effects", effects)
	return out
}

func (r *Result) document(lang catalog.Language) ordjson.Value {
	return ordjson.Map(
		member("key", ordjson.Str(r.key)), member("kind", ordjson.Str(r.Kind())), member("target", ordjson.Str(r.Target())),
		member("state", ordjson.Str(string(r.State))), member("id", ordjson.Int(r.ID)), member("detail", ordjson.Str(r.detail(lang))),
		member("why", ordjson.Str(r.Why.Message(lang))), member("code", ordjson.Str(r.Why.Code)),
		member("courtesy", ordjson.Bool(r.Courtesy)), member("needs", ordjson.Strs(r.Needs)), member("effect", r.Document()))
}

// detail is what went wrong, "" where nothing did.
func (r *Result) detail(lang catalog.Language) string {
	if r.Err == nil {
		return ""
	}
	list := FindingsOf(r.Err)
	if first := list.First(); first != nil {
		return first.Message(lang)
	}
	return r.Err.Error()
}

// RenderEffects writes what an event led to for people: the reasons, then a
// table of the effects.
func RenderEffects(w io.Writer, d Decided, results Results, style TableStyle) error {
	out := bufio.NewWriter(w)
	for _, f := range d.Reasons {
		out.WriteString("- " + diag.Printable(f.Message(style.Language)) + "\n")
	}
	if len(results) == 0 {
		out.WriteString(style.say("bot.no-effects") + "\n")
		return out.Flush()
	}
	t := &table{columns: []column{{title: "effect"}, {title: "target", wraps: true}, {title: "state"}, {title: "why", wraps: true}}}
	for i := range results {
		r := &results[i]
		why := r.detail(style.Language)
		if why == "" {
			why = r.Why.Message(style.Language)
		}
		t.add(r.Kind(), r.Target(), string(r.State), why)
	}
	for i, text := range t.lines(style.Columns) {
		if i == 0 {
			text = style.paint(faintText, text)
		}
		out.WriteString(text + "\n")
	}
	return out.Flush()
}

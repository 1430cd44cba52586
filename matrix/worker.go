package matrix

import (
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// worker reads a prefill or decode block, or with aggregate a worker block,
// whose num-worker defaults to 1 (spec/matrix.md section 4.7).
func (s *scope) worker(role string, v *yamlpos.Value, aggregate bool) *Worker {
	if v == nil {
		return nil
	}
	in, ok := s.open(v, s.at.key(role))
	if !ok {
		return nil
	}
	w := &Worker{Place: v.Place(s.file), Source: v.Fields}
	if aggregate {
		w.NumWorker = in.size("num-worker")
	} else {
		w.NumWorker = in.integer("num-worker", in.need("num-worker"), s.intForm())
	}
	w.TP = in.integer("tp", in.need("tp"), s.intForm())
	w.PP, w.DCP, w.PCP = in.size("pp"), in.size("dcp-size"), in.size("pcp-size")
	w.EP = in.integer("ep", in.need("ep"), s.intForm())
	w.DPAttn = in.boolean("dp-attn", in.need("dp-attn"), s.rules.LenientTypes)
	w.Hardware = in.filled("hardware", optional(in.take("hardware")))
	in.settings(w)
	in.close()
	w.hidden = len(in.hidden) > 0
	s.divisible(w.TP, w.DCP, v, in.at)
	w.detach()
	return w
}

func (s *scope) settings(w *Worker) {
	v := s.take("additional-settings")
	if v == nil {
		return
	}
	w.SettingsSet = true
	if v.Kind == yamlpos.Null {
		w.SettingsNull = true
		return
	}
	for i, item := range s.list("additional-settings", v) {
		if item.Kind != yamlpos.String {
			s.add("matrix.wrong-type", item, s.at.key("additional-settings").item(i), "want", "string", "got", item.Kind.String())
			continue
		}
		w.Settings = append(w.Settings, item.Text)
	}
}

package launch

import (
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/recipe"
)

// isInjector reports whether a Python program is the one with which launchers
// of the August layout put simulated acceptance into a recipe.
func isInjector(name string) bool {
	return strings.Contains(path.Base(name), "inject_synthetic_acceptance")
}

// engines that the August program knows.
var injectable = map[string]bool{recipe.EngineVLLM: true, recipe.EngineSGLang: true}

// accept adds the simulated acceptance length that the launcher sets, or takes
// out what it removes (spec/checks.md check 11, launcher injection).
func (v *visit) accept() {
	covered := in(v.r.settings.Launch.AcceptanceFrameworks, v.row.Config.Framework)
	switch v.r.settings.Launch.Acceptance {
	case config.AcceptanceSetting:
		if v.injector && covered && v.mode != Eval && strings.EqualFold(known(v.start["SYNTHETIC_ACCEPTANCE"]), "true") {
			v.simulate(func(engine string) bool { return injectable[engine] })
		}
	case config.AcceptanceAlways:
		if !covered {
			return
		}
		if v.mode == Eval || !v.row.Agentic() {
			v.strip()
			return
		}
		if v.row.Entry.SpecDecoding != "none" && v.row.Entry.SpecDecoding != "" {
			v.strip()
			v.simulate(func(string) bool { return true })
		}
	}
}

// simulate sets the length on every role that speculates. It is that of the
// generation role: decode, else the aggregate.
func (v *visit) simulate(knows func(engine string) bool) {
	worker := generation(&v.effective)
	if !speculates(worker) {
		return
	}
	s, ok := SpeculationOf(worker)
	if !ok {
		return
	}
	length, at, ok := v.length(s)
	if !ok {
		return
	}
	for _, c := range v.effective.Serving() {
		if own, ok := SpeculationOf(c); ok && speculates(c) && knows(c.Engine) {
			setLength(c, own, length, at)
		}
	}
}

// length is the acceptance length to simulate: the row's setting, else the
// golden curve's.
func (v *visit) length(s Speculation) (string, diag.Place, bool) {
	entry := v.row.Entry.Place
	asked := v.r.settings.Launch.Acceptance == config.AcceptanceSetting
	if text := known(v.start["SYNTHETIC_ACCEPTANCE_LENGTH"]); asked && text != "" {
		return text, diag.Place{File: entry.File, Line: entry.Line}, true
	}
	name := path.Join(v.r.project, v.r.settings.Layout.GoldenAL, CurveName(v.row.Config.ModelPrefix, s)+".yaml")
	data, ok := v.read(name)
	if !ok || v.r.settings.Layout.GoldenAL == "" {
		v.remark("recipe.no-curve", entry, "file", name)
		return "", diag.Place{}, false
	}
	thinking := "thinking_on"
	if known(v.start["THINKING_MODE"]) == "thinking_off" {
		thinking = "thinking_off"
	}
	length, line, ok := CurveValue(name, data, thinking, s.Tokens)
	if !ok {
		v.remark("recipe.no-curve-value", diag.Place{File: name}, "file", name, "tokens", strconv.Itoa(s.Tokens))
		return "", diag.Place{}, false
	}
	return length, diag.Place{File: name, Line: line}, true
}

// simulated are the variables that simulate acceptance, by engine.
var simulated = []string{"SGLANG_SIMULATE_ACC_LEN", "SGLANG_SIMULATE_ACC_METHOD", "SGLANG_SIMULATE_ACC_TOKEN_MODE",
	"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", "TILERT_SIMULATE_ACC_LEN", "TILERT_SIMULATE_ACC_METHOD"}

// strip removes what a recipe simulates by itself.
func (v *visit) strip() {
	for i := range v.effective.Commands {
		c := &v.effective.Commands[i]
		env := c.Env[:0:0]
		for _, x := range c.Env {
			if !in(simulated, x.Name) {
				env = append(env, x)
			}
		}
		c.Env = env
		flags := c.Flags[:0:0]
		for _, f := range c.Flags {
			switch {
			case strings.HasPrefix(f.Name, "spec-decode-acceptance-"):
				continue
			case f.Name == "speculative-config" && f.JSON != nil:
				f = withJSON(f, realSampling(*f.JSON))
			}
			flags = append(flags, f)
		}
		c.Flags = flags
	}
}

// realSampling is a speculative configuration of vLLM that accepts what it
// really drafts.
func realSampling(v ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	for _, m := range v.Members {
		switch {
		case m.Name == "synthetic_acceptance_length":
			continue
		case m.Name == "rejection_sample_method" && m.Value.Text == "synthetic":
			m.Value = ordjson.Str("block")
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// withJSON is a flag with another JSON value.
func withJSON(f recipe.Flag, v ordjson.Value) recipe.Flag {
	at := f.Text.Place
	if len(f.Values) > 0 {
		at = f.Values[0].Place
	}
	f.JSON = &v
	f.Values = []recipe.Text{recipe.Literal(v.String(), at)}
	return f
}

// setLength writes a length in the way of a command's engine.
func setLength(c *recipe.Command, s Speculation, length string, at diag.Place) {
	set := func(name, value string) {
		c.Env = append(c.Env, recipe.Var{Name: name, Value: recipe.Literal(value, at)})
	}
	switch c.Engine {
	case recipe.EngineSGLang:
		set("SGLANG_SIMULATE_ACC_LEN", length)
		set("SGLANG_SIMULATE_ACC_METHOD", "match-expected")
		set("SGLANG_SIMULATE_ACC_TOKEN_MODE", "real-draft-token")
	case recipe.EngineTRTLLM:
		if n, err := strconv.ParseFloat(length, 64); err == nil {
			set("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", strconv.FormatFloat(roundTo(n-1), 'f', -1, 64))
		}
	case recipe.EngineATOM:
		c.Flags = append(c.Flags, recipe.NewFlag("--spec-decode-acceptance-length", length, at))
	case recipe.EngineTileRT:
		set("TILERT_SIMULATE_ACC_LEN", length)
		set("TILERT_SIMULATE_ACC_METHOD", "match-expected")
	case recipe.EngineVLLM:
		for i, f := range c.Flags {
			if f.Name == "speculative-config" && f.JSON != nil {
				v := *f.JSON
				v.Members = append([]ordjson.Member(nil), v.Members...)
				replaceMember(&v, "rejection_sample_method", ordjson.Str("synthetic"))
				replaceMember(&v, "synthetic_acceptance_length", ordjson.Value{Text: length})
				c.Flags[i] = withJSON(f, v)
			}
		}
	}
}

// roundTo takes the noise of a subtraction off: lengths have few decimals.
func roundTo(n float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'f', 6, 64), 64)
	return out
}

func replaceMember(v *ordjson.Value, name string, value ordjson.Value) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members[i].Value = value
			return
		}
	}
	v.Add(name, value)
}

package launch

import (
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// Speculation is how a role drafts tokens (spec/checks.md section 1.7,
// speculation record).
type Speculation struct {
	Method  string // lower case: mtp, eagle, eagle3, dspark, nextn ...
	Tokens  int    // draft tokens a step
	Draft   string // draft model, "" if it is none of its own
	Sampler string // of the draft, "" if not set
}

// SpeculationOf reads the record of a command. ok is false for one that does
// not speculate, or of which it is not known.
func SpeculationOf(c *recipe.Command) (Speculation, bool) {
	read := func(name string) string {
		if f := c.Flag(name); f != nil {
			value, _ := f.Value()
			return value
		}
		return ""
	}
	var s Speculation
	switch c.Engine {
	case recipe.EngineVLLM:
		f := c.Flag("speculative-config")
		if f == nil || f.JSON == nil {
			return s, false
		}
		member := func(name string) string { v, _ := f.JSON.Get(name); return v.Text }
		s = Speculation{Method: member("method"), Draft: member("model"), Sampler: member("draft_sample_method")}
		s.Tokens, _ = strconv.Atoi(member("num_speculative_tokens"))
	case recipe.EngineTRTLLM:
		s = Speculation{Method: read("speculative-config.decoding-type"), Draft: read("speculative-config.speculative-model")}
		s.Tokens, _ = strconv.Atoi(read("speculative-config.max-draft-len"))
	case recipe.EngineATOM:
		s = Speculation{Method: read("method"), Draft: read("draft-model")}
		s.Tokens, _ = strconv.Atoi(read("num-speculative-tokens"))
		if strings.EqualFold(s.Method, "dspark") {
			s.Sampler = "probabilistic"
		}
	case recipe.EngineTileRT:
		if read("with-mtp") == "true" {
			s.Method = "mtp"
			s.Tokens, _ = strconv.Atoi(read("num-mtp"))
		}
	default:
		s = Speculation{Method: read("speculative-algorithm"), Draft: read("speculative-draft-model-path")}
		steps := read("speculative-num-steps")
		if strings.EqualFold(s.Method, "dspark") {
			steps = read("speculative-dspark-block-size")
		}
		s.Tokens, _ = strconv.Atoi(steps)
	}
	s.Method = strings.ToLower(s.Method)
	return s, s.Method != ""
}

// CurveName is the name of the golden curve of a speculating model, without
// its ending (spec/checks.md check 11).
func CurveName(prefix string, s Speculation) string {
	method := s.Method
	if method == "eagle" || method == "nextn" {
		method = "mtp"
		if prefix == "minimaxm3" || prefix == "kimik2.5" {
			method = "eagle3"
		}
	}
	name := prefix + "_" + method
	switch {
	case strings.HasPrefix(prefix, "dsv4") && method == "dspark" && (prefix == "dsv4" || strings.HasPrefix(prefix, "dsv4dspark")):
		return "dsv4-pro-0813-dspark"
	case prefix == "minimaxm3" && method == "eagle3" && strings.Contains(strings.ToLower(path.Base(s.Draft)), "gqa"):
		return name + "_gqa"
	case prefix == "kimik3" && method == "dspark" && s.Sampler == "probabilistic":
		return name + "_probabilistic_sample_method_block_rejection_sample_method"
	}
	return name
}

// CurveValue reads one value of a golden curve: under its only model, a
// thinking mode, a draft length.
func CurveValue(file string, data []byte, mode string, tokens int) (value string, line int, ok bool) {
	root, err := yamlpos.Parse(file, data, yamlpos.Options{LastKeyWins: true})
	if err != nil || root.Kind != yamlpos.Mapping || len(root.Fields) != 1 {
		return "", 0, false
	}
	curve := root.Fields[0].Value.Get(mode)
	if curve == nil {
		return "", 0, false
	}
	for _, f := range curve.Fields {
		if f.Key.Kind == yamlpos.Int && f.Key.Int == int64(tokens) && (f.Value.Kind == yamlpos.Float || f.Value.Kind == yamlpos.Int) {
			return f.Value.Text, f.Value.Line, true
		}
	}
	return "", 0, false
}

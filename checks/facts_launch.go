package checks

import (
	"context"
	"errors"
	"io/fs"
	slashpath "path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// Drafting is how a key's points draft tokens: one for each distinct record
// and setting.
type Drafting struct {
	Key    string
	Prefix string
	// Model is the served model of the config.
	Model string
	// Agentic says that points of agentic scenarios draft so.
	Agentic bool
	// Concs are the concurrencies of these points, rising.
	Concs []int64
	launch.Speculation
	// Golden is what the curve at the target branch says, Simulated what the
	// launch sets.
	Golden    Golden
	Simulated Simulated
	// Settings are those of the launch that concern the draft's precision.
	Settings []DraftSetting
}

// Golden is a value of a golden curve (spec/checks.md, check 11).
type Golden struct {
	// File is the curve's path, Line that of the value; Length is "" where
	// the curve is not there or has no value for the draft length.
	File   string
	Line   int
	Length string
}

// Simulated is an acceptance length that a launch simulates.
type Simulated struct {
	// Knob is the variable or flag, Value as it is set, "" for none. Length is
	// the acceptance length that it means, with the token of the target.
	Knob, Value string
	Length      float64
	// Known is false where the value could not be read.
	Known bool
	Place diag.Place
}

// DraftSetting is a setting about the draft's precision.
type DraftSetting struct {
	Name, Value string
	Place       diag.Place
}

// thinking is the mode of golden curves that launches are compared with.
const thinking = "thinking_on"

// Draftings are the ways in which the points of a key draft at the head, in
// the order of the rows. incomplete says that some launch is not fully known.
func (e *Evidence) Draftings(ctx context.Context, key AffectedKey) (list []Drafting, incomplete bool, err error) {
	head, err := e.Revision(ctx, e.Head)
	if err != nil {
		return nil, false, err
	}
	for _, row := range key.Rows {
		effective, err := e.Launch(ctx, head, row, launch.Throughput)
		if err != nil {
			return nil, false, err
		}
		incomplete = incomplete || !effective.Complete()
		for _, c := range generation(effective) {
			s, ok := launch.SpeculationOf(c)
			if !ok || s.Tokens == 0 && zeroDraft(c) {
				continue
			}
			d := Drafting{
				Key: key.Key, Prefix: row.Config.ModelPrefix, Model: row.Config.Model, Agentic: row.Agentic(), Speculation: s,
				Simulated: simulatedBy(c, s.Tokens), Settings: draftSettings(c),
			}
			if d.Agentic {
				if d.Golden, err = e.goldenLength(ctx, d.Prefix, s); err != nil {
					return nil, false, err
				}
			}
			list = putDrafting(list, d, row)
		}
	}
	return list, incomplete, nil
}

// putDrafting adds the concurrencies of a row to an equal drafting, or a new
// one.
func putDrafting(list []Drafting, d Drafting, row *matrix.Row) []Drafting {
	i := slices.IndexFunc(list, func(o Drafting) bool {
		return o.Agentic == d.Agentic && o.Speculation == d.Speculation && o.Simulated == d.Simulated && slices.Equal(o.Settings, d.Settings)
	})
	if i < 0 {
		i = len(list)
		list = append(list, d)
	}
	list[i].Concs = append(list[i].Concs, row.Conc...)
	slices.Sort(list[i].Concs)
	list[i].Concs = slices.Compact(list[i].Concs)
	return list
}

// goldenLength reads the golden curve at the target branch.
func (e *Evidence) goldenLength(ctx context.Context, prefix string, s launch.Speculation) (Golden, error) {
	folder := e.Settings.Layout.GoldenAL
	if folder == "" || s.Tokens == 0 {
		return Golden{}, nil
	}
	doc, err := e.policy(ctx, slashpath.Join(folder, launch.CurveName(prefix, s)+".yaml"))
	g := Golden{File: doc.Path}
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return g, err
	}
	g.Length, g.Line, _ = launch.CurveValue(doc.Path, doc.Data, thinking, s.Tokens)
	return g, nil
}

// simulatedBy reads the acceptance length that a command simulates, in the way
// of its engine (spec/checks.md, check 11).
func simulatedBy(c *recipe.Command, tokens int) Simulated {
	switch c.Engine {
	case recipe.EngineSGLang:
		return simulatedVariable(c, "SGLANG_SIMULATE_ACC_LEN", 0)
	case recipe.EngineTRTLLM:
		return simulatedVariable(c, "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", 1)
	case recipe.EngineTileRT:
		return simulatedVariable(c, "TILERT_SIMULATE_ACC_LEN", 0)
	case recipe.EngineVLLM:
		return simulatedConfig(c)
	case recipe.EngineATOM:
		if s := simulatedFlag(c, "spec-decode-acceptance-length"); s.Knob != "" {
			return s
		}
		s := simulatedFlag(c, "spec-decode-acceptance-rate")
		s.Length = 1 + s.Length*float64(tokens)
		return s
	}
	return Simulated{}
}

// simulatedVariable reads a variable; bonus is the token of the target that it
// leaves out.
func simulatedVariable(c *recipe.Command, name string, bonus float64) Simulated {
	text, set := c.Variable(name)
	if !set {
		return Simulated{}
	}
	s := simulatedAs(name, text.String(), text.Known(), text.Place)
	s.Length += bonus
	return s
}

func simulatedFlag(c *recipe.Command, name string) Simulated {
	f := c.Flag(name)
	if f == nil {
		return Simulated{}
	}
	value, known := f.Value()
	return simulatedAs(name, value, known, placeOf(f))
}

// simulatedConfig reads the length of vLLM, which counts with the synthetic
// method only.
func simulatedConfig(c *recipe.Command) Simulated {
	f := c.Flag("speculative-config")
	if f == nil || f.JSON == nil {
		return Simulated{}
	}
	member := func(name string) string { v, _ := f.JSON.Get(name); return v.Text }
	length := member("synthetic_acceptance_length")
	if member("rejection_sample_method") != "synthetic" || length == "" {
		return Simulated{}
	}
	return simulatedAs("synthetic_acceptance_length", length, true, placeOf(f))
}

func simulatedAs(knob, value string, known bool, place diag.Place) Simulated {
	s := Simulated{Knob: knob, Value: value, Place: place}
	n, err := strconv.ParseFloat(value, 64)
	s.Length, s.Known = n, known && err == nil
	return s
}

// placeOf is where a flag has its value from.
func placeOf(f *recipe.Flag) diag.Place {
	if len(f.Values) > 0 && f.Values[0].Place.File != "" {
		return f.Values[0].Place
	}
	return f.Text.Place
}

// draftVariables concern the draft's precision (spec/checks.md, check 13).
var draftVariables = []string{"SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", "SGLANG_GLM_NEXTN_MOE_PTPC"}

// draftSettings are the settings of a command that concern the draft's
// precision: its quantisation and types, and what an online quantisation of
// the target leaves out.
func draftSettings(c *recipe.Command) []DraftSetting {
	var out []DraftSetting
	for i := range c.Flags {
		f := &c.Flags[i]
		switch {
		case f.Name == "speculative-config" && f.JSON != nil:
			for _, name := range []string{"quantization", "draft_model_quantization", "dtype", "draft_dtype"} {
				if v, ok := f.JSON.Get(name); ok {
					out = append(out, DraftSetting{f.Name + "." + name, v.Text, placeOf(f)})
				}
			}
		case f.Name == "online-quant-config":
			out = append(out, excluded(f))
		case strings.Contains(f.Name, "draft") && (strings.Contains(f.Name, "quant") || strings.Contains(f.Name, "dtype")):
			value, _ := f.Value()
			out = append(out, DraftSetting{f.Name, value, placeOf(f)})
		}
	}
	for _, name := range draftVariables {
		if text, set := c.Variable(name); set {
			out = append(out, DraftSetting{name, text.String(), text.Place})
		}
	}
	return out
}

// excluded is an online quantisation with the patterns that it leaves out.
func excluded(f *recipe.Flag) DraftSetting {
	value, _ := f.Value()
	if f.JSON != nil {
		if v, ok := f.JSON.Get("exclude_layer"); ok && v.Kind == ordjson.Array {
			var names []string
			for _, item := range v.Items {
				names = append(names, item.Text)
			}
			return DraftSetting{f.Name + ".exclude_layer", joined(names, ", ", 12), placeOf(f)}
		}
	}
	return DraftSetting{f.Name, value, placeOf(f)}
}

package failure

import (
	_ "embed" // the rules that come with the program
	"fmt"
	"sync"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Class is why a point failed.
type Class string

// The classes. Unclassified means that a log exists and says nothing known: it
// is shown to a person and never run again by itself.
const (
	Configuration  Class = "configuration"
	Runtime        Class = "runtime"
	OutOfMemory    Class = "out-of-memory"
	NotReady       Class = "readiness-timeout"
	Infrastructure Class = "infrastructure"
	BySibling      Class = "cancelled-by-sibling"
	Superseded     Class = "superseded"
	Cancelled      Class = "cancelled"
	Unclassified   Class = "unclassified"
)

// Phase is how far a job had come.
type Phase string

// The phases in their order; those before Ready lie before server start.
const (
	PhaseUnknown   Phase = ""
	PhaseQueue     Phase = "queue"
	PhaseSetup     Phase = "setup"
	PhaseContainer Phase = "container"
	PhaseLoad      Phase = "load"
	PhaseReady     Phase = "ready"
	PhaseMeasure   Phase = "measure"
	PhaseEval      Phase = "eval"
)

// BeforeServer reports whether the phase lies before the server has started.
func (p Phase) BeforeServer() bool {
	return p == PhaseQueue || p == PhaseSetup || p == PhaseContainer || p == PhaseLoad
}

// rule is one entry of the rules file.
type rule struct {
	name       string
	class      Class
	phase      Phase
	annotation bool
	log        bool
	any        []pattern
}

// Rules are the meanings of texts, in order.
type Rules struct{ rules []rule }

//go:embed rules.yaml
var builtIn []byte

// BuiltIn returns the rules that come with the program. They are read once.
func BuiltIn() (Rules, error) { return readOnce() }

var readOnce = sync.OnceValues(func() (Rules, error) { return ParseRules("rules.yaml", builtIn) })

// ParseRules reads a rules file, in the form of rules.yaml.
func ParseRules(name string, data []byte) (Rules, error) {
	root, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		return Rules{}, err
	}
	var out Rules
	for _, item := range root.Items {
		r, err := parseRule(item)
		if err != nil {
			return Rules{}, fmt.Errorf("%s:%d: %w", name, item.Line, err)
		}
		out.rules = append(out.rules, r)
	}
	if len(out.rules) == 0 {
		return Rules{}, fmt.Errorf("%s: no rules", name)
	}
	return out, nil
}

func parseRule(item *yamlpos.Value) (rule, error) {
	text := func(name string) string {
		if v := item.Get(name); v != nil {
			return v.Text
		}
		return ""
	}
	r := rule{name: text("name"), class: Class(text("class")), phase: Phase(text("phase"))}
	switch r.class {
	case Configuration, Runtime, OutOfMemory, NotReady, Infrastructure:
	default:
		return r, fmt.Errorf("rule %q has the unknown class %q", r.name, r.class)
	}
	switch r.phase {
	case PhaseQueue, PhaseSetup, PhaseContainer, PhaseLoad, PhaseReady, PhaseMeasure, PhaseEval:
	default:
		return r, fmt.Errorf("rule %q has the unknown phase %q", r.name, r.phase)
	}
	switch text("where") {
	case "", "both":
		r.annotation, r.log = true, true
	case "annotation":
		r.annotation = true
	case "log":
		r.log = true
	default:
		return r, fmt.Errorf("rule %q looks in the unknown place %q", r.name, text("where"))
	}
	patterns := item.Get("any")
	if r.name == "" || patterns == nil || len(patterns.Items) == 0 {
		return r, fmt.Errorf("rule %q has no name or nothing to look for", r.name)
	}
	for _, p := range patterns.Items {
		parsed, err := newPattern(p.Text)
		if err != nil {
			return r, fmt.Errorf("rule %q: %w", r.name, err)
		}
		r.any = append(r.any, parsed)
	}
	return r, nil
}

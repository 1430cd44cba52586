package labels

import (
	"slices"
	"sort"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Selection is what a set of labels asks for, whatever the event. It depends
// on the set alone, not on order or repeats (known failure F04).
type Selection struct {
	// Primary is the sweep label, where exactly one is set, else nil.
	Primary *config.Primary
	// Primaries are the names of all sweep labels that are set, in the order
	// of the policy. Two or more are an error.
	Primaries []string
	// Canary lets one cheap throughput point run before all others. False
	// with evals-only, which leaves no throughput point to choose from.
	Canary bool
	// FailFast lets the first failing point of a job family cancel the rest
	// of that family, never another family (known failure F08).
	FailFast bool
	// Trim keeps the smallest concurrency of each curve.
	Trim bool
	Modifiers
	// Reusable says that the results may be published by a reuse command.
	Reusable bool
	// ReuseBlockers are the labels that are set and make the measurement
	// unfit for reuse, in the order of the policy. The label all-evals is not
	// one of them (known failure F29).
	ReuseBlockers []string
	// Unrelated are the labels that mean nothing here, sorted, each once.
	Unrelated []string
	// Findings are the conflict (an error), a modifier without a sweep label
	// and look-alikes of recognised labels (warnings).
	Findings diag.List
}

// Modifiers are the labels that change a sweep without starting one.
type Modifiers struct {
	AllEvals   bool
	EvalsOnly  bool
	AgentXFast bool
	// OnlyStale leaves out the points that an earlier sweep still stands for.
	OnlyStale bool
	// SkipQueue, Patchwork, PatchworkWaived and ChecklistComplete bear on
	// scheduling only (spec/labels-and-sweeps.md sections 1.2 and 5.1), and
	// only where the policy names such labels.
	SkipQueue         bool
	Patchwork         bool
	PatchworkWaived   bool
	ChecklistComplete bool
}

// Select reads a set of labels (spec/labels-and-sweeps.md section 1). It is
// the part of Decide that needs no event.
func Select(policy config.Labels, labels []string) Selection {
	present := newSet(labels)
	s := Selection{Modifiers: modifiers(policy, present)}
	for i := range policy.Primaries {
		if present.has(policy.Primaries[i].Name) {
			s.Primaries = append(s.Primaries, policy.Primaries[i].Name)
			chosen := policy.Primaries[i]
			s.Primary = &chosen
		}
	}
	s.ReuseBlockers = present.of(blocking(policy))
	s.applyPrimary()
	known := newVocabulary(policy)
	s.Unrelated = unrelated(known, labels)
	s.Findings = append(s.setFindings(policy, present), lookAlikes(known, s.Unrelated)...)
	return s
}

// blocking are the labels under which nothing can be reused. A partial sweep is
// none of the kind whatever a policy lists: it never stands for a full one.
func blocking(policy config.Labels) []string {
	if policy.OnlyStale == "" || slices.ContainsFunc(policy.ReuseBlocking, func(name string) bool { return fold(name) == fold(policy.OnlyStale) }) {
		return policy.ReuseBlocking
	}
	return append(slices.Clone(policy.ReuseBlocking), policy.OnlyStale)
}

func modifiers(policy config.Labels, present set) Modifiers {
	return Modifiers{
		AllEvals:          present.has(policy.AllEvals),
		EvalsOnly:         present.has(policy.EvalsOnly),
		AgentXFast:        present.has(policy.AgentXFast),
		OnlyStale:         present.has(policy.OnlyStale),
		SkipQueue:         present.has(policy.SkipQueue),
		Patchwork:         len(present.of(policy.Patchwork)) > 0,
		PatchworkWaived:   len(present.of(policy.PatchworkWaived)) > 0,
		ChecklistComplete: len(present.of(policy.ChecklistComplete)) > 0,
	}
}

// applyPrimary fills what follows from the one sweep label; with none or with
// several there is no primary.
func (s *Selection) applyPrimary() {
	if len(s.Primaries) != 1 {
		s.Primary = nil
		return
	}
	s.Canary = s.Primary.Canary && !s.EvalsOnly
	s.FailFast = s.Primary.FailFast
	s.Trim = s.Primary.Trim
	s.Reusable = s.Primary.Reusable && len(s.ReuseBlockers) == 0
}

// conflict is the finding of several sweep labels, or nil. It names them all
// (spec/security.md S34).
func (s *Selection) conflict() *diag.Finding {
	if len(s.Primaries) < 2 {
		return nil
	}
	f := diag.New("labels.conflict", diag.Place{}, "labels", shownList(s.Primaries))
	return &f
}

func (s *Selection) setFindings(policy config.Labels, present set) diag.List {
	if f := s.conflict(); f != nil {
		return diag.List{*f}
	}
	alone := present.of([]string{policy.AllEvals, policy.EvalsOnly, policy.AgentXFast, policy.OnlyStale})
	if s.Primary != nil || len(alone) == 0 {
		return nil
	}
	return diag.List{diag.New("labels.modifier-alone", diag.Place{},
		"labels", shownList(alone), "primaries", primaryNames(policy)).WithSeverity(diag.Warning)}
}

// primaryNames lists the sweep labels of the policy for use in a message.
func primaryNames(policy config.Labels) string {
	names := make([]string, len(policy.Primaries))
	for i := range policy.Primaries {
		names[i] = policy.Primaries[i].Name
	}
	return shownList(names)
}

// unrelated returns the labels outside the vocabulary, sorted, each once.
func unrelated(known vocabulary, labels []string) []string {
	var names []string
	for _, label := range labels {
		if !known.has(label) {
			names = append(names, label)
		}
	}
	sort.Strings(names)
	distinct := names[:0]
	for i, name := range names {
		if i == 0 || name != names[i-1] {
			distinct = append(distinct, name)
		}
	}
	return distinct
}

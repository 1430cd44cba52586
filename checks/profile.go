package checks

import "slices"

// Topic names what a check is about, whatever its number in a profile: the
// numbers of July 2026 differ from later ones (spec/checks.md, timeline).
type Topic string

// The topics of all profiles.
const (
	TopicCodeOwner      Topic = "codeowner"
	TopicSweep          Topic = "sweep"
	TopicEvals          Topic = "evals"
	TopicUpstreamRecipe Topic = "recipe"
	TopicReuseCommand   Topic = "reuse-command"
	TopicTemplate       Topic = "template"
	TopicImages         Topic = "images"
	TopicDeprecated     Topic = "deprecated"
	TopicArchitecture   Topic = "architecture"
	TopicChatTemplate   Topic = "chat-template"
	TopicEnginePatches  Topic = "engine-patches"
	TopicGoldenAL       Topic = "golden-al"
	TopicAppendOnly     Topic = "append-only"
	TopicDraftPrecision Topic = "draft-precision"
	TopicPareto         Topic = "pareto"
	TopicDescription    Topic = "pr-description"
	TopicOverview       Topic = "nvidia-overview"
	TopicMetrics        Topic = "metrics-publication"
	TopicConsistency    Topic = "consistency"
)

// Slot is the place of a topic in a profile.
type Slot struct {
	Topic Topic
	// Name is the literal name in rows.
	Name string
	// Warn says that the profile's publisher accepts WARN for this check
	// without "needs human review"; Never that it may not fail.
	Warn, NeverFails bool
}

// Profile is a numbered set of checks; the index of a slot is its number.
type Profile struct {
	// Era is 2026-07 to 2026-11.
	Era   string
	Slots []Slot
}

// rowNames are the names that rows carry (spec/checks.md, check names).
var rowNames = map[Topic]string{
	TopicCodeOwner: "CODEOWNER", TopicSweep: "Passing sweep on in-PR commit", TopicEvals: "Evals", TopicUpstreamRecipe: "Upstream recipe",
	TopicReuseCommand: "Reuse command", TopicTemplate: "Checklist template", TopicImages: "Upstream images / engine-first",
	TopicDeprecated: "Deprecated models", TopicArchitecture: "No architecture hacks", TopicChatTemplate: "Chat template",
	TopicEnginePatches: "No engine patches", TopicGoldenAL: "Agentic golden AL", TopicAppendOnly: "Append-only",
	TopicDraftPrecision: "Draft precision", TopicPareto: "Pareto coverage", TopicDescription: "PR description",
	TopicOverview: "NVIDIA overview", TopicMetrics: "Metrics publication", TopicConsistency: "Recipe/image/sweep consistency",
}

// order is the numbering since August 2026; earlier profiles are prefixes of
// it, but for July's, which has no deprecated models.
var order = []Topic{
	TopicCodeOwner, TopicSweep, TopicEvals, TopicUpstreamRecipe, TopicReuseCommand, TopicTemplate, TopicImages, TopicDeprecated,
	TopicArchitecture, TopicChatTemplate, TopicEnginePatches, TopicGoldenAL, TopicAppendOnly, TopicDraftPrecision, TopicPareto,
	TopicDescription, TopicOverview, TopicMetrics, TopicConsistency,
}

// era is how a profile differs from the full order.
type era struct {
	count   int
	without Topic
	warn    []Topic
	never   []Topic
}

var eras = map[string]era{
	"2026-07": {count: 12, without: TopicDeprecated},
	"2026-08": {count: 13},
	"2026-09": {count: 15, warn: []Topic{TopicPareto}, never: []Topic{TopicPareto}},
	"2026-10": {
		count: 16, warn: []Topic{TopicReuseCommand, TopicPareto, TopicDescription},
		never: []Topic{TopicReuseCommand, TopicPareto, TopicDescription},
	},
	"2026-11": {
		count: 19, warn: []Topic{TopicReuseCommand, TopicDraftPrecision, TopicPareto, TopicDescription, TopicOverview},
		never: []Topic{TopicReuseCommand, TopicPareto, TopicDescription, TopicOverview},
	},
}

// Eras lists the profiles, oldest first.
func Eras() []string { return []string{"2026-07", "2026-08", "2026-09", "2026-10", "2026-11"} }

// NewProfile returns the checks of an era (spec/checks.md, timeline).
func NewProfile(name string) (Profile, bool) {
	e, ok := eras[name]
	if !ok {
		return Profile{}, false
	}
	p := Profile{Era: name}
	for _, topic := range order[:e.count] {
		if topic == e.without {
			continue
		}
		p.Slots = append(p.Slots, Slot{
			Topic: topic, Name: rowNames[topic],
			Warn: slices.Contains(e.warn, topic), NeverFails: slices.Contains(e.never, topic),
		})
	}
	return p, true
}

// Number returns the number of a topic in the profile.
func (p Profile) Number(topic Topic) (int, bool) {
	n := slices.IndexFunc(p.Slots, func(s Slot) bool { return s.Topic == topic })
	return n, n >= 0
}

// Since reports whether the profile is of that era or a later one.
func (p Profile) Since(name string) bool { return p.Era >= name }

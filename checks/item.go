package checks

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks/signoff"
)

// Subject is what an item of the checklist is about.
type Subject struct {
	// Name is what rows call the item, "append-only"; "" for an item that is
	// not known.
	Name string
	// Topic is that of its check, "" for none.
	Topic Topic
	// Judged says that only a person can say that the item holds.
	Judged bool
	words  [][]string
}

// subjects are tried in order; the first that has all words of one of its
// groups is the item's.
var subjects = []Subject{
	{"template-version", TopicTemplate, true, [][]string{{"latest version of"}}},
	{"additional-reasoning", "", true, [][]string{{"additional reasoning"}}},
	{"code-quality", "", true, [][]string{{"code quality"}}},
	// Before the images, which this item speaks of too.
	{"engine-patch", TopicEnginePatches, false, [][]string{{"does not patch"}, {"engine patch"}, {"engine-patch"}}},
	{"draft-precision", TopicDraftPrecision, true, [][]string{{"draft", "precision"}}},
	{"metrics-publication", TopicMetrics, false, [][]string{{"publication"}, {"publish", "metrics"}}},
	{"append-only", TopicAppendOnly, false, [][]string{{"append-only"}}},
	{"Pareto", TopicPareto, false, [][]string{{"pareto"}, {"frontier"}}},
	{"golden-AL", TopicGoldenAL, false, [][]string{{"golden"}, {"synthetic acceptance"}}},
	{"chat-template", TopicChatTemplate, false, [][]string{{"chat template"}}},
	{"deprecated-model", TopicDeprecated, false, [][]string{{"deprecated"}}},
	{"upstream-image", TopicImages, false, [][]string{{"upstream", "docker"}, {"first class"}, {"upstream", "image"}}},
	{"architecture", TopicArchitecture, false, [][]string{{"architecture"}}},
	{"upstream-recipe", TopicUpstreamRecipe, true, [][]string{{"recipe", "documented"}, {"upstream pr"}, {"cookbook"}}},
	{"evals", TopicEvals, false, [][]string{{"evals"}}},
	{"validation", TopicSweep, false, [][]string{{"validation"}, {"full sweep"}, {"sweep passed"}}},
}

// SubjectOf finds what an item is about; one that fits nothing is judged.
func SubjectOf(text string) Subject {
	text = strings.ToLower(text)
	for _, s := range subjects {
		for _, group := range s.words {
			if !slices.ContainsFunc(group, func(word string) bool { return !strings.Contains(text, word) }) {
				return s
			}
		}
	}
	return Subject{Judged: true}
}

// itemNames name items of a template: by their subject where no other item has
// it, else by their first words.
func itemNames(template, items []signoff.Item) []string {
	many := make(map[string]int)
	for _, item := range template {
		many[SubjectOf(item.Text).Name]++
	}
	out := make([]string, len(items))
	for i, item := range items {
		if name := SubjectOf(item.Text).Name; name != "" && many[name] == 1 {
			out[i] = name
			continue
		}
		text := linkTarget().ReplaceAllString(item.Text, "$1")
		out[i] = `"` + firstWords(strings.TrimPrefix(text, "Verified that "), 9) + `"`
	}
	return out
}

package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Statement is a fact about the pull request with its sources, or what only a
// person can say. The facts stand on evidence alone and judge nothing: a check
// is the judge, and a draft of the checklist shows them to its signer.
type Statement struct {
	Topic Topic
	// Text is one line of Markdown. It may hold text of the pull request.
	Text string
	// Ask says that the signer is asked for something.
	Ask bool
	// Citations are the sources in the order of their weight.
	Citations []Citation
}

// maxStated is how many keys a topic names; the others are counted.
const maxStated = 12

// Statements are the facts about the topics of the profile, in the order of
// its numbers. What can't be known is left out or asked for. Evidence that was
// not given or can't be read is no error.
func (e *Evidence) Statements(ctx context.Context) ([]Statement, error) {
	affected, err := e.Affected(ctx)
	if err != nil {
		return nil, err
	}
	s := stating{e: e, affected: affected, known: make(map[Topic][]Statement)}
	for _, state := range []func(context.Context) error{s.sweep, s.upstream, s.images, s.waiver, s.drafting, s.appending} {
		if err := state(ctx); err != nil {
			return nil, err
		}
	}
	var out []Statement
	for _, slot := range e.Profile.Slots {
		out = append(out, s.known[slot.Topic]...)
	}
	return out, nil
}

// stating collects statements by topic.
type stating struct {
	e        *Evidence
	affected *Affected
	known    map[Topic][]Statement
}

func (s *stating) say(topic Topic, text string, from ...Citation) {
	s.known[topic] = append(s.known[topic], Statement{Topic: topic, Text: text, Citations: from})
}

func (s *stating) ask(topic Topic, text string, from ...Citation) {
	s.known[topic] = append(s.known[topic], Statement{Topic: topic, Text: text, Ask: true, Citations: from})
}

// keys are the submitted keys that a topic names.
func (s *stating) keys() []AffectedKey {
	list := s.affected.Submitted()
	return list[:min(len(list), maxStated)]
}

// rest counts the keys that keys leaves out.
func (s *stating) rest(topic Topic) {
	if n := len(s.affected.Submitted()) - maxStated; n > 0 && len(s.known[topic]) > 0 {
		s.say(topic, fmt.Sprintf("%s more.", count(n, "key", "keys")))
	}
}

// upstream asks for the recipe of engines that need one (check 3).
func (s *stating) upstream(context.Context) error {
	var keys []string
	engines := make(map[string]bool)
	for _, key := range s.affected.Submitted() {
		if engine, _ := Engine(key.Config.Framework); engine == "vllm" || engine == "sglang" {
			keys = append(keys, quoted(key.Key))
			engines[engine] = true
		}
	}
	if len(keys) > 0 {
		s.ask(TopicUpstreamRecipe, fmt.Sprintf("the merged recipe change or published page of %s for %s.", series(names(engines), 2), joined(keys, ", ", 6)))
	}
	return nil
}

// names are the engines of a set, as their projects are called.
func names(engines map[string]bool) []string {
	var out []string
	for _, engine := range []struct{ id, name string }{{"vllm", "vLLM"}, {"sglang", "SGLang"}} {
		if engines[engine.id] {
			out = append(out, engine.name)
		}
	}
	return out
}

// images names the image of each key, with its digest.
func (s *stating) images(context.Context) error {
	byImage := make(map[string][]AffectedKey)
	var order []string
	for _, key := range s.affected.Submitted() {
		if image := key.Config.Image; image != "" {
			if byImage[image] == nil {
				order = append(order, image)
			}
			byImage[image] = append(byImage[image], key)
		}
	}
	for _, image := range order[:min(len(order), maxStated)] {
		keys := byImage[image]
		at := make([]string, len(keys))
		for i, key := range keys {
			at[i] = s.e.at(s.e.Head, key.Config.Place.File, key.Config.Place.Line, key.Key)
		}
		ref := ParseImage(image)
		text := ref.String()
		if ref.Digest != "" {
			text += "@" + ref.Digest
		} else if !ref.Alias {
			at[len(at)-1] += " (no digest)"
		}
		s.say(TopicImages, fmt.Sprintf("%s for %s.", quoted(text), joined(at, ", ", 6)))
	}
	return nil
}

// waiver names the waiver, or what would need one (check 10).
func (s *stating) waiver(ctx context.Context) error {
	w, ok, err := s.e.Waiver(ctx)
	if err != nil || !ok {
		return err
	}
	file := s.e.at(s.e.Head, w.Path, 0, w.Path)
	patches := make([]string, len(w.Patches))
	for i, name := range w.Patches {
		patches[i] = s.e.at(s.e.Head, name, 0, name)
	}
	what := "the change adds or modifies " + joined(patches, ", ", 4)
	switch {
	case w.Found && len(patches) > 0:
		s.say(TopicEnginePatches, fmt.Sprintf("waiver %s; %s.", file, what), s.e.citeHead(w.Path, 0, "the waiver"))
	case w.Found:
		s.say(TopicEnginePatches, fmt.Sprintf("waiver %s.", file), s.e.citeHead(w.Path, 0, "the waiver"))
	case len(patches) > 0:
		s.ask(TopicEnginePatches, fmt.Sprintf("%s, and there is no %s at the head: does it patch the engine, and if so, where is the waiver?", what, quoted(w.Path)))
	}
	return nil
}

// appending names the entries that only add points (check 12).
func (s *stating) appending(context.Context) error {
	for _, entry := range s.affected.Entries {
		if !entry.AppendOnly {
			continue
		}
		at := s.e.at(s.e.Head, s.affected.Changelog, entry.Line, fmt.Sprintf("%s:%d", s.affected.Changelog, entry.Line))
		keys := make([]string, len(entry.ConfigKeys))
		for i, key := range entry.ConfigKeys {
			keys[i] = quoted(key)
		}
		s.say(TopicAppendOnly, fmt.Sprintf("the entry %s is append-only: %s.", at, joined(keys, ", ", 6)))
	}
	return nil
}

// at is a file of a commit as a link with a label, or the label alone where
// the repository has no name.
func (e *Evidence) at(commit, path string, line int, label string) string {
	label = strings.NewReplacer("[", "(", "]", ")").Replace(quoted(label))
	page := e.fileURL(commit, path, line)
	if page == "" || path == "" {
		return label
	}
	return "[" + label + "](" + page + ")"
}

// shownConcs lists concurrencies of a key where it has others too.
func shownConcs(key AffectedKey, concs []int64) string {
	all := make(map[int64]bool)
	for _, row := range key.Rows {
		for _, conc := range row.Conc {
			all[conc] = true
		}
	}
	if len(all) == len(concs) {
		return ""
	}
	list := make([]string, len(concs))
	for i, conc := range slices.Sorted(slices.Values(concs)) {
		list[i] = concText(conc)
	}
	return " " + joined(list, ",", 8)
}

package checks

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// claimKind says what a statement of a description is about.
type claimKind string

const (
	claimRun     claimKind = "run"
	claimCommit  claimKind = "commit"
	claimCarried claimKind = "carried pull request"
	claimKey     claimKind = "config key"
	claimImage   claimKind = "image"
	claimSetting claimKind = "setting"
	claimConcs   claimKind = "points"
	claimRange   claimKind = "range of points"
	claimCount   claimKind = "count"
	claimLength  claimKind = "acceptance length"
	claimCache   claimKind = "KV cache"
)

// claim is a statement of a description that a program can check.
type claim struct {
	kind claimKind
	// name is the key, flag or variable; value what the text says of it: a
	// commit, a number, an image.
	name, value string
	// sentence is the text around it.
	sentence string
	// head says that a commit is claimed to be the head; green that a run is
	// claimed to have passed; adds and removes what is done to a key.
	head, green, adds, removes bool
}

// maxClaims bounds what is read out of a description.
const maxClaims = 400

// readClaims extracts the statements of a description (spec/checks.md, check
// 15). Fenced code, check-list lines, HTML comments, quotations, and what is
// below a heading "中文" say nothing. Sentences about the past are left out.
func readClaims(body string) []claim {
	var out []claim
	for _, sentence := range sentences(body) {
		if past().MatchString(sentence) {
			continue
		}
		out = append(out, readSentence(sentence)...)
		if len(out) >= maxClaims {
			return out[:maxClaims]
		}
	}
	return out
}

var (
	past       = pattern.Lazy(`(?i)\b(?:earlier|previous(?:ly)?|formerly|compared (?:with|to)|old|before this|used to|was superseded|outdated|instead of)\b`)
	chinese    = pattern.Lazy(`^#{1,6}[ \t]*中文`)
	checkLine  = pattern.Lazy(`^[ \t]*[-*+][ \t]+\[[ xX]\]`)
	sentenceOf = pattern.Lazy(`(?:[.!?][ \t]+|\n)`)
)

// sentences are the author's own sentences, one line each.
func sentences(body string) []string {
	var out []string
	for _, line := range signoff.OwnLines(body) {
		if chinese().MatchString(line) {
			break
		}
		if checkLine().MatchString(line) {
			continue
		}
		for _, text := range sentenceOf().Split(line, -1) {
			if text = strings.TrimSpace(text); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

var (
	runURL     = pattern.Lazy(`/actions/runs/([1-9][0-9]{5,17})`)
	runNumber  = pattern.Lazy(`(?i)\b(?:sweep|run) #?([1-9][0-9]{8,11})\b`)
	greenWords = pattern.Lazy(`(?i)\b(?:green|passed|passes|success(?:ful)?|every point)\b`)
	commitNear = pattern.Lazy("(?i)\\b(on|at|head|commit)(?: (?:is|of|the|this|commit|head))*:? `?([0-9a-f]{7,40})`?(?:[^0-9a-zA-Z/_.-]|[.]?$)")
	carriedPR  = pattern.Lazy(`(?i)\b(?:cherry-?picks?|cherry-picked|carries|includes)\b[^.#]{0,40}#([1-9][0-9]{0,8})`)
	ticks      = pattern.Lazy("`([^`]{1,200})`")
	addsWord   = pattern.Lazy(`(?i)^\W*(?:adds?|added|introduces?|new)\b`)
	removeWord = pattern.Lazy(`(?i)^\W*(?:removes?|removed|deletes?|drops?)\b`)
	imageForm  = pattern.Lazy(`^(?:[a-z0-9.-]+(?::[0-9]+)?[/#])?[a-z0-9._-]+(?:/[a-z0-9._-]+)+:[A-Za-z0-9._-]+(?:@sha256:[0-9a-f]{64})?$`)
	bump       = pattern.Lazy(`(?i)\bfrom\b`)
	assignment = pattern.Lazy(`^([A-Z][A-Z0-9_]{2,60})=([^\s=]{1,80})$`)
	flagValue  = pattern.Lazy(`^--?([A-Za-z][A-Za-z0-9_.-]{1,60})(?:[ =]([^\s]{1,80}))$`)
	keyValue   = pattern.Lazy(`^([a-z][a-z0-9_.-]{2,60}): ([^\s\[\]{},]{1,80})$`)
)

// readSentence extracts the statements of one sentence.
func readSentence(sentence string) []claim {
	var out []claim
	green := greenWords().MatchString(sentence)
	add := func(c claim) {
		c.sentence = sentence
		out = append(out, c)
	}
	var seen []string
	for _, m := range slices.Concat(runURL().FindAllStringSubmatch(sentence, -1), runNumber().FindAllStringSubmatch(sentence, -1)) {
		if !slices.Contains(seen, m[1]) {
			seen = append(seen, m[1])
			add(claim{kind: claimRun, value: m[1], green: green})
		}
	}
	for _, m := range commitNear().FindAllStringSubmatch(sentence, -1) {
		if strings.ContainsAny(m[2], "abcdef") && strings.ContainsAny(m[2], "0123456789") {
			add(claim{kind: claimCommit, value: m[2], head: strings.Contains(strings.ToLower(m[0]), "head")})
		}
	}
	for _, m := range carriedPR().FindAllStringSubmatch(sentence, -1) {
		add(claim{kind: claimCarried, value: m[1]})
	}
	readTicked(sentence, add)
	readPoints(sentence, add)
	readFacts(sentence, add)
	return out
}

// readTicked reads what stands in back-ticks: images, settings, config keys.
func readTicked(sentence string, add func(claim)) {
	adds, removes := addsWord().MatchString(sentence), removeWord().MatchString(sentence)
	for _, at := range ticks().FindAllStringSubmatchIndex(sentence, -1) {
		text := sentence[at[2]:at[3]]
		switch {
		case imageForm().MatchString(text):
			// The image behind "from" is the one that goes.
			before := sentence[max(0, at[0]-24):at[0]]
			if !bump().MatchString(before) {
				add(claim{kind: claimImage, value: text})
			}
		case assignment().MatchString(text):
			m := assignment().FindStringSubmatch(text)
			add(claim{kind: claimSetting, name: m[1], value: m[2]})
		case flagValue().MatchString(text):
			m := flagValue().FindStringSubmatch(text)
			add(claim{kind: claimSetting, name: m[1], value: m[2]})
		case keyValue().MatchString(text):
			m := keyValue().FindStringSubmatch(text)
			add(claim{kind: claimSetting, name: m[1], value: m[2]})
		case !strings.ContainsAny(text, " \t"):
			add(claim{kind: claimKey, value: text, adds: adds, removes: removes})
		}
	}
}

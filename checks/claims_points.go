package checks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

var (
	concList  = pattern.Lazy(`conc-list: ?\[([0-9, ]{1,200})\]`)
	concWords = pattern.Lazy(`(?i)\bconcurrenc(?:y|ies)(?: (?:sweep|list|points?|levels?|of))*:? [\[(]?([1-9][0-9]{0,5}(?:(?:, ?and |, ?| and | ?/ ?)[1-9][0-9]{0,5}){1,60})\b`)
	concRange = pattern.Lazy(`(?i)\bconcurrenc(?:y|ies)(?: (?:sweep|range|of|from))*:? ([1-9][0-9]{0,5})(?:-|–| to )([1-9][0-9]{0,5})\b`)
	concMarks = pattern.Lazy(`(?:^|[ ,/("\x60])[cC]([1-9][0-9]{0,5})\b`)
	number    = pattern.Lazy(`[0-9]+`)

	pointsSaid = pattern.Lazy(`(?i)\b([1-9][0-9]{0,4}) (?:benchmark |agentic |measured |head )?points?\b`)
	pointWords = pattern.Lazy(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)-point\b`)
	// listed is what stands before a number that belongs to something else: a
	// list, a decimal, a bound, a concurrency.
	listed = pattern.Lazy(`(?i)(?:[0-9],|[0-9.,/+~<>=≥≤×–-]|\band|\bor|\bto|\bby|\bconcurrenc(?:y|ies)|\babout|\baround)[ \t]*$`)
	// gone are sentences about points that are not there, and of scores.
	gone = pattern.Lazy(`(?i)\b(?:remov\w*|drop\w*|delet\w*|exclud\w*|skip\w*|omit\w*|prun\w*|retir\w*|no longer|without|not|never|fail\w*|crash\w*|hang\w*|hung|oom|percent\w*|accuracy|scores?)\b`)
)

var (
	lengthSaid = pattern.Lazy(`\bAL(?: of|:| ?=)? ?([1-9][0-9]?\.[0-9]{1,3})\b`)
	cacheSaid  = pattern.Lazy(`(?i)\b(fp8|fp4|nvfp4|bf16|fp16|int8) KV\b`)
	// measured are sentences about acceptance as it was seen, not as it is set.
	measured = pattern.Lazy(`(?i)\b(?:real|measured|actual|observed|was|were|read|reads)\b`)
)

// readFacts extracts acceptance lengths and the precision of the KV cache.
func readFacts(sentence string, add func(claim)) {
	if gone().MatchString(sentence) {
		return
	}
	if !measured().MatchString(sentence) {
		for _, m := range lengthSaid().FindAllStringSubmatch(sentence, -1) {
			add(claim{kind: claimLength, value: m[1]})
		}
	}
	for _, m := range cacheSaid().FindAllStringSubmatch(sentence, -1) {
		add(claim{kind: claimCache, value: strings.ToLower(m[1])})
	}
}

// counted are numbers in words.
var counted = strings.Fields("two three four five six seven eight nine ten eleven twelve")

// readPoints extracts what a sentence says of points: which concurrencies there
// are, from where to where, and how many points. Sentences about points that
// are not there say nothing.
func readPoints(sentence string, add func(claim)) {
	if gone().MatchString(sentence) {
		return
	}
	if list := concsIn(sentence); len(list) > 0 {
		add(claim{kind: claimConcs, value: strings.Join(list, ", ")})
	} else if m := concRange().FindStringSubmatch(sentence); m != nil {
		add(claim{kind: claimRange, value: m[1] + "-" + m[2]})
	}
	for _, at := range pointsSaid().FindAllStringSubmatchIndex(sentence, -1) {
		if !listed().MatchString(sentence[:at[0]]) {
			add(claim{kind: claimCount, value: sentence[at[2]:at[3]]})
		}
	}
	for _, m := range pointWords().FindAllStringSubmatch(sentence, -1) {
		add(claim{kind: claimCount, value: strconv.Itoa(slices.Index(counted, strings.ToLower(m[1])) + 2)})
	}
}

// concsIn are the concurrencies that a sentence lists; one alone is an
// observation more often than a list.
func concsIn(sentence string) []string {
	for _, m := range [][]string{concList().FindStringSubmatch(sentence), concWords().FindStringSubmatch(sentence)} {
		if m != nil {
			return number().FindAllString(m[1], -1)
		}
	}
	var list []string
	for _, m := range concMarks().FindAllStringSubmatch(sentence, -1) {
		list = append(list, m[1])
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

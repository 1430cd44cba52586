// Package catalog holds every text that a user reads, in English and Chinese.
//
// Rooms never write sentences: they name a code and its arguments, and the
// sentence is looked up here. A text has two parts, what is wrong and how to
// mend it. Placeholders are {name}; arguments are given as name, value pairs.
package catalog

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Language selects the column of the catalogue.
type Language string

// The two languages of the product. English is complete by construction (a
// test compares the tables); it is also the fallback.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Text is one message in both languages. Mend parts may be empty where there
// is nothing to do.
type Text struct {
	Code   string // stable identifier, "room.what-is-wrong"
	EN     string // what is wrong, one sentence without a final stop
	ENMend string // what to do about it, one sentence without a final stop
	ZH     string
	ZHMend string
}

// tables lists the texts of every room. Each room has one file in this
// package; add a new table here.
var tables = [][]Text{
	gitrepoTexts,
	yamlTexts,
	usageTexts,
	matrixTexts,
	planTexts,
	botTexts,
	botEventTexts,
	botLiveTexts,
	botSignOffTexts,
	botPartialTexts,
	reuseTexts,
	labelTexts,
	configTexts,
	configKeyTexts,
	changelogTexts,
	sandboxTexts,
	localrunTexts,
	ghapiTexts,
	actionsTexts,
	jobsTexts,
	cliTexts,
	collectTexts,
	storeTexts,
	resultsTexts,
	resultsReportTexts,
	serveTexts,
	storyTexts,
	recipeTexts,
	actrunTexts,
	recipeShellTexts,
	checksTexts,
	checkRuleTexts,
	signoffTexts,
}

// index is built on first use, most runs print no message.
var index = sync.OnceValue(func() map[string]*Text {
	byCode := make(map[string]*Text)
	for _, table := range tables {
		for i := range table {
			byCode[table[i].Code] = &table[i]
		}
	}
	return byCode
})

func lookup(code string) *Text { return index()[code] }

// Known reports whether the catalogue has a text for code.
func Known(code string) bool { return lookup(code) != nil }

// Codes returns every code, sorted.
func Codes() []string {
	codes := make([]string, 0, len(index()))
	for code := range index() {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	return codes
}

// Message returns the sentence that says what code means, with its
// placeholders filled from args (name, value pairs). An unknown code is shown
// as itself, so that nothing is ever lost.
func Message(lang Language, code string, args ...string) string {
	text := lookup(code)
	if text == nil {
		return strings.TrimSpace(code + " " + strings.Join(args, " "))
	}
	if lang == Chinese && text.ZH != "" {
		return fill(text.ZH, args)
	}
	return fill(text.EN, args)
}

// Mend returns the sentence that says what to do about code, or "".
func Mend(lang Language, code string, args ...string) string {
	text := lookup(code)
	if text == nil {
		return ""
	}
	if lang == Chinese && text.ZHMend != "" {
		return fill(text.ZHMend, args)
	}
	return fill(text.ENMend, args)
}

// fill replaces {name} by its argument in one pass, so that an argument that
// contains braces is never expanded again.
func fill(text string, args []string) string {
	if len(args)%2 != 0 {
		panic(fmt.Sprintf("catalog: odd number of arguments for %q", text))
	}
	pairs := make([]string, 0, len(args))
	for i := 0; i < len(args); i += 2 {
		pairs = append(pairs, "{"+args[i]+"}", args[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

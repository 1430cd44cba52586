// Package argv reads command lines whose options take lists the way the
// public generator's do: "--config-keys a b --no-evals". Flag libraries of Go
// know no option that takes several words.
package argv

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Kind says what an option takes.
type Kind uint8

// The kinds. List takes all following words up to the next option, at least
// one; the others take nothing or one word.
const (
	Flag Kind = iota
	Text
	Int
	List
	IntList
)

// Option is one option of a command.
type Option struct {
	Name     string // without dashes
	Kind     Kind
	Choices  []string // allowed words; empty allows all
	Required bool
	// Doc says in one line what the option does.
	Doc string
}

// Args are the parsed options of one command line.
type Args struct {
	values map[string][]string
}

// Has reports whether an option was given.
func (a Args) Has(name string) bool { _, ok := a.values[name]; return ok }

// List returns the words of an option in order.
func (a Args) List(name string) []string { return a.values[name] }

// Text returns the last word of an option, or fallback when it was not given.
func (a Args) Text(name, fallback string) string {
	if words := a.values[name]; len(words) > 0 {
		return words[len(words)-1]
	}
	return fallback
}

// Int returns the number of an option, or nil when it was not given.
func (a Args) Int(name string) *int64 {
	if !a.Has(name) {
		return nil
	}
	n, _ := strconv.ParseInt(a.Text(name, ""), 10, 64)
	return &n
}

// Ints returns the numbers of an option.
func (a Args) Ints(name string) []int64 {
	var out []int64
	for _, word := range a.values[name] {
		n, _ := strconv.ParseInt(word, 10, 64)
		out = append(out, n)
	}
	return out
}

// Parse reads a command line. Every finding is of category "usage".
func Parse(options []Option, words []string) (Args, diag.List) {
	a := Args{values: make(map[string][]string)}
	var list diag.List
	refuse := func(code string, args ...string) {
		list = append(list, diag.New(code, diag.Place{}, args...).In("usage"))
	}
	for i := 0; i < len(words); i++ {
		name, value, assigned := strings.Cut(strings.TrimPrefix(words[i], "--"), "=")
		option := find(options, name)
		if !strings.HasPrefix(words[i], "--") || option == nil {
			refuse("usage.unknown-option", "option", words[i])
			continue
		}
		var taken []string
		if assigned {
			taken = []string{value}
		} else {
			for i+1 < len(words) && option.takes(len(taken)) && !isOption(words[i+1]) {
				i++
				taken = append(taken, words[i])
			}
		}
		if f := option.check(taken, assigned); f != nil {
			list = append(list, *f)
			continue
		}
		a.values[name] = append(a.values[name], taken...)
		if a.values[name] == nil {
			a.values[name] = []string{}
		}
	}
	for _, o := range options {
		if o.Required && !a.Has(o.Name) {
			refuse("usage.missing-option", "option", "--"+o.Name)
		}
	}
	return a, list
}

func find(options []Option, name string) *Option {
	for i := range options {
		if options[i].Name == name {
			return &options[i]
		}
	}
	return nil
}

// isOption tells an option from a word; negative numbers are words.
func isOption(word string) bool {
	if !strings.HasPrefix(word, "-") || word == "-" {
		return false
	}
	_, err := strconv.ParseInt(word, 10, 64)
	return err != nil
}

// takes reports whether the option takes another word after n.
func (o *Option) takes(n int) bool {
	switch o.Kind {
	case Flag:
		return false
	case List, IntList:
		return true
	}
	return n == 0
}

func (o *Option) check(words []string, assigned bool) *diag.Finding {
	refuse := func(code string, args ...string) *diag.Finding {
		f := diag.New(code, diag.Place{}, append(args, "option", "--"+o.Name)...).In("usage")
		return &f
	}
	switch {
	case o.Kind == Flag && assigned:
		return refuse("usage.takes-nothing")
	case o.Kind != Flag && len(words) == 0:
		return refuse("usage.needs-value")
	}
	for _, word := range words {
		if o.Kind == Int || o.Kind == IntList {
			if _, err := strconv.ParseInt(word, 10, 64); err != nil {
				return refuse("usage.not-a-number", "value", word)
			}
		}
		if len(o.Choices) > 0 && !contains(o.Choices, word) {
			return refuse("usage.bad-choice", "value", word, "choices", strings.Join(o.Choices, ", "))
		}
	}
	return nil
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

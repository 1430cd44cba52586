package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// CanonVersion is the version of the canonical form. It changes whenever equal
// recipes would get another fingerprint.
const CanonVersion = 1

// Kind says what a fact is about.
type Kind string

// The kinds of facts.
const (
	KindRole       Kind = "role" // a process exists, and how often
	KindProgram    Kind = "program"
	KindPositional Kind = "positional"
	KindFlag       Kind = "flag"
	KindConfig     Kind = "config"
	KindEnv        Kind = "env"
	KindImage      Kind = "image"
	KindPatch      Kind = "patch"
	KindInstall    Kind = "install"
	KindUnknown    Kind = "unknown"
)

// Fact is one comparable statement about a recipe: that a flag of a role has a
// value, that an image is used. Two recipes are the same when their facts are.
type Fact struct {
	// Role is "" for what concerns the whole recipe; the second of two
	// different processes of one role is "decode#2".
	Role string
	Kind Kind
	Name string
	// Value is the canonical value: JSON with sorted members, numbers as
	// decimals, a switch as true.
	Value string
	Class Class
	// Unknown says that some part of the value is not known.
	Unknown bool
	Place   diag.Place
}

// Display is the value for people.
func (f Fact) Display() string { return Display(f.Value) }

// Display shows a canonical value to people; unknown parts stand in angle
// brackets.
func Display(value string) string {
	var b strings.Builder
	rest := value
	for {
		head, tail, ok := strings.Cut(rest, "\x02")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		id, after, _ := strings.Cut(tail, "\x03")
		b.WriteString("<" + causeOf(id).String() + ">")
		rest = after
	}
}

func (f Fact) key() string { return f.Role + "\x00" + string(f.Kind) + "\x00" + f.Name }

// Facts returns the canonical form of the recipe: every fact that counts,
// sorted by role, kind and name. Housekeeping is left out, and so are repeated
// flags but the last.
func (e *Effective) Facts() []Fact {
	facts := factSet{}
	if image := canonicalText(e.Image); image != "" {
		facts.put(Fact{Kind: KindImage, Value: image, Class: Checked, Unknown: e.Image.open(), Place: e.Image.Place})
	}
	for _, g := range groups(e.Commands) {
		for _, f := range g.facts {
			f.Role = g.role
			facts.put(f)
		}
	}
	facts.steps(KindPatch, e.Patches)
	facts.steps(KindInstall, e.Installs)
	for _, q := range e.Open {
		if !q.Part {
			facts.put(Fact{Kind: KindUnknown, Name: q.Code, Value: strings.Join(q.Args, " "), Unknown: true, Place: q.Place})
		}
	}
	return facts.sorted()
}

// Fingerprint is the SHA-256 of the canonical form, 64 hex digits. Recipes
// with unknown parts have one too; it says less, see Complete.
func (e *Effective) Fingerprint() string {
	h := sha256.New()
	h.Write([]byte("sweepbot recipe " + strconv.Itoa(CanonVersion) + "\n"))
	for _, f := range e.Facts() {
		line := ordjson.Strs([]string{f.Role, string(f.Kind), f.Name, f.Value})
		h.Write(append(line.Append(nil, ordjson.Canonical), '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// factSet keeps the last fact of every key.
type factSet map[string]Fact

func (s factSet) put(f Fact) { s[f.key()] = f }

func (s factSet) steps(kind Kind, steps []Step) {
	for _, step := range steps {
		text := make([]string, len(step.Words))
		known := true
		for i, w := range step.Words {
			text[i] = canonicalText(w)
			known = known && !w.open()
		}
		s.put(Fact{Kind: kind, Name: strings.Join(text, " "), Class: Checked, Unknown: !known, Place: step.Place})
	}
}

func (s factSet) sorted() []Fact {
	out := make([]Fact, 0, len(s))
	for _, f := range s {
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].less(out[j]) })
	return out
}

func (f Fact) less(g Fact) bool {
	a, b := baseRole(f.Role), baseRole(g.Role)
	switch {
	case rank(a) != rank(b):
		return rank(a) < rank(b)
	case f.Role != g.Role:
		return f.Role < g.Role
	case f.Kind != g.Kind:
		return f.Kind < g.Kind
	}
	return f.Name < g.Name
}

func baseRole(role string) string {
	name, _, _ := strings.Cut(role, "#")
	return name
}

// group are equal processes.
type group struct {
	role  string
	facts []Fact
}

// groups merges the commands that differ in housekeeping only, and numbers
// those of one role that differ otherwise. The numbers follow the content, so
// that the order in which a script starts processes has no meaning.
func groups(commands []Command) []group {
	type counted struct {
		facts []Fact
		text  string
		count int
	}
	byRole := make(map[string][]counted)
	for i := range commands {
		c := &commands[i]
		facts := c.facts()
		text := factsText(facts)
		list := byRole[c.Role]
		at := 0
		for at < len(list) && list[at].text != text {
			at++
		}
		if at == len(list) {
			list = append(list, counted{facts: facts, text: text})
		}
		list[at].count += max(c.Count, 1)
		byRole[c.Role] = list
	}
	var out []group
	for role, list := range byRole {
		sort.Slice(list, func(i, j int) bool { return list[i].text < list[j].text })
		for i, c := range list {
			name := role
			if i > 0 {
				name += "#" + strconv.Itoa(i+1)
			}
			count := Fact{Kind: KindRole, Name: "count", Value: strconv.Itoa(c.count), Place: c.facts[0].Place}
			out = append(out, group{name, append(c.facts, count)})
		}
	}
	return out
}

func factsText(facts []Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(string(f.Kind) + "\x00" + f.Name + "\x00" + f.Value + "\x01")
	}
	return b.String()
}

// facts are the facts of one process, sorted, without its role.
func (c *Command) facts() []Fact {
	set := factSet{}
	program := make([]string, len(c.Program))
	var at diag.Place
	for i, w := range c.Program {
		program[i] = canonicalText(w)
		if i == 0 {
			program[i] = w.base() // the folder is the machine's, a Python may be too
			if isPython(w) || program[i] == "" {
				program[i] = "python"
			}
		}
		at = w.Place
	}
	set.put(Fact{Kind: KindProgram, Value: strings.Join(program, " "), Class: Checked, Place: at})
	for i, w := range c.Positional {
		set.put(Fact{Kind: KindPositional, Name: strconv.Itoa(i + 1), Value: canonicalText(w), Class: Checked, Unknown: w.open(), Place: w.Place})
	}
	for i := range c.Flags {
		set.flag(KindFlag, &c.Flags[i])
	}
	if c.Config != nil {
		set.config(c.Config)
	}
	for _, v := range c.Env {
		if class := ClassOfVar(v.Name); class != Housekeeping {
			set.put(Fact{Kind: KindEnv, Name: v.Name, Value: canonicalText(v.Value), Class: class, Unknown: v.Value.open(), Place: v.Value.Place})
		}
	}
	if image := canonicalText(c.Image); image != "" {
		set.put(Fact{Kind: KindImage, Value: image, Class: Checked, Unknown: c.Image.open(), Place: c.Image.Place})
	}
	if c.GPUs > 0 {
		set.put(Fact{Kind: KindRole, Name: "gpus", Value: strconv.Itoa(c.GPUs), Class: Checked, Place: at})
	}
	if c.Maybe {
		set.put(Fact{Kind: KindRole, Name: "maybe", Value: "true", Unknown: true, Place: at})
	}
	return set.sorted()
}

func (s factSet) flag(kind Kind, f *Flag) {
	class := ClassOfFlag(f.Name)
	if class == Housekeeping && f.Name != "" {
		return
	}
	s.put(Fact{Kind: kind, Name: f.Name, Value: f.canonical(), Class: class, Unknown: f.open(), Place: f.place()})
}

func (s factSet) config(c *Config) {
	for i := range c.Values {
		s.flag(KindConfig, &c.Values[i])
	}
	if c.Unknown != nil {
		s.put(Fact{Kind: KindConfig, Name: "", Value: c.Unknown.id(), Class: Checked, Unknown: true, Place: c.Name.Place})
	}
}

func (f *Flag) place() diag.Place {
	if len(f.Values) > 0 && f.Values[0].Place.File != "" {
		return f.Values[0].Place
	}
	return f.Text.Place
}

// open reports whether some word of the flag is neither known nor a fact of the
// row.
func (f *Flag) open() bool {
	if f.JSON != nil {
		return false
	}
	for _, v := range f.Values {
		if v.open() {
			return true
		}
	}
	return f.Text.open()
}

// canonical is the value of a flag in the form that is compared.
func (f *Flag) canonical() string {
	if f.JSON != nil {
		return string(decimals(*f.JSON).Append(nil, ordjson.Canonical))
	}
	if len(f.Values) == 0 {
		return "true"
	}
	words := make([]string, len(f.Values))
	for i, v := range f.Values {
		words[i] = canonicalText(v)
	}
	return strings.Join(words, " ")
}

// decimals writes the numbers of a document as decimals.
func decimals(v ordjson.Value) ordjson.Value {
	switch v.Kind {
	case ordjson.Literal:
		v.Text = canonicalWord(v.Text)
	case ordjson.Array:
		items := make([]ordjson.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = decimals(item)
		}
		v.Items = items
	case ordjson.Object:
		members := make([]ordjson.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = ordjson.Member{Name: m.Name, Value: decimals(m.Value)}
		}
		v.Members = members
	}
	return v
}

// canonicalText writes a text so that equal ones are equal: numbers as
// decimals, the words of truth in one spelling, causes by what they are.
func canonicalText(t Text) string {
	if t.Row != "" {
		return t.Row
	}
	if t.Known() {
		return canonicalWord(t.Lit)
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Unknown != nil {
			b.WriteString("\x02" + p.Unknown.id() + "\x03")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func canonicalWord(word string) string {
	switch word {
	case "True", "TRUE":
		return "true"
	case "False", "FALSE":
		return "false"
	}
	if word == "" || word[0] != '-' && (word[0] < '0' || word[0] > '9') || !strings.Contains(word, ".") {
		return word
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil && !strings.ContainsAny(word, "eExX_") {
		return strings.TrimSuffix(strings.TrimRight(word, "0"), ".")
	}
	return word
}

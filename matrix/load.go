package matrix

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Files reads files of one revision. A missing file is an error that wraps
// fs.ErrNotExist. It must be safe for concurrent use.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Source is one file that was read: the name for messages, and its bytes.
type Source struct {
	Name string
	Data []byte
}

// Rules are the settings that loading, expansion and planning consult.
type Rules struct {
	Matrix config.Matrix
	Limits config.Limits
	// former lets configs keep forms of former times, see former.go.
	former bool
}

// Masters are the configs of all master files in order: file order, then the
// order within the file. That order is the row order of everything below.
type Masters struct {
	Configs []*Config
	byKey   map[string]*Config
	// schema are the findings about configs, in order.
	schema diag.List
}

// Get returns the config of a key, or nil.
func (m *Masters) Get(key string) *Config { return m.byKey[key] }

// Keys returns all keys in order.
func (m *Masters) Keys() []string {
	keys := make([]string, len(m.Configs))
	for i, c := range m.Configs {
		keys[i] = c.Key
	}
	return keys
}

// maxConfigs bounds the number of configs of one file, a hundred times that of
// the largest real one.
const maxConfigs = 50_000

// Load reads and validates master files (spec/matrix.md sections 2 and 4). It
// returns every finding, those about files and keys first. With keepRaw each
// config keeps its source value, which append-only comparison needs.
func Load(sources []Source, rules Rules, keepRaw bool) (*Masters, diag.List) {
	m, files := load(sources, rules, keepRaw)
	return m, append(files, m.schema...)
}

// load is Load with the findings about configs left with them.
func load(sources []Source, rules Rules, keepRaw bool) (*Masters, diag.List) {
	m := &Masters{byKey: make(map[string]*Config)}
	var files diag.List
	for _, source := range sources {
		n, f := countConfigs(source, rules.Limits)
		if f != nil {
			files = append(files, *f)
			continue
		}
		most := min(maxFindings, 1+maxFileFindings/max(n, 1))
		opt := yamlpos.Options{LastKeyWins: rules.Matrix.LastKeyWins}
		configs, err := yamlpos.MapFields(source.Name, source.Data, opt, func(f yamlpos.Field) *Config {
			d := newDecoder(source.Name, "config-schema", rules)
			d.most = most
			return d.field(f, keepRaw)
		})
		if err != nil {
			files = append(files, asFinding(err))
			continue
		}
		for _, c := range configs {
			m.schema = append(m.schema, c.invalid...)
			if f := m.add(c); f != nil {
				files = append(files, *f)
			}
		}
	}
	return m, files
}

// countConfigs counts the lines that can begin a config, and refuses a file
// before anything is allocated for it: one of too many bytes or configs.
func countConfigs(source Source, limits config.Limits) (int, *diag.Finding) {
	if f := fileTooLarge(source, limits.FileBytes); f != nil {
		return 0, f
	}
	n := 0
	for line := range bytes.Lines(source.Data) {
		if !bytes.ContainsRune([]byte(" #-\r\n"), rune(line[0])) {
			n++
		}
	}
	if n <= maxConfigs {
		return n, nil
	}
	f := diag.New("matrix.too-many-configs", diag.Place{File: source.Name}, "count", strconv.Itoa(n), "limit", strconv.Itoa(maxConfigs)).In("config-schema")
	return n, &f
}

// refused is the number of configs that break a rule.
func (m *Masters) refused() int {
	n := 0
	for _, c := range m.Configs {
		if c.invalid.Refused() {
			n++
		}
	}
	return n
}

// note adds findings about a config.
func (m *Masters) note(c *Config, list diag.List) {
	c.invalid = append(c.invalid, list...)
	m.schema = append(m.schema, list...)
}

// add stores a config unless its key stands in an earlier file.
func (m *Masters) add(c *Config) *diag.Finding {
	if first := m.byKey[c.Key]; first != nil {
		f := diag.New("matrix.key-in-two-files", c.Place, "key", c.Key, "first", first.Place.String()).In("config-duplicate-key-across-files")
		f.Related = []diag.Place{first.Place}
		return &f
	}
	m.byKey[c.Key] = c
	m.Configs = append(m.Configs, c)
	return nil
}

// field checks a key (L3, L4) and decodes its config.
func (d *decoder) field(f yamlpos.Field, keepRaw bool) *Config {
	switch {
	case f.Key.Kind != yamlpos.String:
		d.keep(d.find("matrix.key-not-string", f.Key, nil, "key", f.Key.Text, "got", f.Key.Kind.String()).In("unhandled-TypeError"))
	case strings.Contains(f.Key.Text, "*"):
		d.keep(d.find("matrix.key-with-star", f.Key, nil, "key", f.Key.Text).In("config-wildcard-in-key"))
	}
	c := d.config(f.Key, f.Value)
	if keepRaw {
		c.Raw = f.Value
	}
	c.invalid = d.list
	return c
}

// asFinding turns an error of the YAML reader into the finding that it is.
func asFinding(err error) diag.Finding {
	if f, ok := err.(diag.Finding); ok {
		return f
	}
	return diag.New("yaml.syntax", diag.Place{}, "detail", err.Error()).In("yaml-invalid")
}

// Expand returns the configs whose keys the arguments select, for the
// generator commands: an argument with "*" or "?" is a shell glob over all
// keys in order, any other must exist literally (spec/matrix.md section 10).
func (m *Masters) Expand(arguments []string) ([]*Config, diag.List) {
	var out []*Config
	var list diag.List
	seen := make(map[string]bool)
	take := func(c *Config) {
		if !seen[c.Key] {
			seen[c.Key] = true
			out = append(out, c)
		}
	}
	for _, argument := range arguments {
		if !strings.ContainsAny(argument, "*?") {
			if c := m.byKey[argument]; c != nil {
				take(c)
			} else {
				list = append(list, m.unknownKey(argument))
			}
			continue
		}
		matched := false
		for _, c := range m.Configs {
			if Glob(argument, c.Key) {
				matched = true
				take(c)
			}
		}
		if !matched {
			list = append(list, diag.New("matrix.pattern-no-match", diag.Place{}, "pattern", argument).In("pattern-no-match"))
		}
	}
	return out, list
}

// globbed hands resolved keys to Expand as arguments, as the reference does: a
// key that contains "?" then selects whatever it matches as a pattern.
func (m *Masters) globbed(configs []*Config) ([]*Config, diag.List) {
	keys := make([]string, len(configs))
	special := false
	for i, c := range configs {
		keys[i] = c.Key
		special = special || strings.Contains(c.Key, "?")
	}
	if !special {
		return configs, nil
	}
	return m.Expand(keys)
}

func (m *Masters) unknownKey(key string) diag.Finding {
	code, suggestion := "matrix.key-not-found", nearest(key, m.Keys())
	if suggestion != "" {
		code = "matrix.key-not-found-near"
	}
	return diag.New(code, diag.Place{}, "key", key, "suggestion", suggestion).In("key-not-found")
}

// sortedKeys returns the keys of a set in order.
func sortedKeys[V any](set map[string]V) []string {
	keys := make([]string, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

package matrix

import (
	"sort"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Files reads files of one revision. A missing file is an error that wraps
// fs.ErrNotExist.
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
}

// Masters are the configs of all master files in order: file order, then the
// order within the file. That order is the row order of everything below.
type Masters struct {
	Configs []*Config
	byKey   map[string]*Config
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

// loaded is the outcome of one entry of a master file.
type loaded struct {
	config *Config
	list   diag.List
}

// Load reads and validates master files (spec/matrix.md sections 2 and 4). It
// returns every finding, those about files and keys first. With keepRaw each
// config keeps its source value, which append-only comparison needs.
func Load(sources []Source, rules Rules, keepRaw bool) (*Masters, diag.List) {
	m := &Masters{byKey: make(map[string]*Config)}
	var files, schema diag.List
	for _, source := range sources {
		opt := yamlpos.Options{LastKeyWins: rules.Matrix.LastKeyWins}
		entries, err := yamlpos.MapFields(source.Name, source.Data, opt, func(f yamlpos.Field) loaded {
			return decodeField(source.Name, f, rules, keepRaw)
		})
		if err != nil {
			files = append(files, asFinding(err))
			continue
		}
		for _, entry := range entries {
			schema = append(schema, entry.list...)
			if f := m.add(entry.config); f != nil {
				files = append(files, *f)
			}
		}
	}
	return m, append(files, schema...)
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

// decodeField checks a key (L3, L4) and decodes its config.
func decodeField(file string, f yamlpos.Field, rules Rules, keepRaw bool) loaded {
	d := &decoder{rules: rules.Matrix, limits: rules.Limits, file: file, category: "config-schema"}
	switch {
	case f.Key.Kind != yamlpos.String:
		d.list = append(d.list, d.find("matrix.key-not-string", f.Key, nil, "key", f.Key.Text, "got", f.Key.Kind.String()).In("unhandled-TypeError"))
	case strings.Contains(f.Key.Text, "*"):
		d.list = append(d.list, d.find("matrix.key-with-star", f.Key, nil, "key", f.Key.Text).In("config-wildcard-in-key"))
	}
	c := d.config(f.Key, f.Value)
	if keepRaw {
		c.Raw = f.Value
	}
	return loaded{config: c, list: d.list}
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

package conformance

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

var jsonStyle = ordjson.Compact

// information are the fields of expected files that are not compared.
var information = []string{"exit", "error_class", "gist", "mentions", "fields", "points", "inner_error_class", "where", "pr_number", "finding"}

// Compare returns the differences between an expected result and ours, one
// line each; nil means that they agree.
func Compare(want, got map[string]any) []string {
	want, got = strip(want), strip(got)
	var out []string
	differ("", want, got, &out)
	return out
}

// strip drops what is information, at every level of a result that is not part
// of a matrix.
func strip(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if nested, ok := v.(map[string]any); ok && (k == "strict_pr" || k == "strict_main" || k == "matrix_gate") {
			v = strip(nested)
		}
		out[k] = v
	}
	for _, name := range information {
		delete(out, name)
	}
	if out["outcome"] == "reject" {
		for name := range out {
			if name != "outcome" && name != "category" && name != "stage" {
				delete(out, name)
			}
		}
	}
	return out
}

const maxDifferences = 12

func differ(at string, want, got any, out *[]string) {
	if len(*out) >= maxDifferences || reflect.DeepEqual(want, got) {
		return
	}
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			differMaps(at, w, g, out)
			return
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				differ(fmt.Sprintf("%s[%d]", at, i), w[i], g[i], out)
			}
			return
		} else if ok {
			*out = append(*out, fmt.Sprintf("%s: want %d elements, got %d", at, len(w), len(g)))
			return
		}
	case string:
		// The reference has no deliberate check where it crashes.
		if g, ok := got.(string); ok && strings.HasSuffix(at, ".category") && strings.HasPrefix(w, "unhandled-") && g != "" {
			return
		}
	}
	*out = append(*out, fmt.Sprintf("%s: want %s, got %s", at, short(want), short(got)))
}

func differMaps(at string, want, got map[string]any, out *[]string) {
	names := make(map[string]bool)
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	for _, name := range sorted {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case !inWant:
			*out = append(*out, fmt.Sprintf("%s.%s: not expected, got %s", at, name, short(g)))
		case !inGot:
			*out = append(*out, fmt.Sprintf("%s.%s: want %s, got nothing", at, name, short(w)))
		default:
			differ(at+"."+name, w, g, out)
		}
	}
}

func short(v any) string {
	text := fmt.Sprintf("%v", v)
	if len(text) > 160 {
		text = text[:160] + "..."
	}
	return text
}

// plain is the JSON value of a YAML value, with numbers as JSON has them.
func plain(v *yamlpos.Value) any {
	switch v.Kind {
	case yamlpos.Null:
		return nil
	case yamlpos.Bool:
		return v.Int == 1
	case yamlpos.Int:
		return float64(v.Int)
	case yamlpos.Float:
		return v.Float
	case yamlpos.Sequence:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = plain(item)
		}
		return out
	case yamlpos.Mapping:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[f.Key.Text] = plain(f.Value)
		}
		return out
	}
	return v.Text
}

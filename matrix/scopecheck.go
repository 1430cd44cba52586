package matrix

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// selection is what append-only entries select: the scenarios of each config.
type selection struct {
	keys      []string
	scenarios map[string]Scenarios
}

// checkScope makes sure that an append-only change touches nothing outside of
// what its entries select (spec/changelog.md section 7.1).
func checkScope(sel selection, base, head *Masters) *diag.Finding {
	for _, key := range sel.keys {
		if base.Get(key) == nil {
			f := diag.New("plan.append-config-new", head.Get(key).Place, "key", key).In("append-only-config-missing-in-base")
			return &f
		}
	}
	if f := checkUnrelated(sel, base, head); f != nil {
		return f
	}
	for _, key := range sel.keys {
		if f := checkSelected(sel.scenarios[key], base.Get(key), head.Get(key)); f != nil {
			return f
		}
	}
	return nil
}

// checkUnrelated refuses changes of configs that no entry selects.
func checkUnrelated(sel selection, base, head *Masters) *diag.Finding {
	var changed []string
	told := make(map[string]bool)
	place := diag.Place{}
	for _, pair := range [2][2]*Masters{{head, base}, {base, head}} {
		for _, c := range pair[0].Configs {
			if _, selected := sel.scenarios[c.Key]; selected || told[c.Key] {
				continue
			}
			other := pair[1].Get(c.Key)
			if other != nil && c.Raw.Equal(other.Raw) {
				continue
			}
			if place.File == "" {
				place = c.Place
			}
			told[c.Key] = true
			changed = append(changed, c.Key)
		}
	}
	if changed == nil {
		return nil
	}
	slices.Sort(changed)
	f := diag.New("plan.append-unrelated", place, "keys", strings.Join(changed, ", ")).In("append-only-unrelated-config")
	return &f
}

// checkSelected compares the part of a selected config that lies outside the
// selected scenarios.
func checkSelected(selected Scenarios, base, head *Config) *diag.Finding {
	refuse := func(code, category, name string) *diag.Finding {
		f := diag.New(code, head.Place, "key", head.Key, "name", name).In(category).At(head.Key)
		return &f
	}
	was, is := base.Raw.Get("scenarios"), head.Raw.Get("scenarios")
	outside := false
	for _, name := range fieldNames(was, is) {
		if (was.Get(name) == nil) != (is.Get(name) == nil) {
			return refuse("plan.append-scenario-set", "append-only-scenario-set", name)
		}
		outside = outside || !selected.Has(name)
	}
	if !outside {
		return nil
	}
	for _, name := range fieldNames(base.Raw, head.Raw) {
		if name != "scenarios" && !base.Raw.Get(name).Equal(head.Raw.Get(name)) {
			return refuse("plan.append-config-wide", "append-only-config-wide", name)
		}
	}
	for _, name := range fieldNames(was, is) {
		if !selected.Has(name) && !was.Get(name).Equal(is.Get(name)) {
			return refuse("plan.append-other-scenario", "append-only-other-scenario", name)
		}
	}
	return nil
}

// fieldNames is the union of the keys of mappings, in order.
func fieldNames(values ...*yamlpos.Value) []string {
	var names []string
	seen := make(map[string]bool)
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, f := range v.Fields {
			if !seen[f.Key.Text] {
				seen[f.Key.Text] = true
				names = append(names, f.Key.Text)
			}
		}
	}
	return names
}

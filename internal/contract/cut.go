package contract

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// placeholder is a variable part of a path.
var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// shape is a path without the names of its variable parts: the sandbox and the
// description call them differently.
func shape(path string) string { return placeholder.ReplaceAllString(path, "{}") }

// cut keeps the named paths of a description and the components that they use.
func cut(data []byte, paths map[string]bool) ([]byte, error) {
	var d map[string]any
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	kept := make(map[string]any)
	all, _ := d["paths"].(map[string]any)
	for path, item := range all {
		if paths[shape(path)] {
			kept[path] = item
		}
	}
	components, _ := d["components"].(map[string]any)
	used, err := reachable(kept, components)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"openapi": d["openapi"], "info": d["info"], "paths": kept, "components": used})
}

// reachable returns the components that a part of the description refers to,
// directly or through others.
func reachable(from any, components map[string]any) (map[string]any, error) {
	used := make(map[string]any)
	var visit func(v any) error
	visit = func(v any) error {
		switch x := v.(type) {
		case []any:
			for _, item := range x {
				if err := visit(item); err != nil {
					return err
				}
			}
		case map[string]any:
			delete(x, "examples") // they do not validate, and nobody reads them here
			delete(x, "example")
			if ref, ok := x["$ref"].(string); ok {
				return follow(ref, components, used, visit)
			}
			for _, item := range x {
				if err := visit(item); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return used, visit(from)
}

func follow(ref string, components, used map[string]any, visit func(any) error) error {
	parts := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
	if len(parts) != 2 {
		return fmt.Errorf("reference %s leads out of the components", ref)
	}
	kind, name := parts[0], parts[1]
	group, _ := components[kind].(map[string]any)
	if group[name] == nil {
		return fmt.Errorf("reference %s leads nowhere", ref)
	}
	if used[kind] == nil {
		used[kind] = make(map[string]any)
	}
	into := used[kind].(map[string]any)
	if into[name] != nil {
		return nil
	}
	into[name] = group[name]
	return visit(group[name])
}

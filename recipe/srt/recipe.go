package srt

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// Recipe is one variant of a recipe file.
type Recipe struct {
	file   string
	blocks map[int]string
	root   *yamlpos.Value
	// own is what the variant's group says by itself, nil without a group.
	own *yamlpos.Value
	// direct says that workers answer by themselves where the recipe names no
	// frontend; otherwise Dynamo's stands in front of them.
	direct bool
}

// Binding is what a row and its launcher give a recipe.
type Binding struct {
	// Model is the row's model, which the recipe's alias stands for.
	Model recipe.Text
	// Image is the row's image, and Aliases are names of it that the launcher
	// writes for the recipe's container field.
	Image   recipe.Text
	Aliases map[string]bool
	// Client are the variables that the row gives the client.
	Client []recipe.Var
}

// Get returns the value at a path of keys, nil where there is none.
func (r *Recipe) Get(path ...string) *yamlpos.Value {
	v := r.root
	for _, key := range path {
		if v == nil {
			return nil
		}
		v = v.Get(key)
	}
	if v.IsNull() {
		return nil
	}
	return v
}

// text is a scalar of the recipe as a text with its place.
func (r *Recipe) text(v *yamlpos.Value) recipe.Text {
	return recipe.Literal(scalar(v), r.place(v))
}

// scalar writes a scalar as the launcher's language prints it.
func scalar(v *yamlpos.Value) string {
	switch v.Kind {
	case yamlpos.Bool:
		if v.Int == 1 {
			return "True"
		}
		return "False"
	case yamlpos.Null:
		return ""
	case yamlpos.Int:
		return strconv.FormatInt(v.Int, 10)
	}
	return v.Text
}

// number is an integer of the recipe, 0 where there is none.
func (r *Recipe) number(path ...string) int {
	v := r.Get(path...)
	if v == nil {
		return 0
	}
	if v.Kind == yamlpos.Int {
		return int(min(max(v.Int, 0), 1<<20))
	}
	return 0
}

// word is the text of a scalar, or a default.
func (r *Recipe) word(otherwise string, path ...string) string {
	if v := r.Get(path...); v != nil && v.Kind != yamlpos.Mapping && v.Kind != yamlpos.Sequence {
		return scalar(v)
	}
	return otherwise
}

// env reads a mapping of variables.
func (r *Recipe) env(path ...string) []recipe.Var { return r.vars(r.Get(path...)) }

func (r *Recipe) vars(v *yamlpos.Value) []recipe.Var {
	if v == nil || v.Kind != yamlpos.Mapping {
		return nil
	}
	out := make([]recipe.Var, 0, len(v.Fields))
	for _, f := range v.Fields {
		if f.Value.Kind == yamlpos.Mapping || f.Value.Kind == yamlpos.Sequence {
			continue
		}
		out = append(out, recipe.Var{Name: f.Key.Text, Value: r.text(f.Value)})
	}
	return out
}

// place is the position of a value, or of the file.
func (r *Recipe) place(v *yamlpos.Value) diag.Place {
	if v == nil {
		return diag.Place{File: r.file}
	}
	number := (v.Line - 1) / linesPerFile
	if number == 0 || v.Line == 0 {
		return v.Place(r.file)
	}
	return diag.Place{File: r.blocks[number], Line: v.Line - number*linesPerFile, Column: v.Column}
}

// lay puts variables over others of the same name.
func lay(under []recipe.Var, over ...recipe.Var) []recipe.Var {
	out := append([]recipe.Var(nil), under...)
	at := make(map[string]int, len(out))
	for i, v := range out {
		at[v.Name] = i
	}
	for _, v := range over {
		if i, ok := at[v.Name]; ok {
			out[i] = v
			continue
		}
		at[v.Name] = len(out)
		out = append(out, v)
	}
	return out
}

// SetupScript is the name of the script that every worker runs first, "" if
// there is none.
func (r *Recipe) SetupScript() recipe.Text {
	if v := r.Get("setup_script"); v != nil {
		return r.text(v)
	}
	return recipe.Text{}
}

// ClientCommand is the command line of a custom client, "" if the client is
// none.
func (r *Recipe) ClientCommand() recipe.Text {
	if v := r.Get("benchmark", "command"); v != nil {
		return r.text(v)
	}
	return recipe.Text{}
}

// ClientEnv are the variables of the client.
func (r *Recipe) ClientEnv() []recipe.Var { return r.env("benchmark", "env") }

// Named returns the value that the group of a variant says by itself, nil where
// there is none.
func (r *Recipe) Named(path ...string) *yamlpos.Value {
	if v := find(r.own, path); !v.IsNull() {
		return v
	}
	return nil
}

// Own returns the value that the recipe's file says by itself, not a shared
// block under it; nil where there is none.
func (r *Recipe) Own(path ...string) *yamlpos.Value {
	if v := r.Get(path...); v != nil && v.Line < linesPerFile {
		return v
	}
	return nil
}

// Environment are the recipe-wide variables.
func (r *Recipe) Environment() []recipe.Var { return r.env("environment") }

// Mounts are the folders that the recipe mounts into its containers, each as
// SOURCE:FOLDER.
func (r *Recipe) Mounts() []recipe.Text {
	var out []recipe.Text
	if v := r.Get("container_mounts"); v != nil {
		for _, f := range v.Fields {
			out = append(out, recipe.Literal(f.Key.Text+":"+scalar(f.Value), r.place(f.Value)))
		}
		for _, item := range v.Items {
			out = append(out, r.word1(item))
		}
	}
	if v := r.Get("extra_mount"); v != nil {
		for _, item := range v.Items {
			out = append(out, r.word1(item))
		}
	}
	return out
}

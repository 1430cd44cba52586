package srt

import (
	"iter"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// frontends are the programs of the frontends that a recipe can name, by
// frontend.type. A worker that answers by itself needs none.
var frontends = map[string][]string{
	"dynamo":       {"python3", "-m", "dynamo.frontend"},
	"sglang":       {"python", "-m", "sglang_router.launch_router"},
	"trtllm_serve": {"trtllm-serve", "disaggregated"},
	"vllm-router":  {"vllm-router"},
}

// frontend is what stands in front of the workers.
func (r *Recipe) frontend(Binding) []recipe.Command {
	path := r.frontendPath()
	at := func(key string) []string { return append(path[:len(path):len(path)], key) }
	program, ok := frontends[r.frontendType()]
	if !ok {
		return nil
	}
	c := recipe.Command{Role: recipe.RoleFrontend, Engine: recipe.EngineRouter, Count: 1}
	for _, w := range program {
		c.Program = append(c.Program, recipe.Literal(w, r.place(r.Get(path...))))
	}
	c.Flags = r.options(r.Get(at("args")...))
	for _, key := range []string{"ctx_router", "gen_router", "server_config_extra"} {
		if v := r.Get(at(key)...); v != nil {
			c.Flags = append(c.Flags, r.values(v, key+".")...)
		}
	}
	for _, key := range []string{"router-mode", "nginx_session_affinity", "enable_multiple_frontends", "num_additional_frontends"} {
		if v := r.Get(at(key)...); v != nil {
			if flag, ok := r.option(yamlpos.Field{Key: yamlpos.NewString(key), Value: v}); ok {
				c.Flags = append(c.Flags, flag)
			}
		}
	}
	c.Env = lay(r.env("environment"), r.env(at("env")...)...)
	if path[0] == "roles" {
		c.Env = lay(r.env(at("env")...), r.env("environment")...) // as of any role
	}
	return []recipe.Command{c}
}

// frontendPath is where the recipe describes its frontend: among the roles, or
// beside them.
func (r *Recipe) frontendPath() []string {
	for _, role := range []string{"frontend", "router"} {
		if r.Get("roles", role) != nil {
			return []string{"roles", role}
		}
	}
	return []string{"frontend"}
}

// frontendType is what stands in front of the workers: what the recipe says,
// else Dynamo's frontend, or "" where workers answer by themselves.
func (r *Recipe) frontendType() string {
	otherwise := "dynamo"
	if r.direct {
		otherwise = ""
	}
	return r.word(otherwise, append(r.frontendPath(), "type")...)
}

// services are the processes beside the workers: the store of a KV cache, and
// whatever the recipe lists under services.
func (r *Recipe) services() []recipe.Command {
	var out []recipe.Command
	if v := r.Get("backend", "mooncake_kv_store"); v != nil {
		out = append(out, r.service("mooncake", v))
	}
	for _, block := range []string{"services", "sidecars"} {
		for name, v := range members(r.Get(block)) {
			if enabled := v.Get("enabled"); enabled == nil || enabled.Kind != yamlpos.Bool || enabled.Int == 1 {
				out = append(out, r.service(name, v))
			}
		}
	}
	return out
}

// members are the mappings below a value by name: those of a mapping by their
// key, those of a list by their name or type.
func members(v *yamlpos.Value) iter.Seq2[string, *yamlpos.Value] {
	return func(yield func(string, *yamlpos.Value) bool) {
		if v == nil {
			return
		}
		for _, f := range v.Fields {
			if f.Value.Kind == yamlpos.Mapping && !yield(f.Key.Text, f.Value) {
				return
			}
		}
		for i, item := range v.Items {
			name := strconv.Itoa(i)
			for _, key := range []string{"type", "name"} {
				if text := item.Get(key); text != nil && text.Kind == yamlpos.String {
					name = text.Text
				}
			}
			if item.Kind == yamlpos.Mapping && !yield(name, item) {
				return
			}
		}
	}
}

// service reads one service. What is no command line of its own is kept as
// dotted values.
func (r *Recipe) service(name string, v *yamlpos.Value) recipe.Command {
	given := func(key string) *yamlpos.Value {
		if found := v.Get(key); !found.IsNull() {
			return found
		}
		return nil
	}
	c := recipe.Command{Role: recipe.ServicePrefix + name, Engine: name, Count: 1}
	if command := given("command"); command != nil && command.Kind != yamlpos.Mapping {
		c.Program = append(c.Program, r.words(command)...)
	} else {
		c.Program = []recipe.Text{recipe.Literal(name, r.place(v))}
	}
	if args := given("args"); args != nil {
		if args.Kind == yamlpos.Mapping {
			c.Flags = r.options(args)
		} else {
			c.Positional, c.Flags = recipe.ParseFlags(r.words(args))
		}
	}
	c.Env = r.vars(given("env"))
	for _, key := range []string{"container", "image"} {
		if image := given(key); image != nil && image.Kind == yamlpos.String {
			c.Image = r.text(image)
		}
	}
	for _, f := range v.Fields {
		switch f.Key.Text {
		case "command", "args", "env", "container", "image", "enabled", "name", "nodes", "placement":
			continue
		}
		c.Flags = append(c.Flags, r.settings(f)...)
	}
	return c
}

// settings are what a part of the recipe says besides its command line, as
// options under dotted names.
func (r *Recipe) settings(f yamlpos.Field) []recipe.Flag {
	if f.Value.IsNull() {
		return nil
	}
	out := r.values(&yamlpos.Value{Kind: yamlpos.Mapping, Fields: []yamlpos.Field{f}}, "")
	for i := range out {
		out[i].Spelling = "--" + dashed(out[i].Spelling)
	}
	return out
}

// words are the words of a command: the items of a list, or a text split at
// blanks.
func (r *Recipe) words(v *yamlpos.Value) []recipe.Text {
	var out []recipe.Text
	if v.Kind == yamlpos.Sequence {
		for _, item := range v.Items {
			out = append(out, r.word1(item))
		}
		return out
	}
	for _, word := range strings.Fields(scalar(v)) {
		out = append(out, recipe.Literal(word, r.place(v)))
	}
	return out
}

// clientFacts are the settings of the client that are no flags of the load.
var clientFacts = []string{"type", "command", "env", "concurrencies", "concurrency", "aiperf_args"}

// client is what loads the deployment. Its concurrencies belong to the row.
func (r *Recipe) client(b Binding) (recipe.Command, bool) {
	v := r.Get("benchmark")
	if v == nil || v.Kind != yamlpos.Mapping {
		return recipe.Command{}, false
	}
	c := recipe.Command{Role: recipe.RoleClient, Count: 1, Env: lay(r.ClientEnv(), b.Client...)}
	c.Program = []recipe.Text{recipe.Literal(r.word("manual", "benchmark", "type"), r.place(v))}
	if command := r.Get("benchmark", "command"); command != nil {
		c.Program = append(c.Program, r.words(command)...)
	}
	for _, f := range v.Fields {
		if !skipped(clientFacts, f.Key.Text) {
			c.Flags = append(c.Flags, r.settings(f)...)
		}
	}
	if args := r.Get("benchmark", "aiperf_args"); args != nil {
		c.Flags = append(c.Flags, r.options(args)...)
	}
	return c, true
}

package srt

import (
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
	block := "frontend"
	path := []string{block}
	if r.Get("roles", block) != nil {
		path = []string{"roles", block}
	} else if r.Get("roles", "router") != nil {
		path = []string{"roles", "router"}
	}
	at := func(key string) []string { return append(path[:len(path):len(path)], key) }
	kind := r.word("dynamo", at("type")...)
	program, ok := frontends[kind]
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
	return []recipe.Command{c}
}

// services are the processes beside the workers: the store of a KV cache, and
// whatever the recipe lists under services.
func (r *Recipe) services() []recipe.Command {
	var out []recipe.Command
	if v := r.Get("backend", "mooncake_kv_store"); v != nil {
		out = append(out, r.service("mooncake", v, []string{"backend", "mooncake_kv_store"}))
	}
	for _, block := range []string{"services", "sidecars"} {
		v := r.Get(block)
		if v == nil || v.Kind != yamlpos.Mapping {
			continue
		}
		for _, f := range v.Fields {
			if f.Value.Kind == yamlpos.Mapping {
				out = append(out, r.service(f.Key.Text, f.Value, []string{block, f.Key.Text}))
			}
		}
	}
	return out
}

// service reads one service. What is no command line of its own is kept as
// dotted values.
func (r *Recipe) service(name string, v *yamlpos.Value, path []string) recipe.Command {
	at := func(key string) []string { return append(path[:len(path):len(path)], key) }
	c := recipe.Command{Role: recipe.ServicePrefix + name, Engine: name, Count: 1}
	if command := r.Get(at("command")...); command != nil && command.Kind != yamlpos.Mapping {
		c.Program = append(c.Program, r.words(command)...)
	} else {
		c.Program = []recipe.Text{recipe.Literal(name, r.place(v))}
	}
	if args := r.Get(at("args")...); args != nil {
		if args.Kind == yamlpos.Mapping {
			c.Flags = r.options(args)
		} else {
			c.Positional, c.Flags = recipe.ParseFlags(r.words(args))
		}
	}
	c.Env = r.env(at("env")...)
	for _, key := range []string{"container", "image"} {
		if image := r.Get(at(key)...); image != nil && image.Kind == yamlpos.String {
			c.Image = r.text(image)
		}
	}
	for _, f := range v.Fields {
		switch f.Key.Text {
		case "command", "args", "env", "container", "image":
			continue
		}
		if !f.Value.IsNull() {
			whole := &yamlpos.Value{Kind: yamlpos.Mapping, Fields: []yamlpos.Field{f}}
			c.Flags = append(c.Flags, r.values(whole, "")...)
		}
	}
	return c
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
		if skipped(clientFacts, f.Key.Text) || f.Value.IsNull() {
			continue
		}
		whole := &yamlpos.Value{Kind: yamlpos.Mapping, Fields: []yamlpos.Field{f}}
		c.Flags = append(c.Flags, r.values(whole, "")...)
	}
	if args := r.Get("benchmark", "aiperf_args"); args != nil {
		c.Flags = append(c.Flags, r.options(args)...)
	}
	return c, true
}

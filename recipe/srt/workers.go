package srt

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// worker is one role of a recipe with what belongs to it, in either schema.
type worker struct {
	role    string
	name    string // key of the role in the recipe
	engine  string
	args    *yamlpos.Value
	env     []recipe.Var
	count   int
	gpus    int
	variant *Recipe
}

// roles are the roles by their name in a recipe.
var roles = []struct{ role, name, short string }{
	{recipe.RoleAggregate, "aggregated", "agg"}, {recipe.RolePrefill, "prefill", "prefill"}, {recipe.RoleDecode, "decode", "decode"},
}

// Effective returns the recipe as it is served for a row: workers, frontend,
// services and client.
func (r *Recipe) Effective(b Binding) *recipe.Effective {
	e := &recipe.Effective{Image: b.Image}
	for _, w := range r.workers() {
		if w.engine == "" {
			e.Open = append(e.Open, recipe.Question{Code: "recipe.srt-no-engine", Args: []string{"file", r.file, "role", w.name}, Place: w.place()})
			continue
		}
		e.Commands = append(e.Commands, w.command(b))
	}
	e.Commands = append(e.Commands, r.frontend(b)...)
	e.Commands = append(e.Commands, r.services()...)
	if c, ok := r.client(b); ok {
		e.Commands = append(e.Commands, c)
	}
	if q := r.container(b); q != nil {
		e.Open = append(e.Open, *q)
	}
	if len(e.Serving()) == 0 {
		e.Open = append(e.Open, recipe.Question{Code: "recipe.srt-no-workers", Args: []string{"file", r.file}, Place: diag.Place{File: r.file}})
	}
	return e
}

// container compares the image of the recipe with the row's, which the
// launcher must map it to.
func (r *Recipe) container(b Binding) *recipe.Question {
	v := r.Get("model", "container")
	if v == nil || !b.Image.Known() || v.Text == b.Image.Lit || b.Aliases[v.Text] || !strings.ContainsAny(v.Text, "/:") {
		return nil
	}
	if strings.Replace(v.Text, "#", "/", 1) == strings.Replace(b.Image.Lit, "#", "/", 1) {
		return nil
	}
	return &recipe.Question{Code: "recipe.srt-other-image", Args: []string{"recipe", v.Text, "row", b.Image.Lit}, Place: r.place(v), Part: true}
}

// workers are the roles that the recipe gives workers to.
func (r *Recipe) workers() []worker {
	if r.Get("roles") != nil {
		return r.workersByRole()
	}
	engine := r.word(recipe.EngineSGLang, "backend", "type")
	var out []worker
	for _, role := range roles {
		args := r.Get("backend", engine+"_config", role.name)
		count := r.number("resources", role.short+"_workers")
		if count == 0 && (args == nil || r.counted()) {
			continue
		}
		w := worker{role: role.role, name: role.name, engine: engine, args: args, count: max(count, 1), variant: r}
		w.env = lay(r.env("backend", role.name+"_environment"), r.env("environment")...)
		w.gpus = r.gpusOf(role.short, w.count)
		out = append(out, w)
	}
	return out
}

// counted reports whether the recipe says how many workers it has.
func (r *Recipe) counted() bool {
	for _, role := range roles {
		if r.number("resources", role.short+"_workers") > 0 {
			return true
		}
	}
	return false
}

// gpusOf is the number of GPUs of one worker, 0 if the recipe does not say.
func (r *Recipe) gpusOf(short string, count int) int {
	if n := r.number("resources", "gpus_per_"+short); n > 0 {
		return n
	}
	return r.number("resources", short+"_nodes") * r.number("resources", "gpus_per_node") / max(count, 1)
}

// workersByRole reads schema 2, where a role holds all that is its own.
func (r *Recipe) workersByRole() []worker {
	var out []worker
	for _, f := range r.Get("roles").Fields {
		name := f.Key.Text
		role := name
		for _, known := range roles {
			if name == known.name || name == known.short {
				role = known.role
			}
		}
		if role == recipe.RoleFrontend || role == "router" || f.Value.Kind != yamlpos.Mapping {
			continue
		}
		w := worker{role: role, name: name, variant: r, args: r.Get("roles", name, "args"), count: max(r.number("roles", name, "workers"), 1)}
		w.engine = r.word(r.engine(), "roles", name, "engine")
		if v := r.Get("roles", name, "engine", "type"); v != nil {
			w.engine = scalar(v)
		}
		w.env = lay(r.env("roles", name, "env"), r.env("environment")...)
		w.gpus = r.number("roles", name, "gpus")
		out = append(out, w)
	}
	return out
}

// engine is the engine of schema 2 where a role names none, "" where the recipe
// names none either.
func (r *Recipe) engine() string {
	if v := r.Get("engine", "type"); v != nil {
		return scalar(v)
	}
	return r.word("", "engine")
}

// command is the command line of a worker.
func (w worker) command(b Binding) recipe.Command {
	c := recipe.Command{Role: w.role, Engine: w.engine, Env: w.env, Count: w.count, GPUs: w.gpus}
	switch w.engine {
	case recipe.EngineTRTLLM:
		w.trtllm(&c, b)
	case recipe.EngineVLLM:
		w.vllm(&c, b)
	case recipe.EngineATOM:
		w.flags(&c, b, []string{"python3", "-m", "atom.entrypoints.openai_server"}, "--model")
		c.Flags = append(c.Flags, w.variant.options(w.args, "model")...)
	case recipe.EngineSGLang:
		w.sglang(&c, b)
	default:
		// An engine of which nothing is known starts by its name.
		w.flags(&c, b, []string{w.engine}, "--model")
		c.Flags = append(c.Flags, w.variant.options(w.args, "model")...)
	}
	return c
}

// direct reports whether the frontend of the recipe is the engine's own, so
// that workers are no Dynamo components.
func (w worker) direct(types ...string) bool {
	frontend := w.variant.frontendType()
	if frontend == "" {
		return true
	}
	for _, t := range types {
		if frontend == t {
			return true
		}
	}
	return false
}

// flags starts a command: its program, and the model behind a flag, or as a
// word when the flag is "".
func (w worker) flags(c *recipe.Command, b Binding, program []string, modelFlag string) {
	at := w.place()
	for _, word := range program {
		c.Program = append(c.Program, recipe.Literal(word, at))
	}
	model := w.variant.model(b)
	if modelFlag == "" {
		c.Positional = []recipe.Text{model}
	} else {
		c.Flags = append(c.Flags, recipe.Flag{Name: recipe.FlagName(modelFlag), Spelling: modelFlag, Values: []recipe.Text{model}, Text: recipe.Literal(modelFlag, at)})
	}
	if c.Role == recipe.RolePrefill || c.Role == recipe.RoleDecode {
		if w.engine != recipe.EngineATOM && !w.direct("trtllm_serve") {
			c.Flags = append(c.Flags, recipe.NewFlag("--disaggregation-mode", c.Role, at))
		}
	}
}

// place is where the role's settings begin.
func (w worker) place() diag.Place { return w.variant.place(w.args) }

// model is the model that workers load. The recipe names it by an alias that
// the launcher maps to a folder; what it stands for is the row's model.
func (r *Recipe) model(b Binding) recipe.Text {
	v := r.Get("model", "path")
	if v == nil {
		return b.Model
	}
	t := r.text(v)
	if name, hub := strings.CutPrefix(t.Lit, hubPrefix); hub && t.Known() {
		t = recipe.Literal(name, t.Place)
	}
	t.Row = b.Model.Lit
	return t
}

func (w worker) sglang(c *recipe.Command, b Binding) {
	module := "dynamo.sglang"
	if w.direct("sglang") {
		module = "sglang.launch_server"
	}
	w.flags(c, b, []string{"python3", "-m", module}, "--model-path")
	c.Flags = append(c.Flags, w.variant.options(w.args, "model-path")...)
}

// connectors are the short names of KV connectors and what they stand for.
var connectors = map[string]ordjson.Value{
	"nixl":    ordjson.Map(ordjson.Member{Name: "kv_connector", Value: ordjson.Str("NixlConnector")}, ordjson.Member{Name: "kv_role", Value: ordjson.Str("kv_both")}),
	"lmcache": ordjson.Map(ordjson.Member{Name: "kv_connector", Value: ordjson.Str("LMCacheConnectorV1")}, ordjson.Member{Name: "kv_role", Value: ordjson.Str("kv_both")}),
	"kvbm": ordjson.Map(ordjson.Member{Name: "kv_connector", Value: ordjson.Str("DynamoConnector")},
		ordjson.Member{Name: "kv_connector_module_path", Value: ordjson.Str("kvbm.vllm_integration.connector")}, ordjson.Member{Name: "kv_role", Value: ordjson.Str("kv_both")}),
}

func (w worker) vllm(c *recipe.Command, b Binding) {
	if w.direct("vllm") {
		w.flags(c, b, []string{"vllm", "serve"}, "")
		c.Flags = append(c.Flags, w.variant.options(w.args, "connector", "headless", "host", "port", "master-addr", "nnodes", "node-rank")...)
		return
	}
	w.flags(c, b, []string{"python3", "-m", "dynamo.vllm"}, "--model")
	c.Flags = append(c.Flags, w.connector()...)
	c.Flags = append(c.Flags, w.variant.options(w.args, "connector", "model")...)
}

// connector is the KV transfer that the role's connector stands for: its own,
// else the backend's, else nixl. A role that writes the flag itself keeps it.
func (w worker) connector() []recipe.Flag {
	r := w.variant
	v := r.root.Get("backend")
	if v != nil {
		v = v.Get("connector")
	}
	if own := w.args; own != nil {
		if own.Get("kv-transfer-config") != nil || own.Get("kv_transfer_config") != nil {
			return nil
		}
		if c := own.Get("connector"); c != nil {
			v = c
		}
	}
	name, at := "nixl", w.place()
	if v != nil {
		if v.Kind == yamlpos.Null {
			return nil
		}
		name, at = scalar(v), r.place(v)
	}
	if name == "" || name == "none" || name == "null" {
		return nil
	}
	if preset, ok := connectors[strings.ToLower(name)]; ok {
		name = preset.String()
	}
	return []recipe.Flag{recipe.NewFlag("--kv-transfer-config", name, at)}
}

func (w worker) trtllm(c *recipe.Command, b Binding) {
	r, at := w.variant, w.place()
	file := recipe.Literal("trtllm_config_"+w.name+".yaml", at)
	c.Config = &recipe.Config{Name: file, Values: r.values(w.args, "")}
	if w.direct("trtllm_serve") {
		w.flags(c, b, []string{"trtllm-serve"}, "")
		c.Flags = append(c.Flags, recipe.Flag{Name: "config", Spelling: "--config", Values: []recipe.Text{file}, Text: recipe.Literal("--config", at)})
		return
	}
	w.flags(c, b, []string{"python3", "-m", "dynamo.trtllm"}, "--model-path")
	c.Flags = append(c.Flags, recipe.Flag{Name: "config", Spelling: "--extra-engine-args", Values: []recipe.Text{file}, Text: recipe.Literal("--extra-engine-args", at)})
	for _, block := range []string{"backend", "engine"} {
		if v := r.Get(block, "publish_events_and_metrics"); v != nil {
			at := r.place(v)
			flag := recipe.Flag{Name: "publish-events-and-metrics", Spelling: "--publish-events-and-metrics", Text: recipe.Literal("--publish-events-and-metrics", at)}
			if v.Kind == yamlpos.Bool && v.Int == 0 {
				flag.Values = []recipe.Text{recipe.Literal("false", at)} // said, not only left out
			}
			c.Flags = append(c.Flags, flag)
		}
	}
}

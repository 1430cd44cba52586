package recipe

import (
	"sort"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// The roles of a command (spec/checks.md section 1.7). A service has the role
// "service:<name>".
const (
	RoleAggregate = "agg"
	RolePrefill   = "prefill"
	RoleDecode    = "decode"
	RoleFrontend  = "frontend"
	RoleClient    = "client"
	// ServicePrefix begins the role of a service beside the engine.
	ServicePrefix = "service:"
)

// The engines of commands (spec/checks.md section 1.4). A router has the
// engine EngineRouter.
const (
	EngineVLLM   = "vllm"
	EngineSGLang = "sglang"
	EngineTRTLLM = "trtllm"
	EngineATOM   = "atom"
	EngineTileRT = "tilert"
	EngineRouter = "router"
)

// Effective is what a row would serve, for one mode.
type Effective struct {
	// Commands are the processes of the deployment, by role, and the client.
	Commands []Command
	// Image is the container image of the row.
	Image Text
	// Closure are the files that were read or looked for, by path.
	Closure []File
	// Patches are what changes an image or a checkout before serving: patch
	// files, source edits. Installs are packages put on top of the image.
	Patches, Installs []Step
	// Open are the questions that stayed open.
	Open []Question
}

// File is a file of the closure. Content that came to be there and content
// that was missing count alike: the recipe depended on it.
type File struct {
	Path string `json:"path"`
	// Repository is "" for the row's own, else the address of the other one,
	// and Ref what was checked out of it.
	Repository string `json:"repository,omitempty"`
	Ref        string `json:"ref,omitempty"`
	Absent     bool   `json:"absent,omitempty"`
}

// Step is something done before serving: a command, its words resolved.
type Step struct {
	Words []Text
	Place diag.Place
}

// Question is something about the recipe that could not be answered.
type Question struct {
	// Code is the text in the catalogue; Args are its placeholders, name and
	// value.
	Code  string
	Args  []string
	Place diag.Place
	// Part says that the question is about one value or process only; without
	// it nothing can be said about the recipe as a whole.
	Part bool
}

// Command is one process.
type Command struct {
	Role   string
	Engine string
	// Program are the words that start it, without wrappers.
	Program []Text
	// Positional are words without a flag: usually the model.
	Positional []Text
	// Flags are in the order of the command line.
	Flags []Flag
	// Env are the variables that the recipe gives the process.
	Env []Var
	// Image is the image if it is not the row's.
	Image Text
	// Count is the number of such processes, 1 if not said; GPUs are those of
	// one of them, 0 if not said.
	Count, GPUs int
	// Config is the file that the engine reads its settings from, nil without
	// one. Its members are compared like flags.
	Config *Config
	// Maybe says that it is not known whether the process starts at all.
	Maybe bool
}

// Config is a file written for an engine.
type Config struct {
	Name Text
	// Values are its scalars and lists under dotted names; Unknown says why the
	// content is not known.
	Values  []Flag
	Unknown *Cause
}

// Flag is one option of a command line, or one value of an engine's file.
type Flag struct {
	// Name is the canonical name: no leading dashes, "-" for "_", one spelling
	// for all engines (spec/checks.md section 1.7).
	Name string
	// Spelling is the option as written, with its dashes.
	Spelling string
	// Values are its words; none stands for a switch.
	Values []Text
	// JSON is the decoded value of an option that takes JSON.
	JSON *ordjson.Value
	// Place of the option itself is that of Text.
	Text Text
}

// Var is one variable of a process.
type Var struct {
	Name  string
	Value Text
}

// roleOrder sorts commands for people: what answers requests first.
var roleOrder = map[string]int{RoleAggregate: 0, RolePrefill: 1, RoleDecode: 2, RoleFrontend: 3, RoleClient: 9}

func rank(role string) int {
	if n, ok := roleOrder[role]; ok {
		return n
	}
	return 5
}

// Sort puts commands into the order of their roles, and the closure into the
// order of paths, each file once.
func (e *Effective) Sort() {
	sort.SliceStable(e.Commands, func(i, j int) bool {
		a, b := e.Commands[i].Role, e.Commands[j].Role
		if rank(a) != rank(b) {
			return rank(a) < rank(b)
		}
		return a < b
	})
	sort.Slice(e.Closure, func(i, j int) bool { return e.Closure[i].less(e.Closure[j]) })
	e.Closure = distinct(e.Closure)
}

func (f File) less(g File) bool {
	if f.Repository != g.Repository {
		return f.Repository < g.Repository
	}
	if f.Ref != g.Ref {
		return f.Ref < g.Ref
	}
	if f.Path != g.Path {
		return f.Path < g.Path
	}
	return !f.Absent && g.Absent
}

func distinct(files []File) []File {
	out := files[:0]
	for i, f := range files {
		if i == 0 || f != files[i-1] {
			out = append(out, f)
		}
	}
	return out
}

// Serving returns the commands of engines: not routers, services or clients.
func (e *Effective) Serving() []*Command {
	var out []*Command
	for i := range e.Commands {
		switch e.Commands[i].Role {
		case RoleAggregate, RolePrefill, RoleDecode:
			out = append(out, &e.Commands[i])
		}
	}
	return out
}

// Flag returns the last flag of a canonical name, or nil; values of the
// engine's file count, the command line wins.
func (c *Command) Flag(name string) *Flag {
	for i := len(c.Flags) - 1; i >= 0; i-- {
		if c.Flags[i].Name == name {
			return &c.Flags[i]
		}
	}
	if c.Config != nil {
		for i := len(c.Config.Values) - 1; i >= 0; i-- {
			if c.Config.Values[i].Name == name {
				return &c.Config.Values[i]
			}
		}
	}
	return nil
}

// Variable returns the value of a variable, and whether it is set.
func (c *Command) Variable(name string) (Text, bool) {
	for i := len(c.Env) - 1; i >= 0; i-- {
		if c.Env[i].Name == name {
			return c.Env[i].Value, true
		}
	}
	return Text{}, false
}

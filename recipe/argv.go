package recipe

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// aliases are the spellings of one flag, the canonical one first
// (spec/checks.md section 1.7). Keys are already normalised.
var aliases = [][]string{
	{"tensor-parallel-size", "tp", "tp-size"},
	{"data-parallel-size", "dp", "dp-size"},
	{"expert-parallel-size", "ep", "ep-size", "moe-expert-parallel-size"},
	{"pipeline-parallel-size", "pp", "pp-size"},
	{"decode-context-parallel-size", "dcp", "dcp-size"},
	{"prefill-context-parallel-size", "pcp", "pcp-size"},
	{"kv-cache-dtype", "kv-cache-config.dtype"},
	{"speculative-algorithm", "speculative-algo"},
	{"enable-dp-attention", "enable-attention-dp"},
	{"model", "model-path"},
	{"config", "extra-llm-api-options", "extra-engine-args"},
}

var canonicalNames = func() map[string]string {
	out := make(map[string]string)
	for _, group := range aliases {
		for _, name := range group {
			out[name] = group[0]
		}
	}
	return out
}()

// FlagName returns the canonical name of an option.
func FlagName(spelling string) string {
	name := strings.ReplaceAll(strings.TrimLeft(spelling, "-"), "_", "-")
	if canonical, ok := canonicalNames[name]; ok {
		return canonical
	}
	return name
}

// wrappers are programs that start another one, with the number of words that
// their options take where it is not none. An option written as --a=b takes
// no further word.
var wrappers = map[string]map[string]int{
	"env": {"-u": 1, "-C": 1}, "exec": {}, "setsid": {}, "nohup": {}, "stdbuf": {"-o": 1, "-e": 1, "-i": 1},
	"sudo": {"-u": 1}, "nice": {"-n": 1}, "ionice": {"-c": 1, "-n": 1}, "time": {}, "command": {},
	"timeout": {"-k": 1, "-s": 1}, "taskset": {"-c": 1}, "prlimit": {},
	"numactl":              {"-m": 1, "-N": 1, "-C": 1, "-i": 1, "-p": 1, "--membind": 1, "--cpunodebind": 1, "--physcpubind": 1, "--interleave": 1},
	"mpirun":               {"-n": 1, "-np": 1, "-x": 1, "-H": 1, "--host": 1, "--hostfile": 1, "-N": 1, "--bind-to": 1, "--map-by": 1, "--mca": 2, "-mca": 2, "--oversubscribe": 0},
	"trtllm-llmapi-launch": {}, "unbuffer": {}, "rlwrap": {},
	"nsys": {"-o": 1, "-t": 1, "-d": 1, "-y": 1},
}

// server is how a serving program is recognised.
type server struct {
	words  []string // the words of the program, after a Python with -m
	module bool     // the last word is a module started with python -m
	engine string
	role   string // "" for what the flags or the surroundings say
}

var servers = []server{
	{words: []string{"sglang.launch_server"}, module: true, engine: EngineSGLang},
	{words: []string{"sglang", "serve"}, engine: EngineSGLang},
	{words: []string{"vllm", "serve"}, engine: EngineVLLM},
	{words: []string{"vllm.entrypoints.openai.api_server"}, module: true, engine: EngineVLLM},
	{words: []string{"vllm.entrypoints.cli.main", "serve"}, module: true, engine: EngineVLLM},
	{words: []string{"trtllm-serve"}, engine: EngineTRTLLM},
	{words: []string{"atom.entrypoints.openai_server"}, module: true, engine: EngineATOM},
	{words: []string{"tilert.pd_vllm.decode_server"}, module: true, engine: EngineTileRT, role: RoleDecode},
	{words: []string{"tilert.pd_vllm.pd_router"}, module: true, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"dynamo.vllm"}, module: true, engine: EngineVLLM},
	{words: []string{"dynamo.sglang"}, module: true, engine: EngineSGLang},
	{words: []string{"dynamo.trtllm"}, module: true, engine: EngineTRTLLM},
	{words: []string{"dynamo.frontend"}, module: true, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"sglang_router.launch_router"}, module: true, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"sglang.launch_router"}, module: true, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"vllm-router"}, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"smg", "launch"}, engine: EngineRouter, role: RoleFrontend},
	{words: []string{"amd-router"}, engine: EngineRouter, role: RoleFrontend},
}

// Recognise reads the words of a started process as a serving command. The
// second result is false when the program is no server that this package
// knows. env are the variables in front of the command, which become its own.
func Recognise(words []Text) (Command, bool) {
	rest, env := unwrap(words)
	for _, s := range servers {
		n, ok := s.begins(rest)
		if !ok {
			continue
		}
		c := Command{Role: s.role, Engine: s.engine, Program: rest[:n], Env: env, Count: 1}
		c.Positional, c.Flags = ParseFlags(rest[n:])
		if c.Role == "" {
			c.Role = c.roleByFlags()
		}
		return c, true
	}
	return Command{}, false
}

// begins reports whether words begin with the server's program, and how many
// of them.
func (s server) begins(words []Text) (int, bool) {
	at := 0
	if s.module {
		if len(words) < 3 || !isPython(words[0]) && (words[0].base() != "" || !words[1].Known() || words[1].Lit != "-m") {
			return 0, false
		}
		for at = 1; at < len(words) && words[at].Known() && words[at].Lit != "-m"; at++ {
			if !strings.HasPrefix(words[at].Lit, "-") {
				return 0, false
			}
		}
		at++
	}
	for i, want := range s.words {
		if at+i >= len(words) {
			return 0, false
		}
		w := words[at+i]
		if w.Known() && w.Lit == want || i == 0 && !s.module && w.base() == want {
			continue
		}
		return 0, false
	}
	return at + len(s.words), true
}

func isPython(t Text) bool {
	name := t.base()
	return name == "python" || strings.HasPrefix(name, "python3")
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// base is the last component of a path, which may be known though its folder
// is not; "" if it is not.
func (t Text) base() string {
	if t.Known() {
		return base(t.Lit)
	}
	last := t.Parts[len(t.Parts)-1]
	if last.Unknown != nil || !strings.Contains(last.Text, "/") {
		return ""
	}
	return base(last.Text)
}

// unwrap removes wrapper programs and their options, and takes the variables
// that they set.
func unwrap(words []Text) (rest []Text, env []Var) {
	for len(words) > 0 {
		if name, value, ok := words[0].cut("="); ok && name.Known() && isName(name.Lit) {
			env = append(env, Var{Name: name.Lit, Value: value})
			words = words[1:]
			continue
		}
		options, ok := wrappers[words[0].base()]
		if !ok {
			return words, env
		}
		duration := words[0].base() == "timeout"
		words = skipOptions(words[1:], options)
		if duration && len(words) > 0 {
			words = words[1:]
		}
	}
	return words, env
}

func skipOptions(words []Text, options map[string]int) []Text {
	for len(words) > 0 && words[0].HasPrefix("-") {
		take := 1
		if words[0].Known() {
			take += options[words[0].Lit]
			if words[0].Lit == "--" {
				return words[1:]
			}
		}
		words = words[min(take, len(words)):]
	}
	return words
}

func isName(text string) bool {
	for i, r := range text {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}

// roleByFlags tells the roles of a disaggregated deployment by the flags that
// make a worker one.
func (c *Command) roleByFlags() string {
	if f := c.Flag("disaggregation-mode"); f != nil && len(f.Values) == 1 {
		switch f.Values[0].Lit {
		case "prefill":
			return RolePrefill
		case "decode":
			return RoleDecode
		}
	}
	switch {
	case c.Flag("is-prefill-worker") != nil:
		return RolePrefill
	case c.Flag("is-decode-worker") != nil:
		return RoleDecode
	}
	if f := c.Flag("kv-transfer-config"); f != nil && f.JSON != nil {
		role, _ := f.JSON.Get("kv_role")
		switch role.Text {
		case "kv_producer":
			return RolePrefill
		case "kv_consumer":
			return RoleDecode
		}
	}
	return RoleAggregate
}

// ParseFlags reads the words behind a program. Words before the first flag are
// positional. A word that may stand for several, because nothing of it is
// known, becomes a flag without a name, so that it is never overlooked.
func ParseFlags(words []Text) (positional []Text, flags []Flag) {
	for _, w := range words {
		switch {
		case isFlag(w):
			spelling, value, assigned := w.cut("=")
			f := Flag{Name: FlagName(spelling.String()), Spelling: spelling.String(), Text: spelling}
			if assigned {
				f.Values = []Text{value}
			}
			flags = append(flags, f)
		case len(flags) == 0:
			positional = append(positional, w)
		default:
			last := &flags[len(flags)-1]
			last.Values = append(last.Values, w)
		}
	}
	for i := range flags {
		flags[i].decode()
	}
	return positional, flags
}

// isFlag tells a flag from a value; negative numbers are values.
func isFlag(w Text) bool {
	if !w.HasPrefix("-") {
		return false
	}
	text := w.String()
	return len(text) > 1 && (text[1] == '-' || text[1] < '0' || text[1] > '9') && text[1] != '.'
}

// DecodeJSON sets the JSON form of a flag whose only value is an object or array.
func DecodeJSON(f *Flag) { f.decode() }

// decode reads a value that is a JSON object or array. Members that say where
// a peer listens need not be known: they are left out of the decoded value.
func (f *Flag) decode() {
	if len(f.Values) != 1 {
		return
	}
	text, marked := f.Values[0].marked()
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return
	}
	v, err := ordjson.Parse([]byte(text))
	if err != nil {
		return
	}
	if marked {
		if v = withoutPeers(v); strings.ContainsRune(v.String(), mark) {
			return
		}
	}
	f.JSON = &v
}

// NewFlag returns a flag with one known value.
func NewFlag(spelling, value string, place diag.Place) Flag {
	f := Flag{Name: FlagName(spelling), Spelling: spelling, Values: []Text{Literal(value, place)}, Text: Literal(spelling, place)}
	f.decode()
	return f
}

// Known reports whether every word of the flag is known, or all that counts of
// a JSON value.
func (f *Flag) Known() bool {
	if f.JSON != nil {
		return true
	}
	if !f.Text.Known() {
		return false
	}
	for _, v := range f.Values {
		if !v.Known() {
			return false
		}
	}
	return true
}

// Value returns the only word of a flag, "true" for a switch, and whether it
// is known.
func (f *Flag) Value() (string, bool) {
	if !f.Known() {
		return "", false
	}
	words := make([]string, len(f.Values))
	for i, v := range f.Values {
		words[i] = v.Lit
	}
	if len(words) == 0 {
		return "true", true
	}
	return strings.Join(words, " "), true
}

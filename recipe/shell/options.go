package shell

// Files gives repository content at one revision. Paths are relative to the
// repository, with slashes, clean.
type Files interface {
	// ReadFile returns the content of a file; ok is false when there is none.
	// An error is a failure of the store, it ends the evaluation.
	ReadFile(path string) (data []byte, ok bool, err error)
	// List returns the names in a directory, ok false when there is none.
	// Directories end in "/". The root is "".
	List(dir string) (names []string, ok bool)
}

// Env is a starting environment: exported variables. A name that is missing
// is not set, except for the few that every machine sets its own way (HOME,
// PATH, USER, HOSTNAME ...), which are unknown.
type Env map[string]Value

// Options say what to evaluate and how.
type Options struct {
	Files Files
	// Script is the repository path of the script.
	Script string
	Args   []Value
	Env    Env
	// Dir is the absolute directory where the script starts; "/workspace"
	// when empty.
	Dir string
	// Mounts maps absolute directories of the script's file system to
	// directories of the repository ("" is its root). The longest wins. Nil
	// maps Dir to the root. A path outside of all mounts is unknown.
	Mounts map[string]string
	// Name is $0 as the script is started; Script when empty.
	Name string
	// Models are the programs that are computed; nil is StandardModels().
	Models Models
	// Wrappers are the programs that start the rest of their arguments; nil
	// is StandardWrappers().
	Wrappers map[string]Wrapper
	// Cache keeps parsed files between runs; may be nil. Safe for concurrent
	// use.
	Cache *Cache
	// Limits bound the evaluation; zero fields take the default.
	Limits Limits
	// PastExit continues after a certain exit as if it were not written, to
	// see what would follow. Trace.Exit still names the first one.
	PastExit bool
}

// Limits bound one run. Each is checked before memory is taken.
type Limits struct {
	Steps      int // statements, words, arithmetic operations, pattern steps
	ValueBytes int // bytes of one value
	TotalBytes int // bytes produced in all
	Words      int // words of one expansion, elements of one array
	Depth      int // nesting of calls, scripts, substitutions and compounds
	LoopTurns  int // turns of one loop
	Ways       int // ways kept open at once
	Commands   int // commands recorded
	FileBytes  int // bytes of one script
	Written    int // files written
}

// DefaultLimits are generous for a launch script and small for a machine.
func DefaultLimits() Limits {
	return Limits{
		Steps:      400_000,
		ValueBytes: 1 << 20,
		TotalBytes: 16 << 20,
		Words:      20_000,
		Depth:      200,
		LoopTurns:  2_000,
		Ways:       64,
		Commands:   2_000,
		FileBytes:  512 << 10,
		Written:    200,
	}
}

package shell

// Assignment is one variable of a command's environment.
type Assignment struct {
	Name  string
	Value Value
	// Prefix marks NAME=value words in front of the command itself.
	Prefix bool
	// Unset says that the variable was in the starting environment and is not
	// passed on. Value is empty then.
	Unset bool
}

// Condition is a decision on an unknown.
type Condition struct {
	// Text is the condition as written, shortened to one line.
	Text   string
	Origin Origin
	// Holds tells which way was taken: true for "when it holds".
	Holds bool
	// Because lists the unknowns it depends on, when they are few.
	Because []Unknown
}

// Redirect is one redirection of a command.
type Redirect struct {
	// FD is the descriptor; 1 for "> f", 0 for "< f", -1 for "&> f".
	FD int
	// Op is the operator as written: ">", ">>", "<", ">&", "&>" ...
	Op     string
	Target Value
}

// Command is one external command the script would start.
type Command struct {
	// Argv is the command with its arguments, wrappers included. An argument
	// whose Words method is true may stand for several or none.
	Argv []Value
	// Inner is the index in Argv where the command behind all wrapper words
	// (exec, env, timeout, numactl, mpirun ...) starts; 0 without wrappers.
	Inner int
	// Env is what the environment has other than at the start: exported
	// variables by name, then prefix assignments in order. Shared between
	// commands: not to be changed.
	Env    []Assignment
	Dir    Value
	Origin Origin
	// Calls are the places of the function calls, sourced files and started
	// scripts that lead here, outermost first.
	Calls      []Origin
	Background bool
	// Stdin is what the command reads when HasStdin (here-document,
	// here-string, pipe, file of the repository).
	Stdin     Value
	HasStdin  bool
	Redirects []Redirect
	// Conditions must all hold for the command to run; empty is certain.
	Conditions []Condition
	// Modelled says that output and status came from a model.
	Modelled bool
	// Repeated says that it stands in a loop whose number of turns is not
	// known; it is listed for the first turns only.
	Repeated bool
}

// Name returns the program behind the wrappers without its directory, or ""
// when unknown. The directory itself may be unknown (command -v python3).
func (c Command) Name() string {
	if c.Inner >= len(c.Argv) {
		return ""
	}
	return programName(c.Argv[c.Inner])
}

// Exit is the certain end of a script before its last line.
type Exit struct {
	Origin Origin
	// Status is the exit status when Known.
	Status int
	Known  bool
}

// Written is a file the script would write.
type Written struct {
	// Path is absolute, clean, in the script's own file system.
	Path    string
	Content Value
	Origin  Origin
	// Certain is false when only some ways write it.
	Certain bool
}

// Limit names one of the limits of [Limits] that was reached.
type Limit struct {
	// Name is the field name in lower case words: "steps", "value bytes" ...
	Name   string
	Origin Origin
}

// Trace is what a script would do.
type Trace struct {
	// Commands are the external commands in order of the script.
	Commands []Command
	// Files are the repository files that were run, sourced or read, sorted,
	// each once: the closure of the script.
	Files []string
	// Probed are the repository paths that were looked for and not found,
	// sorted; adding one of them could change the trace.
	Probed []string
	// Written are the files the script would write, by path.
	Written []Written
	// Exit is set when the script certainly ends early.
	Exit *Exit
	// Assumed are conditions whose other way ends the script; the rest of the
	// trace takes them as decided.
	Assumed []Condition
	// Unknowns are those that may hide commands or settings: missing or
	// unreadable scripts, evaluated texts that are not known, required
	// variables that are not set, constructs that are not evaluated. Unknown
	// arguments and conditions are in the commands.
	Unknowns []Unknown
	// Limits are those that were reached; the trace is then incomplete.
	Limits []Limit
	// Steps is the number of evaluation steps taken.
	Steps int
	// Status is the exit status of the script when StatusKnown.
	Status      int
	StatusKnown bool
	// Env is the exported environment at the end, as in Command.Env.
	Env []Assignment
	// Stdout is what the script itself prints, as far as it is known.
	Stdout Value
	// Inputs are what the trace depends on besides the script and its options.
	Inputs Inputs
}

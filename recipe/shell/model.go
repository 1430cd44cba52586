package shell

// Call is what a model sees of a command.
type Call struct {
	// Argv is the command with its arguments.
	Argv []Value
	// Stdin is what it reads, when HasStdin.
	Stdin    Value
	HasStdin bool
	Origin   Origin
	// Lookup returns an exported variable.
	Lookup func(name string) (Value, bool)
	// ReadFile returns the content of a file of the repository or one the
	// script wrote. It is unknown for all others.
	ReadFile func(path Value) Value
	// List returns the names in an absolute directory of the repository, ok
	// false elsewhere. Directories end in "/".
	List func(dir string) (names []string, ok bool)
	// Dir is the working directory.
	Dir Value

	m *machine
}

// Step takes n units of the run's budget for work in proportion to n; when
// the budget is used up the run ends and Step does not return.
func (c *Call) Step(n int) { c.m.step(n) }

// Spend takes n bytes of the run's budget for a text about to be built; it
// does not return when they are not there.
func (c *Call) Spend(n int) { c.m.spend(n) }

// Fits reports whether a text of n bytes may be built as one value.
func (c *Call) Fits(n int) bool { return n >= 0 && n <= c.m.limits.ValueBytes }

// Text returns a known value that arises in this command.
func (c *Call) Text(s string) Value { return Text(s, c.Origin) }

// Unknown returns the output of this command as an unknown.
func (c *Call) Unknown(why Reason, detail string) Value { return c.m.unknown(why, detail) }

// Apply computes a text function of a value; when the value is one of a few
// alternatives, so is the result. An unknown value gives an unknown.
func (c *Call) Apply(v Value, f func(string) string) Value {
	return c.m.apply(v, programName(c.Argv[0]), f)
}

// Result is what a model says about a command.
type Result struct {
	Stdout Value
	// Status is the exit status; it counts only when StatusKnown.
	Status      int
	StatusKnown bool
	// Writes are files the command would write.
	Writes []FileWrite
}

// FileWrite is a file written by a modelled command.
type FileWrite struct {
	Path    Value
	Content Value
}

// Model computes a program from its arguments; it has no other input than the
// call.
type Model func(call *Call) Result

// Models are the modelled programs by name (without directory).
type Models map[string]Model

// Wrapper says how a program that starts another one takes its own arguments.
type Wrapper struct {
	// Valued are its flags that take a value as the next word.
	Valued []string
	// Values are flags that take another number of words than one.
	Values map[string]int
	// Operands is the number of own arguments before the command (1 for
	// timeout's duration).
	Operands int
	// Assigns says that NAME=value words before the command set its
	// environment (env).
	Assigns bool
	// Subcommands are the first words with which it starts a command ("run"
	// of docker); empty when it always does.
	Subcommands []string
	// Fresh says that the command does not get the environment, only what Env
	// and Assigns name (a container).
	Fresh bool
	// Script says that the command is a script file, not looked up in PATH
	// (sbatch).
	Script bool
	// Env are the flags with NAME=value, or NAME to pass a variable on; Dir
	// those that set the working directory; Entry those that name the program
	// itself; Unset those that take a variable away. All take a value.
	Env, Dir, Entry, Unset []string
}

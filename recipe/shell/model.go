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
	// Operands is the number of own arguments before the command (1 for
	// timeout's duration).
	Operands int
	// Assigns says that NAME=value words before the command set its
	// environment (env).
	Assigns bool
}

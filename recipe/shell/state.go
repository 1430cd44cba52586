package shell

// key names one entry of a state.
type key struct {
	space byte
	name  string
}

// The spaces of a state.
const (
	spaceVar   = 'v' // variables; "@" holds the positional parameters
	spaceFunc  = 'f' // functions
	spaceFile  = 'w' // files written, by absolute path
	spaceShell = 's' // the shell's own: directory, options
	spaceOut   = 'o' // collected output, by number
	spaceIn    = 'i' // input, by number
)

var (
	keyDir  = key{spaceShell, "dir"}
	keyArgs = key{spaceVar, "@"}
)

// kind is the form of a variable.
type kind uint8

const (
	scalar kind = iota
	indexed
	assoc
)

// variable is the content of an entry. Variables are never changed, only
// replaced, so states may share them.
type variable struct {
	kind kind
	// set is false for a variable that is declared but has no value.
	set      bool
	exported bool
	integer  bool
	upper    bool
	lower    bool
	nameref  bool
	val      Value
	// elems are the elements of an array in order; an element whose Words
	// method is true stands for any number. keys go with an assoc array, at
	// holds the indices of an indexed array that has gaps (nil without).
	elems []Value
	keys  []string
	at    []int
	fn    *function
	// partly marks a written file that only some ways write.
	partly bool
	// from is the starting variable whose value this may still be.
	from *given
}

// binding is one entry with those it hides: local variables of callers.
type binding struct {
	depth int
	v     *variable // nil is unset
	outer *binding
}

// exported reports whether the visible variable is exported.
func (b *binding) exported() bool { return b != nil && b.v != nil && b.v.exported }

// state is a layer over its base: the entries that differ from it. A base is
// not written while layers on it are open.
type state struct {
	base *state
	vars layer
	// start is the starting environment below the lowest layer; nil in a shell
	// that does not get it.
	start *givens
	cond  *conditions
	// pins counts suspended ways that stand on this layer; a pinned layer
	// must not be written.
	pins   int
	status status
	// env numbers the exported environment: layers with the same number have
	// the same one.
	env int
}

// conditions is the list of conditions of a way, innermost first.
type conditions struct {
	Condition
	outer *conditions
}

// status is an exit status.
type status struct {
	code    int
	unknown *Unknown // nil when code counts
}

func newState(base *state) *state {
	s := &state{base: base}
	if base != nil {
		s.start, s.cond, s.status, s.env = base.start, base.cond, base.status, base.env
	}
	return s
}

func (s *state) get(k key) *binding {
	start, bit := s.start, k.bit()
	for ; s != nil; s = s.base {
		if s.vars.bits&bit == 0 {
			continue
		}
		if b, ok := s.vars.get(k); ok {
			return b
		}
	}
	if start != nil && k.space == spaceVar {
		return start.get(k.name)
	}
	return nil
}

func (s *state) put(k key, b *binding) { s.vars.put(k, b) }

// changed adds the entries that the layers from s down to base (exclusive)
// write, each once.
func (s *state) changed(base *state, into *layer) {
	for ; s != base && s != nil; s = s.base {
		s.vars.each(func(k key) {
			if _, ok := into.get(k); !ok {
				into.put(k, nil)
			}
		})
	}
}

// pin keeps the layers from s down to base from being written.
func (s *state) pin(base *state, by int) {
	for ; s != nil; s = s.base {
		s.pins += by
		if s == base {
			return
		}
	}
}

package document

import "fmt"

// Fault is the kind of thing that is wrong with a document.
type Fault string

// The faults. FaultRange means a number outside what a double can hold, FaultFinite
// one of the literals NaN and Infinity, FaultLarge a limit on size, depth or count.
const (
	FaultSyntax    Fault = "syntax"
	FaultDuplicate Fault = "duplicate"
	FaultFinite    Fault = "finite"
	FaultRange     Fault = "range"
	FaultEncoding  Fault = "encoding"
	FaultLarge     Fault = "large"
)

// Error says where a document can't be read. Offset counts bytes from 0;
// Detail names what was found there.
type Error struct {
	Fault  Fault
	Offset int64
	Detail string
}

// Error returns the error as one line.
func (e *Error) Error() string {
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Detail)
}

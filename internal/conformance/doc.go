// Package conformance runs the product against a corpus of real history whose
// results the reference computed, and says where the two differ. It calls the
// functions that the commands call; nothing is special-cased for it.
package conformance

// Package pattern holds regular expressions that are compiled when they are
// first used. Compiling those of every room at start would cost a short
// command a tenth of its time.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles expr on its first call and returns
// the same expression ever after. It panics there when expr is wrong; the
// tests of a room call each of its patterns.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

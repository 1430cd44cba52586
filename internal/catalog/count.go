package catalog

import "strconv"

// Count returns a number with its noun: the text one for 1, many for all other
// numbers. Both texts show the number as {n}.
func Count(lang Language, one, many string, n int) string {
	code := many
	if n == 1 {
		code = one
	}
	return Message(lang, code, "n", strconv.Itoa(n))
}

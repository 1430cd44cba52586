package results

import "strings"

func lower(text string) string { return strings.ToLower(text) }

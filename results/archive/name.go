package archive

import (
	"path"
	"strings"
	"unicode/utf8"
)

const longestName = 1024

// safeName returns the clean form of an entry's name, and whether it is safe:
// relative, inside the artifact, without anything that some system reads as a
// drive, a device or a stream.
func safeName(name string) (string, bool) {
	if name == "" || len(name) > longestName || !utf8.ValidString(name) || name[0] == '/' {
		return "", false
	}
	if strings.ContainsAny(name, "\\:\x00") || strings.ContainsFunc(name, isControl) {
		return "", false
	}
	for _, part := range strings.Split(strings.TrimSuffix(name, "/"), "/") {
		if part == "" || part == ".." || isDevice(part) {
			return "", false
		}
	}
	clean := path.Clean(name)
	return clean, clean != "."
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// isDevice reports whether a path part is a device name of Windows, with or
// without an extension.
func isDevice(part string) bool {
	base, _, _ := strings.Cut(strings.ToLower(part), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && base[3] >= '0' && base[3] <= '9'
}

// isArchive reports whether a file is a zip archive by its name. Compressed
// tarballs are ordinary: server logs and eval traces come so, and are never
// opened here.
func isArchive(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".zip" || ext == ".jar"
}

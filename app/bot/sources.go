package bot

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// Sources are the files that findings about a change point into. Rooms name
// the files of the layout as the layout does; people and annotations need the
// path in the repository.
type Sources struct {
	Base, Head matrix.Files
	Layout     config.Layout
}

// baseMark stands behind the name of a file whose base side is meant.
const baseMark = " (base)"

// Locate returns findings whose files are paths in the repository.
func (s Sources) Locate(list diag.List) diag.List {
	out := slices.Clone(list)
	for i := range out {
		out[i].File = s.path(out[i].File)
		out[i].Related = slices.Clone(out[i].Related)
		for j := range out[i].Related {
			out[i].Related[j].File = s.path(out[i].Related[j].File)
		}
	}
	return out
}

// path resolves a name of the layout; every other name is a path already.
func (s Sources) path(name string) string {
	bare, onBase := strings.CutSuffix(name, baseMark)
	if bare == "" || bare != s.Layout.Changelog && bare != s.Layout.Runners && bare != s.Layout.Priority {
		return name
	}
	files, mark := s.Head, ""
	if onBase {
		files, mark = s.Base, baseMark
	}
	if files == nil {
		return name
	}
	full, err := s.Layout.Resolve(files, bare)
	if err != nil {
		return name
	}
	return full + mark
}

// File returns the bytes of a file that a located finding points into, nil
// where they cannot be had. Settings are those of the base.
func (s Sources) File(name string) []byte {
	name, onBase := strings.CutSuffix(name, baseMark)
	files := s.Head
	if onBase || slices.Contains(config.FileNames(), name) {
		files = s.Base
	}
	if files == nil {
		return nil
	}
	data, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

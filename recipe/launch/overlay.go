package launch

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/recipe/shell"
)

// overlay holds files that exist while a row is evaluated: texts given to a
// shell, files that a script writes for another.
type overlay struct {
	data  map[string][]byte
	count int
}

// overlayRoot is the folder of the overlay. Git refuses a path with this
// component, so that no file of a repository can lie there.
const overlayRoot = ".git/sweepbot"

func (o *overlay) next() int { o.count++; return o.count }

// folder is a new folder of the overlay.
func (o *overlay) folder() string { return overlayRoot + "/" + strconv.Itoa(o.next()) }

func (o *overlay) add(name string, data []byte) {
	if o.data == nil {
		o.data = make(map[string][]byte)
	}
	o.data[name] = data
}

// holds reports whether a path belongs to the overlay.
func (o *overlay) holds(name string) bool {
	_, ok := o.data[name]
	return ok || strings.HasPrefix(name, overlayRoot+"/")
}

// list returns the names in a directory of the overlay, sorted.
func (o *overlay) list(dir string) []string {
	var names []string
	for name := range o.data {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	sort.Strings(names)
	return names
}

// over returns the overlay on top of the repository.
func (o *overlay) over(below *files) shell.Files { return laid{o, below} }

type laid struct {
	top   *overlay
	below *files
}

// ReadFile returns the content of a file, ok false when there is none.
func (l laid) ReadFile(name string) ([]byte, bool, error) {
	if l.top.holds(name) {
		data, ok := l.top.data[name]
		return data, ok, nil
	}
	return l.below.ReadFile(name)
}

// List returns the names in a directory.
func (l laid) List(dir string) ([]string, bool) {
	if !l.top.holds(dir) {
		return l.below.List(dir)
	}
	names := l.top.list(dir)
	return names, names != nil
}

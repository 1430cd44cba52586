package localrun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// folders is where sweeps lie that were given no folder.
const folders = ".sweepbot"

// Folder returns the folder of a sweep as an absolute path: the one that is
// named or, for "", a new one below .sweepbot in the current directory. With
// resume "" means the newest one.
func Folder(named string, resume bool) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	for n := 1; ; n++ {
		name := filepath.Join(folders, fmt.Sprintf("sweep-%d", n))
		_, err := os.Lstat(name)
		switch {
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return "", outside(err)
		case resume && n == 1:
			return "", diag.New("localrun.nothing-to-resume", diag.Place{File: folders}).In("usage")
		case resume:
			name = filepath.Join(folders, fmt.Sprintf("sweep-%d", n-1))
		}
		return filepath.Abs(name)
	}
}

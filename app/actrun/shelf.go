package actrun

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// shelf is the folder that the stand-ins put artifacts in.
type shelf struct {
	dir      string
	run      *sandbox.RunHandle
	uploaded map[string]bool
}

// upload stores the artifacts that are new, and reports whether all could be.
// What went wrong is in the log of the job, if one is given.
func (s *shelf) upload(job *sandbox.JobHandle) bool {
	entries, err := os.ReadDir(s.dir)
	fine := err == nil
	for _, e := range entries {
		name := e.Name()
		if s.uploaded[name] || strings.HasPrefix(name, ".") { // half of an upload begins with a dot
			continue
		}
		s.uploaded[name] = true
		archive, err := pack(filepath.Join(s.dir, name))
		if err == nil {
			_, err = s.run.UploadArtifact(name, archive)
		}
		if err != nil {
			fine = false
			if job != nil {
				log(job, name+": "+err.Error())
			}
		}
	}
	return fine
}

// pack makes an archive of the regular files of a folder, without compression:
// it is read on this machine only.
func pack(dir string) (io.Reader, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return addFile(w, root, name)
	})
	if err != nil {
		return nil, err
	}
	return &out, w.Close()
}

func addFile(w *zip.Writer, root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	to, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.Copy(to, f)
	return err
}

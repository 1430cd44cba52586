package collect

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// The files of a folder: what was listed, and the archives by id.
const (
	indexName  = "collection.json"
	archives   = "zip"
	planFile   = "plan.json"
	planName   = "sweepbot-plan" // the artifact that holds it
	indexLimit = 64 << 20
)

// index is collection.json: everything that the platform said about the run,
// so that a folder can be read again without it.
type index struct {
	Version    int       `json:"version"`
	Repository string    `json:"repository"`
	Run        bot.Run   `json:"run"`
	Jobs       []bot.Job `json:"jobs"`
	Uploads    []upload  `json:"uploads"`
	// Logs are the ends of the logs of failed jobs, by job.
	Logs map[int64]string `json:"logs,omitempty"`
}

const indexVersion = 1

// upload is an artifact as the platform lists it.
type upload struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Size    int64     `json:"size"`
	Digest  string    `json:"digest,omitempty"`
	Created time.Time `json:"created"`
	Expired bool      `json:"expired,omitempty"`
	Run     int64     `json:"run"`
	// Failed says why the archive is not here, "" when it is or was not wanted.
	Failed string `json:"failed,omitempty"`
}

func (u upload) result() results.Upload {
	return results.Upload{ID: u.ID, Name: u.Name, Size: u.Size, Digest: u.Digest, Created: u.Created, Expired: u.Expired, Run: u.Run}
}

// zipName is the file of an archive in the folder of archives.
func zipName(id int64) string { return strconv.FormatInt(id, 10) + ".zip" }

func archiveName(id int64) string { return filepath.Join(archives, zipName(id)) }

// readIndex reads collection.json; nil for a folder that has none.
func readIndex(root *os.Root) (*index, error) {
	data, err := readFile(root, indexName, indexLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, outside(indexName, err)
	}
	var x index
	if err := json.Unmarshal(data, &x); err != nil || x.Version != indexVersion {
		return nil, diag.New("collect.index", diag.Place{File: indexName}).In("unreadable")
	}
	return &x, nil
}

// write stores collection.json in one step: it is the old one or the new one.
func (x *index) write(root *os.Root) error {
	data, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return err
	}
	return outside(indexName, replace(root, indexName, append(data, '\n')))
}

// replace writes a file beside and puts it into its place.
func replace(root *os.Root, name string, data []byte) error {
	beside := name + ".part"
	if err := root.WriteFile(beside, data, 0o644); err != nil {
		return err
	}
	return root.Rename(beside, name)
}

// readFile reads a regular file of bounded size. Links are not followed out of
// the folder.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, diag.New("collect.not-regular", diag.Place{File: name}).In("unsafe")
	case info.Size() > limit:
		return nil, diag.New("collect.too-large", diag.Place{File: name}, "limit", strconv.FormatInt(limit>>20, 10)+" MiB").In("unsafe")
	}
	return root.ReadFile(name)
}

// outside is an error of the machine as a finding.
func outside(name string, err error) error {
	var f diag.Finding
	if err == nil || errors.As(err, &f) {
		return err
	}
	return diag.New("collect.folder", diag.Place{File: name}, "detail", err.Error()).In("unreadable")
}

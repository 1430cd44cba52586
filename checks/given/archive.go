package given

import (
	"archive/zip"
	"bytes"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Limits of archives: what they may hold unpacked, and in how many files.
const (
	MaxUnpacked = 256 << 20
	maxEntries  = 50_000
)

func isZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// FilesFolder is the folder of an archive that holds files of artifacts, as
// <artifact id>/<name>, the name escaped as in a URL.
const FilesFolder = "artifact_files/"

// readZip takes the evidence files of an archive: JSON documents outside of
// other folders than evidence, and files of artifacts.
func (r *Reader) readZip(name string, data []byte) error {
	entries, err := Unzip(name, data)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name, FilesFolder); ok {
			id, escaped, _ := strings.Cut(rest, "/")
			file, err := url.PathUnescape(escaped)
			if err != nil || !number().MatchString(id) {
				return diag.New("checks.evidence-no-id", diag.Place{File: name + ":" + e.Name}).In("unreadable")
			}
			r.addFile(parseID(id), file, e.Data)
			continue
		}
		if path.Ext(e.Name) != ".json" || strings.HasPrefix(e.Name, "git/") || e.Name == "case.json" || e.Name == "results.json" {
			continue
		}
		if err := r.readJSON(name+":"+e.Name, e.Data); err != nil {
			return err
		}
	}
	return nil
}

// Entry is a file of an archive.
type Entry struct {
	Name string
	Data []byte
}

// Unzip unpacks an archive in memory, within the limits; names are only keys.
func Unzip(name string, data []byte) ([]Entry, error) {
	refuse := func(code string, args ...string) error {
		return diag.New(code, diag.Place{File: name}, args...).In("unreadable")
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refuse("checks.bundle-zip", "detail", err.Error())
	}
	if len(archive.File) > maxEntries {
		return nil, refuse("checks.bundle-entries", "limit", strconv.Itoa(maxEntries))
	}
	left := int64(MaxUnpacked)
	var out []Entry
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		content, err := f.Open()
		if err != nil {
			return nil, refuse("checks.bundle-zip", "detail", err.Error())
		}
		text, err := io.ReadAll(io.LimitReader(content, left+1))
		_ = content.Close()
		if err != nil {
			return nil, refuse("checks.bundle-zip", "detail", err.Error())
		}
		if left -= int64(len(text)); left < 0 {
			return nil, refuse("checks.bundle-size", "limit", strconv.Itoa(MaxUnpacked>>20))
		}
		out = append(out, Entry{f.Name, text})
	}
	return out, nil
}

package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/given"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// format is the version of the layout of bundles.
const format = 1

// caseFile is case.json: what was known before any evidence was read.
type caseFile struct {
	Format      int             `json:"format"`
	Repository  string          `json:"repository,omitempty"`
	Site        string          `json:"site,omitempty"`
	PR          int             `json:"pr,omitempty"`
	Base        string          `json:"base"`
	Head        string          `json:"head"`
	Target      string          `json:"target"`
	MovedTo     string          `json:"moved_to,omitempty"`
	Signer      string          `json:"signer,omitempty"`
	Association string          `json:"association,omitempty"`
	Date        string          `json:"date"`
	Era         string          `json:"era,omitempty"`
	SignOff     *checks.SignOff `json:"sign_off,omitempty"`
}

// commitsFile is git/commits.json.
type commitsFile struct {
	Ranges   map[string]span     `json:"ranges"`
	Single   map[string]*commit  `json:"single"`
	Versions map[string]versions `json:"versions,omitempty"`
}

// treeFile is git/trees/<revision>.json.
type treeFile struct {
	Revision string     `json:"revision"`
	Commit   commit     `json:"commit"`
	Answers  []answered `json:"answers"`
}

// The names of the files of a bundle.
const (
	nameCase     = "case.json"
	nameEvidence = "evidence.json"
	nameResults  = "results.json"
	nameChanges  = "git/changes.json"
	nameCommits  = "git/commits.json"
	folderTrees  = "git/trees/"
	folderBlobs  = "git/blobs/"
)

// Archive writes the verification as a zip file. The same verification gives
// the same bytes.
func (v *Verification) Archive() ([]byte, error) {
	files := make(map[string][]byte)
	documents := map[string]any{
		nameCase: v.caseFile(), nameEvidence: v.source.documents, nameResults: verdict.NewDocument(v.Results),
		nameChanges: v.history.changes, nameCommits: commitsFile{v.history.ranges, v.history.commits, v.history.files},
	}
	for rev, tree := range v.history.trees {
		documents[folderTrees+url.PathEscape(rev)+".json"] = treeFile{rev, tree.commit, tree.answers()}
	}
	for name, document := range documents {
		data, err := json.MarshalIndent(document, "", " ")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = append(data, '\n')
	}
	for oid, data := range v.history.blobs {
		files[folderBlobs+oid] = data
	}
	for artifact, list := range v.source.documents.Files {
		for name, data := range list {
			files[given.FilesFolder+strconv.FormatInt(artifact, 10)+"/"+url.PathEscape(name)] = data
		}
	}
	return zipped(files)
}

// zipped packs files by name, without times.
func zipped(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (v *Verification) caseFile() caseFile {
	return caseFile{
		format, v.Repository, v.Site, v.PR, v.Base, v.Head, v.Target, v.MovedTo, v.Signer, v.Association,
		v.Date.Format(time.DateOnly), v.Era, v.SignOff,
	}
}

// Is reports whether a file is a bundle, by what it holds.
func Is(entries []given.Entry) bool {
	return slices.ContainsFunc(entries, func(e given.Entry) bool { return e.Name == nameCase })
}

// Replay verifies again from a bundle, with nothing but it. Name is for
// messages; errors about the bundle are findings.
func Replay(ctx context.Context, registry *checks.Registry, name string, data []byte) (*Verification, error) {
	entries, err := given.Unzip(name, data)
	if err != nil {
		return nil, err
	}
	if !Is(entries) {
		return nil, diag.New("checks.bundle-none", diag.Place{File: name}).In("unreadable")
	}
	reader := &given.Reader{}
	if err := reader.Read(name, data); err != nil {
		return nil, err
	}
	documents, err := reader.Documents()
	if err != nil {
		return nil, err
	}
	c, history := caseFile{}, newArchivist(nil)
	for _, e := range entries {
		if err := unpack(&c, history, e); err != nil {
			return nil, diag.New("checks.bundle-file", diag.Place{File: name + ":" + e.Name}, "detail", err.Error()).In("unreadable")
		}
	}
	of, err := c.read()
	if err != nil {
		return nil, diag.New("checks.bundle-file", diag.Place{File: name + ":" + nameCase}, "detail", err.Error()).In("unreadable")
	}
	return Verify(ctx, registry, of, c.Era, given.Source{Documents: documents}, archived{history})
}

// unpack reads one file of the git part, or the case.
func unpack(c *caseFile, history *archivist, e given.Entry) error {
	if oid, ok := strings.CutPrefix(e.Name, folderBlobs); ok {
		history.blobs[oid] = e.Data
		return nil
	}
	switch {
	case e.Name == nameCase:
		return json.Unmarshal(e.Data, c)
	case e.Name == nameChanges:
		return json.Unmarshal(e.Data, &history.changes)
	case e.Name == nameCommits:
		return json.Unmarshal(e.Data, &commitsFile{history.ranges, history.commits, history.files})
	case strings.HasPrefix(e.Name, folderTrees):
		var tree treeFile
		if err := json.Unmarshal(e.Data, &tree); err != nil {
			return err
		}
		noted := &notedTree{commit: tree.Commit, questions: make(map[question]answered, len(tree.Answers))}
		for _, a := range tree.Answers {
			noted.questions[question{a.Kind, string(a.Path)}] = a
		}
		history.trees[tree.Revision] = noted
	}
	return nil
}

func (c caseFile) read() (checks.Case, error) {
	day, err := time.Parse(time.DateOnly, c.Date)
	switch {
	case err != nil:
		return checks.Case{}, err
	case c.Format != format:
		return checks.Case{}, fmt.Errorf("it has format %d, this version reads format %d", c.Format, format)
	}
	return checks.Case{
		Repository: c.Repository, Site: c.Site, PR: c.PR, Base: c.Base, Head: c.Head, Target: c.Target, MovedTo: c.MovedTo,
		SignOff: c.SignOff, Signer: c.Signer, Association: c.Association, Date: day,
	}, nil
}

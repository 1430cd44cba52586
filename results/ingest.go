package results

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/document"
)

// Blob is the archive of an upload.
type Blob interface {
	io.ReaderAt
	io.Closer
	// Size is the length in bytes.
	Size() int64
}

// Opener gives the archive of an upload. Its error concerns that upload only;
// fs.ErrNotExist means that the platform no longer has it.
type Opener func(ctx context.Context, u Upload) (Blob, error)

// Ingest reads the artifacts of a run, one at a time, and returns what they
// hold. Memory does not grow with their size, and with their number only by
// what a row needs. An artifact that breaks a rule is refused alone; the error
// is that of ctx.
func Ingest(ctx context.Context, uploads []Upload, open Opener, rules Rules) (Harvest, error) {
	chosen, _ := Choose(uploads)
	h := Harvest{artifacts: make(map[string]Artifact, len(chosen)), seen: make(map[Upload]bool, len(uploads))}
	for _, u := range uploads {
		h.seen[u] = true
	}
	for _, u := range chosen {
		if err := ctx.Err(); err != nil {
			return h, err
		}
		a := Artifact{Upload: u, Kind: KindOf(u.Name)}
		if !u.Expired && a.Kind.opened() {
			a.read(ctx, open, rules)
		}
		h.artifacts[u.Name] = a
	}
	return h, nil
}

// HarvestTree reads artifacts that lie unpacked in folders, as a local run or a
// download leaves them. They have no times, ids or digests: the folder's name is
// the artifact's.
func HarvestTree(t Tree, rules Rules) Harvest {
	h := Harvest{artifacts: make(map[string]Artifact, len(t.folders)), seen: make(map[Upload]bool, len(t.folders))}
	for _, folder := range t.folders {
		a := Artifact{Upload: Upload{Name: folder.Name}, Kind: KindOf(folder.Name)}
		if a.Kind.opened() {
			a.readContent(folder.Content, rules)
		}
		h.seen[a.Upload], h.artifacts[folder.Name] = true, a
	}
	return h
}

// opened reports whether artifacts of the kind hold something that is read.
func (k Kind) opened() bool { return k != OtherKind && k != RawAgentic }

// read fills the artifact from its archive.
func (a *Artifact) read(ctx context.Context, open Opener, rules Rules) {
	blob, err := open(ctx, a.Upload)
	if err != nil {
		a.refuse(err)
		return
	}
	defer blob.Close()
	if err := archive.VerifyDigest(blob, blob.Size(), a.Upload.Digest); err != nil {
		a.refuse(err)
		return
	}
	content, err := archive.OpenZip(blob, blob.Size(), rules.Archive)
	if err != nil {
		a.refuse(err)
		return
	}
	a.readContent(content, rules)
}

// refuse drops everything that was read and keeps the reason.
func (a *Artifact) refuse(err error) {
	a.Rows, a.Evals, a.Success, a.Metadata = nil, nil, nil, nil
	a.Refused = true
	a.Findings = append(a.Findings, refusal(a.Upload.Name, err))
}

// refusal is the finding for an artifact that can't be read.
func refusal(name string, err error) diag.Finding {
	place := diag.Place{File: name}
	var broken *archive.Error
	switch {
	case errors.As(err, &broken):
		if broken.Name != "" {
			place.File = path.Join(name, path.Base(path.Clean("/"+broken.Name)))
		}
		return diag.New("results.archive-"+string(broken.Reason), place, "artifact", name, "entry", orDash(broken.Name), "detail", orDash(broken.Detail))
	case errors.Is(err, fs.ErrNotExist):
		return diag.New("results.artifact-gone", place, "artifact", name)
	}
	return diag.New("results.artifact-unreadable", place, "artifact", name, "error", err.Error())
}

// orDash is a part of an archive's refusal in messages. Names come from the
// archive: they are quoted where they hold anything unusual.
func orDash(text string) string {
	switch {
	case text == "":
		return "-"
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '`' || r == '@' || r == '<' }):
		return strconv.Quote(text)
	}
	return text
}

// readContent reads what the kind of the artifact holds.
func (a *Artifact) readContent(content archive.Content, rules Rules) {
	var err error
	switch a.Kind {
	case FixedPoint, AgenticPoint:
		err = a.eachJSON(content, func(file archive.File) error { return a.readRows(content, file, rules) })
	case BenchmarkAggregate, EvalAggregate:
		err = a.eachJSON(content, func(file archive.File) error { return a.readAggregate(content, file, rules) })
	case RawEval:
		err = a.readEval(content, rules)
	case RunStatistics, ChangelogMetadata, JobEvent:
		err = a.eachJSON(content, func(file archive.File) error { return a.readSmall(content, file, rules) })
	}
	if err != nil {
		a.refuse(err)
		return
	}
	if a.Kind == FixedPoint || a.Kind == AgenticPoint {
		a.requireRows()
	}
}

// requireRows reports a point artifact that holds no row at all: nothing was
// measured, whatever colour its job has (spec/known-failures.md F45).
func (a *Artifact) requireRows() {
	if len(a.Rows) == 0 && !a.Findings.Refused() {
		a.Findings = append(a.Findings, diag.New("results.artifact-empty", a.Upload.place(), "artifact", a.Upload.Name))
	}
}

func (a *Artifact) eachJSON(content archive.Content, do func(archive.File) error) error {
	for _, file := range content.Files() {
		if path.Ext(file.Name) == ".json" {
			if err := do(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// source is the name of a file for rows and findings.
func (a *Artifact) source(file string) string { return path.Join(a.Upload.Name, file) }

// elements reads the members of a JSON file one by one. A member that is no
// JSON is a finding; what makes the archive unreadable is an error.
func (a *Artifact) elements(content archive.Content, file archive.File, limit int, yield func(doc ordjson.Value)) (isArray bool, err error) {
	in, err := content.Open(file.Name)
	if err != nil {
		return false, err
	}
	defer in.Close()
	isArray, err = document.Stream(in, limit, func(data []byte) error {
		doc, err := document.Parse(data, document.Options{NonFinite: true})
		if err != nil {
			a.Findings = append(a.Findings, unreadable(a.source(file.Name), err))
			return nil
		}
		yield(doc)
		return nil
	})
	var broken *document.Error
	if errors.As(err, &broken) {
		a.Findings = append(a.Findings, unreadable(a.source(file.Name), err))
		err = nil
	}
	return isArray, err
}

// readRows reads the row, or the rows, of a point.
func (a *Artifact) readRows(content archive.Content, file archive.File, rules Rules) error {
	_, err := a.elements(content, file, rules.RowBytes, func(doc ordjson.Value) {
		row, list := ReadRow(a.source(file.Name), doc, rules)
		a.Findings = append(a.Findings, list...)
		if !list.Refused() {
			a.Rows = append(a.Rows, row)
		}
	})
	return err
}

// readAggregate reads the rows of an aggregate, which must be a list.
func (a *Artifact) readAggregate(content archive.Content, file archive.File, rules Rules) error {
	isArray, err := a.elements(content, file, rules.RowBytes, func(doc ordjson.Value) {
		if a.Kind == EvalAggregate {
			a.addEval(file.Name, doc, ordjson.Value{}, rules)
			return
		}
		row, list := ReadRow(a.source(file.Name), doc, rules)
		a.Findings = append(a.Findings, list...)
		if !list.Refused() {
			a.Rows = append(a.Rows, row)
		}
	})
	if err == nil && !isArray {
		a.Findings = append(a.Findings, wrongShape(a.source(file.Name), "a list of rows"))
	}
	return err
}

// readEval makes the eval rows of a raw eval artifact.
func (a *Artifact) readEval(content archive.Content, rules Rules) error {
	f, err := loadEvalFolder(content, "", a.Upload.Name, rules)
	if err != nil {
		return err
	}
	switch f.state {
	case metaAbsent:
		a.Findings = append(a.Findings, diag.New("results.eval-meta-missing", a.Upload.place(), "artifact", a.Upload.Name).In("eval-meta-missing"))
		return nil
	case metaNoObject:
		a.Findings = append(a.Findings, diag.New("results.eval-meta-not-object", a.Upload.place(), "artifact", a.Upload.Name).In("eval-meta-not-object"))
		return nil
	}
	rows, list := f.rows(rules)
	a.Findings = append(a.Findings, list...)
	for _, row := range rows {
		a.addEval(metaFile, row, f.meta, rules)
	}
	return nil
}

func (a *Artifact) addEval(file string, doc, layout ordjson.Value, rules Rules) {
	row, list := ReadEvalRow(a.source(file), doc, layout, rules)
	a.Findings = append(a.Findings, list...)
	if !list.Refused() {
		a.Evals = append(a.Evals, row)
	}
}

// readSmall reads a document that is small by nature.
func (a *Artifact) readSmall(content archive.Content, file archive.File, rules Rules) error {
	data, err := readFile(content, file, rules.RowBytes)
	if err != nil {
		return err
	}
	var list diag.List
	switch source := a.source(file.Name); a.Kind {
	case RunStatistics:
		a.Success, list = ReadRunStats(source, data)
	case ChangelogMetadata:
		var m Metadata
		if m, list = ReadMetadata(source, data); !list.Refused() {
			a.Metadata = &m
		}
	case JobEvent:
		doc, err := document.Parse(data, document.Options{})
		switch {
		case err != nil:
			list = diag.List{unreadable(source, err).WithSeverity(diag.Warning)}
		case doc.Kind != ordjson.Object:
			list = diag.List{wrongShape(source, "an object").WithSeverity(diag.Warning)}
		default:
			a.Event = doc
		}
	}
	a.Findings = append(a.Findings, list...)
	return nil
}

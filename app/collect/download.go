package collect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
)

// Source is the platform that holds the run.
type Source interface {
	WorkflowRun(ctx context.Context, id int64) (bot.Run, error)
	// Jobs lists the jobs of all attempts with attempt 0.
	Jobs(ctx context.Context, runID int64, attempt int) ([]bot.Job, error)
	Artifacts(ctx context.Context, runID int64) ([]bot.Artifact, error)
	OpenArtifact(ctx context.Context, id int64) (io.ReadCloser, error)
}

// Options say what is downloaded, and where to.
type Options struct {
	Repository string // owner/name, for the report
	Run        int64
	Dir        string
	// Parallel is the number of downloads side by side; 0 is 8.
	Parallel int
	// Progress hears of every archive that is there, in any order but one at a
	// time; nil for nobody.
	Progress func(Progress)
}

// Progress counts archives and bytes.
type Progress struct {
	Done, Total int
	// Bytes were downloaded, Kept archives were there before.
	Bytes int64
	Kept  int
}

const defaultParallel = 8

// Download brings the results of a run into a folder. Of every name the newest
// unexpired upload counts, whatever attempt it is of (spec/results.md section
// 9); logs, raw data and metrics are left where they are. What is already there
// and has its digest is kept, so that an interrupted download goes on. One
// archive that can't be had is a finding and costs no other its place; the
// error is for what stops everything.
func Download(ctx context.Context, from Source, o Options) (Progress, diag.List, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return Progress{}, nil, outside(o.Dir, err)
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return Progress{}, nil, outside(o.Dir, err)
	}
	defer root.Close()
	held, err := openShelf(root, true)
	if err != nil {
		return Progress{}, nil, outside(archives, err)
	}
	defer held.Close()
	x, err := list(ctx, from, root, o)
	if err != nil {
		return Progress{}, nil, err
	}
	d := &downloader{from: from, root: root, shelf: held, options: o}
	wanted := x.wanted()
	d.progress.Total = len(wanted)
	if err := d.all(ctx, wanted); err != nil {
		return d.progress, nil, err
	}
	for i, u := range x.Uploads {
		x.Uploads[i].Failed = d.failed[u.ID]
	}
	if err := d.plan(x); err != nil {
		return d.progress, nil, err
	}
	return d.progress, x.problems(), x.write(root)
}

// list asks the platform for the run and stores what it says. A folder that
// holds another run is refused: results of two runs are never mixed.
func list(ctx context.Context, from Source, root *os.Root, o Options) (*index, error) {
	old, err := readIndex(root)
	if err != nil {
		return nil, err
	}
	if old != nil && (old.Run.ID != o.Run || old.Repository != o.Repository) {
		return nil, diag.New("collect.other-run", diag.Place{File: indexName}, "run", strconv.FormatInt(old.Run.ID, 10), "want", strconv.FormatInt(o.Run, 10)).In("usage")
	}
	x := &index{Version: indexVersion, Repository: o.Repository}
	if x.Run, err = from.WorkflowRun(ctx, o.Run); err != nil {
		return nil, err
	}
	if x.Jobs, err = from.Jobs(ctx, o.Run, 0); err != nil {
		return nil, err
	}
	x.Logs = LogEnds(ctx, from, x.Jobs)
	artifacts, err := from.Artifacts(ctx, o.Run)
	if err != nil {
		return nil, err
	}
	for _, a := range artifacts {
		x.Uploads = append(x.Uploads, upload{ID: a.ID, Name: a.Name, Size: a.Size, Digest: a.Digest, Created: a.CreatedAt, Expired: a.Expired, Run: o.Run})
	}
	return x, x.write(root)
}

// wanted are the uploads whose archives are needed, largest first, so that no
// big one is left for the end.
func (x *index) wanted() []results.Upload {
	chosen, _ := results.Choose(x.results())
	chosen = slices.DeleteFunc(chosen, func(u results.Upload) bool { return u.Expired || !needed(u.Name) })
	slices.SortStableFunc(chosen, func(a, b results.Upload) int {
		switch {
		case a.Size > b.Size:
			return -1
		case a.Size < b.Size:
			return 1
		}
		return 0
	})
	return chosen
}

func (x *index) results() []results.Upload {
	out := make([]results.Upload, len(x.Uploads))
	for i, u := range x.Uploads {
		out[i] = u.result()
	}
	return out
}

func needed(name string) bool {
	kind := results.KindOf(name)
	return name == planName || kind != results.OtherKind && kind != results.RawAgentic
}

func (x *index) problems() diag.List {
	var out diag.List
	for _, u := range x.Uploads {
		if u.Failed != "" {
			out = append(out, diag.New("collect.artifact", diag.Place{File: u.Name}, "artifact", u.Name, "detail", diag.Printable(u.Failed)))
		}
	}
	return out
}

type downloader struct {
	from    Source
	root    *os.Root
	shelf   *shelf
	options Options

	mu       sync.Mutex
	progress Progress
	failed   map[int64]string
}

func (d *downloader) all(ctx context.Context, uploads []results.Upload) error {
	d.failed = make(map[int64]string)
	parallel := d.options.Parallel
	if parallel <= 0 {
		parallel = defaultParallel
	}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for _, u := range uploads {
		if running.Err() != nil {
			break
		}
		group.Go(func() error { return d.one(running, u) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// tries is how often an archive is asked for whose bytes are not those of its
// digest.
const tries = 2

// one downloads an archive. Its error ends the whole download.
func (d *downloader) one(ctx context.Context, u results.Upload) error {
	if d.kept(u) {
		d.done(0, true)
		return nil
	}
	var bytes int64
	var err error
	for range tries {
		if bytes, err = d.fetch(ctx, u); err == nil || !errors.Is(err, errDigest) {
			break
		}
	}
	var full *os.PathError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &full):
		return outside(archives, err) // our own disk: no other download would do better
	case errors.Is(err, bot.ErrForbidden):
		return err // as it will be for the others
	case err != nil:
		d.mu.Lock()
		d.failed[u.ID] = err.Error()
		d.mu.Unlock()
	}
	d.done(bytes, false)
	return nil
}

var errDigest = errors.New("the archive is not the one that was uploaded: its digest differs")

// fetch streams an archive to its place and holds it against its digest.
func (d *downloader) fetch(ctx context.Context, u results.Upload) (int64, error) {
	in, err := d.from.OpenArtifact(ctx, u.ID)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	sum := sha256.New()
	return d.shelf.store(u.ID, io.TeeReader(in, sum), func() error {
		if !matches(sum, u.Digest) {
			return errDigest
		}
		return nil
	})
}

func matches(sum hash.Hash, digest string) bool {
	return digest == "" || digest == "sha256:"+hex.EncodeToString(sum.Sum(nil))
}

// kept reports whether the archive is there already, whole. Ids are never used
// twice.
func (d *downloader) kept(u results.Upload) bool {
	b, err := d.shelf.open(u.ID)
	if err != nil {
		return false
	}
	defer b.Close()
	return archive.VerifyDigest(b, b.Size(), u.Digest) == nil
}

func (d *downloader) done(bytes int64, kept bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.progress.Done++
	d.progress.Bytes += bytes
	if kept {
		d.progress.Kept++
	}
	if d.options.Progress != nil {
		d.options.Progress(d.progress)
	}
}

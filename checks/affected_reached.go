package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/results"
)

// ReachedKey is a config key of which nothing changed but shared code that its
// points run (spec/checks.md section 1.3, steps 4 and 6).
type ReachedKey struct {
	Key    string
	Config *matrix.Config
	// Files are changed shared files that a point of it runs.
	Files []string
}

// maxInterpreted bounds the rows that are interpreted to find out who runs a
// changed file; the rest is not counted. It is a number, not a time, so that
// the same change gives the same row.
const maxInterpreted = 250

// sharedRoles are the roles of files that points of many keys run.
var sharedRoles = []Role{RoleSetup, RoleShared, RoleLaunch, RoleClient}

// reach finds the keys that run changed shared files, after those that are
// affected by themselves.
func (f *finder) reach(ctx context.Context) error {
	r := reacher{finder: f, isolation: isolation{e: f.e, affected: f.out, base: f.base, head: f.head}}
	if err := r.shared(ctx); err != nil || len(r.files) == 0 {
		return err
	}
	known := make(map[string]bool)
	for _, k := range f.out.Keys {
		known[k.Key] = true
	}
	for _, key := range f.head.keys() {
		if known[key] || f.base.Config(key) == nil {
			continue
		}
		if err := r.key(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// reacher looks for the keys that run shared files.
type reacher struct {
	*finder
	isolation   isolation
	files       []gitrepo.Change
	interpreted int
}

// shared keeps the changed shared files; what only changes comments reaches
// nobody.
func (r *reacher) shared(ctx context.Context) error {
	changes, err := r.e.Changed(ctx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !slices.Contains(sharedRoles, r.e.Role(c.Path)) || strings.HasSuffix(c.Path, ".md") || c.NewMode.IsSymlink() {
			continue
		}
		same, err := r.isolation.onlyComments(c)
		if err != nil {
			return err
		}
		if !same {
			r.files = append(r.files, c)
		}
	}
	return nil
}

// key looks at one row of each kind that a key has: rows that differ in points
// only start the same files.
func (r *reacher) key(ctx context.Context, key string) error {
	var ran []string
	changed := false
	seen := make(map[string]bool)
	for _, row := range r.head.RowsOf(key) {
		kind := row.Bucket() + "|" + row.Entry.SpecDecoding
		may := r.may(row)
		if seen[kind] || len(may) == 0 {
			continue
		}
		seen[kind] = true
		files, err := r.runs(ctx, row, may)
		if err != nil {
			return err
		}
		ran = append(ran, files...)
		if len(files) > 0 && !changed {
			if changed, err = r.boundOtherwise(ctx, row); err != nil {
				return err
			}
		}
	}
	if len(ran) == 0 {
		return nil
	}
	slices.Sort(ran)
	ran = slices.Compact(ran)
	if changed || r.e.Settings.Checks.Reached == config.ReachedAffected {
		r.out.Keys = append(r.out.Keys, AffectedKey{
			Key: key, Label: KeyModified, Config: r.head.Config(key), Rows: r.head.RowsOf(key), Base: r.base.RowsOf(key), Invalid: r.head.Invalid[key], Files: ran,
		})
		return nil
	}
	r.out.Reached = append(r.out.Reached, ReachedKey{Key: key, Config: r.head.Config(key), Files: ran})
	return nil
}

// may are the shared files that a row can run, by names alone.
func (r *reacher) may(row *matrix.Row) []gitrepo.Change {
	var out []gitrepo.Change
	for _, c := range r.files {
		if r.mayRun(row, c.Path) {
			out = append(out, c)
		}
	}
	return out
}

// mayRun reports whether a row can run a shared file: the launchers of other
// machines, the scripts of the other number of nodes, the client of the other
// scenario and the code of other clusters it can't.
func (r *reacher) mayRun(row *matrix.Row, name string) bool {
	folder, file := path.Split(name)
	stem := strings.TrimSuffix(file, path.Ext(file))
	multi := row.Config.Multinode
	switch {
	case strings.HasPrefix(file, "launch_") && strings.HasSuffix(folder, "runners/"):
		return slices.Contains(r.head.resolver.Launchers(row), strings.TrimPrefix(stem, "launch_"))
	case strings.Contains(name, "benchmarks/multi_node/"):
		return multi && (!strings.Contains(name, "/amd_utils/") || Vendor(results.SKU(row.Runner)) == "AMD") &&
			(!strings.Contains(name, "/tilert_utils/") || row.Config.Framework == "tilert")
	case strings.Contains(name, "benchmarks/single_node/"):
		return !multi
	case r.e.Role(name) == RoleShared:
		return sharedBlock(row, stem)
	case strings.Contains(name, "infx/clusters/"):
		cluster, _, _ := strings.Cut(name[strings.Index(name, "infx/clusters/")+len("infx/clusters/"):], "/")
		return strings.HasSuffix(strings.ToLower(row.Runner), strings.ToLower(strings.TrimSuffix(cluster, path.Ext(cluster))))
	case strings.Contains(name, "synthetic"):
		return row.Agentic() && row.Entry.SpecDecoding != "" && row.Entry.SpecDecoding != "none"
	case strings.Contains(name, "aiperf"), strings.Contains(file, "agentic"):
		return row.Agentic()
	case strings.Contains(name, "bench_serving"), strings.Contains(file, "fixed_sequence"):
		return !row.Agentic()
	}
	return true
}

// sharedBlock reports whether a row is merged over a shared block: those of
// scenarios and node counts are named after them.
func sharedBlock(row *matrix.Row, stem string) bool {
	kind, nodes, ok := strings.Cut(stem, "-")
	if i := strings.LastIndexByte(stem, '-'); i >= 0 {
		kind, nodes = stem[:i], stem[i+1:]
	}
	if !ok || kind != "agentic" && kind != "fixed-sequence" {
		return true
	}
	return (kind == "agentic") == row.Agentic() && (nodes == "multi") == row.Config.Multinode
}

// runs are the files of a list that a row runs: code that is not interpreted
// counts, the others are looked for in the closure of its launch.
func (r *reacher) runs(ctx context.Context, row *matrix.Row, may []gitrepo.Change) ([]string, error) {
	var out []string
	var look []gitrepo.Change
	for _, c := range may {
		if readableCode(c.Path) {
			look = append(look, c)
		} else {
			out = append(out, c.Path)
		}
	}
	if len(look) == 0 {
		return out, nil
	}
	if r.interpreted >= maxInterpreted {
		r.out.Uncounted = true
		return out, nil
	}
	r.interpreted++
	effective, err := r.e.Launch(ctx, r.head, row, launch.Throughput)
	if err != nil {
		return nil, err
	}
	for _, c := range look {
		ran := slices.ContainsFunc(effective.Closure, func(f recipe.File) bool { return f.Repository == "" && f.Path == c.Path })
		if !ran && r.e.Role(c.Path) == RoleSetup {
			if ran, err = r.names(effective, path.Base(c.Path)); err != nil {
				return nil, err
			}
		}
		if ran {
			out = append(out, c.Path)
		}
	}
	return out, nil
}

// names reports whether a recipe that a launch reads names a set-up script: it
// runs on the nodes, where nothing is interpreted.
func (r *reacher) names(effective *recipe.Effective, script string) (bool, error) {
	for _, f := range effective.Closure {
		if f.Repository != "" || f.Absent || !strings.HasSuffix(f.Path, ".yaml") {
			continue
		}
		data, err := r.head.Tree.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return false, err
		case strings.Contains(string(data), script):
			return true, nil
		}
	}
	return false, nil
}

// boundOtherwise reports whether the bound recipe of a row is known on both
// sides and differs: its key is changed then, not merely reached.
func (r *reacher) boundOtherwise(ctx context.Context, row *matrix.Row) (bool, error) {
	if !r.e.Settings.Launch.Recipes {
		return false, nil
	}
	was := slices.IndexFunc(r.base.RowsOf(row.Config.Key), func(o *matrix.Row) bool { return pointText(o) == pointText(row) })
	if was < 0 {
		return false, nil
	}
	before, err := r.e.Launch(ctx, r.base, r.base.RowsOf(row.Config.Key)[was], launch.Throughput)
	if err != nil {
		return false, err
	}
	after, err := r.e.Launch(ctx, r.head, row, launch.Throughput)
	if err != nil || !before.Complete() || !after.Complete() {
		return false, err
	}
	return slices.ContainsFunc(recipe.Diff(before, after), func(c recipe.Change) bool {
		return c.Class != recipe.Housekeeping && c.Kind != recipe.Undecided
	}), nil
}

// reachedText says how many keys are reached, "" for none.
func (a *Affected) reachedText() string {
	n := len(a.Reached)
	switch {
	case n == 0 && a.Uncounted:
		return "which other keys run changed shared code was not counted"
	case n == 0:
		return ""
	}
	text := fmt.Sprintf("%d more %s changed shared code", n, verb(n, "key runs", "keys run"))
	if a.Uncounted {
		text += "; further ones were not counted"
	}
	return text
}

// alsoReached adds to a result what is to be said of keys that are reached:
// nothing that a check of what is served decides about them.
func (e *Evidence) alsoReached(a *Affected, r Result) Result {
	text := a.reachedText()
	if text == "" {
		return r
	}
	if e.Settings.Checks.Reached != config.ReachedWarn || r.Status != Pass && r.Status != NotApplicable {
		r.Remarks = append(r.Remarks, text)
		return r
	}
	u := e.undecided(text + ".")
	u.Citations, u.Remarks = r.Citations, append([]string{r.Reason}, r.Remarks...)
	return u
}

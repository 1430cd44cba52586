package chaos

import (
	"archive/zip"
	"bytes"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/app/serve"
	"github.com/sweepbot/sweepbot/testdata"
)

// step is something that happens on GitHub without sweepbot.
type step func(w *world)

// scenario is a story in steps. After each of them all deliveries are handled.
type scenario struct {
	name string
	// events are those that the App subscribes to.
	events []string
	steps  []step
}

// without the comments that we write and the jobs of every run, to save time.
var without = []string{"pull_request", "push", "workflow_run"}

// scenarios each cover a stretch of a pull request's life.
var scenarios = []scenario{
	{"sweep", serve.Events, []step{open, label(sweepLabel), begin, finish("success")}},
	{"push", without, []step{open, label(sweepLabel), begin, push, finish("success")}},
	{"again", without, []step{open, label(sweepLabel), finish("success"), unlabel(sweepLabel), label(sweepLabel), finish("failure")}},
	{"other", without, []step{open, label(sweepLabel), begin, label("docs"), label("all-evals"), unlabel(sweepLabel)}},
	{"merge", without, []step{open, label(sweepLabel), begin, merge}},
	{"close", without, []step{open, label(sweepLabel), closePull, reopen, push}},
}

func open(w *world) { propose(w, author, false) }

// openFork opens it from the repository of somebody who may not write.
func openFork(w *world) { propose(w, stranger, true) }

func propose(w *world, who string, fork bool) {
	w.author = who
	sample := must(testdata.Sample())(w.t)
	with := func(name, more string) string { return string(must(sample.ReadFile(name))(w.t)) + file(w.t, more) }
	w.pull = must(w.github.As(who).OpenPR(w.ctx, sandbox.PullSpec{
		Title: "Add a recipe", Branch: "recipe", Fork: fork, Edit: sandbox.Edit{Message: "Add a recipe", Files: map[string]string{
			"configs/boreal-master.yaml": with("configs/boreal-master.yaml", "nine-points-config.yaml"),
			"perf-changelog.yaml":        with("perf-changelog.yaml", "nine-points-changelog.yaml"),
		}},
	}))(w.t)
}

func label(name string) step {
	return func(w *world) { ok(w.t, w.github.As(maintainer).AddLabel(w.ctx, w.pull, name)) }
}

func unlabel(name string) step {
	return func(w *world) { ok(w.t, w.github.As(maintainer).RemoveLabel(w.ctx, w.pull, name)) }
}

func push(w *world) {
	w.canary = nil // its sweep is about to be cancelled
	must(w.github.As(w.author).Push(w.ctx, w.pull, sandbox.Edit{Message: "Mend", Files: map[string]string{"notes.md": "mended\n"}}))(w.t)
}

func merge(w *world) { must(w.github.As(maintainer).Merge(w.ctx, w.pull, "squash"))(w.t) }

func closePull(w *world) { ok(w.t, w.github.As(author).Close(w.ctx, w.pull)) }

func reopen(w *world) { ok(w.t, w.github.As(author).Reopen(w.ctx, w.pull)) }

// points are the jobs of a sweep, as far as they matter here.
var points = []string{"canary / a", "single-node 1k1k / b"}

// begin starts the canary of the newest sweep.
func begin(w *world) {
	w.canary = w.newest().StartJob(sandbox.JobSpec{Name: points[0], Labels: []string{"boreal"}, Runner: "r0"})
}

// finish ends the newest sweep: all its points, the last of them as given.
func finish(conclusion string) step {
	return func(w *world) {
		run := w.newest()
		if w.canary == nil {
			begin(w)
		}
		w.canary.Finish("success")
		w.canary = nil
		run.StartJob(sandbox.JobSpec{Name: points[1], Labels: []string{"boreal"}, Runner: "r1"}).Finish(conclusion)
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		f := must(z.Create("agg_bmk.json"))(w.t)
		must(f.Write([]byte("[]")))(w.t)
		ok(w.t, z.Close())
		must(run.UploadArtifact("results_bmk", &archive))(w.t)
		run.Finish()
	}
}

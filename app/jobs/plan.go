package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// Plan is the job setup: it plans the change between the base that the check
// pinned and the head of the event, and writes the plan artifact. Its outputs
// are small whatever the size of the plan: the pins of the sweep, and for each
// family the points as refs (known failures F13, F14).
func Plan(ctx context.Context, h *Host) error {
	o, err := h.order()
	if err != nil {
		return err
	}
	base, err := h.value("SWEEPBOT_BASE")
	if err != nil {
		return err
	}
	change, where, err := h.change(ctx, o, base)
	if err != nil {
		return err
	}
	defer where.close()
	planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Labels: o.event.Labels, PR: o.event.Number})
	if err != nil {
		return err
	}
	sources := bot.Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: planned.Settings.Layout}
	if planned.Plan == nil {
		return sources.Locate(planned.Findings)
	}
	if o.run.Event == labels.Push {
		planned.Canary = nil // it is for pull requests (spec/labels-and-sweeps.md section 6)
	}
	if where.here.ID != where.head.ID {
		planned.Measured = bot.Checkout{Commit: where.here.ID, Tree: where.here.Tree}
	}
	if planned, err = h.partial(ctx, o, planned, where); err != nil {
		return err
	}
	h.annotate(sources.Locate(planned.Findings))
	families, list := h.families(planned, change.Base.Files, o)
	if list.Refused() {
		return sources.Locate(list)
	}
	extra := h.forReport(ctx, planned, change.Base.Files, where)
	sweep, err := h.writePlan(planned, families, o, where, extra)
	if err != nil {
		return err
	}
	outputs := PlanOutputs(planned, families, sweep)
	if chars := bot.OutputChars(outputs); chars > planned.Settings.Limits.OutputChars {
		return diag.New("jobs.too-many-points", diag.Place{}, "points", strconv.Itoa(countRows(planned)),
			"chars", strconv.Itoa(chars), "limit", strconv.Itoa(planned.Settings.Limits.OutputChars)).In("too-many-points")
	}
	var table strings.Builder
	if err := bot.RenderPlan(&table, planned, bot.TableStyle{Language: h.Language, Columns: 120}); err != nil {
		return err
	}
	return errors.Join(h.writePartial(planned), h.outputs(outputs...), h.summary(fence(table.String())))
}

// PlanOutputs are the outputs of the job setup. A partial sweep in which
// nothing is stale has no pins, so that no job follows.
func PlanOutputs(planned bot.Planned, families Families, sweep Sweep) []bot.Output {
	pins := encode(sweep)
	if planned.Partial != nil && countRows(planned) == 0 {
		pins = ""
	}
	return []bot.Output{
		{Name: "sweep", Value: pins},
		{Name: "partial", Value: strconv.FormatBool(planned.Partial != nil)},
		{Name: "canary", Value: strconv.FormatBool(planned.Canary != nil)},
		{Name: "fail-fast", Value: strconv.FormatBool(planned.Selection.FailFast)},
		{Name: "families", Value: encode(families)},
	}
}

func countRows(planned bot.Planned) int {
	n := 0
	for _, f := range planned.Families {
		n += len(f.Rows)
	}
	return n
}

// families describes the jobs of all points.
func (h *Host) families(planned bot.Planned, base matrix.Files, o order) (Families, diag.List) {
	scheduling := Scheduling{
		Priorities: h.either("PRIORITY_SCHEDULER_ENABLED", "") == "true",
		NodeSlots:  h.either("NODE_SLOT_SCHEDULER_ENABLED", "") == "true",
	}
	doc, list := scored(planned, base, o, scheduling)
	if list.Refused() {
		return nil, list
	}
	families, err := newFamilies(planned, doc, scheduling, h.klaud(o))
	if err != nil {
		var f diag.Finding
		if errors.As(err, &f) {
			return nil, diag.List{f}
		}
		return nil, diag.List{diag.New("jobs.plan", diag.Place{}, "detail", err.Error())}
	}
	return families, nil
}

// scored is the reference document with priorities. Without a policy there are
// none, which is an error only where a scheduler needs them.
func scored(planned bot.Planned, base matrix.Files, o order, s Scheduling) (ordjson.Value, diag.List) {
	doc := planned.Plan.Reference()
	policy, list := bot.ReadPriority(planned.Settings, base)
	if list.Refused() || policy == nil && !s.Priorities {
		return doc, list
	}
	return bot.Annotate(doc, planned.Settings, base, matrix.Scoring{
		Event:     o.run.Event,
		Namespace: fmt.Sprintf("%d:%d", o.run.RunID, o.run.Attempt),
		Labels:    o.event.Labels, PR: o.event.Number,
	})
}

// klaud reports whether the change comes from the automation whose jobs wait
// behind those of people (spec/labels-and-sweeps.md section 8.1).
func (h *Host) klaud(o order) bool {
	if o.pull == nil {
		return false
	}
	author, prefixes := h.either("SWEEPBOT_BACKGROUND_AUTHOR", ""), strings.Fields(h.either("SWEEPBOT_BACKGROUND_BRANCHES", ""))
	return author != "" && o.event.SameRepo && o.pull.Author.Login == author &&
		slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(o.pull.HeadBranch, prefix) })
}

// newFamilies makes the shards of all families. ids come from the plan
// document, so that both speak of the same points.
func newFamilies(planned bot.Planned, doc ordjson.Value, s Scheduling, klaud bool) (Families, error) {
	ids := bot.PointIDs(planned.Families)
	out := make(Families, len(planned.Families))
	for _, f := range planned.Families {
		annotated := at(doc, f.Bucket)
		refs := make(map[*matrix.Row]Ref, len(f.Rows))
		for i, r := range f.Rows {
			ref, err := newRef(ids[r], r, annotated[i], s, klaud)
			if err != nil {
				return nil, err
			}
			refs[r] = ref
		}
		shards, list := f.Shards(planned.Settings.Limits)
		if list.Refused() {
			return nil, list
		}
		for i, shard := range shards {
			members := make([]Ref, len(shard.Rows))
			for k, r := range shard.Rows {
				members[k] = refs[r]
			}
			job, tail := jobOf(f.Job), suffix(i)
			if job == otherFamilies {
				tail = f.Prefix + tail
			}
			out[job] = append(out[job], Shard{Suffix: tail, Points: members})
		}
	}
	return out, nil
}

// at returns the rows of a bucket of the reference document, such as
// single_node.1k1k.
func at(doc ordjson.Value, bucket string) []ordjson.Value {
	for _, name := range strings.Split(bucket, ".") {
		doc, _ = doc.Get(name)
	}
	return doc.Items
}

// writePartial writes the document of the artifact that marks a partial sweep;
// nothing for a full one.
func (h *Host) writePartial(planned bot.Planned) error {
	if planned.Partial == nil {
		return nil
	}
	folder, err := h.folder()
	if err != nil {
		return err
	}
	folder = filepath.Join(folder, "partial")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return outside(folder, err)
	}
	return outside(partialFile, os.WriteFile(filepath.Join(folder, partialFile), bot.PartialDocument(planned), 0o644))
}

// writePlan writes the files of the plan artifact, extra ones too, and pins
// them. What is checked out must be what the check pinned.
func (h *Host) writePlan(planned bot.Planned, families Families, o order, where *place, extra map[string][]byte) (Sweep, error) {
	commit, err := h.value("SWEEPBOT_COMMIT")
	if err != nil {
		return Sweep{}, err
	}
	if where.here.ID != commit {
		return Sweep{}, diag.New("jobs.other-commit", diag.Place{}, "got", where.here.ID, "want", diag.Printable(commit)).In("unsafe")
	}
	folder, err := h.folder()
	if err != nil {
		return Sweep{}, err
	}
	folder = filepath.Join(folder, "plan")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return Sweep{}, outside(folder, err)
	}
	files := map[string][]byte{
		planFile:     append(bot.PlanDocument(planned).Append(nil, ordjson.Compact), '\n'),
		settingsFile: config.Show(planned.Settings),
		pointsFile:   []byte(encode(families)),
	}
	maps.Copy(files, extra)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return Sweep{}, outside(name, err)
		}
	}
	return Sweep{
		Version: sweepVersion, Repository: o.run.Repository,
		Run: o.run.RunID, Attempt: o.run.Attempt, Pull: o.event.Number, PlanID: o.planID,
		Base: planned.Plan.Base.Commit, Head: planned.Plan.Head.Commit, Commit: where.here.ID, Tree: where.here.Tree,
		Program: h.either("SWEEPBOT_PROGRAM", ""), Plan: digest(files[planFile]),
		Settings: digest(files[settingsFile]), Points: digest(files[pointsFile]),
		Thresholds: digestOf(extra, collect.ThresholdsFile), Serve: digestOf(extra, collect.ServeFile),
	}, nil
}

package given

import (
	"strconv"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

var number = pattern.Lazy(`^[1-9][0-9]{0,17}$`)

func parseID(text string) int64 {
	id, _ := strconv.ParseInt(text, 10, 64) // number has checked the form
	return id
}

func (r *Reader) runs(v value) error {
	one := func(at value, run checks.Run) error {
		if run.ID == 0 {
			return at.refuse("checks.evidence-no-id")
		}
		setIn(&r.documents.Runs, run.ID, run)
		return nil
	}
	if v.isObject() {
		ok, err := v.byKey(number, func(_ string, of value) error { return each([]value{of}, one) })
		if ok || err != nil {
			return err
		}
	}
	items, err := v.list("workflow_runs")
	if err != nil {
		return err
	}
	return each(items, one)
}

// runLists reads the ids of runs by workflow and branch.
func (r *Reader) runLists(v value) error {
	var lists map[string][]int64
	if err := v.decode(&lists); err != nil {
		return err
	}
	for key, ids := range lists {
		setIn(&r.documents.RunLists, key, append([]int64{}, ids...))
	}
	return nil
}

func (r *Reader) jobs(v value) error {
	add := func(run int64, job checks.Job) {
		setIn(&r.documents.Jobs, run, put(r, r.documents.Jobs[run], job, itemKey{kindJobs, run, job.ID}))
	}
	if v.isObject() {
		ok, err := v.byKey(number, func(key string, of value) error {
			run := parseID(key)
			if r.documents.Jobs[run] == nil {
				setIn(&r.documents.Jobs, run, []checks.Job{})
			}
			items, err := of.list(kindJobs)
			if err != nil {
				return err
			}
			return each(items, func(_ value, j checks.Job) error { add(run, j); return nil })
		})
		if ok || err != nil {
			return err
		}
	}
	items, err := v.list(kindJobs)
	if err != nil {
		return err
	}
	return each(items, func(at value, j checks.Job) error {
		if j.RunID == 0 {
			return at.refuse("checks.evidence-no-run")
		}
		add(j.RunID, j)
		return nil
	})
}

// looseArtifacts reads artifacts by run, or a list whose items name their run.
func (r *Reader) looseArtifacts(v value) error {
	if v.isObject() {
		ok, err := v.byKey(number, func(key string, of value) error { return r.artifacts(of, parseID(key)) })
		if ok || err != nil {
			return err
		}
	}
	return r.artifacts(v, 0)
}

// artifacts reads a list of artifacts of a run; 0 is the run that they name.
func (r *Reader) artifacts(v value, run int64) error {
	items := []value{v}
	if !v.isObject() || !has(v.members(), "size_in_bytes") {
		var err error
		if items, err = v.list(kindArtifacts); err != nil {
			return err
		}
	}
	if run != 0 && r.documents.Artifacts[run] == nil {
		setIn(&r.documents.Artifacts, run, []checks.Artifact{})
	}
	return each(items, func(at value, a struct {
		checks.Artifact
		Run *struct {
			ID int64 `json:"id"`
		} `json:"workflow_run"`
	}) error {
		of := run
		if of == 0 && a.Run != nil {
			of = a.Run.ID
		}
		if of == 0 {
			r.loose = append(r.loose, at)
			return nil
		}
		setIn(&r.documents.Artifacts, of, put(r, r.documents.Artifacts[of], a.Artifact, itemKey{kindArtifacts, of, a.ID}))
		return nil
	})
}

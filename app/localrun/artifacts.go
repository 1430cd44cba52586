package localrun

import (
	"errors"
	"io"
	"os"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// artifact is one artifact of a point: its name, and which files of the
// working directory it takes.
type artifact struct {
	name string
	// patterns match names directly in a folder; a pattern that ends in "/**"
	// takes everything below that folder.
	patterns []string
	// durable artifacts hold results: they are on disk before the journal says
	// that the point has ended.
	durable bool
}

// artifacts are the artifacts of a point (spec/labels-and-sweeps.md section
// 9.10). Those without any file are left out when they are stored.
func (p *Point) artifacts(c Contract, passed bool, attempt int) []artifact {
	out := p.results(c, passed)
	if p.Agentic {
		raw := "results/**"
		if p.Multinode {
			raw = "LOGS/agentic/**"
		}
		out = append(out, artifact{name: "agentic_" + p.ResultName, patterns: []string{raw}})
	}
	if p.Multinode {
		out = append(out, artifact{name: "multinode_server_logs_" + p.ResultName, patterns: []string{"multinode_server_logs.tar.gz", "srt-setup.log"}})
	} else {
		out = append(out,
			artifact{name: p.logArtifact("server_logs", c), patterns: []string{"server.log", "results/*.log", "results/*_config.json"}},
			artifact{name: p.logArtifact("gpu_metrics", c), patterns: []string{
				"gpu_metrics.csv", "gpu_metrics_energy_start.csv", "gpu_metrics_energy_end.csv", "gpu_metrics_identity.json",
			}})
	}
	if p.evaluates() {
		out = append(out, artifact{name: p.evalArtifact(c, attempt), durable: true, patterns: []string{
			"meta_env.json", "results*.json", "sample*.jsonl", "*_report.json", "*_results.jsonl", "*_artifacts.tar.gz",
			"agent_preds.json", "predictions.jsonl", "swebench_report_*.json", "*.traj*",
		}})
	}
	return out
}

// results are the artifacts that hold rows.
func (p *Point) results(c Contract, passed bool) []artifact {
	name := literally(p.ResultName)
	switch {
	case p.Agentic && !p.Multinode:
		return []artifact{{name: "bmk_agentic_" + p.ResultName, patterns: []string{name + ".json"}, durable: true}}
	case p.EvalOnly:
		return nil
	case p.Agentic && (c.Batch || passed):
		return []artifact{{name: "bmk_agentic_" + p.ResultName, patterns: []string{name + "_conc*.json"}, durable: true}}
	case p.Agentic || !passed:
		return nil
	case p.Multinode:
		return []artifact{{name: "bmk_" + p.ResultName, patterns: []string{"agg_" + name + "_*.json"}, durable: true}}
	}
	return []artifact{{name: "bmk_" + p.ResultName, patterns: []string{"agg_" + name + ".json"}, durable: true}}
}

// rawOnly are files of the load generator that no artifact takes.
var rawOnly = []string{"aiperf_artifacts/inputs.json", "aiperf_artifacts/profile_export_raw.jsonl"}

// keeper copies artifacts from the working directory of a point to the folder
// of the sweep.
type keeper struct {
	from, to *os.Root
	// refuse hears of files that are not taken: links, devices.
	refuse func(diag.Finding)
}

// keep stores one artifact below artifacts/. Nothing is stored when it has no
// file. An earlier artifact of the name is replaced.
func (k *keeper) keep(a artifact) error {
	folder := path.Join("artifacts", a.name)
	if err := k.to.RemoveAll(folder); err != nil {
		return err
	}
	for _, pattern := range a.patterns {
		names, err := k.find(pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := k.copy(name, path.Join(folder, name), a.durable); err != nil {
				return err
			}
		}
	}
	return nil
}

// find lists the files that a pattern takes. A folder that is not there has
// none.
func (k *keeper) find(pattern string) ([]string, error) {
	folder, file := path.Split(pattern)
	folder = path.Clean(folder)
	whole := file == "**"
	if info, err := k.from.Lstat(folder); err != nil || !info.IsDir() {
		return nil, nil
	}
	var names []string
	t := &tree{root: k.from, refuse: k.refuse, visit: func(name string, size int64) error {
		matches := whole && !isRawOnly(name)
		if !whole {
			matches, _ = path.Match(file, path.Base(name))
		}
		if !matches {
			return nil
		}
		if size > maxFileBytes {
			return diag.New("localrun.too-large", diag.Place{File: name}, "bytes", decimal(float64(size)), "limit", itoa(maxFileBytes))
		}
		names = append(names, name)
		return nil
	}}
	if !whole {
		t.skip = func(string) bool { return true }
	}
	return names, t.walk(folder, 0)
}

func isRawOnly(name string) bool {
	for _, end := range rawOnly {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func (k *keeper) copy(name, target string, durable bool) error {
	in, err := k.from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := k.to.MkdirAll(path.Dir(target), 0o755); err != nil {
		return err
	}
	out, err := k.to.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxFileBytes))
	if err == nil && durable {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

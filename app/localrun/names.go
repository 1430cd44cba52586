package localrun

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// baseName is RESULT_FILENAME_BASE (spec/labels-and-sweeps.md section 9.8).
func (p *Point) baseName() string {
	r := p.Row
	head := fmt.Sprintf("%s_%s_%s_", text(r, "exp-name"), text(r, "precision"), text(r, "framework"))
	tail := fmt.Sprintf("_disagg-%s_spec-%s_conc%s_%s",
		p.disaggregated(), text(r, "spec-decoding"), strings.Join(p.Concurrencies, "x"), p.Runner)
	if p.Multinode {
		return head + roleName("prefill", block(r, "prefill")) + "_" + roleName("decode", block(r, "decode")) + tail
	}
	return head + fmt.Sprintf("tp%s-pp%s-dcp%s-pcp%s-ep%s-dpa%s", text(r, "tp"), textOr(r, "pp", "1"),
		textOr(r, "dcp-size", "1"), textOr(r, "pcp-size", "1"), textOr(r, "ep", "1"), truth(r, "dp-attn")) + tail
}

func roleName(role string, w ordjson.Value) string {
	return fmt.Sprintf("%s-tp%s-pp%s-dcp%s-pcp%s-ep%s-dp%s-nw%s", role, text(w, "tp"), textOr(w, "pp", "1"),
		textOr(w, "dcp-size", "1"), textOr(w, "pcp-size", "1"), textOr(w, "ep", "1"), truth(w, "dp-attn"), text(w, "num-worker"))
}

// resultName is RESULT_FILENAME.
func (p *Point) resultName() string {
	fingerprint := text(p.Row, "recipe-fingerprint")
	if fingerprint == "" {
		return p.baseName()
	}
	return p.baseName() + "_recipe-" + fingerprint[:min(16, len(fingerprint))]
}

// maxResultName leaves room, in the 255 bytes that a file name has, for what
// is written around RESULT_FILENAME: multinode_server_logs_ in front, or
// agg_ and the counts of a multi-node result.
const maxResultName = 230

// usableName refuses a result name that would leave its folder, that GitHub
// does not take as part of an artifact name, or that no file system holds.
func usableName(name string) error {
	bad := func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`"/\:<>|*?`, r) }
	switch {
	case name == "" || name[0] == '.' || name[0] == '-' || strings.ContainsFunc(name, bad):
		return diag.New("localrun.result-name", diag.Place{}, "name", fmt.Sprintf("%.120q", name))
	case len(name) > maxResultName:
		return diag.New("localrun.result-name-long", diag.Place{}, "bytes", itoa(len(name)), "limit", itoa(maxResultName))
	}
	return nil
}

// evalArtifact is the name of the eval artifact of a point
// (spec/labels-and-sweeps.md section 9.10). Newer names hold the attempt: a name
// of the first one is taken when a job is run again (known failures F47, F48).
func (p *Point) evalArtifact(c Contract, attempt int) string {
	framework, suite := p.Env.Get("EVAL_FRAMEWORK"), p.Env.Get("EVAL_SUITE")
	switch {
	case !c.Suites && p.Multinode:
		return "eval_" + p.ResultName
	case !c.Suites:
		return "eval_" + text(p.Row, "exp-name") + "_" + p.ResultName
	case !p.Multinode:
		return fmt.Sprintf("eval_%s_%s_%s_%d", p.ResultName, framework, suite, attempt)
	}
	r := p.Row
	sum := sha256.Sum256([]byte(p.Env.Get("CONC_LIST")))
	fingerprint := text(r, "recipe-fingerprint")
	return fmt.Sprintf("eval_%s_%s_%s_p%s_d%s_g%s_r%s_c%s_kv%s-%s_spec%s_%s_%s_%s_%d",
		text(r, "exp-name"), text(r, "precision"), text(r, "framework"), shortRole(block(r, "prefill")), shortRole(block(r, "decode")),
		p.disaggregated(), fingerprint[:min(16, len(fingerprint))], hex.EncodeToString(sum[:])[:12],
		p.Env.Get("KV_OFFLOADING"), p.Env.Get("KV_OFFLOAD_BACKEND"), text(r, "spec-decoding"), framework, suite, p.Runner, attempt)
}

func shortRole(w ordjson.Value) string {
	return fmt.Sprintf("%sx%sp%sc%sk%se%sd%s", text(w, "num-worker"), text(w, "tp"), textOr(w, "pp", "1"),
		textOr(w, "dcp-size", "1"), textOr(w, "pcp-size", "1"), textOr(w, "ep", "1"), truth(w, "dp-attn"))
}

// logArtifact is the name of an artifact of logs or metrics, for example
// server_logs_<...>; evals have a prefix of their own.
func (p *Point) logArtifact(kind string, c Contract) string {
	if !p.EvalOnly {
		return kind + "_" + p.ResultName
	}
	name := "eval_" + kind + "_" + p.ResultName
	if c.Suites {
		name += "_" + p.Env.Get("EVAL_FRAMEWORK") + "_" + p.Env.Get("EVAL_SUITE")
	}
	return name
}

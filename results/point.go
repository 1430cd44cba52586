package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Scenario is the kind of load of a point.
type Scenario string

// The scenarios, as plans and rows name them.
const (
	FixedSequence Scenario = "fixed-seq-len"
	Agentic       Scenario = "agentic-coding"
)

// Role is the layout of the workers of one role, or of a single-node point.
type Role struct {
	TP, PP, DCP, PCP, EP int64
	DPAttention          bool
	// Workers is 0 on single-node points.
	Workers int64
}

// GPUs is the number of devices of all workers of the role. EP and DCP share
// devices and never multiply (spec/results.md section 3.3).
func (r Role) GPUs() int64 { return r.perWorker() * max(r.Workers, 1) }

func (r Role) perWorker() int64 { return r.TP * r.PP * r.PCP }

// nameAs is the role's part of RESULT_FILENAME.
func (r Role) nameAs(attention string, workers bool) string {
	out := fmt.Sprintf("tp%d-pp%d-dcp%d-pcp%d-ep%d-%s%t", r.TP, r.PP, r.DCP, r.PCP, r.EP, attention, r.DPAttention)
	if workers {
		out += fmt.Sprintf("-nw%d", r.Workers)
	}
	return out
}

// short is the layout as job titles spell it: TP8/PP2/EP8/DPA
// (spec/labels-and-sweeps.md section 9.3).
func (r Role) short() string {
	out := "TP" + strconv.FormatInt(r.TP, 10)
	for _, size := range []struct {
		name string
		n    int64
	}{{"PP", r.PP}, {"DCP", r.DCP}, {"PCP", r.PCP}, {"EP", r.EP}} {
		if size.n != 1 {
			out += fmt.Sprintf("/%s%d", size.name, size.n)
		}
	}
	if r.DPAttention {
		out += "/DPA"
	}
	return out
}

// Point is one logical measurement: everything that is planned about it, and
// nothing that is measured. Equal points are ==. It is richer than the identity
// that consumers compare (Identity): points that differ only in the speculative
// method stay apart here.
type Point struct {
	Scenario Scenario
	// Hardware is the runner label without "cluster:", Prefix the short model
	// name; all texts are in lower case.
	Hardware, Prefix, Framework, Precision, Spec string
	Multinode, Disagg                            bool
	// ISL and OSL are in tokens, 0 on agentic points; Conc in requests.
	ISL, OSL, Conc int64
	// Layout is that of a single-node point. Decode is zero where no GPU
	// decodes separately.
	Layout, Prefill, Decode Role
	// Offload is the mode and the back end, such as "dram hicache"; "" where
	// nothing is offloaded.
	Offload string
}

// Lengths is the name of the lengths in titles and tables: 8k1k, 1k1k or
// <isl>_<osl>; agentic points have the name of their scenario.
func (p Point) Lengths() string {
	if p.Scenario == Agentic {
		return "agentic"
	}
	switch [2]int64{p.ISL, p.OSL} {
	case [2]int64{1024, 1024}:
		return "1k1k"
	case [2]int64{8192, 1024}:
		return "8k1k"
	}
	return fmt.Sprintf("%d_%d", p.ISL, p.OSL)
}

// Topology is the short form of the layout in tables: TP8/EP8, 1P2D, or 2 x TP4
// for workers that serve both roles (spec/results.md section 12).
func (p Point) Topology() string {
	switch {
	case !p.Multinode:
		return p.Layout.short()
	case p.Decode.Workers > 0 && p.Disagg:
		return fmt.Sprintf("%dP%dD", p.Prefill.Workers, p.Decode.Workers)
	}
	return fmt.Sprintf("%d x %s", max(p.Prefill.Workers, 1), p.Prefill.short())
}

// String names the point in messages.
func (p Point) String() string {
	parts := []string{p.Prefix, p.Precision, p.Hardware, p.Framework, p.Lengths(), p.Topology()}
	if p.Spec != "" && p.Spec != "none" {
		parts = append(parts, p.Spec)
	}
	if p.Offload != "" {
		parts = append(parts, p.Offload)
	}
	return strings.Join(append(parts, "c"+strconv.FormatInt(p.Conc, 10)), " ")
}

// SKU is the GPU of a hardware label: lower case, without "cluster:", up to the
// first hyphen (spec/checks.md section 1.4).
func SKU(label string) string {
	sku, _, _ := strings.Cut(hardwareLabel(label), "-")
	return sku
}

func hardwareLabel(label string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(label)), "cluster:")
}

package failure

import (
	"cmp"
	"slices"
)

// BadNode is a machine on which unrelated changes failed before any server had
// started (spec/known-failures.md F63).
type BadNode struct {
	Node    string
	Changes []int
	Jobs    []int64
}

// BadNodes finds the machines on which at least least different changes failed
// before server start. Jobs without a change don't count.
func BadNodes(verdicts []Verdict, least int) []BadNode {
	byNode := make(map[string]*BadNode)
	for _, v := range verdicts {
		if v.Node == "" || v.Change == 0 || !v.blamesMachine() {
			continue
		}
		n := byNode[v.Node]
		if n == nil {
			n = &BadNode{Node: v.Node}
			byNode[v.Node] = n
		}
		if !slices.Contains(n.Changes, v.Change) {
			n.Changes = append(n.Changes, v.Change)
		}
		n.Jobs = append(n.Jobs, v.Job)
	}
	var out []BadNode
	for _, n := range byNode {
		if len(n.Changes) >= max(least, 2) {
			slices.Sort(n.Changes)
			slices.Sort(n.Jobs)
			out = append(out, *n)
		}
	}
	slices.SortFunc(out, func(a, b BadNode) int { return cmp.Compare(a.Node, b.Node) })
	return out
}

// blamesMachine reports whether a failure may be the machine's: it lies before
// server start and nothing from outside ended the job.
func (v Verdict) blamesMachine() bool {
	switch v.Class {
	case BySibling, Superseded, Cancelled:
		return false
	}
	return v.Phase.BeforeServer()
}

// OnBadNodes returns the verdicts with those of bad machines classified as
// infrastructure; the rule says so.
func OnBadNodes(verdicts []Verdict, bad []BadNode) []Verdict {
	out := slices.Clone(verdicts)
	for i, v := range out {
		if v.blamesMachine() && slices.ContainsFunc(bad, func(n BadNode) bool { return n.Node == v.Node }) {
			out[i].Class, out[i].Rule = Infrastructure, "bad-node"
		}
	}
	return out
}

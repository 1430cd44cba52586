package changelog

import "github.com/sweepbot/sweepbot/internal/diag"

// Stage is the step of the strict gate that refused a change.
type Stage string

// The stages in their order.
const (
	StageReadBase  Stage = "read-base"
	StageReadHead  Stage = "read-head"
	StageParseBase Stage = "parse-base"
	StageParseHead Stage = "parse-head"
	StageCompare   Stage = "compare"
	StageRaw       Stage = "raw"
)

// Verdict is the answer of the strict gate. When it accepts, it counts the
// new and the corrected entries; both 0 means that the bytes are equal.
type Verdict struct {
	Accepted    bool
	Additions   int
	Corrections int
	// Stage and Findings say where and why the change was refused. Only
	// violations of the entry schema come in numbers; every other refusal is
	// one finding, whose Category is that of the conformance corpus.
	Stage    Stage
	Findings diag.List
}

// Strict is the byte gate of a merge (spec/changelog.md sections 3 to 5): the
// head is the base, byte for byte, with well-formed entries appended, or with
// links of old entries corrected, or equal. A nil slice is a file that does
// not exist.
func Strict(rules Rules, base, head []byte, pr PR) Verdict {
	if base == nil {
		return refused(StageReadBase, fileMissing(rules.on("base")))
	}
	if head == nil {
		return refused(StageReadHead, fileMissing(rules))
	}
	old, findings := parseFile(rules.on("base"), base)
	if findings != nil {
		return Verdict{Stage: StageParseBase, Findings: findings}
	}
	new, findings := parseFile(rules, head)
	if findings != nil {
		return Verdict{Stage: StageParseHead, Findings: findings}
	}
	return compareFiles(rules, old, new, pr)
}

func fileMissing(rules Rules) diag.Finding {
	return diag.New("changelog.file-missing", rules.place(0)).In("file-missing")
}

// compareFiles is the part of the strict gate after both files were read.
func compareFiles(rules Rules, base, head file, pr PR) Verdict {
	c, f := compareEntries(rules, base, head, pr)
	if f != nil {
		return refused(StageCompare, *f)
	}
	if f := checkRaw(rules, base.data, head.data, c); f != nil {
		return refused(StageRaw, *f)
	}
	return Verdict{Accepted: true, Additions: len(c.additions), Corrections: len(c.corrections)}
}

func refused(stage Stage, f diag.Finding) Verdict {
	return Verdict{Stage: stage, Findings: diag.List{f}}
}

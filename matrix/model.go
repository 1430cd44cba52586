// Package matrix turns master configs into the rows of a sweep: it loads and
// validates the configs and the runner inventory, expands search spaces,
// selects evals, computes append-only deltas and fingerprints, and arranges
// the rows as a plan (spec/matrix.md, spec/changelog.md sections 6-8).
//
// The package is pure. Files reach it through the Files interface, settings as
// values of package config.
package matrix

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Config is one validated entry of a master file.
//
// Numbers and booleans that reach a row are kept as they stand in the source
// (*yamlpos.Value): with lenient types a row carries the source form, and so
// does its fingerprint (spec/matrix.md section 5). In a strictly read config
// they are always plain integers and booleans.
type Config struct {
	Key   string
	Place diag.Place // of the key
	// Raw is the source value; nil unless loading was asked to keep it.
	Raw *yamlpos.Value

	Image, Model, ModelPrefix, Precision, Framework, Runner string

	Multinode bool
	Disagg    *yamlpos.Value // nil means false
	Router    *Component
	Transfer  string // kv-p2p-transfer, "" when absent
	RecipeDir string // srt-recipe-dir

	FixedSeqLen []*FixedSeq
	Agentic     []*Agentic

	// invalid are the findings about this config; it can be expanded only when
	// they do not refuse it.
	invalid diag.List
	// crash holds what makes the expansion of this config fail although the
	// schema accepts it.
	crash diag.List
}

// FixedSeq is one block of the fixed-seq-len scenario. ISL and OSL are tokens.
type FixedSeq struct {
	Place        diag.Place
	ISL, OSL     *yamlpos.Value
	Entries      []*Entry
	RequirePower bool
	crash        diag.List
}

// Agentic is one block of the agentic-coding scenario.
type Agentic struct {
	Place   diag.Place
	Entries []*Entry
	// DRAMUtilization is a fraction of the node's memory, 0 < x <= 1, in
	// shortest decimal text; "" when absent.
	DRAMUtilization string
	crash           diag.List
}

// Component names a program and its version: a router, or a KV offload
// backend, whose Version may be absent.
type Component struct {
	Name    string
	Version string
	// NullVersion marks a version that was written as null: generator rows
	// repeat it, plan documents drop it.
	NullVersion bool
}

// Entry is one element of a search space.
type Entry struct {
	Place diag.Place

	TP, EP, DPAttn *yamlpos.Value // nil when absent or null
	PP, DCP, PCP   *yamlpos.Value // nil when absent
	SpecDecoding   string         // "none" by default

	Prefill, Decode, Worker *Worker
	NumNodes                int64 // 0 when absent

	KVOffloading string // none, dram, or "" when absent or null
	KVNull       bool   // written as null
	Backend      *Component

	// Router and Transfer override the config's; the Set flags tell an
	// explicit null, which suppresses it, from absence.
	Router      *Component
	RouterSet   bool
	Transfer    string
	TransferSet bool

	ConcList           []*yamlpos.Value
	ConcListSet        bool // the key stands there, even if null or empty
	ConcListNull       bool
	ConcStart, ConcEnd *yamlpos.Value

	Recipe, EvalRecipe *RecipeRef
	Power              bool

	// FormerOffloading is the field "offloading" of former times, "" where
	// there is none; FormerDuration that of its block, in seconds, 0 if none.
	FormerOffloading string
	FormerDuration   int64

	// badOffload says that kv-offloading has a value that is refused.
	badOffload bool
	crash      diag.List
}

// sides are the blocks that serve prefill and decode in a multi-node row; an
// aggregate worker is both.
func (e *Entry) sides() (prefill, decode *Worker) {
	if e.Worker != nil {
		return e.Worker, e.Worker
	}
	return e.Prefill, e.Decode
}

// workers are the numbers of workers of both sides: an aggregate worker counts
// on the prefill side only (spec/matrix.md section 6.4).
func (e *Entry) workers() [2]*yamlpos.Value {
	if e.Worker != nil {
		return [2]*yamlpos.Value{orElse(e.Worker.NumWorker, one), zero}
	}
	return [2]*yamlpos.Value{e.Prefill.NumWorker, e.Decode.NumWorker}
}

// Worker is a prefill, decode or aggregate block.
type Worker struct {
	Place diag.Place
	// Source are the fields in source order as the generator copies them.
	Source []yamlpos.Field

	NumWorker, TP, EP, DPAttn *yamlpos.Value
	PP, DCP, PCP              *yamlpos.Value // nil when absent
	Hardware                  string
	Settings                  []string
	SettingsSet, SettingsNull bool
	// hidden marks a field that only the schema sees (underscore spelling).
	hidden bool
}

// RecipeRef is a reference to an srt-slurm recipe: a path below the recipe
// folder, and the selector of a variant, "" for none.
type RecipeRef struct {
	Place    diag.Place
	Path     string
	Selector string
}

// String returns the reference in its source form.
func (r *RecipeRef) String() string {
	if r.Selector == "" {
		return r.Path
	}
	return r.Path + ":" + r.Selector
}

// Scenario names, as they stand in configs and changelog entries.
const (
	FixedSeqLen   = "fixed-seq-len"
	AgenticCoding = "agentic-coding"
)

// The sequence lengths that have names, in tokens (spec/matrix.md section
// 6.2).
const (
	seq1k = 1024
	seq8k = 8192
)

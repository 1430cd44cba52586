package results

import "github.com/sweepbot/sweepbot/results/archive"

// Rules are the switches in which the eras and the known faults of the
// reference differ (spec/results.md section 14). They are plain values: nothing
// in this package asks for the name of an era.
type Rules struct {
	// RowContract holds collected rows against version 1 of the row contract
	// and sets those aside that break it.
	RowContract bool
	// Bounds refuses values that no measurement can have.
	Bounds Bounds
	// OmitBadInteractivity leaves out values that are not finite, and the
	// interactivity of a time per token that is not above 0. Without it such a
	// value fails the row.
	OmitBadInteractivity bool
	// Outcome reads and recomputes benchmark_outcome.
	Outcome bool
	// AggregateWorkers knows multi-node points whose GPUs serve both roles.
	AggregateWorkers bool
	// CheckedBatch holds a multi-node batch against the requested
	// concurrencies; without it each file is processed by itself.
	CheckedBatch bool

	// TimeInName orders eval results by the time in their name before the
	// modification time; without it only the latter counts.
	TimeInName bool
	// FlexibleScore lets the flexible metric be the score when there is no
	// other.
	FlexibleScore bool
	// AccuracyFilter files the metric acc under the filter "none" as accuracy.
	AccuracyFilter bool
	// ResolvedIsStrict files the filter "resolved" with the strict ones.
	ResolvedIsStrict bool
	// BrokenEvals reports broken evals in their rows and fails their judgement.
	BrokenEvals bool
	// DeclaredMetrics judges the metrics that a result declares; without it
	// only exact_match.
	DeclaredMetrics bool
	// EvalLengths refuses eval metadata without input and output length, which
	// would otherwise become 0 and make different points look alike
	// (spec/known-failures.md F43).
	EvalLengths bool

	// ResultIdentity adds suite, offload, image and task to the identity of an
	// eval; without it the identity is that of the configuration.
	ResultIdentity bool
	// SoundEvals opens the raw eval results of an artifact tree and holds
	// metadata and content against the strict rules.
	SoundEvals bool
	// SourceByComponent finds the winner's row by whole path components;
	// without it by containment, so that "..._1" also means "..._10".
	SourceByComponent bool

	// EmptyCollection lets a collector succeed that collected nothing.
	EmptyCollection bool

	Archive archive.Limits
	// RowBytes is the largest row, FileBytes the largest other JSON document
	// that is read as a whole.
	RowBytes, FileBytes int
}

// Bounds are the largest believable values. A zero field is no bound.
type Bounds struct {
	// Throughput is in tokens/s/GPU, Seconds bounds every latency,
	// Interactivity is in tokens/s/user.
	Throughput, Seconds, Interactivity float64
	// Conc is in requests, Length in tokens, GPUs counts devices.
	Conc, Length, GPUs int64
}

// Newest are the rules of November 2026, the default.
func Newest() Rules {
	return Rules{
		RowContract: true, Bounds: defaultBounds(), OmitBadInteractivity: true, Outcome: true,
		AggregateWorkers: true, CheckedBatch: true,
		TimeInName: true, FlexibleScore: true, AccuracyFilter: true, BrokenEvals: true, DeclaredMetrics: true, EvalLengths: true,
		ResultIdentity: true, SoundEvals: true, SourceByComponent: true,
		Archive: archive.DefaultLimits(), RowBytes: 1 << 20, FileBytes: 16 << 20,
	}
}

// August are the rules of August 2026 without the faults of the reference.
func August() Rules {
	return Rules{
		Bounds: defaultBounds(), EvalLengths: true, ResolvedIsStrict: true, SourceByComponent: true,
		Archive: archive.DefaultLimits(), RowBytes: 1 << 20, FileBytes: 16 << 20,
	}
}

// Reference are the rules of August 2026 as the reference has them.
func Reference() Rules {
	rules := August()
	rules.Bounds, rules.EvalLengths, rules.SourceByComponent, rules.EmptyCollection = Bounds{}, false, false, true
	return rules
}

// defaultBounds leave two orders of magnitude above anything published.
func defaultBounds() Bounds {
	return Bounds{Throughput: 1e8, Seconds: 1e7, Interactivity: 1e7, Conc: 10_000_000, Length: 100_000_000, GPUs: 100_000}
}

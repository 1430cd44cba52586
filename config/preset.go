package config

// The presets. Inferencex is what a repository gets that says nothing.
const (
	PresetNewest    = "inferencex"
	PresetAugust    = "inferencex-2026-08"
	PresetReference = "reference-2026-08"
)

// PresetNames returns the names of the presets, the default first.
func PresetNames() []string {
	return []string{PresetNewest, PresetAugust, PresetReference}
}

// Preset returns the settings of a preset. The value is the caller's own: no
// list of it is shared.
func Preset(name string) (Settings, bool) {
	switch name {
	case PresetNewest:
		return newest(), true
	case PresetAugust:
		return august(), true
	case PresetReference:
		return reference(), true
	default:
		return Settings{}, false
	}
}

// newest is the layout and the rules of November 2026.
func newest() Settings {
	return Settings{
		Preset:    PresetNewest,
		Layout:    newestLayout(),
		Labels:    newestLabels(),
		Workflows: newestWorkflows(),
		Comments:  Comments{Visualizer: "https://inferencex.semianalysis.com", ProgressSeconds: 60, StalledMinutes: 360},
		Publish: Publish{
			Repository: "SemiAnalysisAI/InferenceX-app", Event: "ingest-results", AgenticEvent: "ingest-agentic-results", Target: "production",
		},
		Limits: Limits{
			MatrixRows:  256,
			OutputChars: 450_000,
			EnvBytes:    131_072,
			FileBytes:   8 << 20,
			ConcPoints:  1024,
			Conc:        1_000_000,
		},
		Changelog: Changelog{
			Repository:      "SemiAnalysisAI/InferenceX",
			Gate:            Gate{History: GradeError, Position: GradeError, Format: GradeWarn},
			LinkInPlan:      GradeError,
			CorrectionsPass: true,
			FinalNewline:    true,
			NoEvals:         true,
		},
		Matrix: newestMatrix(),
		Sweep:  Sweep{AgenticCanary: true, UndispatchedBuckets: UndispatchedRefuse, Rerun: Rerun{PerPoint: 1, PerRun: 16}},
		Launch: newestLaunch(),
		Checks: newestChecks(),
	}
}

func newestLayout() Layout {
	return Layout{
		Roots:      []string{"inferencex-e2e", ""},
		Probe:      "configs/runners.yaml",
		Masters:    []string{"configs/amd-master.yaml", "configs/nvidia-master.yaml"},
		Runners:    "configs/runners.yaml",
		Changelog:  "perf-changelog.yaml",
		Priority:   "configs/ci-priority.yaml",
		GoldenAL:   "infx/golden_al_distribution",
		Thresholds: "infx/evals/thresholds.yaml",
		Checklist:  "docs/PR_REVIEW_CHECKLIST.md",
		Models:     "docs/MODELS.md",
		Waivers:    "docs/waiver",
		// The order in which GitHub itself looks for the file.
		CodeOwners: []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"},
		Recipes: Recipes{
			SingleNode: "benchmarks/single_node/srt-slurm-recipes/{dir}",
			MultiNode:  "benchmarks/multi_node/srt-slurm-recipes/{dir}",
		},
		Launchers:  "runners",
		BaseBranch: "main",
	}
}

func newestLabels() Labels {
	return Labels{
		Primaries: []Primary{
			{Name: "full-sweep-fail-fast", Canary: true, FailFast: true, Reusable: true},
			{Name: "full-sweep-enabled", Canary: true, Reusable: true},
			{Name: "non-canary-full-sweep-enabled", Reusable: true},
		},
		AllEvals:         "all-evals",
		EvalsOnly:        "evals-only",
		AgentXFast:       "agentx-fast",
		OnlyStale:        "only-stale",
		ReuseBlocking:    []string{"evals-only", "agentx-fast"},
		SkipSweepMarker:  "[skip-sweep]",
		DraftsRun:        true,
		GateChecksSource: true,
	}
}

func newestWorkflows() Workflows {
	return Workflows{
		Sweep:        "run-sweep.yml",
		SingleNode:   "benchmark-tmpl.yml",
		MultiNode:    "benchmark-multinode-tmpl.yml",
		Manual:       "e2e-tests.yml",
		ForkDispatch: "trusted-external-sweep.yml",
		MergeIngest:  "merge-ingest.yml",
		Relay:        "sweepbot-relay.yml",
	}
}

func newestMatrix() Matrix {
	return Matrix{
		NullAsAbsent:    true,
		Clusters:        true,
		AggregateWorker: true,
		TopologyScope:   true,
		NodeCount:       true,
		Recipes:         true,
		Power:           true,
		AgenticEvals:    true,
		EvalSuites:      true,
		VendorSuites: []VendorSuite{
			{ModelPrefix: "kimik3", Framework: "kimi-vendor", Suite: "kimi_tool_call_schema_full"},
			{ModelPrefix: "minimaxm3", Framework: "minimax-vendor", Suite: "minimax_m3_full"},
		},
		EvalIdentity: true,
		Smoke:        true,
		TrimMerges:   true,
		MinEvalConc:  16,
		Fingerprint:  FingerprintRowRecipe,
	}
}

// august is the layout and the rules of August 2026, without the faults of
// the reference: spec/matrix.md section 18, spec/changelog.md section 10,
// spec/labels-and-sweeps.md sections 1.2 and 3.3.
func august() Settings {
	s := newest()
	s.Preset = PresetAugust
	augustLayout(&s.Layout)
	augustLabels(&s.Labels)
	// The sweep workflow publishes by itself, on push.
	s.Workflows.MergeIngest = s.Workflows.Sweep
	s.Changelog.Gate.Position = GradeWarn
	s.Changelog.NoEvals = false
	s.Matrix = Matrix{
		NullAsAbsent:  true,
		MinEvalConc:   16,
		BaseValidated: true,
		Fingerprint:   FingerprintRow,
	}
	s.Sweep.AgenticCanary = false
	s.Sweep.PriorityLabels = true
	augustLaunch(&s.Launch)
	augustChecks(&s.Checks)
	return s
}

func augustLayout(l *Layout) {
	l.Roots = []string{""}
	l.GoldenAL = "golden_al_distribution"
	l.Thresholds = "utils/evals/thresholds.yaml"
	l.Models = "MODELS.md"
	l.Recipes = Recipes{
		SingleNode: "benchmarks/single_node",
		MultiNode:  "benchmarks/multi_node/srt-slurm-recipes",
	}
}

func augustLabels(l *Labels) {
	l.Primaries = []Primary{
		{Name: "sweep-enabled", Trim: true},
		{Name: "full-sweep-fail-fast", Canary: true, FailFast: true, Reusable: true},
		{Name: "full-sweep-enabled", Canary: true, Reusable: true},
		{Name: "full-sweep-fail-fast-no-canary", FailFast: true, Reusable: true},
		{Name: "non-canary-full-sweep-enabled", Reusable: true},
	}
	l.OnlyStale = ""
	l.SkipQueue = "skip_queue"
	l.Patchwork = []string{"ci-patchwork", "engine-patch"}
	l.PatchworkWaived = []string{"ci-patchwork-waived"}
	l.ChecklistComplete = []string{"ci-checklist-complete"}
	l.DraftsRun = false
	l.ReadyForReviewRuns = true
	l.PushSweeps = true
	l.ForksValidated = true
	l.GateNeedsPrimary = true
	l.GateChecksSource = false
}

// reference is august with the faults of the reference, for comparison and
// migration (spec/matrix.md section 18, last part).
func reference() Settings {
	s := august()
	s.Preset = PresetReference
	// The planner alone judges history here: it refuses deleted lines.
	s.Changelog.Gate.History = GradeOff
	s.Changelog.Gate.Position = GradeOff
	s.Changelog.Gate.Format = GradeOff
	s.Changelog.LinkInPlan = GradeOff
	s.Changelog.CorrectionsPass = false
	s.Changelog.HeaderLikeLines = true
	s.Changelog.UnterminatedDeletes = true
	s.Changelog.FinalNewline = false
	s.Changelog.LenientTypes = true
	s.Changelog.UnderscoreKeys = true
	s.Changelog.LastKeyWins = true
	s.Matrix.LenientTypes = true
	s.Matrix.UnderscoreKeys = true
	s.Matrix.LastKeyWins = true
	s.Matrix.EmptyConcList = true
	s.Matrix.GlobResolvedKeys = true
	s.Matrix.NullAsAbsent = false
	s.Sweep.UndispatchedBuckets = UndispatchedIgnore
	return s
}

// Package config holds the settings of one benchmark repository: where its
// files lie, what its labels mean, which workflows run it, and every policy
// switch that the rooms above consult.
//
// A repository overrides single values of a preset in .github/sweepbot.yml.
// All eras and all bug-compatibility of the reference are ordinary values of
// these structs: no room asks for the name of a preset.
package config

// Settings is the complete configuration. It is a plain value: rooms take the
// part they need. The yaml tags are the spelling in .github/sweepbot.yml.
type Settings struct {
	// Preset names the base that the file overrides.
	Preset    string    `yaml:"preset"`
	Layout    Layout    `yaml:"layout"`
	Labels    Labels    `yaml:"labels"`
	Workflows Workflows `yaml:"workflows"`
	Comments  Comments  `yaml:"comments"`
	Publish   Publish   `yaml:"publish"`
	Limits    Limits    `yaml:"limits"`
	Changelog Changelog `yaml:"changelog"`
	Matrix    Matrix    `yaml:"matrix"`
	Sweep     Sweep     `yaml:"sweep"`
	Launch    Launch    `yaml:"launch"`
	Checks    Checks    `yaml:"checks"`
}

// Layout says where the files of the repository lie. All paths are relative,
// slash-separated, and resolved against the first root of Roots that holds
// Probe in the revision being read (spec/changelog.md, head).
type Layout struct {
	// Roots are project directories tried in order; "" is the repository root.
	Roots []string `yaml:"roots"`
	// Probe is the file whose presence selects a root.
	Probe string `yaml:"probe"`
	// Masters are the master configs, in the order that fixes the row order.
	Masters []string `yaml:"masters"`
	// Runners is the runner inventory, Changelog the performance changelog.
	Runners   string `yaml:"runners"`
	Changelog string `yaml:"changelog"`
	// Priority is the policy file of the priority score. It and the paths
	// below up to Waivers are empty where the repository has no such file.
	Priority string `yaml:"priority"`
	// GoldenAL is the folder of the golden acceptance-length curves.
	GoldenAL string `yaml:"golden-al"`
	// Thresholds is the file of the eval bars, Checklist the document with the
	// sign-off template, Models the model policy.
	Thresholds string `yaml:"thresholds"`
	Checklist  string `yaml:"checklist"`
	Models     string `yaml:"models"`
	// Waivers is the folder of the patch waivers, one <PR>.md each.
	Waivers string `yaml:"waivers"`
	// CodeOwners are the candidates for the CODEOWNERS file, tried in order.
	// Unlike all others they are relative to the repository, not to a root.
	CodeOwners []string `yaml:"codeowners"`
	// Recipes are the folders that hold srt-slurm recipes of single- and
	// multi-node configs; "{dir}" stands for the config's srt-recipe-dir.
	Recipes Recipes `yaml:"recipes"`
	// Launchers is the folder of launch scripts (runners/ by convention).
	Launchers string `yaml:"launchers"`
	// BaseBranch is the branch that sweeps are measured against.
	BaseBranch string `yaml:"base-branch"`
}

// Recipes holds the recipe folders by row shape.
type Recipes struct {
	SingleNode string `yaml:"single-node"`
	MultiNode  string `yaml:"multi-node"`
}

// Primary is a label that starts a sweep, and what it means
// (spec/labels-and-sweeps.md section 1).
type Primary struct {
	Name string `yaml:"name"`
	// Canary runs one point ahead of the others.
	Canary bool `yaml:"canary"`
	// FailFast cancels the rest of a job family after its first failure.
	FailFast bool `yaml:"fail-fast"`
	// Trim keeps the smallest concurrency of each recipe.
	Trim bool `yaml:"trim"`
	// Reusable lets the sweep stand in for a measurement at merge.
	Reusable bool `yaml:"reusable"`
}

// Labels names the labels of the repository and the rules of events.
type Labels struct {
	Primaries  []Primary `yaml:"primaries"`
	AllEvals   string    `yaml:"all-evals"`
	EvalsOnly  string    `yaml:"evals-only"`
	AgentXFast string    `yaml:"agentx-fast"`
	// OnlyStale makes a sweep partial: it leaves out the points that an earlier
	// sweep of the pull request still stands for. It is ours and no label of the
	// reference: "" turns it off, and with it the command for the same. Under
	// it nothing can be reused, whatever ReuseBlocking says.
	OnlyStale string `yaml:"only-stale"`
	// SkipQueue, Patchwork, PatchworkWaived and ChecklistComplete are empty
	// where the era does not know them.
	SkipQueue         string   `yaml:"skip-queue"`
	Patchwork         []string `yaml:"patchwork"`
	PatchworkWaived   []string `yaml:"patchwork-waived"`
	ChecklistComplete []string `yaml:"checklist-complete"`
	// ReuseBlocking are the labels under which a sweep can neither be reused
	// nor serve as a source (spec/reuse.md section 4).
	ReuseBlocking []string `yaml:"reuse-blocking"`
	// SkipSweepMarker in the head commit message suppresses a sweep.
	SkipSweepMarker string `yaml:"skip-sweep-marker"`
	// DraftsRun lets draft pull requests run. Newest: true. 2026-08: false.
	DraftsRun bool `yaml:"drafts-run"`
	// ReadyForReviewRuns makes ready_for_review an event. 2026-08: true.
	ReadyForReviewRuns bool `yaml:"ready-for-review-runs"`
	// PushSweeps lets a push to the base branch sweep. 2026-08: true.
	PushSweeps bool `yaml:"push-sweeps"`
	// ForksValidated runs the changelog check on fork heads. 2026-08: true.
	ForksValidated bool `yaml:"forks-validated"`
	// GateNeedsPrimary asks for a reuse-eligible primary label before the
	// reuse gate runs. 2026-08: true.
	GateNeedsPrimary bool `yaml:"gate-needs-primary"`
	// GateChecksSource makes the reuse gate validate the run that a command
	// names, so that an invalid source fails the gate. 2026-08: false.
	GateChecksSource bool `yaml:"gate-checks-source"`
	// CancelOnMerge lets a merge cancel the unfinished sweep runs of its own
	// pull request (spec/labels-and-sweeps.md section 17). Off in all presets.
	CancelOnMerge bool `yaml:"cancel-on-merge"`
	// CancelOnClose lets closing without a merge cancel them too. Off in all
	// presets.
	CancelOnClose bool `yaml:"cancel-on-close"`
}

// Workflows are the file names of the workflows the bot starts or reads, all
// of them in .github/workflows. Manual, ForkDispatch, MergeIngest and Relay
// may be empty.
type Workflows struct {
	Sweep        string `yaml:"sweep"`
	SingleNode   string `yaml:"single-node"`
	MultiNode    string `yaml:"multi-node"`
	Manual       string `yaml:"manual"`
	ForkDispatch string `yaml:"fork-dispatch"`
	MergeIngest  string `yaml:"merge-ingest"`
	// Relay does nothing but run when a pull request is opened, so that an
	// event of the default branch tells of it (docs/effects.md).
	Relay string `yaml:"relay"`
}

// Comments says what the comments on a pull request show.
type Comments struct {
	// Visualizer is the root of the pages that show the results of a run, ""
	// for none (spec/labels-and-sweeps.md section 11).
	Visualizer string `yaml:"visualizer"`
	// ProgressSeconds is how long the progress comment stays as it is while
	// points of a sweep end: it bounds what a large sweep costs in requests.
	ProgressSeconds int `yaml:"progress-seconds"`
	// StalledMinutes is how long points may wait for a kind of runner that
	// takes none before the comment says so (known failure F42).
	StalledMinutes int `yaml:"stalled-minutes"`
}

// Publish says whom a merge tells which sweep is to be published, and how
// (spec/labels-and-sweeps.md section 16). The consumer reads the artifacts of
// that sweep by itself.
type Publish struct {
	// Repository is owner/name of the consumer, "" for none.
	Repository string `yaml:"repository"`
	// Event is the type of the repository dispatch; AgenticEvent that of a
	// sweep with agentic throughput points, whose payload also names Target.
	Event        string `yaml:"event"`
	AgenticEvent string `yaml:"agentic-event"`
	Target       string `yaml:"target"`
}

// Limits bounds inputs and outputs (spec/github-limits.md, spec/security.md).
type Limits struct {
	// MatrixRows is the number of rows of one matrix. GitHub: 256.
	MatrixRows int `yaml:"matrix-rows"`
	// OutputChars is the number of characters of one job's outputs that still
	// fits 1 MiB when GitHub counts two bytes a character.
	OutputChars int `yaml:"output-chars"`
	// EnvBytes is the size of one environment string. Linux: 131072.
	EnvBytes int `yaml:"env-bytes"`
	// FileBytes is the largest config or changelog file that is read.
	FileBytes int `yaml:"file-bytes"`
	// ConcPoints is the largest number of concurrencies of one entry.
	ConcPoints int `yaml:"conc-points"`
	// Conc is the largest concurrency.
	Conc int `yaml:"conc"`
}

// Grade says what a rule of the graded changelog gate does.
type Grade string

// The grades.
const (
	GradeError Grade = "error"
	GradeWarn  Grade = "warn"
	GradeOff   Grade = "off"
)

// Gate grades the three kinds of changelog findings (spec/changelog.md
// section 2).
type Gate struct {
	// History: an existing entry was edited, deleted or re-ordered.
	History Grade `yaml:"history"`
	// Position: new entries do not stand at the physical end of the file.
	Position Grade `yaml:"position"`
	// Format: separators, final newline, CR, tab, trailing blank lines.
	Format Grade `yaml:"format"`
}

// Changelog holds the switches of the changelog room.
type Changelog struct {
	// Repository is owner/name, the repository of canonical pr-links.
	Repository string `yaml:"repository"`
	Gate       Gate   `yaml:"gate"`
	// LinkInPlan makes a wrong pr-link of a new entry an error already when
	// planning, not only at merge time (known failure F19).
	LinkInPlan Grade `yaml:"link-in-plan"`
	// CorrectionsPass accepts a change that only corrects links, with no
	// sweep. The reference refuses it while planning.
	CorrectionsPass bool `yaml:"corrections-pass"`
	// HeaderLikeLines overlooks deleted lines that begin with "--" and loses
	// added lines that begin with "++", as the reference's diff reader does.
	HeaderLikeLines bool `yaml:"header-like-lines"`
	// UnterminatedDeletes counts the last line of a base file without a final
	// newline as deleted as soon as anything follows it (known failure F15).
	UnterminatedDeletes bool `yaml:"unterminated-deletes"`
	// FinalNewline refuses a head file without a final newline already when
	// planning. The reference checks it in a step of its own.
	FinalNewline bool `yaml:"final-newline"`
	// NoEvals knows the entry key no-evals. 2026-08: false.
	NoEvals bool `yaml:"no-evals"`
	// LenientTypes, UnderscoreKeys and LastKeyWins: see Matrix.
	LenientTypes   bool `yaml:"lenient-types"`
	UnderscoreKeys bool `yaml:"underscore-keys"`
	LastKeyWins    bool `yaml:"last-key-wins"`
}

// FingerprintAlgorithm selects what a row fingerprint covers.
type FingerprintAlgorithm string

// The algorithms (spec/matrix.md section 12).
const (
	FingerprintRow       FingerprintAlgorithm = "row"
	FingerprintRowRecipe FingerprintAlgorithm = "row+recipe"
)

// VendorSuite routes agentic evals of one model to its vendor's suite
// (spec/matrix.md section 9.3).
type VendorSuite struct {
	ModelPrefix string `yaml:"model-prefix"`
	Framework   string `yaml:"framework"`
	Suite       string `yaml:"suite"`
}

// Matrix holds the switches of config loading, expansion and planning. Every
// difference of spec/matrix.md section 18 is one of them.
type Matrix struct {
	// LenientTypes accepts the scalar coercions of spec/matrix.md section 5.
	LenientTypes bool `yaml:"lenient-types"`
	// UnderscoreKeys accepts underscore spellings in the schema, which the
	// expansion then ignores.
	UnderscoreKeys bool `yaml:"underscore-keys"`
	// LastKeyWins keeps the last of repeated keys instead of refusing them.
	LastKeyWins bool `yaml:"last-key-wins"`
	// EmptyConcList lets an empty conc-list stand next to a range and yield
	// no single-node row, as the reference does. Default: refuse.
	EmptyConcList bool `yaml:"empty-conc-list"`
	// GlobResolvedKeys hands resolved keys to the generator as patterns, so
	// that a key containing "?" may select others. Default: literal.
	GlobResolvedKeys bool `yaml:"glob-resolved-keys"`
	// NullAsAbsent treats a null scenario, and a null kv-offloading of a
	// multi-node row, as absent. The reference crashes.
	NullAsAbsent bool `yaml:"null-as-absent"`

	// Clusters reads runner facts from cluster records. 2026-08: the hardware
	// table.
	Clusters bool `yaml:"clusters"`
	// AggregateWorker knows worker blocks and num-nodes.
	AggregateWorker bool `yaml:"aggregate-worker"`
	// TopologyScope applies rules R6, R11 and R12.
	TopologyScope bool `yaml:"topology-scope"`
	// NodeCount writes node-count on multi-node rows.
	NodeCount bool `yaml:"node-count"`
	// Recipes knows srt-recipe-dir, srt-recipe and eval-srt-recipe (R14).
	Recipes bool `yaml:"recipes"`
	// Power knows power and require-power (R15, R16).
	Power bool `yaml:"power"`
	// TieredOffload accepts kv-offloading: [dram, nvme].
	TieredOffload bool `yaml:"tiered-offload"`

	// AgenticEvals marks agentic evals in every mode, with finer groups and
	// the multi-node fallback. 2026-08: only in subset and all.
	AgenticEvals bool `yaml:"agentic-evals"`
	// EvalSuites writes eval-framework and eval-suite on selected rows.
	EvalSuites bool `yaml:"eval-suites"`
	// VendorSuites are the vendor suites of agentic evals.
	VendorSuites []VendorSuite `yaml:"vendor-suites"`
	// EvalIdentity removes evals of equal app identity.
	EvalIdentity bool `yaml:"eval-identity"`
	// Smoke knows the smoke mode.
	Smoke bool `yaml:"smoke"`
	// TrimMerges merges all rows of a recipe when trimming. 2026-08: only
	// single-node rows.
	TrimMerges bool `yaml:"trim-merges"`
	// MinEvalConc is the smallest concurrency that is evaluated by default.
	MinEvalConc int `yaml:"min-eval-conc"`

	// BaseValidated validates base configs by the head's rules before an
	// append-only comparison. 2026-08: true.
	BaseValidated bool                 `yaml:"base-validated"`
	Fingerprint   FingerprintAlgorithm `yaml:"fingerprint"`
}

// Sweep holds the switches of running a plan.
type Sweep struct {
	// AgenticCanary lets agentic rows, then multi-node agentic rows, be the
	// canary. 2026-08: only single-node 1k1k and 8k1k rows.
	AgenticCanary bool `yaml:"agentic-canary"`
	// PriorityLabels makes pull-request labels an input of the priority score.
	PriorityLabels bool `yaml:"priority-labels"`
	// UndispatchedBuckets says what happens to rows whose bucket has no job
	// family (any name but 1k1k, 8k1k and agentic): refuse, or dispatch them
	// in a family of their own. The reference plans them and never runs them.
	UndispatchedBuckets string `yaml:"undispatched-buckets"`
	// Rerun are the bounds of automatic re-runs of failed points.
	Rerun Rerun `yaml:"rerun"`
}

// Rerun bounds automatic re-runs. They are of points that only machines failed
// (docs/results.md); everything else waits for a person.
type Rerun struct {
	// Infrastructure switches them on. Off in all presets.
	Infrastructure bool `yaml:"infrastructure"`
	// PerPoint is how often one point is run again, PerRun how many jobs of one
	// run in all its attempts.
	PerPoint int `yaml:"per-point"`
	PerRun   int `yaml:"per-run"`
}

// The values of Sweep.UndispatchedBuckets.
const (
	UndispatchedRefuse   = "refuse"
	UndispatchedDispatch = "dispatch"
	UndispatchedIgnore   = "ignore"
)

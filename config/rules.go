package config

// rule is what a value must satisfy beyond the type of its field.
type rule struct {
	text     *textKind // of a text, or of each text of a list
	values   []string  // the only texts allowed
	min, max int       // of an integer
	filled   bool      // the list must not be empty
	required bool      // the key must be written in each item of its list
}

var (
	grades       = []string{string(GradeError), string(GradeWarn), string(GradeOff)}
	fingerprints = []string{string(FingerprintRow), string(FingerprintRowRecipe)}
	acceptances  = []string{AcceptanceOff, AcceptanceSetting, AcceptanceAlways}
	lanePaths    = []string{LaneAny, LaneSingle, LaneMulti}
	undispatched = []string{UndispatchedRefuse, UndispatchedDispatch, UndispatchedIgnore}
	profiles     = []string{"2026-07", "2026-08", "2026-09", "2026-10", "2026-11"}
)

// rules has the rule of every key but the switches, which need none. A test
// compares it with the fields of Settings.
var rules = map[string]rule{
	"preset": {values: PresetNames()},

	"layout.roots":               {text: &kindFolder, filled: true},
	"layout.probe":               {text: &kindPath},
	"layout.masters":             {text: &kindPath, filled: true},
	"layout.runners":             {text: &kindPath},
	"layout.changelog":           {text: &kindPath},
	"layout.priority":            {text: &kindFolder},
	"layout.golden-al":           {text: &kindFolder},
	"layout.thresholds":          {text: &kindFolder},
	"layout.checklist":           {text: &kindFolder},
	"layout.models":              {text: &kindFolder},
	"layout.waivers":             {text: &kindFolder},
	"layout.codeowners":          {text: &kindPath},
	"layout.recipes.single-node": {text: &kindTemplate},
	"layout.recipes.multi-node":  {text: &kindTemplate},
	"layout.launchers":           {text: &kindFolder},
	"layout.base-branch":         {text: &kindBranch},

	"labels.primaries":          {filled: true},
	"labels.primaries[].name":   {text: &kindLabel, required: true},
	"labels.all-evals":          {text: &kindMaybeLabel},
	"labels.evals-only":         {text: &kindMaybeLabel},
	"labels.agentx-fast":        {text: &kindMaybeLabel},
	"labels.only-stale":         {text: &kindMaybeLabel},
	"labels.skip-queue":         {text: &kindMaybeLabel},
	"labels.patchwork":          {text: &kindLabel},
	"labels.patchwork-waived":   {text: &kindLabel},
	"labels.checklist-complete": {text: &kindLabel},
	"labels.reuse-blocking":     {text: &kindLabel},
	// Every message contains the empty text: it would suppress all sweeps.
	"labels.skip-sweep-marker": {text: &kindMarker},

	"workflows.sweep":         {text: &kindWorkflow},
	"workflows.single-node":   {text: &kindWorkflow},
	"workflows.multi-node":    {text: &kindWorkflow},
	"workflows.manual":        {text: &kindMaybeFlow},
	"workflows.fork-dispatch": {text: &kindMaybeFlow},
	"workflows.merge-ingest":  {text: &kindMaybeFlow},
	"workflows.relay":         {text: &kindMaybeFlow},

	"comments.visualizer":       {text: &kindSite},
	"comments.progress-seconds": {min: 10, max: 3600},
	"comments.stalled-minutes":  {min: 10, max: 10_080},

	"publish.repository":    {text: &kindMaybeRepo},
	"publish.event":         {text: &kindWord},
	"publish.agentic-event": {text: &kindWord},
	"publish.target":        {text: &kindWord},

	"limits.matrix-rows":  {min: 1, max: 256},
	"limits.output-chars": {min: 1000, max: 524_288},
	"limits.env-bytes":    {min: 4096, max: 131_072},
	"limits.file-bytes":   {min: 65_536, max: 64 << 20},
	"limits.conc-points":  {min: 1, max: 4096},
	"limits.conc":         {min: 1, max: 16 << 20},

	"changelog.repository":    {text: &kindRepository},
	"changelog.gate.history":  {values: grades},
	"changelog.gate.position": {values: grades},
	"changelog.gate.format":   {values: grades},
	"changelog.link-in-plan":  {values: grades},

	"matrix.vendor-suites[].model-prefix": {text: &kindWord, required: true},
	"matrix.vendor-suites[].framework":    {text: &kindWord, required: true},
	"matrix.vendor-suites[].suite":        {text: &kindWord, required: true},
	"matrix.min-eval-conc":                {min: 1, max: 16 << 20},
	"matrix.fingerprint":                  {values: fingerprints},

	"sweep.undispatched-buckets": {values: undispatched},
	"sweep.rerun.per-point":      {min: 1, max: 5},
	"sweep.rerun.per-run":        {min: 1, max: 256},

	"launch.shared-recipes": {text: &kindLaunch},
	"launch.telemetry":      {text: &kindFolder},
	"launch.launcher":       {text: &kindLaunch},
	"launch.scripts":        {text: &kindLaunch},
	"launch.acceptance":     {values: acceptances},

	"launch.acceptance-frameworks": {text: &kindWord},
	"launch.setup-folders":         {text: &kindPath},
	"launch.router-version":        {text: &kindMaybeWord},
	"launch.offload-version":       {text: &kindMaybeWord},
	"launch.lanes[].cluster":       {text: &kindMaybeWord},
	"launch.lanes[].path":          {values: lanePaths, required: true},
	"launch.lanes[].framework":     {text: &kindMaybeWord},
	"launch.lanes[].setup-script":  {text: &kindFolder},
	"launch.lanes[].mount":         {text: &kindMount},
	"launch.lanes[].eval-unset":    {text: &kindMaybeWord},

	"checks.profile":             {values: profiles},
	"checks.undecidable":         {values: []string{UndecidableWarn, UndecidableStrict}},
	"checks.reached":             {values: []string{ReachedRemark, ReachedWarn, ReachedAffected}},
	"checks.teams":               {text: &kindMember},
	"checks.unreadable-owners":   {values: []string{OwnersPass, OwnersFail}},
	"checks.template-score":      {min: 1, max: 100},
	"checks.open-source-images":  {values: []string{ImagesFail, ImagesWarn, ImagesIgnore}},
	"checks.non-speculative-arm": {values: []string{ArmPolicy, ArmWarn, ArmAllow}},
	"checks.overview":            {values: []string{OverviewOn, OverviewSummary, OverviewOff}},
	"checks.verdict.mode":        {values: []string{VerdictBySHA, VerdictCheckRun, VerdictCarry, VerdictAppend, VerdictBySignOff}},
	"checks.verdict.scope":       {values: []string{ScopeOwners, ScopeChangelog, ScopeAlways}},
	"checks.verdict.core-team":   {text: &kindMaybeTeam},
	"checks.verdict.mentions":    {text: &kindLogin},
	"checks.verdict.former-bots": {text: &kindLogin},
}

package report

import (
	"encoding/json"

	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
)

// Version is the version of the document report.json. Fields are only added
// within a version.
const Version = 1

// Report is everything that is known about the results of one sweep. Its JSON
// form is report.json (docs/schema/report.schema.json).
type Report struct {
	Version int  `json:"version"`
	Run     *Run `json:"run,omitempty"`
	// Outcome says in one word whether the sweep is what was planned. Without a
	// plan it is "partial" or "nothing": nobody knows what is missing.
	Outcome results.Outcome `json:"outcome"`
	// HasPlan says that the plan is known.
	HasPlan  bool     `json:"has_plan"`
	Coverage Coverage `json:"coverage"`
	Points   []Point  `json:"points"`
	Curves   []Curve  `json:"curves"`
	// Comparison is nil when there was nothing to compare with.
	Comparison *Comparison `json:"comparison,omitempty"`
	Clusters   []Cluster   `json:"clusters,omitempty"`
	// Rerun is what was decided about running failed points again.
	Rerun    *Rerun    `json:"rerun,omitempty"`
	Findings []Finding `json:"findings"`
}

// Run identifies the run that the results are of.
type Run struct {
	Repository string `json:"repository,omitempty"`
	ID         int64  `json:"id,omitempty"`
	Attempt    int    `json:"attempt,omitempty"`
	URL        string `json:"url,omitempty"`
	Title      string `json:"title,omitempty"`
	// Pull is the number of the pull request, Label that which started it.
	Pull  int    `json:"pull_request,omitempty"`
	Label string `json:"label,omitempty"`
	// Head is the head of the change, Commit what was checked out and measured.
	Head   string `json:"head,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Seconds is the wall time, 0 while it is not known.
	Seconds int64 `json:"seconds,omitempty"`
}

// Counts are numbers of points by state.
type Counts struct {
	Planned   int `json:"planned"`
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	Skipped   int `json:"skipped"`
	Pending   int `json:"pending"`
	Missing   int `json:"missing"`
}

// Group is the count of one family or one kind of hardware.
type Group struct {
	Name string `json:"name"`
	Counts
}

// Coverage is what was measured of what was planned.
type Coverage struct {
	Total      Counts  `json:"total"`
	Throughput Counts  `json:"throughput"`
	Evals      Counts  `json:"evals"`
	Families   []Group `json:"families"`
	Hardware   []Group `json:"hardware"`
	// Unplanned are rows of points that nobody planned.
	Unplanned int `json:"unplanned"`
}

// The kinds of points.
const (
	Throughput = "throughput"
	Eval       = "eval"
)

// Point is one planned or measured point, or one eval of it.
type Point struct {
	// ID is unique in the report.
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Family string `json:"family,omitempty"`
	// Key is the config key, PlanID the id of the plan's row.
	Key    string `json:"key,omitempty"`
	PlanID string `json:"plan_id,omitempty"`
	Label  string `json:"label"`
	Canary bool   `json:"canary,omitempty"`

	Scenario  results.Scenario `json:"scenario"`
	Model     string           `json:"model"` // the short name
	Served    string           `json:"served_model,omitempty"`
	Hardware  string           `json:"hardware"`
	Framework string           `json:"framework"`
	Precision string           `json:"precision"`
	Spec      string           `json:"spec_decoding,omitempty"`
	Offload   string           `json:"offload,omitempty"`
	ISL       int64            `json:"isl,omitempty"`
	OSL       int64            `json:"osl,omitempty"`
	Conc      int64            `json:"conc"`
	Topology  string           `json:"topology"`
	Multinode bool             `json:"multinode"`
	GPUs      int64            `json:"gpus,omitempty"`
	Layout    *Role            `json:"layout,omitempty"`
	Prefill   *Role            `json:"prefill,omitempty"`
	Decode    *Role            `json:"decode,omitempty"`

	Image       string `json:"image,omitempty"`
	Fingerprint string `json:"recipe_fingerprint,omitempty"`

	State  results.State `json:"state"`
	Reason string        `json:"reason,omitempty"`
	// Place is the line of the config that asks for the point.
	Place *Place `json:"place,omitempty"`
	// Settings are those of the plan, Serve the commands that would be started.
	Settings []Setting `json:"settings,omitempty"`
	Serve    []Command `json:"serve,omitempty"`
	// Metrics are values by their flat name (results.MetricOf): times in
	// seconds, throughput in tokens/s/GPU, interactivity in tokens/s/user.
	Metrics   map[string]float64 `json:"metrics,omitempty"`
	Requests  *Requests          `json:"requests,omitempty"`
	Scores    []Score            `json:"scores,omitempty"`
	Failure   *Failure           `json:"failure,omitempty"`
	Jobs      []Job              `json:"jobs,omitempty"`
	Artifact  string             `json:"artifact,omitempty"` // artifact and file of the row
	Unplanned bool               `json:"unplanned,omitempty"`
	// Row is the row as it was uploaded, for later comparisons.
	Row json.RawMessage `json:"row,omitempty"`
}

// Role is the layout of a role's workers.
type Role struct {
	TP          int64 `json:"tp"`
	PP          int64 `json:"pp"`
	DCP         int64 `json:"dcp"`
	PCP         int64 `json:"pcp"`
	EP          int64 `json:"ep"`
	DPAttention bool  `json:"dp_attention"`
	Workers     int64 `json:"workers,omitempty"`
}

// Place is a line of a file of the measured commit.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Setting is one setting of a point, as the plan has it.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Command is a command that serves the point, with the file and line of the
// recipe that it comes from.
type Command struct {
	Role string `json:"role,omitempty"`
	// Count is the number of such processes, 0 where it is not known.
	Count int `json:"count,omitempty"`
	// Argv and Env may hold parts that are not known, in angle brackets.
	Argv []string  `json:"argv"`
	Env  []Setting `json:"env,omitempty"`
	// Config are the settings of the engine's file.
	Config []Setting `json:"config,omitempty"`
	File   string    `json:"file,omitempty"`
	Line   int       `json:"line,omitempty"`
}

// Requests are the requests of a point.
type Requests struct {
	Total     int64 `json:"total"`
	Succeeded int64 `json:"succeeded"`
}

// Job is one job of a point.
type Job struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Attempt    int    `json:"attempt"`
	Conclusion string `json:"conclusion"`
	URL        string `json:"url,omitempty"`
}

// The verdicts on a score. Recorded means that its bar is 0.
const (
	ScorePassed   = "passed"
	ScoreBelow    = "below-bar"
	ScoreBroken   = "broken"
	ScoreRecorded = "recorded"
)

// Score is the result of one task.
type Score struct {
	Task    string   `json:"task"`
	Name    string   `json:"name,omitempty"` // em_strict, accuracy, em_flexible
	Value   *float64 `json:"value"`
	StdErr  *float64 `json:"stderr,omitempty"`
	Samples *float64 `json:"samples,omitempty"`
	Bar     float64  `json:"bar"`
	// Source says where the bar comes from.
	Source  string `json:"bar_source"`
	Verdict string `json:"verdict"`
	Error   string `json:"error,omitempty"`
	// Gap is the distance to the best sibling, Limit what chance explains; both
	// are absent for the best one. Wide says that a person must look.
	Gap   *float64 `json:"gap,omitempty"`
	Limit *float64 `json:"gap_limit,omitempty"`
	Wide  bool     `json:"wide,omitempty"`
	Image string   `json:"image,omitempty"`
	// Row is the row of eval collectors.
	Row json.RawMessage `json:"row,omitempty"`
}

// Failure is why a point failed.
type Failure struct {
	Class  failure.Class `json:"class"`
	Phase  failure.Phase `json:"phase,omitempty"`
	Rule   string        `json:"rule,omitempty"`
	Line   string        `json:"line,omitempty"`
	Runner string        `json:"runner,omitempty"`
	Node   string        `json:"node,omitempty"`
	// Job is the job whose log says so.
	Job int64  `json:"job,omitempty"`
	URL string `json:"url,omitempty"`
}

// Curve is one Pareto curve: what was measured now, and what before.
type Curve struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	// View is "latency" for the curves that count (end-to-end latency), and
	// "first-token" for those that are shown beside them.
	View string `json:"view"`
	// X names the metric of the latency axis, in seconds; y is tput_per_gpu.
	X           string `json:"x_metric"`
	Status      string `json:"status"`
	Measured    int    `json:"measured"`
	Invalid     int    `json:"invalid"`
	Frontier    int    `json:"frontier"`
	Recommended int    `json:"recommended"`
	Restricted  bool   `json:"restricted"`
	Points      []Mark `json:"points"`
	// Before are the measurements of the default branch.
	Before *Series `json:"before,omitempty"`
}

// Series are the older measurements of a curve.
type Series struct {
	Source   string `json:"source"`
	Measured int    `json:"measured"`
	Invalid  int    `json:"invalid"`
	Frontier int    `json:"frontier"`
	Points   []Mark `json:"points"`
}

// Mark is a measurement on a curve; X and Y are null where it has none.
type Mark struct {
	Point    string   `json:"point,omitempty"` // id in the report
	Conc     int64    `json:"conc"`
	Topology string   `json:"topology"`
	X        *float64 `json:"x"`
	Y        *float64 `json:"y"`
	Kept     bool     `json:"on_frontier"`
}

// Comparison is the run against the default branch.
type Comparison struct {
	Source string `json:"source"`
	Rows   int    `json:"rows"`
	// Counts are numbers of points by verdict.
	Regressed   int        `json:"regressed"`
	Improved    int        `json:"improved"`
	WithinNoise int        `json:"within_noise"`
	Unclear     int        `json:"unclear"`
	Points      []Compared `json:"points"`
}

// Compared is one point against its baseline.
type Compared struct {
	Point   string          `json:"point"`
	Label   string          `json:"label"`
	Verdict results.Verdict `json:"verdict"`
	Changes []Change        `json:"changes"`
}

// Change is one metric against its baseline, in the shown unit.
type Change struct {
	Metric  string          `json:"metric"`
	Label   string          `json:"label"`
	Verdict results.Verdict `json:"verdict"`
	// Reason is the stable name of results.Assessment.
	Reason  string   `json:"reason"`
	Current *float64 `json:"current"`
	Base    *float64 `json:"base"`
	Delta   *float64 `json:"delta"`
	// Percent is of the base, Spread the largest distance between repeats.
	Percent *float64 `json:"percent"`
	Spread  *float64 `json:"spread"`
	Repeats int      `json:"repeats"`
}

// Cluster is the success of the jobs on one cluster, over all attempts.
type Cluster struct {
	Name      string `json:"name"`
	Succeeded int64  `json:"succeeded"`
	Total     int64  `json:"total"`
}

// Rerun is a decision about running points again. It is a proposal: a report
// starts nothing, and who acts decides anew (docs/results.md).
type Rerun struct {
	Decided bool    `json:"decided"`
	Why     string  `json:"why"`
	Jobs    []int64 `json:"jobs,omitempty"`
	// Choices has every job that did not succeed.
	Choices []RerunChoice `json:"choices,omitempty"`
}

// RerunChoice is what is said about one job: Again, and Why as a stable name of
// results/failure. Point is the id of its point in the report.
type RerunChoice struct {
	Job   int64  `json:"job"`
	Point string `json:"point,omitempty"`
	Label string `json:"label"`
	Again bool   `json:"again"`
	Why   string `json:"why"`
}

// Finding is one remark about uploads, rows or evals.
type Finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Place    string `json:"place,omitempty"`
	Message  string `json:"message"`
	Mend     string `json:"mend,omitempty"`
	// Chinese is the message in Chinese.
	Chinese string `json:"message_zh"`
}

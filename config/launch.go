package config

// Launch says what a row of the matrix starts, so that its commands can be
// told without running it (spec/labels-and-sweeps.md section 9, spec/checks.md
// section 1.7).
type Launch struct {
	// Recipes reads the srt-slurm recipe that a row names. 2026-08: launch
	// scripts choose the recipe by themselves.
	Recipes bool `yaml:"recipes"`
	// SharedRecipes is the file of the block that a recipe lies over; {length}
	// is fixed-sequence or agentic, {nodes} single or multi. Telemetry is the
	// block under rows that measure power. Both may be "".
	SharedRecipes string `yaml:"shared-recipes"`
	Telemetry     string `yaml:"telemetry"`
	// Launcher is the name of the launch script in layout.launchers; {prefix}
	// is the runner's name up to its first underscore.
	Launcher string `yaml:"launcher"`
	// Scripts are the scripts of single-node rows where no launcher says which,
	// tried in order. Placeholders: {scenario}, {model}, {precision}, {sku},
	// {framework} and {spec}, the last of them "_mtp" or nothing.
	Scripts []string `yaml:"scripts"`
	// Acceptance says when the launcher simulates the acceptance length of the
	// golden curve in speculating agentic runs (spec/checks.md check 11).
	Acceptance string `yaml:"acceptance"`
	// AcceptanceFrameworks are the frameworks whose launchers do so.
	AcceptanceFrameworks []string `yaml:"acceptance-frameworks"`
	// SetupFolders are searched in order for the set-up script of a recipe that
	// a row names.
	SetupFolders []string `yaml:"setup-folders"`
	// RouterVersion and OffloadVersion are the variables in which the launcher
	// passes on the versions of the row's components; "" for none.
	RouterVersion  string `yaml:"router-version"`
	OffloadVersion string `yaml:"offload-version"`
	// Lanes are what launchers add to the recipes that rows name.
	Lanes []Lane `yaml:"lanes"`
}

// Lane is an addition of the launcher to the recipes of some rows
// (spec/checks.md section 1.7, form A, step 5). An empty field does not narrow,
// and adds nothing.
type Lane struct {
	// Cluster is the id of a cluster, Path a value below, Framework the row's.
	Cluster   string `yaml:"cluster"`
	Path      string `yaml:"path"`
	Framework string `yaml:"framework"`
	// SetupScript is what workers run first where the recipe names no script;
	// of several that fit a row, the first counts.
	SetupScript string `yaml:"setup-script"`
	// Mount is SOURCE:FOLDER, a folder that all containers see.
	Mount string `yaml:"mount"`
	// EvalUnset is a variable that eval-only runs remove.
	EvalUnset string `yaml:"eval-unset"`
}

// The values of Lane.Path.
const (
	LaneAny    = "any"
	LaneSingle = "single-node"
	LaneMulti  = "multi-node"
)

// The values of Launch.Acceptance: never, when a setting of the row asks for
// it, or always.
const (
	AcceptanceOff     = "off"
	AcceptanceSetting = "setting"
	AcceptanceAlways  = "always"
)

func newestLaunch() Launch {
	return Launch{
		Recipes:       true,
		SharedRecipes: "configs/srt-recipes/{length}-{nodes}.yaml",
		Telemetry:     "configs/srt-recipes/telemetry-dcgm.yaml",
		Launcher:      "launch_{prefix}.sh",
		Scripts: []string{
			"benchmarks/single_node/{scenario}/{model}_{precision}_{sku}_{framework}{spec}.sh",
			"benchmarks/single_node/{scenario}/{model}_{precision}_{sku}{spec}.sh",
		},
		Acceptance: AcceptanceAlways,
		AcceptanceFrameworks: []string{
			"vllm", "vllm-disagg", "dynamo-vllm", "sglang", "sglang-disagg", "dynamo-sglang", "trt", "dynamo-trt", "atom", "atom-disagg", "tilert",
		},
		SetupFolders:   []string{"benchmarks/multi_node/srt-slurm-recipes/configs", "utils/srt-slurm/configs"},
		RouterVersion:  "ROUTER_VERSION",
		OffloadVersion: "KV_OFFLOAD_BACKEND_VERSION",
		Lanes: []Lane{
			{Cluster: "gb200-nv", Path: LaneMulti, Framework: "dynamo-sglang", SetupScript: "install-torchao.sh"},
			{Path: LaneMulti, Framework: "dynamo-trt", EvalUnset: "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS"},
		},
	}
}

func augustLaunch(l *Launch) {
	l.Recipes = false
	l.SharedRecipes, l.Telemetry = "", ""
	l.Acceptance = AcceptanceSetting
	l.AcceptanceFrameworks = []string{"dynamo-vllm", "dynamo-sglang"}
	// What else launchers add is read from their scripts.
	l.SetupFolders, l.Lanes = nil, nil
	l.RouterVersion, l.OffloadVersion = "", ""
}

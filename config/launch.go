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
}

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
	}
}

func augustLaunch(l *Launch) {
	l.Recipes = false
	l.SharedRecipes, l.Telemetry = "", ""
	l.Acceptance = AcceptanceSetting
}

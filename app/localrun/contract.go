package localrun

import "github.com/sweepbot/sweepbot/config"

// Contract says which forms of the runner contract the launchers of a
// repository know, where the published versions differ
// (spec/labels-and-sweeps.md section 9).
type Contract struct {
	// SRTRecipe sets SRT_RECIPE.
	SRTRecipe bool
	// Constants sets the constants that the launch program of cluster records
	// expects. Without it there is SALLOC_EXCLUDE.
	Constants bool
	// Suites sets EVAL_FRAMEWORK and EVAL_SUITE, puts them into the names of
	// eval artifacts, and judges the metrics that a result declares.
	Suites bool
	// Batch processes the files of a multi-node point together, allows
	// aggregate workers and overlooks values that are not finite
	// (spec/results.md section 3.5).
	Batch bool
}

// ContractOf reads the contract off the settings of a repository: each part
// follows the switch that introduced it.
func ContractOf(m config.Matrix) Contract {
	return Contract{SRTRecipe: m.Recipes, Constants: m.Clusters, Suites: m.EvalSuites, Batch: m.AggregateWorker}
}

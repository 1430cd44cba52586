package story

import (
	"embed"
	"testing/fstest"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/testdata"
)

// The sample repository, as its changelog names it.
const (
	owner      = "example"
	name       = "sample-bench"
	repository = owner + "/" + name
)

// The people of the stories.
const (
	admin      = "ada-admin"
	author     = "nora-author"
	maintainer = "milo-maintains"
	codeOwner  = "boreal-owner"
)

func people() []sandbox.Account {
	return []sandbox.Account{
		{Login: admin, Name: "Ada", Role: "admin", Member: "public"},
		{Login: author, Name: "Nora", Role: "write"},
		{Login: maintainer, Name: "Milo", Role: "maintain", Member: "public"},
		{Login: codeOwner, Name: "Bo", Role: "write", Member: "public"},
	}
}

// sweepLabel starts a sweep with a canary, of which each family stops at its
// first failure.
const sweepLabel = "full-sweep-fail-fast"

func labels() map[string]string {
	return map[string]string{
		sweepLabel:           "Sweep: canary first, each family stops at its first failure",
		"full-sweep-enabled": "Sweep: canary first, all points",
		"all-evals":          "Evaluate every point",
		"evals-only":         "Evaluate only",
	}
}

//go:embed files
var files embed.FS

// file is a file of this package; that it is there is the compiler's concern.
func file(name string) string {
	data, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// The files that stories change.
const (
	masterFile    = "configs/boreal-master.yaml"
	changelogFile = "perf-changelog.yaml"
	sweepWorkflow = ".github/workflows/run-sweep.yml"
)

// seed is the sample repository. With the local engine it has a workflow for
// runs that sweepbot dispatches; the workflow files of act come later.
func seed(engine string) (fstest.MapFS, error) {
	sample, err := testdata.Sample()
	if err != nil || engine == Act {
		return sample, err
	}
	sample[sweepWorkflow] = &fstest.MapFile{Data: []byte(file("run-sweep.yml")), Mode: 0o644}
	return sample, nil
}

// appended returns a file of the sample with something at its end.
func appended(name, more string) (string, error) {
	sample, err := testdata.Sample()
	if err != nil {
		return "", err
	}
	data, err := sample.ReadFile(name)
	return string(data) + more, err
}

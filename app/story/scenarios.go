package story

import (
	"context"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// scenario is a story that can be told.
type scenario struct {
	name string
	// seed are files of the repository beside those of the sample.
	seed func() map[string]string
	// environment is what the launchers get in this story, as NAME=value.
	environment []string
	// play acts it out. judge compares the end with what is expected and
	// returns what does not hold.
	play  func(ctx context.Context, s *Stage) error
	judge func(ctx context.Context, s *Stage) (diag.List, error)
}

// scenarios are all stories; the first is told unless another is asked for.
var scenarios = []scenario{
	{name: "nine-points", play: playNinePoints, judge: judgeNinePoints},
	{name: "A", seed: supersededSeed, play: playSuperseded, judge: judgeSuperseded},
	{name: "B", seed: augustSeed, play: playOlderEra, judge: judgeOlderEra},
	{name: "failing-point", environment: failAt("conc72"), play: sweepNinePoints, judge: judgeFailingPoint},
	{name: "failing-canary", environment: failAt("conc12"), play: sweepNinePoints, judge: judgeFailingCanary},
}

// Names are the names of the stories.
func Names() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

// find returns a story by its name.
func find(name string) (scenario, error) {
	for _, s := range scenarios {
		if name == s.name || name == "" {
			return s, nil
		}
	}
	return scenario{}, diag.New("story.unknown", diag.Place{}, "name", name, "names", strings.Join(Names(), ", ")).In("usage")
}

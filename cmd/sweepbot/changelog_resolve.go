package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

func newChangelogResolveCommand(s *streams) *cobra.Command {
	r := bot.EditRequest{Dir: "."}
	swapped := false
	c := &cobra.Command{
		Use:   "resolve BASE OURS THEIRS",
		Short: "Merge the changelogs of two branches, as a git merge driver",
		Long: "Resolve merges the changelog of a pull request (OURS) with that of the main branch (THEIRS): the\n" +
			"result is the main branch's file, byte for byte, followed by the new entries of the pull\n" +
			"request. It is written to OURS. A conflict that needs judgement leaves OURS as it is.\n\n" +
			"To let git call it, put this into .gitattributes:\n\n" +
			"    perf-changelog.yaml merge=sweepbot\n\n" +
			"and run once in the clone:\n\n" +
			"    git config merge.sweepbot.driver 'sweepbot changelog resolve %O %A %B'\n\n" +
			"While git rebases, it swaps the two sides; --swap swaps them back.",
		Example: "  git config merge.sweepbot.driver 'sweepbot changelog resolve %O %A %B'\n" +
			"  sweepbot changelog resolve base.yaml ours.yaml theirs.yaml --pr 1234",
		Args: arguments(3),
		RunE: func(_ *cobra.Command, names []string) error { return resolveChangelog(s, r, names, swapped) },
	}
	c.Flags().IntVar(&r.PR, "pr", 0, "`NUMBER` of the pull request, whose link the new entries get")
	c.Flags().StringVar(&r.Repository, "repo", "", "`OWNER/NAME` of the links, instead of that of the settings")
	c.Flags().StringVar(&r.Preset, "preset", "", "settings `NAME` instead of those of the current folder")
	c.Flags().BoolVar(&swapped, "swap", false, "OURS is the main branch and THEIRS the pull request")
	return c
}

func resolveChangelog(s *streams, r bot.EditRequest, names []string, swapped bool) error {
	if r.PR < 0 {
		return usage("cli.pr-number")
	}
	sides := make([][]byte, len(names))
	for i, name := range names {
		data, err := readInput(name)
		if err != nil {
			return err
		}
		sides[i] = data
	}
	if swapped {
		sides[1], sides[2] = sides[2], sides[1]
	}
	merged, err := bot.MergeChangelog(r, sides[0], sides[1], sides[2])
	if err != nil {
		return s.refuse(findingsOf(err), sideOf(sides))
	}
	if err := replaceFile(names[1], merged); err != nil {
		return err
	}
	s.say(diag.List{diag.New("cli.changelog-merged", diag.Place{File: names[1]}).WithSeverity(diag.Note)}, nil)
	return nil
}

// sideOf returns the bytes that findings about one of the sides point into.
func sideOf(sides [][]byte) func(file string) []byte {
	return func(file string) []byte {
		for i, mark := range []string{" (base)", " (pull request)", " (main)"} {
			if strings.HasSuffix(file, mark) {
				return sides[i]
			}
		}
		return nil
	}
}

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// release is the version of a release build, set by the linker.
var release = ""

// version is the version of this program: that of the release, of the module
// or of the commit it was built from.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return "0.0.0-" + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return "0.0.0-dev"
}

func newVersionCommand(s *streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this program",
		Example: "  sweepbot version\n  sweepbot version --json | jq -r .version",
		Args:    arguments(0),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return diag.EncodeLine(s.out, map[string]string{"version": version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err := fmt.Fprintf(s.out, "sweepbot %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

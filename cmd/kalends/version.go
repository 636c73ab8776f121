package main

import (
	"fmt"
	"runtime/debug"

	"github.com/kalends/kalends/api"
)

// versionCommand prints the version of this program.
type versionCommand struct{}

// Run implements the command. It prints the release, the commit if known, and the compiler.
func (versionCommand) Run(p *program) error {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.GoVersion
		about := map[string]string{}
		for _, s := range info.Settings {
			about[s.Key] = s.Value
		}
		if revision := about["vcs.revision"]; revision != "" {
			if about["vcs.modified"] == "true" {
				revision += " with changes"
			}
			built = revision + ", " + built
		}
	}
	_, err := fmt.Fprintf(p.out, "kalends %s (%s)\n", api.Version, built)
	return err
}

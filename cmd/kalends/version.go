package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/migrations"
)

// versionCommand prints the version of this program.
type versionCommand struct{}

// Run implements the command. It prints the version, the schema it needs, the commit if known, and the compiler.
func (versionCommand) Run(p *program) error {
	_, err := fmt.Fprintf(p.out, "kalends %s (%s)\n", version(), strings.Join(madeOf(), ", "))
	return err
}

// version returns the version of this program: that of the release if it was built from a release's tag, otherwise
// that of the preceding release, with the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versionOf("", "", false)
	}
	about := about(info)
	return versionOf(info.Main.Version, about["vcs.revision"], about["vcs.modified"] == "true")
}

// versionOf is version for the given build information.
func versionOf(module, revision string, modified bool) string {
	if module == "v"+api.Version {
		return api.Version
	}
	const short = 12
	text := api.Version + "-dev"
	if revision != "" {
		text += "+" + revision[:min(len(revision), short)]
	}
	if modified {
		text += ".changed"
	}
	return text
}

// madeOf lists the schema, the revision and the compiler that the program was built from.
func madeOf() []string {
	list := []string{fmt.Sprint("schema ", migrations.Newest())}
	if info, ok := debug.ReadBuildInfo(); ok {
		about := about(info)
		if revision := about["vcs.revision"]; revision != "" {
			if about["vcs.modified"] == "true" {
				revision += " with changes"
			}
			list = append(list, revision)
		}
		if at := about["vcs.time"]; at != "" {
			list = append(list, at)
		}
		list = append(list, info.GoVersion)
	}
	return list
}

// about returns the build settings by name.
func about(info *debug.BuildInfo) map[string]string {
	about := map[string]string{}
	for _, s := range info.Settings {
		about[s.Key] = s.Value
	}
	return about
}

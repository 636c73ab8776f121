package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/kalends/kalends/api"
)

// said runs a command that needs no database and returns what it prints.
func said(t *testing.T, arguments ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(context.Background(), arguments, func(string) string { return "" }, &out, &errs); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %v\n%s", arguments, err, errs.String())
	}
	return out.String()
}

// everyCommand returns the program's commands, and what only groups them, by what is typed.
func everyCommand(t *testing.T) map[string]*kong.Node {
	t.Helper()
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*kong.Node{}
	var add func(path string, node *kong.Node)
	add = func(path string, node *kong.Node) {
		all[path] = node
		for _, child := range node.Children {
			add(strings.TrimSpace(path+" "+child.Name), child)
		}
	}
	add("", parser.Model.Node)
	return all
}

// TestHelp: the help of every command lists its own arguments and flags and fits on a screen of 24 lines of 80
// characters; the settings are in that of serve.
func TestHelp(t *testing.T) {
	t.Parallel()
	for line, command := range everyCommand(t) {
		text := said(t, append(strings.Fields(line), "--help")...)
		own := []string{"Usage: " + strings.TrimSpace("kalends "+line)}
		for _, child := range command.Children {
			if !child.Hidden { // there is no room for what shells run
				own = append(own, "\n  "+strings.TrimSpace(line+" "+child.Name)+" ")
			}
		}
		for _, argument := range command.Positional {
			own = append(own, argument.Summary())
		}
		if command.Parent != nil {
			for _, flag := range command.Flags {
				own = append(own, flag.Name)
			}
		}
		for _, want := range own {
			if !strings.Contains(text, want) {
				t.Errorf("kalends %s --help lacks %q\n%s", line, want, text)
			}
		}
		if line == "serve" {
			first, setting := strings.Index(text, "--no-migrate"), strings.Index(text, "--addr")
			if first < 0 || setting < first {
				t.Errorf("kalends serve --help\n%s", text)
			}
			continue
		}
		if n := strings.Count(text, "\n"); n > 24 {
			t.Errorf("kalends %s --help has %d lines\n%s", line, n, text)
		}
		for row := range strings.Lines(text) {
			if utf8.RuneCountInString(row) > 81 {
				t.Errorf("kalends %s --help has a line of %d characters: %s", line, utf8.RuneCountInString(row)-1, row)
			}
		}
		if strings.Contains(text, "--addr=") || !strings.Contains(text, "kalends serve --help") {
			t.Errorf("kalends %s --help has settings, or doesn't say where they are\n%s", line, text)
		}
	}
}

// TestVersion: the release is told in one place, and the changelog begins with it.
func TestVersion(t *testing.T) {
	t.Parallel()
	if text := said(t, "version"); !strings.HasPrefix(text, "kalends "+version()+" (schema ") {
		t.Errorf("kalends version says %s", text)
	}
	log, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## \[([0-9.]+)\] - \d{4}-\d\d-\d\d$`).FindSubmatch(log)
	if newest == nil || string(newest[1]) != api.Version {
		t.Errorf("the changelog begins with %s, this is %s", newest, api.Version)
	}
}

// TestVersionOf: only a program built from the tag of a release is that release.
func TestVersionOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		module, revision string
		modified         bool
		want             string
	}{
		{"v" + api.Version, "0123456789abcdef", false, api.Version},
		{"v" + api.Version + "+dirty", "0123456789abcdef", true, api.Version + "-dev+0123456789ab.changed"},
		{"v0.0.0-20261128053052-0123456789ab", "0123456789abcdef", false, api.Version + "-dev+0123456789ab"},
		{"(devel)", "", false, api.Version + "-dev"},
	} {
		if got := versionOf(c.module, c.revision, c.modified); got != c.want {
			t.Errorf("%s: %s, want %s", c.module, got, c.want)
		}
	}
}

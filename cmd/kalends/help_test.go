package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

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

// TestHelp: the help of a command shows its own flags first and fits on a screen of 24
// lines; the settings are in that of serve.
func TestHelp(t *testing.T) {
	t.Parallel()
	for line, own := range map[string]string{"": "", "site": "", "import csv": "--dry-run", "site create": "--timezone", "site list": "--search",
		"backup": "<dir>", "restore": "--site", "doctor": "--json", "migrate": "--citus", "version": "", "i18n check": "--sentences", "token create": "", "key list": "--site", "key revoke": "<id>", "user create": "--role"} {
		text := said(t, append(strings.Fields(line), "--help")...)
		if n := strings.Count(text, "\n"); n > 24 {
			t.Errorf("kalends %s --help has %d lines\n%s", line, n, text)
		}
		if !strings.Contains(text, own) || strings.Contains(text, "--addr") || !strings.Contains(text, "kalends serve --help") {
			t.Errorf("kalends %s --help lacks %s, or has settings\n%s", line, own, text)
		}
	}
	serve := said(t, "serve", "--help")
	first, setting := strings.Index(serve, "--no-migrate"), strings.Index(serve, "--addr")
	if first < 0 || setting < first {
		t.Errorf("kalends serve --help\n%s", serve)
	}
}

// TestVersion: the release is told in one place, and the changelog begins with it.
func TestVersion(t *testing.T) {
	t.Parallel()
	if text := said(t, "version"); !strings.HasPrefix(text, "kalends "+api.Version+" (") {
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

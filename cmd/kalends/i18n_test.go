package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"
)

// checkTexts runs i18n check and returns what it prints and ends with.
func checkTexts(t *testing.T, arguments ...string) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	err := run(context.Background(), append([]string{"i18n", "check"}, arguments...), func(string) string { return "" }, &out, &errs)
	if errs.Len() > 0 {
		t.Fatalf("%v: %s", arguments, errs.String())
	}
	return out.String(), exitCode(err)
}

// The texts of the program are right; a file that is not says where, as lines and as
// JSON, and is brought into its form when somebody wants it.
func TestI18nCheck(t *testing.T) {
	t.Parallel()
	if out, code := checkTexts(t); strings.Contains(out, "wrong") || code != exitOK {
		t.Errorf("%d: %s", code, out)
	}
	if out, code := checkTexts(t, "--json", "fr"); !json.Valid([]byte(out)) || code != exitOK {
		t.Errorf("%d: %s", code, out)
	}
	content, err := os.ReadFile("../../i18n/texts/de.json")
	if err != nil {
		t.Fatal(err)
	}
	style, err := filepath.Abs("../../i18n/texts/style/de.json")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "de.json")
	changed := bytes.Replace(content, []byte(`"admin.quick.new": `), []byte(`   "admin.quick.neu": `), 1)
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := checkTexts(t, "--style", style, file)
	for _, want := range []string{"wrong  de: admin.quick.new: it is missing", "de: admin.quick.neu: it is not in English", "not sorted"} {
		if !strings.Contains(out, want) || code != exitFailure {
			t.Errorf("%d: %s\nwant %s", code, out, want)
		}
	}
	var found []i18n.Finding
	out, code = checkTexts(t, "--style", style, "--json", "--write", file)
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found) != 2 || code != exitFailure {
		t.Errorf("%d, %v: %s", code, err, out)
	}
	if out, code = checkTexts(t, file); out != "" || code != exitUsage {
		t.Errorf("without a style: %d, %s", code, out)
	}
	if out, code = checkTexts(t, "nowhere.json"); out != "" || code != exitUsage {
		t.Errorf("no file: %d, %s", code, out)
	}
	broken, unsorted := filepath.Join(t.TempDir(), "de.json"), []byte(`{"b": "B", "a": "A"}`)
	if err := os.WriteFile(file, unsorted, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte(`{"a": `), 0o600); err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]int{"nowhere.json": exitUsage, broken: exitFailure} {
		out, code = checkTexts(t, "--style", style, "--write", file, other)
		if now, err := os.ReadFile(file); out != "" || code != want || err != nil || !bytes.Equal(now, unsorted) {
			t.Errorf("%s: %d, want %d, %s, %v, written %s", other, code, want, out, err, now)
		}
	}
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	out, code = checkTexts(t, "--sentences", file)
	if !strings.Contains(out, "every second Tuesday") || !strings.Contains(out, "jeden zweiten Dienstag") || code != exitOK {
		t.Errorf("%d: %s", code, out)
	}
}

package api

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every rule that code refers to exists in docs/rules.md.
func TestRulesExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	known, section := map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		if m := regexp.MustCompile(`^## (\d+)\. `).FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		if m := regexp.MustCompile(`^(\d+)\. `).FindStringSubmatch(line); m != nil {
			known[section+"."+m[1]] = true
		}
	}
	named := regexp.MustCompile(`\brules? (?:// )?(\d+\.\d+)(?:(?:, | and )(\d+\.\d+))?`)
	blanks, points := regexp.MustCompile(`\s+`), 0
	err = fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		code, err := os.ReadFile("../" + path)
		if err != nil {
			return err
		}
		for _, m := range named.FindAllStringSubmatch(blanks.ReplaceAllString(string(code), " "), -1) {
			for _, number := range m[1:] {
				points++
				if number != "" && !known[number] {
					t.Errorf("%s: there is no rule %s", path, number)
				}
			}
		}
		return nil
	})
	if err != nil || points < 100 {
		t.Error(fmt.Sprint(points, " references"), err)
	}
}

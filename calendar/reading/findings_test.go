package reading

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"
)

// Every finding has a text.
func TestTextsOfFindings(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`(?:\.refuse\(|\.warn\(|Code: |fault = |close\([a-z.()]+, )"([a-z]+(?:-[a-z]+)+|tentative)"`)
	found := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range code.FindAllStringSubmatch(string(source), -1) {
			found[match[1]] = true
		}
	}
	if len(found) < 25 {
		t.Errorf("only %d codes in the source", len(found))
	}
	for code := range found {
		if key := "import.finding." + code; i18n.Text("en", key, nil) == key {
			t.Errorf("no text for %s", code)
		}
	}
}

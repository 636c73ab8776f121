package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestARIAHasValues: an ARIA attribute without a value means nothing, so no template switches one on like checked.
func TestARIAHasValues(t *testing.T) {
	t.Parallel()
	bare := regexp.MustCompile(`\baria-[a-z]+\?=`)
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".templ") {
			return err
		}
		text, err := os.ReadFile(file)
		if found := bare.Find(text); found != nil {
			t.Errorf("%s: %s", file, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// heaviest is how many bytes a picture may have: pages of documentation are read on the road, too.
const heaviest = 60_000

var picture = regexp.MustCompile(`!\[[^\]]+\]\((?:docs/)?pictures/([^)]+)\)`)

// TestPictures holds that every picture the README and the guide show is there and small, and that no other one is kept.
func TestPictures(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range picture.FindAllSubmatch(text, -1) {
			name := string(found[1])
			shown = append(shown, name)
			if file, err := os.Stat(filepath.Join("pictures", name)); err != nil {
				t.Errorf("%s shows %s: %v", page, name, err)
			} else if file.Size() > heaviest {
				t.Errorf("%s has %d bytes, more than %d", name, file.Size(), heaviest)
			}
		}
	}
	files, err := os.ReadDir("pictures")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.Contains(shown, file.Name()) {
			t.Errorf("no page shows pictures/%s", file.Name())
		}
	}
}

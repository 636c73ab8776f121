package web

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"testing"
)

// Every page is in the list of those that the browser looks at, or in that of
// what there is nothing to see of; and nothing else is.
func TestBrowserLooksAtEveryPage(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("browsertest/pages.json")
	if err != nil {
		t.Fatal(err)
	}
	var listed map[string][]string
	if err := json.Unmarshal(raw, &listed); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, list := range listed {
		names = append(names, list...)
	}
	for _, p := range New(Config{}).Pages() {
		if p.Method != http.MethodGet {
			continue
		}
		if !slices.Contains(names, p.Path) {
			t.Errorf("nobody looks at %s", p.Path)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == p.Path })
	}
	for _, name := range names {
		t.Errorf("%s is no page", name)
	}
}

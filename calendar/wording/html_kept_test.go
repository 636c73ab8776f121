package wording

import (
	"encoding/json"
	"os"
	"testing"
)

// The documents with which the visual editor is tried are as they are stored, and have every element that may be.
func TestDocumentsOfTheEditorAreStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/kept.json")
	if err != nil {
		t.Fatal(err)
	}
	var documents []string
	if err := json.Unmarshal(raw, &documents); err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		if clean := CleanHTML(document); clean != document {
			t.Errorf("%q is stored as\n%q", document, clean)
		}
	}
}

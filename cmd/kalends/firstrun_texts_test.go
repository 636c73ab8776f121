package main

import (
	"slices"
	"testing"
)

// TestDemoSpeaks: each text of the sample events is in every language of the site, and
// nothing is there that no sample says.
func TestDemoSpeaks(t *testing.T) {
	t.Parallel()
	samples, books, err := demoTexts()
	if err != nil {
		t.Fatal(err)
	}
	if len(books) != len(demoLanguages) || len(samples) < 40 {
		t.Fatalf("%d languages, %d samples", len(books), len(samples))
	}
	texts := map[string]bool{"Donation": true}
	add := func(values map[string]any, names ...string) {
		for _, name := range names {
			switch value := values[name].(type) {
			case string:
				texts[value] = true
			case []any:
				for _, one := range value {
					if text, ok := one.(string); ok {
						texts[text] = true
					}
				}
			}
		}
	}
	for _, s := range samples {
		add(s.Arguments, "title", "description", "categories", "tags")
		if venue, ok := s.Arguments["venue"].(map[string]any); ok {
			add(venue, "venue")
		}
		organizers, _ := s.Arguments["organizer"].([]any)
		for _, one := range organizers {
			add(one.(map[string]any), "organizer")
		}
	}
	for language, book := range books {
		for text := range texts {
			if book[text] == "" {
				t.Errorf("%s: no text for %q", language, text)
			}
		}
		for text, said := range book {
			if !texts[text] {
				t.Errorf("%s: nobody says %q", language, text)
			}
			if said == text && len(text) > 12 && !slices.Contains([]string{"ar", "ja"}, language) {
				t.Errorf("%s: %q is not translated", language, text)
			}
		}
	}
}

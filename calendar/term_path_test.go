package calendar

import (
	"testing"

	"github.com/kalends/kalends/calendar/translations"
)

// The path of a category has the slugs of those above it, in the best of the languages.
func TestPathOfTerm(t *testing.T) {
	t.Parallel()
	music := Term{ID: 1, Slug: "music", Translated: Translated{Texts: translations.Of(map[string]translations.Text{"de": {Slug: "musik"}, "fr": {Slug: "musique"}, "it": {Title: "Musica"}})}}
	music.Below(&Term{})
	jazz := Term{ID: 2, Slug: "jazz"}
	jazz.Below(&music)
	free := Term{ID: 3, Slug: "free"}
	free.Below(&jazz)
	if music.Path != "music" || jazz.Path != "music/jazz" || free.Path != "music/jazz/free" {
		t.Fatalf("%q, %q, %q", music.Path, jazz.Path, free.Path)
	}
	for _, c := range []struct {
		slug      string
		languages []string
		want      string
	}{
		{"frei", []string{"de"}, "musik/jazz/frei"},
		{"libre", []string{"fr", "de"}, "musique/jazz/libre"},
		{"free", []string{"it", "de"}, "musik/jazz/free"},
		{"free", []string{"it"}, "music/jazz/free"},
		{"free", nil, "music/jazz/free"},
	} {
		one := free
		if one.called(c.slug, c.languages); one.Path != c.want || one.Slug != c.slug {
			t.Errorf("in %v: %q", c.languages, one.Path)
		}
	}
	if jazz.Below(&Term{}); jazz.Path != "jazz" || jazz.Ways != "" {
		t.Errorf("at the top: %q, %q", jazz.Path, jazz.Ways)
	}
	var plain Term
	if plain.Stand("a/b"); plain.Path != "a/b" || plain.Ways != "" {
		t.Errorf("without translations: %q, %q", plain.Path, plain.Ways)
	}
}

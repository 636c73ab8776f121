package texts

import (
	"maps"
	"net/url"
	"testing"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// multilingual is a site in German with texts in English and French.
func multilingual() *tenancy.Site {
	s := &tenancy.Site{Language: "de"}
	s.Settings.ContentLanguages = []string{"de", "en", "fr"}
	return s
}

func formOf(t *testing.T, kind string, stored translations.Texts) *frame.Form {
	t.Helper()
	f := &frame.Form{Kind: kind, Values: url.Values{}}
	Fill(tenancy.With(t.Context(), tenancy.Scope{Site: multilingual()}), f, stored)
	return f
}

// A form that nobody touched changes nothing, whatever is stored.
func TestUntouched(t *testing.T) {
	t.Parallel()
	stored := translations.Of(map[string]translations.Text{"en": {Title: "Choir", Description: "<p>Songs</p>\n"}})
	for kind := range fieldsOf {
		now, f := formOf(t, kind, stored), formOf(t, kind, stored)
		values := args.Values{}
		if Read(f, now, values); len(values) > 0 {
			t.Errorf("%s: %v", kind, values)
		}
	}
}

// Translators read the original as text, and what looks like markup in a title stays.
func TestOriginal(t *testing.T) {
	t.Parallel()
	f := &frame.Form{Kind: "event", Values: url.Values{"title": {"Bach <live> & more"}, "description": {"<p>Songs &amp; <em>dances</em></p>\n<p>Bar</p>"}, "excerpt": {"<b>Songs</b>"}}}
	for of, want := range map[string]string{"title": "Bach <live> & more", "description": "Songs & dances Bar", "excerpt": "Songs", "cost": ""} {
		if got := original(f, of); got != want {
			t.Errorf("the original of %s is %q, not %q", of, got, want)
		}
	}
}

// Only the languages in which something differs are sent, each whole.
func TestChanged(t *testing.T) {
	t.Parallel()
	stored := translations.Of(map[string]translations.Text{"en": {Title: "Choir"}})
	now, f := formOf(t, "tag", stored), formOf(t, "tag", stored)
	f.Set("translations.fr.name", "Chorale")
	got := Changed(f, now)
	want := map[string]string{"name": "Chorale", "description": "", "slug": ""}
	if len(got) != 1 || !maps.Equal(got["fr"], want) {
		t.Errorf("%v", got)
	}
	f = formOf(t, "tag", stored)
	f.Set("translations.en.current", "1")
	if got = Changed(f, now); len(got) != 1 || got["en"]["name"] != "Choir" {
		t.Errorf("a text that was confirmed: %v", got)
	}
	if got = Changed(formOf(t, "tag", translations.Texts{}), nil); len(got) > 0 {
		t.Errorf("something new without texts: %v", got)
	}
}

// Every text of every kind has a control, which the form is filled in by and read from.
func TestEveryText(t *testing.T) {
	t.Parallel()
	for kind, fields := range fieldsOf {
		f := formOf(t, kind, translations.Texts{})
		for _, field := range fields {
			f.Set(control("fr", field), "un "+field)
		}
		got := Changed(f, nil)
		for _, field := range fields {
			if got["fr"][field] != "un "+field {
				t.Errorf("%s: %q is lost: %v", kind, field, got)
			}
		}
	}
}

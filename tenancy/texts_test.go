package tenancy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Texts stand in for one another in the order of the site's languages, and the site's own ends the list (rule 15.1).
func TestTexts(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		own     string
		content []string
		asked   string
		want    []string
		written []string
		others  []string
	}{
		"one language":            {"en", nil, "de", nil, []string{"en"}, nil},
		"the site's own":          {"en", []string{"en", "de"}, "en", nil, []string{"en", "de"}, []string{"de"}},
		"another":                 {"en", []string{"en", "de"}, "de", []string{"de"}, []string{"en", "de"}, []string{"de"}},
		"none of its languages":   {"en", []string{"en", "de"}, "fr", nil, []string{"en", "de"}, []string{"de"}},
		"its own between":         {"en", []string{"de", "en", "fr"}, "fr", []string{"fr", "de"}, []string{"de", "en", "fr"}, []string{"de", "fr"}},
		"none, with its own last": {"en", []string{"de", "fr", "en"}, "pl", []string{"de", "fr"}, []string{"de", "fr", "en"}, []string{"de", "fr"}},
		"its own, wherever":       {"en", []string{"de", "fr", "en"}, "en", nil, []string{"de", "fr", "en"}, []string{"de", "fr"}},
		"its own isn't named":     {"en", []string{"de", "fr"}, "fr", []string{"fr"}, []string{"en", "de", "fr"}, []string{"de", "fr"}},
		"in other letters":        {"pt-BR", []string{"pt-BR", "zh-Hans"}, "ZH-hans", []string{"zh-Hans"}, []string{"pt-BR", "zh-Hans"}, []string{"zh-Hans"}},
		"own in other letters":    {"pt-BR", []string{"de", "pt-BR"}, "PT-br", nil, []string{"de", "pt-BR"}, []string{"de"}},
		"of the same family":      {"pt-BR", []string{"pt-BR", "de"}, "pt", nil, []string{"pt-BR", "de"}, []string{"de"}},
	} {
		s := &Site{Language: c.own, Settings: Settings{ContentLanguages: c.content}}
		if got := s.Texts(c.asked); !slices.Equal(got, c.want) {
			t.Errorf("%s: texts %q, want %q", what, got, c.want)
		}
		if got := s.Written(); !slices.Equal(got, c.written) {
			t.Errorf("%s: written %q, want %q", what, got, c.written)
		}
		if got := s.Others(); !slices.Equal(got, c.others) {
			t.Errorf("%s: others %q, want %q", what, got, c.others)
		}
		for _, language := range append(c.written, "xx") {
			if s.Speaks(language) != (language != "xx") {
				t.Errorf("%s: %s", what, language)
			}
		}
		if scope := (&Scope{Site: s, Texts: s.Texts(c.asked)}); c.want == nil && scope.Asked() != c.own || c.want != nil && scope.Asked() != c.want[0] {
			t.Errorf("%s: asked for in %s", what, scope.Asked())
		}
		if !slices.Equal(s.Settings.ContentLanguages, c.content) {
			t.Errorf("%s: its settings are %q now", what, s.Settings.ContentLanguages)
		}
	}
}

// What a site says of itself is in the best language in which that text is written, each text by itself, and says which that is.
func TestWords(t *testing.T) {
	t.Parallel()
	s := &Site{Language: "en", Name: "Riverton", Settings: Settings{ContentLanguages: []string{"en", "de", "fr"},
		Face: Face{Tagline: "By the river"}, Submissions: Submissions{Terms: "Be kind"},
		Texts: map[string]SiteText{"de": {Name: "Flussstadt", Links: "Start | /"}, "fr": {Name: "Ville", Tagline: "Au fleuve"}, "pl": {Name: "stale"}}}}
	leads := Leads{"en", "en", "en", "en"}
	for _, c := range []struct {
		languages []string
		want      SiteWords
	}{
		{nil, SiteWords{SiteText{Name: "Riverton", Tagline: "By the river", Terms: "Be kind"}, SiteText{Name: "en", Tagline: "en", Links: "en", Footer: "en", Terms: "en", Leads: leads}}},
		{[]string{"de"}, SiteWords{SiteText{Name: "Flussstadt", Tagline: "By the river", Links: "Start | /", Terms: "Be kind"}, SiteText{Name: "de", Tagline: "en", Links: "de", Footer: "en", Terms: "en", Leads: leads}}},
		{[]string{"de", "fr"}, SiteWords{SiteText{Name: "Flussstadt", Tagline: "Au fleuve", Links: "Start | /", Terms: "Be kind"}, SiteText{Name: "de", Tagline: "fr", Links: "de", Footer: "en", Terms: "en", Leads: leads}}},
		{[]string{"fr", "de"}, SiteWords{SiteText{Name: "Ville", Tagline: "Au fleuve", Links: "Start | /", Terms: "Be kind"}, SiteText{Name: "fr", Tagline: "fr", Links: "de", Footer: "en", Terms: "en", Leads: leads}}},
	} {
		if diff := cmp.Diff(c.want, s.Words(c.languages)); diff != "" {
			t.Errorf("%v: %s", c.languages, diff)
		}
	}
	if got := s.WordsIn("fr").Name; got != "Ville" {
		t.Errorf("in French: %s", got)
	}
	if got := s.WordsIn("pl").Name; got != "Riverton" {
		t.Errorf("in a language that the site gave up: %s", got)
	}
	s.Settings.ContentLanguages = nil
	if w := s.Words([]string{"de"}); w.Name != "Riverton" || w.Given != (SiteText{}) {
		t.Errorf("of a site of one language: %+v", w)
	}
	if w := (&Scope{}).Words(); w != (SiteWords{}) {
		t.Errorf("of no site: %+v", w)
	}
}

// A text keeps the version at which it was written. When it was written doesn't make one of nothing.
func TestStamp(t *testing.T) {
	t.Parallel()
	s := &Settings{Texts: map[string]SiteText{"de": {Name: "neu"}, "fr": {Name: "vieux", Version: 3}}}
	s.Stamp(9)
	if s.Texts["de"].Version != 9 || s.Texts["fr"].Version != 3 {
		t.Errorf("%+v", s.Texts)
	}
	if !(SiteText{Version: 3, Outdated: true}).Empty() || (SiteText{Terms: "x"}).Empty() {
		t.Error("what is empty is wrong")
	}
	(&Settings{}).Stamp(1)
}

// The pages are to be had in the languages chosen and always in the site's own; none chosen is all.
func TestOffers(t *testing.T) {
	t.Parallel()
	s := &Site{Language: "en"}
	if !s.Offers("de") {
		t.Error("not in all languages")
	}
	s.Settings.Languages = []string{"de"}
	for language, want := range map[string]bool{"de": true, "en": true, "fr": false, "": false} {
		if s.Offers(language) != want {
			t.Errorf("%q: %v", language, !want)
		}
	}
}

// The mark of a site changes with each thing that its administrators can change, so that two of them notice each other.
func TestSiteMark(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for what, change := range map[string]func(*Site){
		"itself": func(*Site) {}, "name": func(s *Site) { s.Name = "B" }, "zone": func(s *Site) { s.Timezone = "Europe/Berlin" },
		"language": func(s *Site) { s.Language = "de" }, "page": func(s *Site) { s.Settings.PerPage = 16 },
		"terms": func(s *Site) { s.Settings.Submissions.Terms = "x" }, "on": func(s *Site) { s.Settings.Submissions.On = true },
		"tiles": func(s *Site) { s.Settings.Map.Tiles = "x" }, "credit": func(s *Site) { s.Settings.Map.Credit = "x" },
		"links": func(s *Site) { s.Settings.Face.Links = "x" }, "footer": func(s *Site) { s.Settings.Face.Footer = "x" },
		"languages": func(s *Site) { s.Settings.Languages = []string{"de"} }, "content": func(s *Site) { s.Settings.ContentLanguages = []string{"de"} },
		"texts": func(s *Site) { s.Settings.Texts = map[string]SiteText{"de": {Name: "x"}} },
		"other": func(s *Site) { s.Settings.Texts = map[string]SiteText{"fr": {Name: "x"}} },
	} {
		s := &Site{Name: "A", Timezone: "UTC", Language: "en", Settings: DefaultSettings()}
		change(s)
		if other, twice := seen[s.Mark()]; twice {
			t.Errorf("%s and %s have the same mark", what, other)
		}
		seen[s.Mark()] = what
	}
	a, b := &Site{ID: 1, Version: 1}, &Site{ID: 1, Version: 2, State: Closed}
	if a.Mark() != b.Mark() {
		t.Error("the mark changes with what administrators don't change")
	}
}

// Links are lines of words and an address that a browser may follow; anything else is refused, and so are too many.
func TestLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Link{
		"":          nil,
		" \n\r\n":   nil,
		"Start | /": {{"Start", "/"}},
		"  A|https://a.example  \r\n\nB |mailto:b@example.org": {{"A", "https://a.example"}, {"B", "mailto:b@example.org"}},
		"Kontakt | kultur@example.org":                         {{"Kontakt", "mailto:kultur@example.org"}},
		"Ruf an | tel:+4930123":                                {{"Ruf an", "tel:+4930123"}},
		"Karte | /events/?view=map#x":                          {{"Karte", "/events/?view=map#x"}},
		"A | HTTP://a.example":                                 {{"A", "HTTP://a.example"}},
		strings.Repeat("A | /a\n", mostLinks):                  slices.Repeat([]Link{{"A", "/a"}}, mostLinks),
	} {
		got, ok := Links(text)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%q: %v %s", text, ok, diff)
		}
	}
	for _, text := range []string{"A", "A |", "| /", " | ", "A | a", "A | a@", "A | B <a@example.org>", "A | ?a", "A | //evil.example", "A | ///evil.example", `A | /\evil.example`, `A | \evil.example`, "A | javascript:alert(1)",
		"A | JavaScript:alert(1)", "A | data:text/html,x", "A | https:", "A | https:///a", "A | https:a", "A | mailto:", "A | tel:", "A | ftp://a.example",
		"A | http://a b", "A | /a\x00b", "A | https://[::1", "A | /\n| /", "A | vbscript:x", "A | blob:https://a.example/x", strings.Repeat("A | /a\n", mostLinks+1)} {
		if list, ok := Links(text); ok {
			t.Errorf("%q: %v", text, list)
		}
	}
}

// A site that waits to be removed is told as deleted, and its time is up at its last moment.
func TestStanding(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	s := &Site{State: ReadOnly}
	if s.Standing() != ReadOnly || s.Deleted() || s.Deletion.Over(at.AddDate(100, 0, 0)) {
		t.Errorf("%s %v", s.Standing(), s.Deleted())
	}
	s.State, s.Deletion = Closed, Deletion{At: at, Purge: at.Add(time.Hour), Before: ReadOnly}
	if s.Standing() != Deleted || s.Deletion.Over(at.Add(time.Hour-1)) || !s.Deletion.Over(at.Add(time.Hour)) {
		t.Errorf("%s", s.Standing())
	}
}

// A zone that this machine doesn't know leaves the site readable, under the name it has.
func TestSetTimezone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{"Europe/Berlin": {"Europe/Berlin", "Europe/Berlin"}, "europe/berlin": {"Europe/Berlin", "Europe/Berlin"},
		"UTC+5:30": {"UTC+5:30", "UTC+5:30"}, "Mars/Olympus": {"Mars/Olympus", "UTC"}} {
		s := &Site{}
		if s.SetTimezone(name); s.Timezone != want[0] || s.Location.String() != want[1] {
			t.Errorf("%s: %s in %s", name, s.Timezone, s.Location)
		}
	}
}

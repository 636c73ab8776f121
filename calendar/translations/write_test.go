package translations

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/argstest"
)

// inThree is a site in English that is written in German and French, too.
func inThree() *tenancy.Site {
	site := &tenancy.Site{Language: "en"}
	site.Settings.ContentLanguages = []string{"en", "de", "fr"}
	return site
}

// venueIn are the texts of a venue: its name, and its description unless it is "".
func venueIn(name, description string) *VenueTexts {
	t := &VenueTexts{Name: args.Some(name)}
	if description != "" {
		t.Description = args.Some(description)
	}
	return t
}

// said returns what a write says in each language, as "title|description"; "-" stands for what is not sent, and
// "removed" for a language that the write removes.
func said(own *Write, others Writes) map[string]string {
	text := func(o args.Opt[string]) string {
		if !o.Given() {
			return "-"
		}
		return o.Or("")
	}
	all := map[string]string{"": text(own.Title) + "|" + text(own.Description)}
	for language, w := range others {
		if all[language] = "removed"; w != nil {
			all[language] = text(w.Title) + "|" + text(w.Description)
		}
	}
	return all
}

// The texts of a write go to the language that it names, and translations to theirs. A translation is more
// precise than the object's own fields, so it wins.
func TestByLanguage(t *testing.T) {
	t.Parallel()
	type named = args.Named[VenueTexts]
	for _, c := range []struct {
		name  string
		in    args.Opt[string]
		own   *VenueTexts
		asked args.Opt[named]
		isNew bool
		want  map[string]string
		wrong []string
	}{
		{"nothing else", args.Opt[string]{}, venueIn("Hall", ""), args.Opt[named]{}, true, map[string]string{"": "Hall|-"}, nil},
		{"the site's language by name", args.Some("en"), venueIn("Hall", ""), args.Opt[named]{}, true, map[string]string{"": "Hall|-"}, nil},
		{"no language", args.Some(""), venueIn("Hall", ""), args.Opt[named]{}, true, map[string]string{"": "Hall|-"}, nil},
		{"null for the language", args.Null[string](), venueIn("Hall", ""), args.Opt[named]{}, true, map[string]string{"": "Hall|-"}, nil},
		{"a change in another language", args.Some("de"), venueIn("Halle", "Groß"), args.Opt[named]{}, false,
			map[string]string{"": "-|-", "de": "Halle|Groß"}, nil},
		{"new in another language, with the site's among the translations", args.Some("de"), venueIn("Halle", ""), args.Some(named{"en": venueIn("Hall", "")}), true,
			map[string]string{"": "Hall|-", "de": "Halle|-"}, nil},
		{"new in another language, without the site's", args.Some("de"), venueIn("Halle", ""), args.Some(named{"fr": venueIn("Salle", "")}), true,
			map[string]string{"": "Halle|-", "de": "-|-", "fr": "Salle|-"}, nil},
		{"new in another language, with an empty name in the site's", args.Some("de"), venueIn("Halle", ""), args.Some(named{"en": venueIn("", "")}), true,
			map[string]string{"": "Halle|-", "de": "-|-"}, nil},
		{"new in another language, without a name in any", args.Some("de"), venueIn("", "Groß"), args.Some(named{"fr": venueIn("Salle", "")}), true,
			map[string]string{"": "-|-", "de": "|Groß", "fr": "Salle|-"}, []string{"translations.en.venue"}},
		{"translations", args.Opt[string]{}, venueIn("Hall", "Large"), args.Some(named{"de": venueIn("Halle", ""), "fr": venueIn("Salle", "Grande")}), true,
			map[string]string{"": "Hall|Large", "de": "Halle|-", "fr": "Salle|Grande"}, nil},
		{"the site's language as a translation of itself", args.Opt[string]{}, venueIn("Hall", "Large"), args.Some(named{"en": venueIn("Great hall", "")}), false,
			map[string]string{"": "Great hall|Large"}, nil},
		{"the same language twice", args.Some("de"), venueIn("Halle", "Groß"), args.Some(named{"de": venueIn("Saal", "")}), false,
			map[string]string{"": "-|-", "de": "Saal|Groß"}, nil},
		{"removing one", args.Opt[string]{}, venueIn("Hall", ""), args.Some(named{"de": nil}), false, map[string]string{"": "Hall|-", "de": "removed"}, nil},
		{"null for all translations", args.Opt[string]{}, venueIn("Hall", ""), args.Null[named](), false, map[string]string{"": "Hall|-"}, nil},
		{"removing the site's own", args.Opt[string]{}, venueIn("Hall", ""), args.Some(named{"en": nil}), false, map[string]string{"": "Hall|-"}, []string{"translations.en"}},
		{"a language that the site is not written in", args.Opt[string]{}, venueIn("Hall", ""), args.Some(named{"it": venueIn("Sala", ""), "de": venueIn("Halle", "")}), true,
			map[string]string{"": "Hall|-", "de": "Halle|-"}, []string{"translations.it"}},
		{"removing a language that the site is not written in", args.Opt[string]{}, venueIn("Hall", ""), args.Some(named{"it": nil}), false,
			map[string]string{"": "Hall|-"}, []string{"translations.it"}},
		{"the object in a language that the site is not written in", args.Some("it"), venueIn("Sala", ""), args.Opt[named]{}, true,
			map[string]string{"": "Sala|-"}, []string{"content_language"}},
	} {
		own := c.own.Write()
		others, err := ByLanguage(&tenancy.Scope{Site: inThree()}, c.in, c.asked, own, "venue", c.isNew)
		if got := argstest.Wrong(err); !slices.Equal(got, c.wrong) || err != nil && c.wrong == nil {
			t.Errorf("%s: wrong is %q (%v), want %q", c.name, got, err, c.wrong)
		}
		if diff := cmp.Diff(c.want, said(own, others.Others)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Every text of an event, venue, organizer or term arrives under its own name.
func TestFieldsOfWrites(t *testing.T) {
	t.Parallel()
	some := args.Some[string]
	all := Write{some("title"), some("description"), some("excerpt"), some("slug"), args.Some[any]("cost"), some("seo title"), some("seo description"),
		some("address"), some("city"), some("country")}
	event := EventTexts{all.Title, all.Description, all.Excerpt, all.Slug, all.Cost, all.SEOTitle, all.SEODesc}
	venue := VenueTexts{all.Title, all.Description, all.Excerpt, all.Slug, all.Address, all.City, all.Country}
	organizer := OrganizerTexts{all.Title, all.Description, all.Excerpt, all.Slug}
	term := TermTexts{all.Title, all.Description, all.Slug}
	for name, got := range map[string]*Write{"event": event.Write(), "venue": venue.Write(), "organizer": organizer.Write(), "term": term.Write()} {
		want := all
		if name != "venue" {
			want.Address, want.City, want.Country = args.Opt[string]{}, args.Opt[string]{}, args.Opt[string]{}
		}
		if name != "event" {
			want.Cost, want.SEOTitle, want.SEODesc = args.Opt[any]{}, args.Opt[string]{}, args.Opt[string]{}
		}
		if name == "term" {
			want.Excerpt = args.Opt[string]{}
		}
		if *got != want {
			t.Errorf("%s: %+v, want %+v", name, *got, want)
		}
		if over := (&Write{}).over(got); *over != *got {
			t.Errorf("%s: an empty write leaves %+v of %+v", name, *over, *got)
		}
		if over := got.over(&Write{}); *over != *got {
			t.Errorf("%s over nothing is %+v", name, *over)
		}
	}
}

// stored are the German and French texts that the tests of changes begin with.
func stored() map[string]Text {
	return map[string]Text{
		"de": {Title: "Chor", Description: "<p>Lieder</p>", Slug: "chor", Cost: []string{"5 €"}, Version: 7},
		"fr": {Title: "Chorale", Slug: "chorale", Version: 8, Outdated: true},
	}
}

// textCase is a change of the texts in German, and what they are afterwards. Nil means that they are gone.
type textCase struct {
	name  string
	write *Write
	want  *Text
	wrong []string
}

// A write changes the texts that it contains and leaves the others. What it changed has a new version, and
// somebody has looked at it, so it is not outdated any more.
func TestChangeOfTexts(t *testing.T) {
	t.Parallel()
	some := args.Some[string]
	with := func(change func(*Text)) *Text {
		text := stored()["de"]
		text.Version = 0
		change(&text)
		return &text
	}
	same := stored()["de"]
	for _, c := range []textCase{
		{"nothing", &Write{}, &same, nil},
		{"the same title", &Write{Title: some("Chor")}, &same, nil},
		{"the same title with spaces", &Write{Title: some("  Chor ")}, &same, nil},
		{"another title keeps the slug", &Write{Title: some("Großer Chor")}, with(func(x *Text) { x.Title = "Großer Chor" }), nil},
		{"another slug", &Write{Slug: some("Der Große Chor")}, with(func(x *Text) { x.Slug = "der-grose-chor" }), nil},
		{"an empty slug is made of the title", &Write{Title: some("Großer Chor"), Slug: some("")},
			with(func(x *Text) { x.Title, x.Slug = "Großer Chor", "grosser-chor" }), nil},
		{"no title, and so no slug", &Write{Title: some("")}, with(func(x *Text) { x.Title, x.Slug = "", "" }), nil},
		{"null for the title", &Write{Title: args.Null[string]()}, with(func(x *Text) { x.Title, x.Slug = "", "" }), nil},
		{"no title with a slug of its own", &Write{Title: some(""), Slug: some("lieder")}, with(func(x *Text) { x.Title, x.Slug = "", "lieder" }), nil},
		{"a title of nothing but spaces", &Write{Title: some(" \n ")}, with(func(x *Text) { x.Title, x.Slug = "", "" }), []string{"translations.de.title"}},
		{"a description loses what runs", &Write{Description: some("<p onclick=x()>Neu</p>")}, with(func(x *Text) { x.Description = "<p>Neu</p>" }), nil},
		{"no description", &Write{Description: some("")}, with(func(x *Text) { x.Description = "" }), nil},
		{"a long description", &Write{Description: some(strings.Repeat("a", wording.LongestHTML+1))}, nil, []string{"translations.de.description"}},
		{"a long excerpt and a wrong price", &Write{Excerpt: some(strings.Repeat("b", wording.LongestHTML+1)), Cost: args.Some[any]([]any{map[string]any{}})}, nil,
			[]string{"translations.de.excerpt", "translations.de.cost"}},
		{"another price", &Write{Cost: args.Some[any]("7 €")}, with(func(x *Text) { x.Cost = []string{"7 €"} }), nil},
		{"texts for search engines", &Write{SEOTitle: some(" Chor\nin Bonn "), SEODesc: some("Alle Lieder")},
			with(func(x *Text) { x.SEOTitle, x.SEODesc = "Chor in Bonn", "Alle Lieder" }), nil},
		{"nothing left", &Write{Title: some(""), Description: some(""), Cost: args.Some[any]("")}, nil, nil},
		{"the language removed", nil, nil, nil},
	} {
		r := &Update{Said: &Said{Others: Writes{"de": c.write}}, Name: "title", Clean: wording.CleanTitle}
		got, err := r.Apply(Of(stored()), Text{}, &Text{})
		if wrong := argstest.Wrong(err); !slices.Equal(wrong, c.wrong) {
			t.Errorf("%s: wrong is %q (%v), want %q", c.name, wrong, err, c.wrong)
		}
		if err != nil && c.want == nil {
			continue // refused, whatever the texts are
		}
		want := stored()
		if delete(want, "de"); c.want != nil {
			want["de"] = *c.want
		}
		if diff := cmp.Diff(want, got.All()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Rule 15.3: when the original changes, translations that the write doesn't contain become outdated. One that the
// write contains is up to date, even if it stays as it was; where it was outdated, that is a new version.
func TestOutdatedTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		writes  Writes
		changed bool
		want    map[string]bool // outdated, by language
		same    string          // languages whose version stays
	}{
		{"nothing changed", nil, false, map[string]bool{"de": false, "fr": true}, "de fr"},
		{"the original changed", nil, true, map[string]bool{"de": true, "fr": true}, "de fr"},
		{"only German changed", Writes{"de": {Title: args.Some("Singkreis")}}, false, map[string]bool{"de": false, "fr": true}, "fr"},
		{"the original and German changed", Writes{"de": {Title: args.Some("Singkreis")}}, true, map[string]bool{"de": false, "fr": true}, "fr"},
		{"the original changed, German is confirmed", Writes{"de": {}}, true, map[string]bool{"de": false, "fr": true}, "de fr"},
		{"French is confirmed", Writes{"fr": {Title: args.Some("Chorale")}}, false, map[string]bool{"de": false, "fr": false}, "de"},
		{"the original changed, French is confirmed", Writes{"fr": {Title: args.Some("Chorale")}}, true, map[string]bool{"de": true, "fr": false}, "de"},
		{"the original changed, German is removed", Writes{"de": nil}, true, map[string]bool{"fr": true}, "fr"},
	} {
		r := &Update{Said: &Said{Others: c.writes}, Name: "title", Clean: wording.CleanTitle}
		now := Text{Title: "Choir"}
		if c.changed {
			now.Title = "Great choir"
		}
		got, err := r.Apply(Of(stored()), Text{Title: "Choir"}, &now)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		outdated, same := map[string]bool{}, []string{}
		for language, text := range got.All() {
			outdated[language] = text.Outdated
			if text.Version == stored()[language].Version {
				same = append(same, language)
			}
		}
		if slices.Sort(same); !maps.Equal(outdated, c.want) || strings.Join(same, " ") != c.same {
			t.Errorf("%s: outdated are %v, versions stay of %q", c.name, outdated, same)
		}
	}
	none, err := (&Update{}).Apply(Texts{}, Text{Title: "Choir"}, &Text{Title: "Band"})
	if err != nil || !none.None() {
		t.Errorf("an item without translations has got %v, %v", none.All(), err)
	}
}

// The texts of images are only a line, and those of terms are descriptions without paragraphs.
func TestChangeOfOtherTexts(t *testing.T) {
	t.Parallel()
	write := &Write{Title: args.Some("Ein\nBild"), Description: args.Some(" fett "), Excerpt: args.Some("kurz"), Slug: args.Some("bild")}
	image := &Update{Said: &Said{Others: Writes{"de": write}}, Name: "alt", Clean: wording.CleanLine, Bare: true}
	texts, err := image.Apply(Texts{}, Text{}, &Text{})
	if want := map[string]Text{"de": {Title: "Ein Bild"}}; err != nil || !cmp.Equal(texts.All(), want) {
		t.Errorf("the texts of an image are %+v, %v", texts.All(), err)
	}
	term := &Update{Said: &Said{Others: Writes{"de": write}}, Name: "name", Clean: wording.CleanTerm, Inline: true}
	texts, err = term.Apply(Texts{}, Text{}, &Text{})
	got := texts.All()["de"]
	if err != nil || got.Description != "fett" || got.Excerpt != "" || got.Slug != "bild" {
		t.Errorf("the texts of a term are %+v, %v", got, err)
	}
}

package terms_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/sitetest"
)

// bench is a site with its categories and tags.
type bench struct {
	*sitetest.Site
	categories, tags calendar.TermStore
}

func site(t *testing.T, b *sitetest.Bench, slug string) bench {
	t.Helper()
	return bench{b.Site(t, slug), b.DB.Terms(calendar.Categories), b.DB.Terms(calendar.Tags)}
}

// add makes a category whose slug is that of its name; pairs are its texts in other languages.
func (b bench) add(name string, parent int64, pairs ...any) *calendar.Term {
	b.Helper()
	term := &calendar.Term{Name: name, Slug: wording.Slug(name), Parent: parent}
	term.Texts = sitetest.Texts(pairs...)
	b.Must(b.categories.Create(b.Ctx, term, false))
	return term
}

func titled(title string) translations.Text { return translations.Text{Title: title} }

func slugged(title, slug string) translations.Text {
	return translations.Text{Title: title, Slug: slug}
}

// names lists the names of the categories that a query finds.
func (b bench) names(q calendar.TermQuery) []string {
	b.Helper()
	if q.PerPage == 0 {
		q.PerPage = 50
	}
	page, err := b.categories.List(b.Ctx, q)
	b.Must(err)
	list := []string{}
	for _, term := range page.Items {
		list = append(list, term.Name)
	}
	return list
}

// An event gets the terms that its write means: by ID, slug or name, each once, in the order of their names. IDs that don't exist
// are skipped; new names are made if the writer may make them (rules 2.6 and 3.7).
func TestSettle(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	other := site(t, all, "other")
	foreign := other.add("Foreign", 0)
	id := func(n int64) args.Ref { return args.Ref{ID: n} }
	text := func(s string) args.Ref { return args.Ref{Text: s} }
	for n, c := range []struct {
		what   string
		refs   args.Refs
		create bool
		want   []string
		refuse string
	}{
		{"by ID, slug and name", args.Refs{id(1), text("blues"), text("Öl & Salz")}, false, []string{"Blues", "Jazz", "Öl & Salz"}, ""},
		{"each once", args.Refs{text("jazz"), id(1), text("JAZZ"), id(1)}, true, []string{"Jazz"}, ""},
		{"in other letters", args.Refs{text("ÖL & SALZ"), text("bLUES")}, false, []string{"Blues", "Öl & Salz"}, ""},
		{"IDs that are not there", args.Refs{id(99), id(1), id(0x7fffffffffff)}, false, []string{"Jazz"}, ""},
		{"no ID that is there", args.Refs{id(99)}, false, []string{}, ""},
		{"a tag by ID", args.Refs{id(4), id(1)}, false, []string{"Jazz"}, ""},
		{"a tag by name", args.Refs{text("Live")}, false, nil, "problem.term.unknown"},
		{"that of another site", args.Refs{id(foreign.ID + 100), text("Foreign")}, false, nil, "problem.term.unknown"},
		{"a new name", args.Refs{text("Swing"), id(1)}, true, []string{"Jazz", "Swing"}, ""},
		{"a new name twice", args.Refs{text("Swing"), text("swing"), text("SWING ")}, true, []string{"Swing"}, ""},
		{"a new name as HTML", args.Refs{text("<b>Be</b>bop &amp; Hop")}, true, []string{"Bebop & Hop"}, ""},
		{"a name that is an ID elsewhere", args.Refs{text("2027")}, true, []string{"2027"}, ""},
		{"a name of tags alone", args.Refs{text("<br>")}, true, nil, "problem.blank"},
		{"a name of blanks", args.Refs{text(" \t")}, true, nil, "problem.blank"},
		{"a name of signs alone", args.Refs{text("!!!")}, true, []string{"!!!"}, ""},
		{"another of signs alone", args.Refs{text("!!!"), text("???")}, true, []string{"!!!", "???"}, ""},
		{"in other scripts", args.Refs{text("Ελλάδα"), text("ΕΛΛΆΔΑ"), text("東京")}, true, []string{"Ελλάδα", "東京"}, ""},
		{"unknown, not to be made", args.Refs{id(1), text("Swing")}, false, nil, "problem.term.unknown"},
		{"none", args.Refs{}, false, []string{}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := site(t, all, fmt.Sprint("site-", n))
			b.add("Jazz", 0)
			b.add("Blues", 0)
			b.add("Öl & Salz", 0)
			b.Must(b.tags.Create(b.Ctx, &calendar.Term{Name: "Live", Slug: "live"}, false))
			e := &calendar.Event{Post: sitetest.Post("", calendar.Publish), Title: "E", Timezone: "UTC", Start: sitetest.Noon, End: sitetest.Noon,
				StartUTC: sitetest.Noon, EndUTC: sitetest.Noon}
			err := b.DB.Events().Create(b.Ctx, e, calendar.EventLinks{Categories: &calendar.TermLinks{Refs: c.refs, Create: c.create}})
			if c.refuse != "" {
				b.Refuses(err, "categories", c.refuse)
				b.Equal("terms", len(b.Rows(`SELECT name FROM terms`)), 4)
				return
			}
			b.Must(err)
			got := []string{}
			for _, term := range e.Categories {
				got = append(got, term.Name)
			}
			b.Equal("terms", got, c.want)
			b.Equal("stored", b.Rows(`SELECT c.name FROM event_terms x JOIN terms c ON c.site_id = x.site_id AND c.id = x.term_id WHERE x.event_id = $1
				ORDER BY lower(c.name), c.id`, e.ID), c.want)
		})
	}
}

// Terms are in the order of the names that readers see: those in their language, else in one that stands in for it, else the site's.
func TestOrderInLanguages(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	b.add("B own", 0)
	b.add("Z own", 0, "de", titled("A deutsch"), "fr", titled("Y français"))
	b.add("A own", 0, "de", translations.Text{Description: "nur das"}, "fr", titled("X français"))
	b.add("C own", 0, "fr", titled("Ä français"))
	b.add("D own", 0, "de", translations.Text{Description: "nur das", Slug: "d"})
	in := func(languages ...string) calendar.TermQuery {
		return calendar.TermQuery{Texts: calendar.TextQuery{Several: true, In: languages}}
	}
	for what, c := range map[string]struct {
		query calendar.TermQuery
		want  []string
	}{
		"own":                {in(), []string{"A own", "B own", "C own", "D own", "Z own"}},
		"German":             {in("de"), []string{"Z own", "A own", "B own", "C own", "D own"}},
		"German and French":  {in("de", "fr"), []string{"Z own", "C own", "B own", "D own", "A own"}},
		"French and German":  {in("fr", "de"), []string{"C own", "B own", "D own", "A own", "Z own"}},
		"a language of none": {in("pl"), []string{"A own", "B own", "C own", "D own", "Z own"}},
		"one language":       {calendar.TermQuery{}, []string{"A own", "B own", "C own", "D own", "Z own"}},
	} {
		b.Equal(what, b.names(c.query), c.want)
		c.query.Descending = true
		want := []string{}
		for _, name := range c.want {
			want = append([]string{name}, want...)
		}
		b.Equal(what+", from the end", b.names(c.query), want)
	}
}

// A search looks through names and slugs in the languages that the reader reads, and through no others.
func TestSearchInLanguages(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	b.add("Open air", 0, "de", translations.Text{Title: "Freiluft", Description: "<p>Draußen</p>"}, "fr", titled("Plein air"))
	b.add("Café Straße", 0)
	b.add("100% live_set", 0)
	find := func(text string, languages ...string) calendar.TermQuery {
		return calendar.TermQuery{Search: wording.Fold(text), Texts: calendar.TextQuery{Several: languages != nil, In: languages}}
	}
	for what, c := range map[string]struct {
		query calendar.TermQuery
		want  []string
	}{
		"own":                      {find("open"), []string{"Open air"}},
		"own, asked in another":    {find("open", "de"), []string{"Open air"}},
		"another":                  {find("frei", "de"), []string{"Open air"}},
		"description":              {find("draussen", "de"), []string{"Open air"}},
		"one not asked for":        {find("frei", "fr"), []string{}},
		"over texts":               {find("luft plein", "de", "fr"), []string{}},
		"accents":                  {find("STRASSE"), []string{"Café Straße"}},
		"a part of a name":         {find("é str"), []string{"Café Straße"}},
		"with blanks around":       {find("  cafe "), []string{"Café Straße"}},
		"with blanks between":      {find("cafe \t  strasse"), []string{"Café Straße"}},
		"signs of patterns":        {find("%"), []string{"100% live_set"}},
		"another sign":             {find("e_s"), []string{"100% live_set"}},
		"a backslash":              {find(`\`), []string{}},
		"nothing":                  {find(" "), []string{"100% live_set", "Café Straße", "Open air"}},
		"with texts in a language": {calendar.TermQuery{Texts: calendar.TextQuery{Several: true, Translated: "fr"}}, []string{"Open air"}},
	} {
		b.Equal(what, b.names(c.query), c.want)
	}
}

// Below a category the path follows it wherever it goes, under the names that its ancestors have in each language.
func TestPaths(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	music := b.add("Music", 0, "de", slugged("Musik", "musik"), "fr", titled("Musique"))
	jazz := b.add("Jazz", music.ID, "pt-BR", slugged("Jazz", "jazz-br"))
	swing := b.add("Swing", jazz.ID)
	ways := func(id int64) []string {
		term, err := b.categories.Get(b.Ctx, id)
		b.Must(err)
		page, err := b.categories.List(b.Ctx, calendar.TermQuery{PerPage: 9, Include: args.Refs{{ID: id}}})
		b.Must(err)
		b.Equal("in a list", []string{page.Items[0].Path, page.Items[0].Ways}, []string{term.Path, term.Ways})
		return []string{term.Path, strings.ReplaceAll(term.Ways, "\x02", "|")}
	}
	b.Equal("top", ways(music.ID), []string{"music", ""})
	b.Equal("below", ways(jazz.ID), []string{"music/jazz", "music|de=musik/jazz"})
	b.Equal("deep", ways(swing.ID), []string{"music/jazz/swing", "music|de=musik/jazz|pt-BR=jazz-br/swing"})
	b.Equal("as made", []string{swing.Path, strings.ReplaceAll(swing.Ways, "\x02", "|")}, ways(swing.ID))
	_, err := b.categories.Update(b.Ctx, music.ID, func(t *calendar.Term) error { t.Slug = "sound"; return nil })
	b.Must(err)
	b.Equal("renamed above", ways(swing.ID), []string{"sound/jazz/swing", "sound|de=musik/jazz|pt-BR=jazz-br/swing"})
	moved, err := b.categories.Update(b.Ctx, jazz.ID, func(t *calendar.Term) error { t.Parent = 0; return nil })
	b.Must(err)
	b.Equal("moved to the top", []string{moved.Path, moved.Ways}, []string{"jazz", ""})
	b.Equal("with what is below", ways(swing.ID), []string{"jazz/swing", "jazz|pt-BR=jazz-br/swing"})
	_, err = b.categories.Delete(b.Ctx, jazz.ID, func(*calendar.Term) error { return nil })
	b.Must(err)
	b.Equal("when that is gone", ways(swing.ID), []string{"swing", ""})
	for _, parent := range []int64{swing.ID, 999} {
		_, err = b.categories.Update(b.Ctx, swing.ID, func(t *calendar.Term) error { t.Parent = parent; return nil })
		if err == nil {
			t.Errorf("below %d", parent)
		}
	}
	tag := &calendar.Term{Name: "T", Slug: "t"}
	b.Must(b.tags.Create(b.Ctx, tag, false))
	_, err = b.categories.Update(b.Ctx, swing.ID, func(t *calendar.Term) error { t.Parent = tag.ID; return nil })
	b.Refuses(err, "parent", "problem.category.unknown")
}

// A slug that something had leads to it until something else has it. What was deleted leads nowhere.
func TestFormer(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	b := site(t, all, "one")
	rename := func(id int64, slug string) error {
		_, err := b.categories.Update(b.Ctx, id, func(t *calendar.Term) error { t.Slug = slug; return nil })
		return err
	}
	leads := func(what, slug string, want int64) {
		b.Helper()
		term, err := b.categories.Former(b.Ctx, slug)
		if want == 0 {
			b.Wants(err, calendar.ErrNotFound)
			return
		}
		b.Must(err)
		b.Equal(what, term.ID, want)
	}
	jazz := b.add("Jazz", 0, "de", slugged("Jatz", "jatz"))
	leads("never", "nowhere", 0)
	b.Must(rename(jazz.ID, "swing"))
	leads("renamed", "jazz", jazz.ID)
	b.Must(rename(jazz.ID, "bebop"))
	leads("renamed twice", "jazz", jazz.ID)
	leads("and again", "swing", jazz.ID)
	b.Wants(func() error { _, err := b.tags.Former(b.Ctx, "jazz"); return err }(), calendar.ErrNotFound)
	_, err := b.categories.Update(b.Ctx, jazz.ID, func(t *calendar.Term) error {
		t.Texts = sitetest.Texts("de", slugged("Jatz", "jatzmusik"))
		return nil
	})
	b.Must(err)
	leads("a text renamed", "jatz", jazz.ID)
	again := &calendar.Term{Name: "Again", Slug: "jazz"}
	b.Must(b.categories.Create(b.Ctx, again, true))
	b.Equal("a new one may have it", again.Slug, "jazz")
	if err := rename(jazz.ID, "jazz"); !errors.Is(err, calendar.ErrSlugTaken) {
		t.Errorf("taken: %v", err)
	}
	b.Must(rename(again.ID, "blues"))
	leads("who had it last", "jazz", again.ID)
	_, err = b.categories.Delete(b.Ctx, again.ID, func(*calendar.Term) error { return nil })
	b.Must(err)
	leads("gone", "jazz", 0)
	leads("gone", "blues", 0)
	b.Must(rename(jazz.ID, ""))
	term, err := b.categories.Get(b.Ctx, jazz.ID)
	b.Must(err)
	b.Equal("without a slug it has its number", term.Slug, fmt.Sprint(jazz.ID))
	_, err = site(t, all, "other").categories.Former(all.Site(t, "third").Ctx, "swing")
	b.Wants(err, calendar.ErrNotFound)
}

// Of its kind nothing else has the slug of a text in its language. In another language and of another kind it is free.
func TestSlugsInLanguages(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	slug := func(term *calendar.Term, language string) string { return term.Texts.All()[language].Slug }
	first := b.add("First", 0, "de", slugged("Musik", "musik"))
	b.Equal("free", slug(first, "de"), "musik")
	b.Equal("taken", slug(b.add("Second", 0, "de", slugged("Musik", "musik")), "de"), "musik-2")
	b.Equal("in another language", slug(b.add("Third", 0, "fr", slugged("Musik", "musik")), "fr"), "musik")
	b.Equal("one that is another's own", slug(b.add("Fourth", 0, "de", slugged("Erste", "first")), "de"), "first-2")
	b.Equal("its own", slug(b.add("Fifth", 0, "de", slugged("Fünfte", "fifth")), "de"), "fifth")
	b.Equal("an own one that is a text's", b.add("Musik", 0).Slug, "musik-3")
	tag := &calendar.Term{Name: "Tag", Slug: "musik"}
	tag.Texts = sitetest.Texts("de", slugged("Musik", "musik"))
	b.Must(b.tags.Create(b.Ctx, tag, false))
	b.Equal("of another kind", []string{tag.Slug, slug(tag, "de")}, []string{"musik", "musik"})
	_, err := b.categories.Delete(b.Ctx, first.ID, func(*calendar.Term) error { return nil })
	b.Must(err)
	b.Equal("free again", slug(b.add("Sixth", 0, "de", slugged("Musik", "musik")), "de"), "musik")
	page, err := b.categories.List(b.Ctx, calendar.TermQuery{PerPage: 9, Slug: "musik", Texts: calendar.TextQuery{Several: true, In: []string{"de"}}})
	b.Must(err)
	b.Equal("found by it", len(page.Items) == 1 && page.Items[0].Name == "Sixth", true)
}

package places_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/test/sitetest"
)

// bench is a site with its venues.
type bench struct {
	*sitetest.Site
	calendar.PlaceStore[calendar.Venue]
}

func site(t *testing.T, b *sitetest.Bench, slug string) bench {
	t.Helper()
	return bench{b.Site(t, slug), b.DB.Venues()}
}

// add makes a venue whose slug is that of its name.
func (b bench) add(name string, with ...func(*calendar.Venue)) *calendar.Venue {
	b.Helper()
	return b.Venue(name, append([]func(*calendar.Venue){func(v *calendar.Venue) { v.Slug = wording.Slug(name) }}, with...)...)
}

// in gives a venue texts: a language and its text by turns.
func in(pairs ...any) func(*calendar.Venue) {
	return func(v *calendar.Venue) { v.Texts = sitetest.Texts(pairs...) }
}

func text(title, slug string) translations.Text { return translations.Text{Title: title, Slug: slug} }

// change updates a venue.
func (b bench) change(id int64, change func(*calendar.Venue)) *calendar.Venue {
	b.Helper()
	v, err := b.Update(b.Ctx, calendar.Key{ID: id}, func(v *calendar.Venue) error { change(v); return nil })
	b.Must(err)
	return v
}

func slugIn(v *calendar.Venue, language string) string { return v.Texts.All()[language].Slug }

// found lists the names of the venues that a query finds.
func (b bench) found(q calendar.PlaceQuery) []string {
	b.Helper()
	if q.PerPage == 0 {
		q.PerPage = 50
	}
	page, err := b.List(b.Ctx, q)
	b.Must(err)
	list := []string{}
	for _, v := range page.Items {
		list = append(list, v.Name)
	}
	if q.PerPage == 50 {
		b.Equal("in all", page.Total, len(list))
	}
	return list
}

// An address with a slug in another language finds its venue for those who read that language, and before one whose own slug it is.
func TestSlugsInLanguages(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	b := site(t, all, "one")
	hall := b.add("Hall", in("de", text("Halle", "halle"), "fr", text("Salle", "salle")))
	castle := b.add("Castle", in("de", text("Schloss", "schloss"), "fr", text("Château", "halle")))
	finds := func(what, slug string, want int64, languages ...string) {
		b.Helper()
		v, err := b.Get(b.In(languages...), calendar.Key{Slug: slug, Former: true})
		if want == 0 {
			b.Wants(err, calendar.ErrNotFound)
			return
		}
		b.Must(err)
		b.Equal(what, v.ID, want)
	}
	finds("own", "hall", hall.ID)
	finds("own, read in another", "hall", hall.ID, "de")
	finds("in its language", "halle", hall.ID, "de")
	finds("in another's language", "halle", castle.ID, "fr")
	finds("the best first", "halle", castle.ID, "fr", "de")
	finds("the best first", "halle", hall.ID, "de", "fr")
	finds("in none of theirs", "halle", 0)
	finds("in none of theirs", "schloss", 0, "fr")
	b.Equal("taken in a language", slugIn(b.add("Other", in("de", text("Halle", "halle"))), "de"), "halle-2")
	b.Equal("taken as an own one", b.add("Halle").Slug, "halle-3")
	_, err := b.Get(site(t, all, "other").In("de"), calendar.Key{Slug: "halle"})
	b.Wants(err, calendar.ErrNotFound)

	b.change(hall.ID, func(v *calendar.Venue) { v.Texts = sitetest.Texts("de", text("Große Halle", "grosse-halle")) })
	finds("renamed", "grosse-halle", hall.ID, "de")
	finds("what led to it leads on", "salle", hall.ID)
	b.Equal("and is free for another", slugIn(b.add("Third", in("fr", text("Salle", "salle"))), "fr"), "salle")
	stored, err := b.Get(b.Ctx, calendar.Key{ID: hall.ID})
	b.Must(err)
	b.Equal("texts know when they were written", stored.Texts.All()["de"].Version, stored.Version)
}

// In the trash a venue leaves its slugs to others, in all languages. Restored it has them again, with a number where they are taken.
func TestTrashFreesSlugs(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	hall := b.add("Hall", in("de", text("Halle", "halle"), "fr", text("Salle", "salle")))
	b.change(hall.ID, func(v *calendar.Venue) { v.Status, v.Slug = calendar.Trash, "hall__trashed" })
	other := b.add("Hall", in("de", text("Halle", "halle")))
	b.Equal("of another", []string{other.Slug, slugIn(other, "de")}, []string{"hall", "halle"})
	v, err := b.Get(b.In("de"), calendar.Key{Slug: "halle"})
	b.Must(err)
	b.Equal("found", v.ID, other.ID)
	_, err = b.Get(b.In("fr"), calendar.Key{Slug: "salle"})
	b.Wants(err, calendar.ErrNotFound)
	hall = b.change(hall.ID, func(v *calendar.Venue) { v.Status, v.Slug = calendar.Publish, "hall" })
	b.Equal("restored", []string{hall.Slug, slugIn(hall, "de"), slugIn(hall, "fr")}, []string{"hall-2", "halle-2", "salle"})
	_, err = b.Delete(b.Ctx, calendar.Key{ID: other.ID}, func(*calendar.Venue) error { return nil })
	b.Must(err)
	b.Equal("slugs of the one that is left", b.Rows(`SELECT language || ' ' || slug FROM translated_slugs ORDER BY 1`), []string{"de halle-2", "fr salle"})
}

// A list tells by texts what is written in a language, and what lacks it or is outdated there.
func TestListsOfTexts(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	old := func(title string) translations.Text { return translations.Text{Title: title, Outdated: true} }
	b.add("None")
	b.add("German", in("de", text("Deutsch", "")))
	b.add("Old German", in("de", old("Deutsch")))
	b.add("Both", in("de", text("Beide", ""), "fr", text("Deux", "")))
	b.add("No title", in("de", translations.Text{Description: "<p>Straße</p>"}))
	texts := func(q calendar.TextQuery) calendar.PlaceQuery {
		q.Several = true
		return calendar.PlaceQuery{Texts: q}
	}
	search := func(word string, languages ...string) calendar.PlaceQuery {
		q := texts(calendar.TextQuery{In: languages})
		q.Search.Words = []string{wording.Fold(word)}
		return q
	}
	for what, c := range map[string]struct {
		query calendar.PlaceQuery
		want  []string
	}{
		"with German":      {texts(calendar.TextQuery{Translated: "de"}), []string{"No title", "Both", "Old German", "German"}},
		"with French":      {texts(calendar.TextQuery{Translated: "fr"}), []string{"Both"}},
		"with no such":     {texts(calendar.TextQuery{Translated: "d"}), []string{}},
		"lacking German":   {texts(calendar.TextQuery{Lacking: "de"}), []string{"No title", "Old German", "None"}},
		"lacking French":   {texts(calendar.TextQuery{Lacking: "fr"}), []string{"No title", "Old German", "German", "None"}},
		"in German":        {search("deutsch", "de"), []string{"Old German", "German"}},
		"not in German":    {search("deutsch", "fr"), []string{}},
		"own names, too":   {search("german", "fr"), []string{"Old German", "German"}},
		"a description":    {search("STRASSE", "fr", "de"), []string{"No title"}},
		"another's marker": {search("fr", "de"), []string{}},
	} {
		slices.Sort(c.want)
		got := b.found(c.query)
		slices.Sort(got)
		b.Equal(what, got, c.want)
	}
}

// What a form offers is what the viewer may link to, the newest first, and no more than asked for.
func TestOffered(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	for n, status := range calendar.Statuses() {
		for user := range int64(2) {
			b.add(fmt.Sprint(user+1, " ", status), func(v *calendar.Venue) {
				v.Author, v.Status, v.Date = user+1, status, sitetest.Noon.AddDate(0, 0, -n)
			})
		}
	}
	offered := func(all bool, user int64, limit int, only ...int64) []string {
		b.Helper()
		sql := strings.NewReplacer("@site", "$1", "@all", "$2", "@user", "$3", "@limit", "$4", "@only", "$5", "@languages", "$6").Replace(places.Venues.Offered)
		return b.Rows(`SELECT o.name FROM (`+sql+`) o`, b.ID, all, user, limit, append([]int64{}, only...), []string{})
	}
	b.Equal("nobody", offered(false, 0, 50), []string{"2 publish", "1 publish"})
	b.Equal("an author", offered(false, 1, 50), []string{"2 publish", "1 publish", "1 future", "1 draft", "1 pending", "1 private"})
	b.Equal("an editor, as many as asked for", offered(true, 3, 4), []string{"2 publish", "1 publish", "2 future", "1 future"})
	id, err := strconv.ParseInt(b.Rows("SELECT id::text FROM venues WHERE site_id = $1 AND name = '2 publish'", b.ID)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	b.Equal("of an area", offered(false, 1, 50, id), []string{"2 publish"})
	for _, name := range offered(true, 3, 50) {
		if name == "1 trash" || name == "2 trash" {
			t.Errorf("%s is offered", name)
		}
	}
}

// Duplicates are told by their names, whatever accents and letter case, and venues by their cities, too. The trash has none.
func TestTwins(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	at := func(city string) func(*calendar.Venue) { return func(v *calendar.Venue) { v.City = city } }
	first := b.add("Café Süd", at("Bonn"))
	second := b.add("CAFE  SUD", at("BONN"))
	b.add("Cafe Sud", at("Köln"))
	b.add("Cafe Sud")
	b.add("Straße", at("Bonn"))
	b.add("strasse", at("bonn"))
	b.add("Trash", at("Bonn"), func(v *calendar.Venue) { v.Status = calendar.Trash })
	b.add("Trash", at("Bonn"))
	b.add("Draft", func(v *calendar.Venue) { v.Status = calendar.Draft })
	b.add("Draft")
	b.add("Alone", in("de", text("Cafe Sud", "")), at("Bonn"))
	twins := func() (names []string) {
		list, err := b.Twins(b.Ctx)
		b.Must(err)
		for _, one := range list {
			for _, m := range one.Items {
				names = append(names, m.Name)
			}
		}
		return names
	}
	b.Equal("twins", twins(), []string{"Café Süd", "CAFE  SUD", "Draft", "Draft", "Straße", "strasse"})
	late := b.add("Cafe-Süd", at("bonn"))
	b.Equal("and a new one", twins(), []string{"Café Süd", "CAFE  SUD", "Cafe-Süd", "Draft", "Draft", "Straße", "strasse"})
	b.Must(b.Apart(b.Ctx, []int64{first.ID, second.ID, late.ID, 999}))
	b.Must(b.Apart(b.Ctx, []int64{first.ID, late.ID}))
	b.Equal("told apart", twins(), []string{"Draft", "Draft", "Straße", "strasse"})
	other := b.add("Café Sud", at("Bonn"))
	_, _, err := b.Merge(b.Ctx, other.ID, []int64{first.ID}, func(*calendar.Venue, []*calendar.Venue) error { return nil })
	b.Must(err)
	b.Equal("what was merged is still apart from the others", twins(), []string{"Draft", "Draft", "Straße", "strasse"})
	b.Must(b.Parted(b.Ctx, other.ID, []int64{first.ID}))
	b.Equal("it was apart only in place of what has returned", twins(), []string{"CAFE  SUD", "Cafe-Süd", "Café Sud", "Draft", "Draft", "Straße", "strasse"})
	b.Must(b.Apart(b.Ctx, []int64{other.ID, second.ID, late.ID}))
	b.Must(b.Parted(b.Ctx, other.ID, []int64{first.ID}))
	b.Equal("but for what somebody has said of it", twins(), []string{"Draft", "Draft", "Straße", "strasse"})
}

// Merged venues leave nothing behind: not the slugs of their texts, not their date of publication, not a link.
func TestMergeLeavesNothing(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	b := site(t, all, "one")
	keep := b.add("Keep", in("de", text("Behalten", "behalten")))
	gone := b.add("Gone", in("de", text("Weg", "weg"), "fr", text("Parti", "parti")), func(v *calendar.Venue) {
		v.Status, v.Date = calendar.Future, sitetest.Noon.AddDate(0, 0, 3)
	})
	draft := b.Event("Draft", calendar.Draft, sitetest.At(gone))
	trashed := b.Event("Trashed", calendar.Trash, sitetest.At(gone, keep))
	kept, moved, err := b.Merge(b.Ctx, keep.ID, []int64{gone.ID}, func(one *calendar.Venue, _ []*calendar.Venue) error {
		one.Texts = sitetest.Texts("de", text("Behalten", "behalten"), "fr", text("Parti", "parti"))
		return nil
	})
	b.Must(err)
	b.Equal("moved", []any{moved, slugIn(kept, "fr")}, []any{2, "parti"})
	for _, id := range []int64{draft.ID, trashed.ID} {
		e, err := b.DB.Events().Get(b.Ctx, calendar.Key{ID: id})
		b.Must(err)
		b.Equal("linked once", []any{len(e.Venues), e.Venues[0].ID}, []any{1, keep.ID})
	}
	b.Equal("schedule", b.Rows(`SELECT kind FROM schedule`), []string{})
	for slug, language := range map[string]string{"weg": "", "gone": "", "parti": "fr", "behalten": "de"} {
		v, err := b.Get(b.In(language), calendar.Key{Slug: slug, Former: true})
		b.Must(err)
		b.Equal(slug, v.ID, keep.ID)
	}
	_, _, err = b.Merge(b.Ctx, keep.ID, []int64{gone.ID}, func(*calendar.Venue, []*calendar.Venue) error { return nil })
	b.Wants(err, calendar.ErrNotFound)
	other := site(t, all, "other")
	theirs := other.add("Theirs")
	_, _, err = b.Merge(b.Ctx, keep.ID, []int64{theirs.ID + 100}, func(*calendar.Venue, []*calendar.Venue) error { return nil })
	b.Wants(err, calendar.ErrNotFound)
}

// A deleted venue is gone from events, from their rows as well, and its slugs lead nowhere. The events' history says what they lost.
func TestDeleteLeavesNothing(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t), "one")
	gone := b.add("Gone", in("de", text("Weg", "weg")), func(v *calendar.Venue) { v.Status, v.Date = calendar.Future, sitetest.Noon.AddDate(0, 0, 3) })
	stays := b.add("Stays")
	e := b.Event("E", calendar.Publish, sitetest.At(stays, gone))
	alone := b.Event("Alone", calendar.Publish, sitetest.At(gone))
	b.change(gone.ID, func(v *calendar.Venue) { v.Status, v.Slug = calendar.Publish, "once" })
	b.change(gone.ID, func(v *calendar.Venue) { v.Slug = "twice" })
	_, err := b.Delete(b.Ctx, calendar.Key{ID: gone.ID}, func(*calendar.Venue) error { return nil })
	b.Must(err)
	b.Equal("rows", b.Rows(`SELECT title || ' ' || venue_ids::text FROM events ORDER BY id`), []string{fmt.Sprintf("E {%d}", stays.ID), "Alone {}"})
	got, err := b.DB.Events().Get(b.Ctx, calendar.Key{ID: e.ID})
	b.Must(err)
	b.Equal("venues", []any{len(got.Venues), got.Version}, []any{1, e.Version})
	for _, slug := range []string{"gone", "once", "twice", "weg"} {
		_, err := b.Get(b.In("de"), calendar.Key{Slug: slug, Former: true})
		b.Wants(err, calendar.ErrNotFound)
	}
	b.Equal("nothing else", append(b.Rows(`SELECT slug FROM translated_slugs`), b.Rows(`SELECT kind FROM schedule`)...), []string{})
	b.Equal("told", b.Rows(`SELECT (before -> 'venue' -> 0 ->> 'name') || ' ' || jsonb_array_length(before -> 'venue') FROM changes
		WHERE kind = 'event' AND action = 'update' AND id IN ($1, $2) ORDER BY id`, e.ID, alone.ID), []string{"Stays 2", "Gone 1"})
}

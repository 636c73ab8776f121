package lists

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/test/eventtest"
)

// called renames a venue.
func called(name string) func(*calendar.Venue) error {
	return func(v *calendar.Venue) error {
		v.Name = name
		return nil
	}
}

// TestListByNames: searches find events by what they are linked to, at once when that
// is called something else.
func TestListByNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	place, secret := eventtest.Venue("Städtische Bücherei"), eventtest.Venue("Secret Garden")
	place.Address, place.City, place.Description, place.Phone = "Am Ring 3", "Lüneburg", "<p>opposite the theatre</p>", "04131"
	secret.Status, secret.Author = calendar.Draft, 2
	links := eventtest.VenueLinks(place)
	links.Organizers = eventtest.OrganizerLinks(eventtest.Organizer("Friends of Reading")).Organizers
	links.Categories, links.Tags = eventtest.TermLinks("Lesungen"), eventtest.TermLinks("Kinder & Familie")
	reading := k.Create(k.Sample(eventtest.Titled("Evening with Ada")), links)
	hidden := k.Create(k.Sample(eventtest.Titled("Evening with Bob")), eventtest.VenueLinks(secret))
	told := k.Event(eventtest.Titled("Kinder lesen in der Bücherei"))
	find := func(words ...string) calendar.EventQuery {
		return calendar.EventQuery{Search: wording.Search{Words: words}}
	}
	without := func(words ...string) calendar.EventQuery {
		return calendar.EventQuery{Search: wording.Search{Without: words}}
	}
	k.Lists("venue's name, or the text", find("bucherei"), reading, told)
	k.Lists("beginning of a word", find("stadtisch"), reading)
	k.Lists("phrase", find("stadtische bucherei"), reading)
	k.Lists("city", find("luneburg"), reading)
	k.Lists("address", find("am ring"), reading)
	k.Lists("not what else the venue says", find("theatre"))
	k.Lists("nor its phone", find("04131"))
	k.Lists("organizer", find("reading"), reading)
	k.Lists("category", find("lesung"), reading)
	k.Lists("tag, or the text", find("kinder"), reading, told)
	k.Lists("a name and a text", find("bucherei", "evening"), reading)
	k.Lists("names alone", find("luneburg", "friends", "bucherei"), reading)
	k.Lists("short words", find("am", "of"), reading)
	k.Lists("more words than may name something", find("evening", "with", "ada", "eve", "eveni", "wit", "ev", "ad", "en", "vening", "luneburg"))
	k.Lists("a phrase across fields", find("bucherei am"))
	k.Lists("its words", find("bucherei", "am"), reading)
	k.Lists("one is nowhere", find("bucherei", "hamburg"))
	k.Lists("without a name", without("luneburg"), hidden, told)
	k.Lists("without a name and a text", without("luneburg", "bob"), told)
	k.Lists("a venue that isn't public", find("secret"))
	k.Lists("seen by who made it", calendar.EventQuery{Viewer: calendar.Viewer{User: 2}, Search: wording.Search{Words: []string{"secret"}}}, hidden)
	k.Lists("within a category", calendar.EventQuery{Categories: eventtest.TermLinks("lesungen").Refs, Search: wording.Search{Words: []string{"bucherei"}}}, reading)

	was := k.Column("SELECT version::text FROM events WHERE site_id = $1 ORDER BY id", k.Site)
	_, err := k.db.Venues().Update(k.Ctx, calendar.Key{ID: reading.Venues[0].ID}, called("Stadtbibliothek"))
	k.Must(err)
	k.Lists("the new name", find("stadtbibliothek"), reading)
	k.Lists("not the old one", find("bucherei"), told)
	k.Equal("events written for it", k.Column("SELECT version::text FROM events WHERE site_id = $1 ORDER BY id", k.Site), was)
	counts, err := k.db.Events().Counts(k.Ctx, find("stadtbibliothek"))
	k.Must(err)
	k.Equal("counts", counts, map[calendar.Status]int{calendar.Publish: 1})
}

// TestNewNames: what is made after a question was remembered is named by it, also where only drafts are linked to it.
func TestNewNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	all := calendar.Viewer{User: 1, All: true}
	music := &calendar.Term{Name: "Music", Slug: "music"}
	k.Must(k.db.Terms(calendar.Categories).Create(k.Ctx, music, false))
	in := calendar.EventQuery{Viewer: all, Categories: eventtest.TermLinks(music.ID).Refs}
	at := calendar.EventQuery{Viewer: all, Search: wording.Search{Words: []string{"boathouse"}}}
	of := calendar.EventQuery{Viewer: all, Search: wording.Search{Words: []string{"jazz"}}}
	for range 2 {
		k.Lists("in a category without events", in)
		k.Lists("at a venue that isn't there", at)
		k.Lists("of a category that isn't there", of)
	}
	jazz := &calendar.Term{Name: "Jazz", Slug: "jazz", Parent: music.ID}
	k.Must(k.db.Terms(calendar.Categories).Create(k.Ctx, jazz, false))
	e := k.Sample(eventtest.Titled("Quartet"))
	e.Status = calendar.Draft
	links := eventtest.VenueLinks(eventtest.Venue("Boathouse"))
	links.Categories = eventtest.TermLinks(jazz.ID)
	draft := k.Create(e, links)
	k.Lists("in a category", in, draft)
	k.Lists("at a venue", at, draft)
	k.Lists("of a category", of, draft)
}

// TestNamesOfTheSameMoment renames a venue between the question what the words name
// and the list.
func TestNamesOfTheSameMoment(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(), eventtest.VenueLinks(eventtest.Venue("Old Library")))
	q := calendar.EventQuery{PerPage: 15, Search: wording.Search{Words: []string{"new"}}}
	asked := 0
	var found []int64
	k.Must(k.db.lists.meant(k.Ctx, q, func(n *meanings) (links int64, err error) {
		if asked++; asked == 1 {
			k.Equal("named before", len(n.of), 0)
			_, err := k.db.Venues().Update(k.Ctx, calendar.Key{ID: e.Venues[0].ID}, called("New Library"))
			k.Must(err)
		}
		r := &reading{query: q, means: n}
		_, err = k.db.lists.read(k.Ctx, r)
		found = nil
		for _, e := range r.page.Items {
			found = append(found, e.ID)
		}
		return r.links, err
	}))
	k.Equal("asked", asked, 2)
	k.Equal("found", found, []int64{e.ID})
}

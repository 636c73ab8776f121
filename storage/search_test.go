package storage

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
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
	place, secret := venue("Städtische Bücherei"), venue("Secret Garden")
	place.Address, place.City, place.Description, place.Phone = "Am Ring 3", "Lüneburg", "<p>opposite the theatre</p>", "04131"
	secret.Status, secret.Author = calendar.Draft, 2
	links := venueLinks(place)
	links.Organizers = organizerLinks(organizer("Friends of Reading")).Organizers
	links.Categories, links.Tags = termLinks("Lesungen"), termLinks("Kinder & Familie")
	reading := k.create(k.sample(titled("Evening with Ada")), links)
	hidden := k.create(k.sample(titled("Evening with Bob")), venueLinks(secret))
	told := k.event(titled("Kinder lesen in der Bücherei"))
	find := func(words ...string) calendar.EventQuery {
		return calendar.EventQuery{Search: wording.Search{Words: words}}
	}
	without := func(words ...string) calendar.EventQuery {
		return calendar.EventQuery{Search: wording.Search{Without: words}}
	}
	k.lists("venue's name, or the text", find("bucherei"), reading, told)
	k.lists("beginning of a word", find("stadtisch"), reading)
	k.lists("phrase", find("stadtische bucherei"), reading)
	k.lists("city", find("luneburg"), reading)
	k.lists("address", find("am ring"), reading)
	k.lists("not what else the venue says", find("theatre"))
	k.lists("nor its phone", find("04131"))
	k.lists("organizer", find("reading"), reading)
	k.lists("category", find("lesung"), reading)
	k.lists("tag, or the text", find("kinder"), reading, told)
	k.lists("a name and a text", find("bucherei", "evening"), reading)
	k.lists("names alone", find("luneburg", "friends", "bucherei"), reading)
	k.lists("short words", find("am", "of"), reading)
	k.lists("more words than may name something", find("evening", "with", "ada", "eve", "eveni", "wit", "ev", "ad", "en", "vening", "luneburg"))
	k.lists("a phrase across fields", find("bucherei am"))
	k.lists("its words", find("bucherei", "am"), reading)
	k.lists("one is nowhere", find("bucherei", "hamburg"))
	k.lists("without a name", without("luneburg"), hidden, told)
	k.lists("without a name and a text", without("luneburg", "bob"), told)
	k.lists("a venue that isn't public", find("secret"))
	k.lists("seen by who made it", calendar.EventQuery{Viewer: calendar.Viewer{User: 2}, Search: wording.Search{Words: []string{"secret"}}}, hidden)
	k.lists("within a category", calendar.EventQuery{Categories: termLinks("lesungen").Refs, Search: wording.Search{Words: []string{"bucherei"}}}, reading)

	was := k.column("SELECT version::text FROM events WHERE site_id = $1 ORDER BY id", k.site)
	_, err := k.db.Venues().Update(k.ctx, calendar.Key{ID: reading.Venues[0].ID}, called("Stadtbibliothek"))
	k.must(err)
	k.lists("the new name", find("stadtbibliothek"), reading)
	k.lists("not the old one", find("bucherei"), told)
	k.equal("events written for it", k.column("SELECT version::text FROM events WHERE site_id = $1 ORDER BY id", k.site), was)
	counts, err := k.db.Events().Counts(k.ctx, find("stadtbibliothek"))
	k.must(err)
	k.equal("counts", counts, map[calendar.Status]int{calendar.Publish: 1})
}

// TestNewNames: what is made after a question was remembered is named by it, also where only drafts are linked to it.
func TestNewNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	all := calendar.Viewer{User: 1, All: true}
	music := &calendar.Term{Name: "Music", Slug: "music"}
	k.must(k.db.Terms(calendar.Categories).Create(k.ctx, music, false))
	in := calendar.EventQuery{Viewer: all, Categories: termLinks(music.ID).Refs}
	at := calendar.EventQuery{Viewer: all, Search: wording.Search{Words: []string{"boathouse"}}}
	of := calendar.EventQuery{Viewer: all, Search: wording.Search{Words: []string{"jazz"}}}
	for range 2 {
		k.lists("in a category without events", in)
		k.lists("at a venue that isn't there", at)
		k.lists("of a category that isn't there", of)
	}
	jazz := &calendar.Term{Name: "Jazz", Slug: "jazz", Parent: music.ID}
	k.must(k.db.Terms(calendar.Categories).Create(k.ctx, jazz, false))
	e := k.sample(titled("Quartet"))
	e.Status = calendar.Draft
	links := venueLinks(venue("Boathouse"))
	links.Categories = termLinks(jazz.ID)
	draft := k.create(e, links)
	k.lists("in a category", in, draft)
	k.lists("at a venue", at, draft)
	k.lists("of a category", of, draft)
}

// TestNamesOfTheSameMoment renames a venue between the question what the words name
// and the list.
func TestNamesOfTheSameMoment(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(), venueLinks(venue("Old Library")))
	q := calendar.EventQuery{PerPage: 15, Search: wording.Search{Words: []string{"new"}}}
	asked := 0
	var found []int64
	k.must(k.db.lists.meant(k.ctx, q, func(n *meanings) (links int64, err error) {
		if asked++; asked == 1 {
			k.equal("named before", len(n.of), 0)
			_, err := k.db.Venues().Update(k.ctx, calendar.Key{ID: e.Venues[0].ID}, called("New Library"))
			k.must(err)
		}
		r := &reading{query: q, means: n}
		_, err = k.db.lists.read(k.ctx, r)
		found = nil
		for _, e := range r.page.Items {
			found = append(found, e.ID)
		}
		return r.links, err
	}))
	k.equal("asked", asked, 2)
	k.equal("found", found, []int64{e.ID})
}

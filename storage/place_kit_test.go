package storage_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage"
)

// placeKit is what a test of venues and organizers alike needs to know of one.
type placeKit[T any] struct {
	kind   string
	store  func(*storage.DB) calendar.PlaceStore[T]
	named  func(name string) *T
	post   func(*T) *calendar.Post
	fields func(*T) (name, description, phone *string)
	full   *T // with every field set
}

var venueKit = placeKit[calendar.Venue]{
	kind:   "venue",
	store:  func(db *storage.DB) calendar.PlaceStore[calendar.Venue] { return db.Venues() },
	named:  func(name string) *calendar.Venue { return &calendar.Venue{Name: name, Post: newPost(name)} },
	post:   func(v *calendar.Venue) *calendar.Post { return &v.Post },
	fields: func(v *calendar.Venue) (_, _, _ *string) { return &v.Name, &v.Description, &v.Phone },
	full: &calendar.Venue{
		Post: newPost("full"), Name: "Café Ünder", Description: "<p>nice</p>", Excerpt: "short",
		Address: "1 Street", City: "Wien", Country: "Austria", Province: "W", State: "S", StateProvince: "SP", Zip: "1010",
		Phone: "+43", Website: "https://example.com", GeoLat: new(48.2), GeoLng: new(16.37), ShowMap: true, ShowMapLink: true,
	},
}

var organizerKit = placeKit[calendar.Organizer]{
	kind:   "organizer",
	store:  func(db *storage.DB) calendar.PlaceStore[calendar.Organizer] { return db.Organizers() },
	named:  func(name string) *calendar.Organizer { return &calendar.Organizer{Name: name, Post: newPost(name)} },
	post:   func(o *calendar.Organizer) *calendar.Post { return &o.Post },
	fields: func(o *calendar.Organizer) (_, _, _ *string) { return &o.Name, &o.Description, &o.Phone },
	full: &calendar.Organizer{
		Post: newPost("full"), Name: "Café Ünder", Description: "<p>nice</p>", Excerpt: "short",
		Phone: "+43", Website: "https://example.com", Email: "a@example.com",
	},
}

func newPost(slug string) calendar.Post {
	return calendar.Post{Author: 1, Status: calendar.Publish, Slug: slug, Date: noon, Dated: true, Modified: noon}
}

// placeTest is one test of venues or organizers.
type placeTest[T any] struct {
	*placeBench
	placeKit[T]
	calendar.PlaceStore[T]
}

// both runs a test over venues and over organizers.
func both(t *testing.T, venues func(placeTest[calendar.Venue]), organizers func(placeTest[calendar.Organizer])) {
	t.Helper()
	t.Parallel()
	t.Run("venues", func(t *testing.T) {
		t.Parallel()
		b := newPlaceBench(t)
		venues(placeTest[calendar.Venue]{b, venueKit, b.db.Venues()})
	})
	t.Run("organizers", func(t *testing.T) {
		t.Parallel()
		b := newPlaceBench(t)
		organizers(placeTest[calendar.Organizer]{b, organizerKit, b.db.Organizers()})
	})
}

// add stores an item of that name; edit may change it before.
func (p placeTest[T]) add(name string, edit ...func(*T)) *T {
	p.Helper()
	item := p.named(name)
	for _, e := range edit {
		e(item)
	}
	made, err := p.Create(p.ctx, calendar.Link[T]{New: item})
	p.must(err)
	return made
}

// id stores an item of that name and returns its id.
func (p placeTest[T]) id(name string, edit ...func(*T)) int64 {
	p.Helper()
	return p.post(p.add(name, edit...)).ID
}

// with sets author, status and day, so many days after noon.
func (p placeTest[T]) with(author int64, status calendar.Status, days int) func(*T) {
	return func(item *T) {
		post := p.post(item)
		post.Author, post.Status, post.Date = author, status, noon.Add(time.Duration(days)*24*time.Hour)
	}
}

// link links items to an event.
func (p placeTest[T]) link(event int64, ids ...int64) {
	p.Helper()
	table := "event_" + p.kind + "s"
	for n, id := range ids {
		p.exec(`INSERT INTO `+table+` (site_id, event_id, `+p.kind+`_id, position) VALUES ($1, $2, $3, $4)`,
			p.site, event, id, n)
	}
}

// names returns the names of a list's items.
func (p placeTest[T]) names(items []*T) []string {
	list := make([]string, 0, len(items))
	for _, item := range items {
		name, _, _ := p.fields(item)
		list = append(list, *name)
	}
	return list
}

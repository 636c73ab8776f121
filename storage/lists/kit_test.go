package lists

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/test/eventtest"
)

// kit is a database with one site, and the stores of events and of what they are linked to.
type kit struct {
	*eventtest.Kit
	db *store
}

func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{}
	k.Kit = eventtest.New(t, func(url string) eventtest.Store {
		k.db = open(t, url)
		return k.db
	})
	return k
}

// open returns another node's store on the same database.
func (k *kit) open() *store {
	k.Helper()
	return open(k, k.URL)
}

func open(t testing.TB, url string) *store {
	t.Helper()
	db, err := content.Open(t.Context(), url, content.Options{
		Options:   pg.Options{Clock: func() time.Time { return eventtest.Monday }, Strict: true, Connect: storagetest.Connect(t)},
		LinkBytes: linked.Bytes,
		OnVersion: func(int64, int64, bool) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &store{DB: db, events: events.NewStore(db), lists: New(db, RowBytes)}
}

// store is a store of events, with their lists.
type store struct {
	*content.DB
	events events.Store
	lists  *Lists
}

func (s *store) Engine() *pg.DB { return s.DB.DB }

func (s *store) Events() calendar.EventStore {
	return struct {
		events.Store
		*Lists
	}{s.events, s.lists}
}

func (s *store) Venues() calendar.PlaceStore[calendar.Venue] { return places.Of(s.DB, places.Venues) }

func (s *store) Organizers() calendar.PlaceStore[calendar.Organizer] {
	return places.Of(s.DB, places.Organizers)
}

func (s *store) Terms(t calendar.Taxonomy) calendar.TermStore { return terms.Of(s.DB, t) }

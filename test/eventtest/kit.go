// Package eventtest has sites full of events, for tests of the stores that write and read them.
package eventtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// Monday is when everything in these tests happens.
var Monday = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// Why is why statements here go past the service.
const Why = "a test looks at what is there"

// ByValues is why tests of plans are none of a cluster.
const ByValues = "a cluster makes each plan for the values of its statement"

// Store is what tests of events need of a store.
type Store interface {
	Events() calendar.EventStore
	Venues() calendar.PlaceStore[calendar.Venue]
	Organizers() calendar.PlaceStore[calendar.Organizer]
	Terms(t calendar.Taxonomy) calendar.TermStore
	Engine() *pg.DB
}

// Kit is a database with one site of three users, 1 to 3, seen by user 1.
type Kit struct {
	testing.TB
	URL    string
	DB     Store
	Site   int64
	Ctx    context.Context // of Site and its user 1
	serial atomic.Int64
}

// New returns a kit whose store is made by open for the address of a new database.
func New(t testing.TB, open func(url string) Store) *Kit {
	t.Helper()
	k := &Kit{TB: t, URL: storagetest.Database(t)}
	k.DB = open(k.URL)
	k.Site = k.NewSite("one")
	k.Ctx = k.As(k.Site, 1)
	return k
}

// NewSite makes another site with three users.
func (k *Kit) NewSite(slug string) (id int64) {
	k.Helper()
	k.Must(k.DB.Engine().Across(Why).QueryRow(k.Context(), `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ($1, $1, 'UTC', 'en')
		RETURNING id`, slug).Scan(&id))
	k.Exec(id, `SELECT name_site($1, $2)`, id, slug)
	k.Exec(id, `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
		VALUES ($1, 1, '1', '1', '1', '1', '1', 'author'), ($1, 2, '2', '2', '2', '2', '2', 'author'), ($1, 3, '3', '3', '3', '3', '3', 'author')`, id)
	return id
}

// As returns a context of a site and user.
func (k *Kit) As(site, user int64) context.Context {
	return tenancy.With(k.Context(), tenancy.Scope{
		Site: &tenancy.Site{ID: site}, Principal: tenancy.Principal{UserID: user},
	})
}

// In runs do on a site, past the store.
func (k *Kit) In(site int64, do func(pgx.Tx) error) {
	k.Helper()
	k.Must(pgx.BeginFunc(k.Context(), k.DB.Engine().At(Why, site), func(tx pgx.Tx) error {
		if err := pg.EnterIn(k.Context(), tx, site); err != nil {
			return err
		}
		return do(tx)
	}))
}

// Exec runs a statement on a site, past the store.
func (k *Kit) Exec(site int64, sql string, arguments ...any) {
	k.Helper()
	k.In(site, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, site, sql)
		if err == nil {
			_, err = tx.Exec(k.Context(), sql, arguments...)
		}
		return err
	})
}

// Outside runs a statement about no site.
func (k *Kit) Outside(sql string, arguments ...any) {
	k.Helper()
	_, err := k.DB.Engine().Across(Why).Exec(k.Context(), sql, arguments...)
	k.Must(err)
}

// Column reads one column of text, past the store.
func (k *Kit) Column(sql string, arguments ...any) (list []string) {
	k.Helper()
	k.In(k.Site, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, k.Site, sql)
		if err != nil {
			return err
		}
		rows, err := tx.Query(k.Context(), sql, arguments...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return list
}

// Sample returns a published event that isn't stored yet; with alters it.
func (k *Kit) Sample(with ...func(*calendar.Event)) *calendar.Event {
	n := k.serial.Add(1)
	e := &calendar.Event{
		Post:     calendar.Post{Author: 1, Status: calendar.Publish, Slug: fmt.Sprintf("event-%d", n), Date: Monday, Dated: true},
		Title:    fmt.Sprintf("Event %d", n),
		Timezone: "Europe/Berlin",
	}
	Starts(time.Duration(n) * time.Hour)(e)
	for _, f := range with {
		f(e)
	}
	return e
}

// Starts places an event of two hours on a wall clock one hour ahead of UTC.
func Starts(after time.Duration) func(*calendar.Event) {
	return func(e *calendar.Event) {
		e.Start = Monday.Add(after)
		e.End = e.Start.Add(2 * time.Hour)
		e.StartUTC, e.EndUTC = e.Start.Add(-time.Hour), e.End.Add(-time.Hour)
	}
}

// Titled gives an event a title, and a slug after it.
func Titled(title string) func(*calendar.Event) {
	return func(e *calendar.Event) { e.Title, e.Slug = title, wording.Slug(title) }
}

// Status gives an event a status.
func Status(s calendar.Status) func(*calendar.Event) {
	return func(e *calendar.Event) { e.Status = s }
}

// Create stores an event with links.
func (k *Kit) Create(e *calendar.Event, links calendar.EventLinks) *calendar.Event {
	k.Helper()
	k.Must(k.DB.Events().Create(k.Ctx, e, links))
	return e
}

// Event stores a sample without links.
func (k *Kit) Event(with ...func(*calendar.Event)) *calendar.Event {
	k.Helper()
	return k.Create(k.Sample(with...), calendar.EventLinks{})
}

// List reads a list of events.
func (k *Kit) List(q calendar.EventQuery) calendar.Page[calendar.Event] {
	k.Helper()
	page, err := k.DB.Events().List(k.Ctx, q)
	k.Must(err)
	return page
}

// Lists fails the test when the list isn't of these events in this order.
func (k *Kit) Lists(what string, q calendar.EventQuery, want ...*calendar.Event) {
	k.Helper()
	page := k.List(q)
	if got, want := Titles(page.Items), Titles(want); !slices.Equal(got, want) || page.Total != len(want) {
		k.Errorf("%s: %q, %d in all; want %q", what, got, page.Total, want)
	}
}

// Titles returns the titles of events.
func Titles(list []*calendar.Event) []string {
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, e.Title)
	}
	return out
}

// Must ends the test if err is an error.
func (k *Kit) Must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// Wants fails the test when err is not the error that is wanted.
func (k *Kit) Wants(err, want error) {
	k.Helper()
	if !errors.Is(err, want) {
		k.Errorf("error %v, want %v", err, want)
	}
}

// Refuses fails the test when err is not about these arguments alone.
func (k *Kit) Refuses(err error, want ...string) {
	k.Helper()
	var got []string
	if problems, ok := errors.AsType[*args.Problems](err); ok {
		for _, p := range problems.Broken() {
			got = append(got, p.Arg+": "+p.Key)
		}
	}
	if !slices.Equal(got, want) {
		k.Errorf("error %v, want %q", err, want)
	}
}

// Equal fails the test when got and want differ.
func (k *Kit) Equal(what string, got, want any) {
	k.Helper()
	if reflect.DeepEqual(want, got) {
		return // cmp takes much longer to find that out
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		k.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// VenueLinks links venues by id, or new ones that are the same by name alone.
func VenueLinks(list ...any) calendar.EventLinks {
	links := []calendar.Link[calendar.Venue]{}
	for _, one := range list {
		switch v := one.(type) {
		case int64:
			links = append(links, calendar.Link[calendar.Venue]{ID: v})
		case *calendar.Venue:
			links = append(links, calendar.Link[calendar.Venue]{New: v, Same: func(*calendar.Venue) bool { return true }})
		}
	}
	return calendar.EventLinks{Venues: &links}
}

// OrganizerLinks is VenueLinks for organizers.
func OrganizerLinks(list ...any) calendar.EventLinks {
	links := []calendar.Link[calendar.Organizer]{}
	for _, one := range list {
		switch o := one.(type) {
		case int64:
			links = append(links, calendar.Link[calendar.Organizer]{ID: o})
		case *calendar.Organizer:
			links = append(links, calendar.Link[calendar.Organizer]{New: o, Same: func(*calendar.Organizer) bool { return true }})
		}
	}
	return calendar.EventLinks{Organizers: &links}
}

// TermLinks links terms by id or text, making those that aren't there.
func TermLinks(list ...any) *calendar.TermLinks {
	links := &calendar.TermLinks{Create: true}
	for _, one := range list {
		switch v := one.(type) {
		case int64:
			links.Refs = append(links.Refs, args.Ref{ID: v})
		case string:
			links.Refs = append(links.Refs, args.Ref{Text: v})
		}
	}
	return links
}

// Venue returns a venue that is not stored yet.
func Venue(name string) *calendar.Venue {
	return &calendar.Venue{Post: calendar.Post{Author: 1, Status: calendar.Publish, Date: Monday, Dated: true, Modified: Monday,
		Slug: wording.Slug(name)}, Name: name}
}

// Organizer returns an organizer that is not stored yet.
func Organizer(name string) *calendar.Organizer {
	return &calendar.Organizer{Post: calendar.Post{Author: 1, Status: calendar.Publish, Date: Monday, Dated: true, Modified: Monday,
		Slug: wording.Slug(name)}, Name: name}
}

// Owner connects as the role that owns the tables.
func (k *Kit) Owner() *pgx.Conn {
	k.Helper()
	conn, err := pgx.Connect(k.Context(), k.URL)
	k.Must(err)
	k.Cleanup(func() { _ = conn.Close(context.WithoutCancel(k.Context())) })
	return conn
}

// LinkedOnce returns links by id to things of the site that its memory holds.
func (k *Kit) LinkedOnce() calendar.EventLinks {
	k.Helper()
	links := VenueLinks(Venue("Hall"))
	links.Organizers = OrganizerLinks(Organizer("Ann")).Organizers
	links.Categories, links.Tags = TermLinks("red"), TermLinks("blue")
	k.Create(k.Sample(), links)
	e := k.List(calendar.EventQuery{}).Items[0]
	links = VenueLinks(e.Venues[0].ID)
	links.Organizers = OrganizerLinks(e.Organizers[0].ID).Organizers
	links.Categories, links.Tags = TermLinks(e.Categories[0].ID), TermLinks(e.Tags[0].ID)
	return links
}

// Update changes an event.
func (k *Kit) Update(id int64, change func(*calendar.Event) (calendar.EventLinks, error)) *calendar.Event {
	k.Helper()
	e, err := k.DB.Events().Update(k.Ctx, calendar.Key{ID: id}, change)
	k.Must(err)
	return e
}

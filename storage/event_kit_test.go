package storage

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

// monday is when everything in these tests happens.
var monday = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// tests is why statements here go past the service.
const tests = "a test looks at what is there"

// byValues is why tests of plans are none of a cluster.
const byValues = "a cluster makes each plan for the values of its statement"

// kit is a database with one site of three users, 1 to 3, seen by user 1.
type kit struct {
	testing.TB
	url    string
	db     *DB
	site   int64
	ctx    context.Context
	serial atomic.Int64
}

func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{TB: t, url: storagetest.Database(t)}
	k.db = k.open()
	k.site = k.newSite("one")
	k.ctx = k.as(k.site, 1)
	return k
}

// open returns another node's store on the same database.
func (k *kit) open() *DB {
	k.Helper()
	db, err := Open(k.Context(), k.url, Options{Clock: func() time.Time { return monday }, Strict: true})
	k.must(err)
	k.Cleanup(db.Close)
	return db
}

func (k *kit) newSite(slug string) (id int64) {
	k.Helper()
	k.must(k.db.Across(tests).QueryRow(k.Context(), `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ($1, $1, 'UTC', 'en')
		RETURNING id`, slug).Scan(&id))
	k.exec(id, `SELECT name_site($1, $2)`, id, slug)
	k.exec(id, `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
		VALUES ($1, 1, '1', '1', '1', '1', '1', 'author'), ($1, 2, '2', '2', '2', '2', '2', 'author'), ($1, 3, '3', '3', '3', '3', '3', 'author')`, id)
	return id
}

// as returns a context of a site and user.
func (k *kit) as(site, user int64) context.Context {
	return tenancy.With(k.Context(), tenancy.Scope{
		Site: &tenancy.Site{ID: site}, Principal: tenancy.Principal{UserID: user},
	})
}

// in runs do on a site, past the store.
func (k *kit) in(site int64, do func(pgx.Tx) error) {
	k.Helper()
	k.must(pgx.BeginFunc(k.Context(), k.db.At(tests, site), func(tx pgx.Tx) error {
		if err := pg.EnterIn(k.Context(), tx, site); err != nil {
			return err
		}
		return do(tx)
	}))
}

func (k *kit) exec(site int64, sql string, arguments ...any) {
	k.Helper()
	k.in(site, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, site, sql)
		if err == nil {
			_, err = tx.Exec(k.Context(), sql, arguments...)
		}
		return err
	})
}

// outside runs a statement about no site.
func (k *kit) outside(sql string, arguments ...any) {
	k.Helper()
	_, err := k.db.Across(tests).Exec(k.Context(), sql, arguments...)
	k.must(err)
}

// column reads one column of text, past the store.
func (k *kit) column(sql string, arguments ...any) (list []string) {
	k.Helper()
	k.in(k.site, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, k.site, sql)
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

// sample returns a published event that isn't stored yet; with alters it.
func (k *kit) sample(with ...func(*calendar.Event)) *calendar.Event {
	n := k.serial.Add(1)
	e := &calendar.Event{
		Post:     calendar.Post{Author: 1, Status: calendar.Publish, Slug: fmt.Sprintf("event-%d", n), Date: monday, Dated: true},
		Title:    fmt.Sprintf("Event %d", n),
		Timezone: "Europe/Berlin",
	}
	starts(time.Duration(n) * time.Hour)(e)
	for _, f := range with {
		f(e)
	}
	return e
}

// starts places an event of two hours on a wall clock one hour ahead of UTC.
func starts(after time.Duration) func(*calendar.Event) {
	return func(e *calendar.Event) {
		e.Start = monday.Add(after)
		e.End = e.Start.Add(2 * time.Hour)
		e.StartUTC, e.EndUTC = e.Start.Add(-time.Hour), e.End.Add(-time.Hour)
	}
}

func titled(title string) func(*calendar.Event) {
	return func(e *calendar.Event) { e.Title, e.Slug = title, wording.Slug(title) }
}

func status(s calendar.Status) func(*calendar.Event) {
	return func(e *calendar.Event) { e.Status = s }
}

// create stores an event with links.
func (k *kit) create(e *calendar.Event, links calendar.EventLinks) *calendar.Event {
	k.Helper()
	k.must(k.db.Events().Create(k.ctx, e, links))
	return e
}

// event stores a sample without links.
func (k *kit) event(with ...func(*calendar.Event)) *calendar.Event {
	k.Helper()
	return k.create(k.sample(with...), calendar.EventLinks{})
}

func (k *kit) list(q calendar.EventQuery) calendar.Page[calendar.Event] {
	k.Helper()
	page, err := k.db.Events().List(k.ctx, q)
	k.must(err)
	return page
}

// lists fails the test when the list isn't of these events in this order.
func (k *kit) lists(what string, q calendar.EventQuery, want ...*calendar.Event) {
	k.Helper()
	page := k.list(q)
	if got, want := titles(page.Items), titles(want); !slices.Equal(got, want) || page.Total != len(want) {
		k.Errorf("%s: %q, %d in all; want %q", what, got, page.Total, want)
	}
}

func titles(list []*calendar.Event) []string {
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, e.Title)
	}
	return out
}

func (k *kit) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *kit) wants(err, want error) {
	k.Helper()
	if !errors.Is(err, want) {
		k.Errorf("error %v, want %v", err, want)
	}
}

// refuses fails the test when err is not about these arguments alone.
func (k *kit) refuses(err error, want ...string) {
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

func (k *kit) equal(what string, got, want any) {
	k.Helper()
	if reflect.DeepEqual(want, got) {
		return // cmp takes much longer to find that out
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		k.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// venueLinks links venues by id, or new ones that are the same by name alone.
func venueLinks(list ...any) calendar.EventLinks {
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

// organizerLinks is venueLinks for organizers.
func organizerLinks(list ...any) calendar.EventLinks {
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

// termLinks links terms by id or text, making those that aren't there.
func termLinks(list ...any) *calendar.TermLinks {
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

func venue(name string) *calendar.Venue {
	return &calendar.Venue{Post: calendar.Post{Author: 1, Status: calendar.Publish, Date: monday, Dated: true, Modified: monday,
		Slug: wording.Slug(name)}, Name: name}
}

func organizer(name string) *calendar.Organizer {
	return &calendar.Organizer{Post: calendar.Post{Author: 1, Status: calendar.Publish, Date: monday, Dated: true, Modified: monday,
		Slug: wording.Slug(name)}, Name: name}
}

// owner connects as the role that owns the tables.
func (k *kit) owner() *pgx.Conn {
	k.Helper()
	conn, err := pgx.Connect(k.Context(), k.url)
	k.must(err)
	k.Cleanup(func() { _ = conn.Close(context.WithoutCancel(k.Context())) })
	return conn
}

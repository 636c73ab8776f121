// Package sitetest provides a database whose sites share it, for tests of the stores that stand beside them. A test has
// one database, and each of its cases a site of its own.
package sitetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// Noon is when everything in these tests happens.
var Noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// why is why statements of tests go past the stores.
const why = "a test looks at what is there"

// Bench is a database.
type Bench struct {
	DB  *storage.DB
	URL string
	t   testing.TB
}

// New returns a database of its own, in which it is Noon.
func New(t testing.TB) *Bench {
	t.Helper()
	return NewAt(t, func() time.Time { return Noon })
}

// NewAt is New with another clock.
func NewAt(t testing.TB, clock func() time.Time) *Bench {
	t.Helper()
	b := &Bench{URL: storagetest.Database(t), t: t}
	var err error
	b.DB, err = storage.Open(t.Context(), b.URL, storage.Options{Clock: clock, MaxConns: 4, Connect: storagetest.Connect(t), Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Site is a site with the users 1, 2 and 3, seen by user 1.
type Site struct {
	testing.TB
	*Bench
	ID  int64
	Ctx context.Context
}

// Site makes a site for a test or a case of one.
func (b *Bench) Site(t testing.TB, slug string) *Site {
	t.Helper()
	s := &Site{TB: t, Bench: b}
	s.Must(b.DB.Across(why).QueryRow(b.t.Context(), `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ($1, $1, 'UTC', 'en')
		RETURNING id`, slug).Scan(&s.ID))
	s.Exec(`SELECT name_site($1, $2)`, s.ID, slug)
	for id := range 3 {
		s.Exec(`INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
			VALUES ($1, $2, $3, $3, $3, $3, $3, 'editor')`, s.ID, id+1, fmt.Sprint("user", id+1))
	}
	s.Exec(`UPDATE sites SET last_user_id = 3 WHERE id = $1`, s.ID)
	s.Ctx = s.As(1)
	return s
}

// As returns a context of a user of the site.
func (s *Site) As(user int64) context.Context {
	return tenancy.With(s.t.Context(), tenancy.Scope{
		Site: &tenancy.Site{ID: s.ID, Language: "en"}, Principal: tenancy.Principal{UserID: user},
	})
}

// In returns a context of user 1 who wants texts in these languages, the best first.
func (s *Site) In(languages ...string) context.Context {
	scope := *tenancy.Current(s.Ctx)
	scope.Texts = languages
	return tenancy.With(s.t.Context(), scope)
}

// Exec runs a statement on the site, past the stores.
func (s *Site) Exec(sql string, arguments ...any) {
	s.Helper()
	s.inside(sql, func(tx pgx.Tx, sql string) error {
		_, err := tx.Exec(s.t.Context(), sql, arguments...)
		return err
	})
}

// Rows reads one column of the site's rows, past the stores.
func (s *Site) Rows(sql string, arguments ...any) (list []string) {
	s.Helper()
	s.inside(sql, func(tx pgx.Tx, sql string) error {
		rows, err := tx.Query(s.t.Context(), sql, arguments...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return list
}

func (s *Site) inside(sql string, do func(pgx.Tx, string) error) {
	s.Helper()
	s.Must(pgx.BeginFunc(s.t.Context(), s.DB.At(why, s.ID), func(tx pgx.Tx) error {
		if err := pg.EnterIn(s.t.Context(), tx, s.ID); err != nil {
			return err
		}
		sql, err := storagetest.Placed(s.t.Context(), tx, s.ID, sql)
		if err != nil {
			return err
		}
		return do(tx, sql)
	}))
}

// Event makes an event that takes place at Noon for two hours; links may be zero.
func (s *Site) Event(title string, status calendar.Status, links calendar.EventLinks, with ...func(*calendar.Event)) *calendar.Event {
	s.Helper()
	e := &calendar.Event{Post: Post("", status), Title: title, Timezone: "UTC", Start: Noon, End: Noon.Add(2 * time.Hour),
		StartUTC: Noon, EndUTC: Noon.Add(2 * time.Hour)}
	for _, change := range with {
		change(e)
	}
	s.Must(s.DB.Events().Create(s.Ctx, e, links))
	return e
}

// Venue makes a published venue.
func (s *Site) Venue(name string, with ...func(*calendar.Venue)) *calendar.Venue {
	s.Helper()
	v := &calendar.Venue{Post: Post("", calendar.Publish), Name: name}
	for _, change := range with {
		change(v)
	}
	made, err := s.DB.Venues().Create(s.Ctx, calendar.Link[calendar.Venue]{New: v})
	s.Must(err)
	return made
}

// At links events to venues.
func At(venues ...*calendar.Venue) calendar.EventLinks {
	links := make([]calendar.Link[calendar.Venue], 0, len(venues))
	for _, v := range venues {
		links = append(links, calendar.Link[calendar.Venue]{ID: v.ID})
	}
	return calendar.EventLinks{Venues: &links}
}

// Post returns what entries of user 1 begin with.
func Post(slug string, status calendar.Status) calendar.Post {
	return calendar.Post{Author: 1, Status: status, Slug: slug, Date: Noon, Dated: true, Modified: Noon}
}

// Texts returns texts of an item in other languages: a language and its text by turns.
func Texts(pairs ...any) translations.Texts {
	all := map[string]translations.Text{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i].(string)] = pairs[i+1].(translations.Text)
	}
	return translations.Of(all)
}

// Must ends the test if err is not nil.
func (s *Site) Must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// Wants fails the test if err is not an instance of want.
func (s *Site) Wants(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Errorf("error %v, want %v", err, want)
	}
}

// Refuses fails the test if err is not about that argument.
func (s *Site) Refuses(err error, arg, key string) {
	s.Helper()
	var found *args.Problems
	if !errors.As(err, &found) || !slices.ContainsFunc(found.Broken(), func(p args.Problem) bool { return p.Arg == arg && p.Key == key }) {
		s.Errorf("error %v, want %s: %s", err, arg, key)
	}
}

// Equal fails the test if two values differ.
func (s *Site) Equal(what string, got, want any) {
	s.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

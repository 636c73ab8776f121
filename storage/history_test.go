package storage

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	accountstore "github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/eventtest"
)

// noted is a row of the history, as a test looks at it.
type noted struct {
	Kind, Action, Who, Via, Name, Address string
	ID, User                              int64
	Before                                *string
}

// history returns the rows of a site behind a version.
func (k *kit) history(site, after int64) (list []noted) {
	k.Helper()
	k.In(site, func(tx pgx.Tx) error {
		rows, err := tx.Query(k.Context(), `
			SELECT kind, action, who, via, via_name, address, id, user_id, before::text
			FROM changes
			WHERE site_id = $1 AND version > $2
			ORDER BY version, kind, id, n`, site, after)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[noted])
		return err
	})
	return list
}

func (n noted) document(k *kit) map[string]any {
	k.Helper()
	if n.Before == nil {
		return nil
	}
	d := map[string]any{}
	k.Must(json.Unmarshal([]byte(*n.Before), &d))
	return d
}

// from is a scope of somebody with a key, somewhere.
func (k *kit) from(site int64) {
	k.Ctx = tenancy.With(k.Context(), tenancy.Scope{Site: &tenancy.Site{ID: site}, Address: "192.0.2.7",
		Principal: tenancy.Principal{UserID: 2, Login: "2", Role: tenancy.Editor, Kind: tenancy.APIKey, Key: "robot"}})
}

func TestHistoryOfAnEvent(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.from(k.Site)
	e := k.Create(k.Sample(full), fullLinks())
	made := k.history(k.Site, 0)
	for _, n := range made {
		k.Equal(n.Kind+" is from", []any{n.Action, n.User, n.Who, n.Via, n.Name, n.Address, n.Before == nil},
			[]any{"create", int64(2), "2", "api_key", "robot", "192.0.2.7", true})
	}
	store := k.db.Events()
	_, err := store.Update(k.Ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Title, e.Start, e.Password = "Other", e.Start.Add(-time.Hour), []byte("another derived key")
		return calendar.EventLinks{Venues: &[]calendar.Link[calendar.Venue]{}}, nil
	})
	k.Must(err)
	after := k.history(k.Site, e.Version)
	k.Equal("entries of one update", len(after), 1)
	venues := []any{}
	for _, v := range e.Venues {
		venues = append(venues, map[string]any{"id": float64(v.ID), "name": v.Name})
	}
	protected := any(nil)
	if e.Protected() {
		protected = "set"
	}
	k.Equal("before", after[0].document(k), map[string]any{"title": e.Title, "start_date": e.Start.Format("2006-01-02T15:04:05"),
		"post_password": protected, "venue": venues})
	k.Equal("action", after[0].Action, "update")

	_, err = store.Delete(k.Ctx, calendar.Key{ID: e.ID}, keep)
	k.Must(err)
	last := k.history(k.Site, e.Version+1)[0]
	k.Equal("action", last.Action, "delete")
	d := last.document(k)
	k.Equal("title", d["title"], any("Other"))
	for name := range events.Document(e) {
		if _, ok := d[name]; !ok {
			t.Errorf("a deletion keeps no %s", name)
		}
	}
	if strings.Contains(*last.Before, "another derived key") || strings.Contains(*last.Before, "YW5vdGhlciBkZXJpdmVkIGtleQ") {
		t.Errorf("a secret in the history: %s", *last.Before)
	}
}

// TestHistoryKnowsEveryField fails when an object gets a field that its history
// doesn't keep.
func TestHistoryKnowsEveryField(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]bool{"ID": true, "Version": true, "Modified": true, // the entry itself
		"Dated": true, "StartUTC": true, "EndUTC": true, "Masked": true, "Path": true, "Ways": true, "Overrides": true, "Count": true, "Taxonomy": true, // derived
		"Events": true, "Occurrences": true, "Users": true, "MediaBytes": true, "Webhooks": true, "Letters": true, "Geo": true, "RequestsPerMinute": true, // of the plan and Overrides, which are kept
		"Location": true, "Created": true, "Changed": true, "Key": true, "Sizes": true, "Bytes": true, "Extension": true, "UID": true, "Tone": true, // never changed
		"Sources": true, "Origin": true, "Elsewhere": true, // as sources are
		"StoredUntil": true, "LastStart": true, "Several": true, "Exceptions": true, "Series": true, "PreviousStart": true, "Sequence": true, // they follow from what is kept
		"Outside": true, "Coming": true} // as somebody reads it
	for _, c := range []struct {
		object any
		keep   func(any) pg.Document
	}{
		{&calendar.Event{}, func(o any) pg.Document { return events.Document(o.(*calendar.Event)) }},
		{&calendar.Venue{}, func(o any) pg.Document { return places.Venues.Document(o.(*calendar.Venue)) }},
		{&calendar.Organizer{}, func(o any) pg.Document { return places.Organizers.Document(o.(*calendar.Organizer)) }},
		{&calendar.Term{}, func(o any) pg.Document { return terms.Document(o.(*calendar.Term)) }},
		{&calendar.Image{}, func(o any) pg.Document { return content.ImageDocument(o.(*calendar.Image)) }},
		{&tenancy.User{}, func(o any) pg.Document { return accountstore.UserDocument(o.(*tenancy.User)) }},
		{&tenancy.Site{}, func(o any) pg.Document { return platformstore.SiteDocument(o.(*tenancy.Site)) }},
	} {
		empty := c.keep(c.object)
		eachField(reflect.ValueOf(c.object).Elem(), func(name string, field reflect.Value) {
			if elsewhere[name] {
				return
			}
			was := reflect.New(field.Type()).Elem()
			was.Set(field)
			set(field)
			dated := reflect.ValueOf(c.object).Elem().FieldByName("Dated")
			if name == "Date" {
				dated.SetBool(true)
			}
			if len(empty.Unlike(c.keep(c.object))) == 0 {
				t.Errorf("the history of %T doesn't keep %s: add it to its document", c.object, name)
			}
			field.Set(was)
			if name == "Date" { // otherwise its document differs for whatever comes next
				dated.SetBool(false)
			}
		})
	}
}

// eachField calls do for every field, those of what is embedded too.
func eachField(v reflect.Value, do func(string, reflect.Value)) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type == reflect.TypeFor[tenancy.Usage]() || f.Type == reflect.TypeFor[*calendar.Given]() || f.Type == reflect.TypeFor[*translations.Text]() ||
			f.Type == reflect.TypeFor[*tenancy.LanguageChange]() {
			continue // counted, or as somebody reads it, not changed
		}
		if f.Type == reflect.TypeFor[translations.Texts]() {
			do(f.Name, v.Field(i))
			continue
		}
		if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]() {
			eachField(v.Field(i), do)
			continue
		}
		do(f.Name, v.Field(i))
	}
}

// set gives a field a value other than its zero.
func set(v reflect.Value) {
	if v.Type() == reflect.TypeFor[translations.Texts]() {
		v.Set(reflect.ValueOf(translations.Of(map[string]translations.Text{"de": {Title: "x"}})))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		set(v.Index(0))
	case reflect.Array:
		setInside(v.Index(0))
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		if one.Kind() == reflect.Interface {
			one.Set(reflect.ValueOf("x"))
		} else {
			setInside(one)
		}
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("de"), one)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(eventtest.Monday))
		}
	default:
		panic("a field of a kind no history has met: " + v.Kind().String())
	}
}

// setInside gives all fields of a struct, or a value of another kind, a value other than its zero.
func setInside(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		set(v)
		return
	}
	eachField(v, func(_ string, f reflect.Value) { set(f) })
}

// TestHistoryStays: the service may add to the history and do nothing else.
func TestHistoryStays(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Create(k.Sample(), calendar.EventLinks{})
	for _, sql := range []string{
		"UPDATE changes SET who = 'nobody' WHERE site_id = $1",
		"DELETE FROM changes WHERE site_id = $1",
		"DELETE FROM provider_changes WHERE object = $1",
		"UPDATE provider_changes SET who = 'nobody' WHERE object = $1",
	} {
		err := pgx.BeginFunc(t.Context(), k.db.At(eventtest.Why, 1), func(tx pgx.Tx) error {
			if err := pg.EnterIn(t.Context(), tx, 1); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), sql, k.Site)
			return err
		})
		var said *pgconn.PgError
		if !errors.As(err, &said) || said.Code != "42501" {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestHistoryOfWhatLosesALink(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(full), fullLinks())
	for _, c := range []struct {
		field  string
		remove func() error
		want   []content.NamedID
	}{
		{"venue", func() error {
			_, err := k.db.Venues().Delete(k.Ctx, calendar.Key{ID: e.Venues[0].ID}, func(*calendar.Venue) error { return nil })
			return err
		}, content.NamesOf(e.Venues, func(v *calendar.Venue) (int64, string) { return v.ID, v.Name })},
		{"organizer", func() error {
			_, err := k.db.Organizers().Delete(k.Ctx, calendar.Key{ID: e.Organizers[0].ID}, func(*calendar.Organizer) error { return nil })
			return err
		}, content.NamesOf(e.Organizers, func(o *calendar.Organizer) (int64, string) { return o.ID, o.Name })},
		{"categories", func() error {
			_, err := k.db.Terms(calendar.Categories).Delete(k.Ctx, e.Categories[0].ID, func(*calendar.Term) error { return nil })
			return err
		}, []content.NamedID{{ID: 1, Name: "Music"}, {ID: 2, Name: "Jazz"}}},
	} {
		var version int64
		k.Must(k.db.Across(eventtest.Why).QueryRow(t.Context(), "SELECT version FROM sites WHERE id = $1", k.Site).Scan(&version))
		k.Must(c.remove())
		for _, n := range k.history(k.Site, version) {
			if n.Kind != "event" {
				continue
			}
			var got map[string][]content.NamedID
			k.Must(json.Unmarshal([]byte(*n.Before), &got))
			k.Equal("event", n.ID, e.ID)
			k.Equal(c.field, got, map[string][]content.NamedID{c.field: c.want})
			c.want = nil
		}
		if c.want != nil {
			t.Errorf("%s: the event's history says nothing", c.field)
		}
	}
}

func TestHistoryOfTheProvider(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := tenancy.AsProvider(tenancy.With(t.Context(), tenancy.Scope{Address: "192.0.2.9"}), tenancy.Provider{Name: "console"})
	site := &tenancy.Site{Slug: "new", Name: "New", Timezone: "UTC", Language: "en", State: tenancy.Active, Settings: tenancy.DefaultSettings()}
	k.Must(k.db.Sites().Create(ctx, site, nil))
	_, err := k.db.Sites().Update(ctx, "new", func(s *tenancy.Site) error { s.State = tenancy.Closed; return nil })
	k.Must(err)
	token := &accounts.Token{Name: "robot", Hash: []byte("hash")}
	k.Must(k.db.Tokens().Create(ctx, token))
	k.Must(k.db.Tokens().Delete(ctx, token.ID))
	now := time.Now()
	_, err = k.db.Sites().Update(ctx, "new", func(s *tenancy.Site) error {
		s.Deletion = tenancy.Deletion{At: now, Purge: now, Before: s.State}
		return nil
	})
	k.Must(err)
	_, err = k.db.Sites().Purge(ctx, site.ID, now, func(context.Context) error { return nil })
	k.Must(err)
	_, err = k.db.Sites().Update(k.Ctx, "one", func(s *tenancy.Site) error { s.Name = "Own"; return nil }) // not the provider
	k.Must(err)
	type row struct {
		Kind, Action, Name, Who, Via, Address string
		State                                 *string
	}
	rows, err := k.db.Across(eventtest.Why).Query(t.Context(), `
		SELECT kind, action, name, who, via, address, before ->> 'state' FROM provider_changes ORDER BY id`)
	k.Must(err)
	got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	k.Must(err)
	active, closed := "active", "closed"
	k.Equal("provider", got, []row{
		{"site", "create", "new", "console", "provider", "192.0.2.9", nil},
		{"site", "update", "new", "console", "provider", "192.0.2.9", &active},
		{"token", "create", "robot", "console", "provider", "192.0.2.9", nil},
		{"token", "delete", "robot", "console", "provider", "192.0.2.9", nil},
		{"site", "delete", "new", "console", "provider", "192.0.2.9", nil},
		{"site", "purge", "new", "console", "provider", "192.0.2.9", &closed},
	})
}

// TestHistoryWithTheVersionBefore writes as the release before does.
func TestHistoryWithTheVersionBefore(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for range 2 {
		k.Exec(k.Site, `
			INSERT INTO changes (site_id, version, kind, id, action, user_id, at)
			VALUES ($1, 1, 'event', 1, 'update', 1, now())
			ON CONFLICT ON CONSTRAINT changes_pkey DO NOTHING`, k.Site)
	}
	k.Equal("entries", len(k.history(k.Site, 0)), 1)
}

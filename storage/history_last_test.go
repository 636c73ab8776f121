package storage

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// A list of the history says what things are called now, and the last entry of an action
// is found for several at once.
func TestHistoryNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.from(k.Site)
	e := k.Create(k.Sample(full), fullLinks())
	other := k.Event()
	for _, id := range []int64{e.ID, other.ID} {
		_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: id}, func(e *calendar.Event) (calendar.EventLinks, error) {
			e.Title = "Renamed"
			return calendar.EventLinks{}, nil
		})
		k.Must(err)
	}
	trash := func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Status = calendar.Trash
		return calendar.EventLinks{}, nil
	}
	binned, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, trash)
	k.Must(err)
	list, err := k.db.History().List(k.Ctx, tenancy.HistoryQuery{Limit: 100})
	k.Must(err)
	called := map[string]string{}
	for _, one := range list {
		called[one.Position.Kind] = one.Called
	}
	k.Equal("an event", called["event"], "Renamed")
	k.Equal("a venue", called["venue"], e.Venues[0].Name)
	k.Equal("an organizer", called["organizer"] != "", true)
	k.Equal("a category", called["category"] != "", true)
	last, err := k.db.History().Last(k.Ctx, "event", "trash", []int64{e.ID, other.ID, 1 << 40})
	k.Must(err)
	k.Equal("how many were thrown away", len(last), 1)
	k.Equal("who did it, and at which version", []any{last[e.ID].Who, last[e.ID].Position.Version}, []any{"2", binned.Version})
}

// Who types into the form of an event is known to others who do, for a while.
func TestDraftsOfOthers(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Exec(k.Site, `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
		VALUES ($1, 101, 'anna', 'anna', 'a@example.org', 'a@example.org', 'Anna A', 'editor'),
		       ($1, 102, 'ben', 'ben', 'b@example.org', 'b@example.org', '', 'editor')`, k.Site)
	save := func(user, id int64, at time.Time) {
		t.Helper()
		k.Must(k.db.Drafts().Save(k.Ctx, user, &editing.FormDraft{ID: id, Form: map[string][]string{"title": {"x"}}, At: at}, eventtest.Monday.AddDate(-1, 0, 0)))
	}
	save(101, 7, eventtest.Monday)
	save(102, 7, eventtest.Monday.Add(time.Minute))
	save(102, 8, eventtest.Monday)
	names := func(user, id int64, since time.Time) (list []string) {
		t.Helper()
		found, err := k.db.Drafts().Others(k.Ctx, user, id, since)
		k.Must(err)
		for _, one := range found {
			list = append(list, one.Name)
		}
		return list
	}
	k.Equal("both, the last first", names(1, 7, eventtest.Monday), []string{"ben", "Anna A"})
	k.Equal("but not oneself", names(102, 7, eventtest.Monday), []string{"Anna A"})
	k.Equal("nor who stopped", names(1, 7, eventtest.Monday.Add(time.Second)), []string{"ben"})
}

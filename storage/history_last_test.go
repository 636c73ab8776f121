package storage

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
)

// A list of the history says what things are called now, and the last entry of an action
// is found for several at once.
func TestHistoryNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.from(k.site)
	e := k.create(k.sample(full), fullLinks())
	other := k.event()
	for _, id := range []int64{e.ID, other.ID} {
		_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: id}, func(e *calendar.Event) (calendar.EventLinks, error) {
			e.Title = "Renamed"
			return calendar.EventLinks{}, nil
		})
		k.must(err)
	}
	trash := func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Status = calendar.Trash
		return calendar.EventLinks{}, nil
	}
	binned, err := k.db.Events().Update(k.ctx, calendar.Key{ID: e.ID}, trash)
	k.must(err)
	list, err := k.db.History().List(k.ctx, tenancy.HistoryQuery{Limit: 100})
	k.must(err)
	called := map[string]string{}
	for _, one := range list {
		called[one.Position.Kind] = one.Called
	}
	k.equal("an event", called["event"], "Renamed")
	k.equal("a venue", called["venue"], e.Venues[0].Name)
	k.equal("an organizer", called["organizer"] != "", true)
	k.equal("a category", called["category"] != "", true)
	last, err := k.db.History().Last(k.ctx, "event", "trash", []int64{e.ID, other.ID, 1 << 40})
	k.must(err)
	k.equal("how many were thrown away", len(last), 1)
	k.equal("who did it, and at which version", []any{last[e.ID].Who, last[e.ID].Position.Version}, []any{"2", binned.Version})
}

// Who types into the form of an event is known to others who do, for a while.
func TestDraftsOfOthers(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.exec(k.site, `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
		VALUES ($1, 101, 'anna', 'anna', 'a@example.org', 'a@example.org', 'Anna A', 'editor'),
		       ($1, 102, 'ben', 'ben', 'b@example.org', 'b@example.org', '', 'editor')`, k.site)
	save := func(user, id int64, at time.Time) {
		t.Helper()
		k.must(k.db.Drafts().Save(k.ctx, user, &editing.FormDraft{ID: id, Form: map[string][]string{"title": {"x"}}, At: at}, monday.AddDate(-1, 0, 0)))
	}
	save(101, 7, monday)
	save(102, 7, monday.Add(time.Minute))
	save(102, 8, monday)
	names := func(user, id int64, since time.Time) (list []string) {
		t.Helper()
		found, err := k.db.Drafts().Others(k.ctx, user, id, since)
		k.must(err)
		for _, one := range found {
			list = append(list, one.Name)
		}
		return list
	}
	k.equal("both, the last first", names(1, 7, monday), []string{"ben", "Anna A"})
	k.equal("but not oneself", names(102, 7, monday), []string{"Anna A"})
	k.equal("nor who stopped", names(1, 7, monday.Add(time.Second)), []string{"ben"})
}

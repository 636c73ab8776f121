package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
)

// astray returns a node whose machine's clock is wrong by so much.
func astray(t *testing.T, database string, by time.Duration) *installation {
	t.Helper()
	clock := func() time.Time { return time.Now().Add(by) }
	db, err := storage.Open(t.Context(), database, storage.Options{MaxConns: 2, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	nothing := func(context.Context, int64) error { return nil }
	return &installation{logger: slog.New(slog.DiscardHandler), db: db, calendar: services.New(db, nil, db.Now),
		platform: platform.New(db, platform.Options{Languages: []string{"en"}, Clock: db.Now, RemoveFiles: nothing})}
}

// TestClockAhead: a node whose clock is days ahead publishes, removes and forgets
// nothing before its time, says so in /readyz, and all of it comes in time.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	right, ahead := astray(t, database, 0), astray(t, database, 40*24*time.Hour)
	site := &platform.SiteFields{Slug: args.Some("club")}
	site.Name = args.Some("Club")
	if _, err := right.platform.Sites.Create(provider(t.Context()), site); err != nil {
		t.Fatal(err)
	}
	ctx, err := right.enter(t.Context(), "club")
	if err != nil {
		t.Fatal(err)
	}
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Truncate(time.Second)
	date, err := args.ParseDate(tomorrow.Format(time.RFC3339))
	if err != nil {
		t.Fatal(err)
	}
	form := &calendar.EventFields{Start: args.Some(date), End: args.Some(date)}
	form.Title, form.Status, form.Date = args.Some("Planned"), args.Some("publish"), args.Some(date)
	if _, err := right.calendar.Events().Create(ctx, form); err != nil {
		t.Fatal(err)
	}
	if n, err := ahead.publish(t.Context()); err != nil || n != 0 {
		t.Errorf("%d are published, %v", n, err)
	}
	if n, err := right.db.PublishDue(t.Context(), tomorrow); err != nil || n != 1 {
		t.Errorf("%d are published in their time, %v", n, err)
	}
	if _, err := right.platform.Sites.Delete(provider(t.Context()), "club", &platform.DeletionFields{}); err != nil {
		t.Fatal(err)
	}
	ahead.purge(t.Context(), time.Now())
	if _, err := right.platform.Sites.Undelete(provider(t.Context()), "club"); err != nil {
		t.Errorf("a site is gone before its time: %v", err)
	}
	if why := ahead.clocks(t.Context()); why != "this machine is 960h0m0s ahead of the database" {
		t.Errorf("/readyz says %q", why)
	}
	behind := astray(t, database, -5*time.Hour)
	if why := behind.clocks(t.Context()); !strings.HasPrefix(why, "this machine is 5h0m0s behind") {
		t.Errorf("/readyz says %q", why)
	}
	if why := right.clocks(t.Context()); why != "" {
		t.Errorf("/readyz says %q", why)
	}
}

// TestPublishedByTheClockThatIsShared has nodes whose clocks are wrong take events: what is
// published at once and what later is the database's to say.
func TestPublishedByTheClockThatIsShared(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	site := &platform.SiteFields{Slug: args.Some("club")}
	site.Name = args.Some("Club")
	for name, c := range map[string]struct {
		wrong, date time.Duration
		status      calendar.Status
	}{
		"ahead":  {3 * time.Hour, time.Hour, calendar.Future},
		"behind": {-3 * time.Hour, -time.Hour, calendar.Publish},
	} {
		node := astray(t, database, c.wrong)
		if _, err := node.due(t.Context()); err != nil { // as each node does every second
			t.Fatal(err)
		}
		site.Slug = args.Some(name)
		if _, err := node.platform.Sites.Create(provider(t.Context()), site); err != nil {
			t.Fatal(err)
		}
		ctx, err := node.enter(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		date, err := args.ParseDate(time.Now().UTC().Add(c.date).Format(time.RFC3339))
		if err != nil {
			t.Fatal(err)
		}
		form := &calendar.EventFields{Start: args.Some(date), End: args.Some(date)}
		form.Title, form.Status, form.Date = args.Some("Planned"), args.Some("publish"), args.Some(date)
		made, err := node.calendar.Events().Create(ctx, form)
		if err != nil {
			t.Fatal(err)
		}
		if made.Status != c.status {
			t.Errorf("%s: status %s, want %s", name, made.Status, c.status)
		}
	}
}

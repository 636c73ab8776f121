package rest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// town is a site that gives its events to site demo.
type town struct {
	*tenancy.Site
	inside context.Context
	k      *kit.Kit
}

// newTown makes a site with some events.
func newTown(k *kit.Kit, n, events int) *town {
	k.T.Helper()
	provider := tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"})
	site, err := k.Platform.Sites.Create(provider, &platform.SiteFields{Slug: args.Some(fmt.Sprintf("town%04d", n)),
		ProfileFields: platform.ProfileFields{Name: args.Some("Town"), Settings: args.Some(args.Object[platform.SettingsFields]{
			Fields: platform.SettingsFields{Share: args.Some(args.Texts{"demo"})}})}})
	k.Must(err)
	t := &town{site, tenancy.With(provider, tenancy.Scope{Site: site, Language: "en", Principal: tenancy.Principal{Role: tenancy.Administrator}}), k}
	for i := range events {
		t.publish(n*events + i)
	}
	return t
}

// publish makes an event.
func (t *town) publish(n int) *calendar.Event { return t.write(n, "publish") }

func (t *town) write(n int, status string) *calendar.Event {
	t.k.T.Helper()
	start := time.Date(2030, 1, 1+n%300, 19, 0, 0, 0, time.UTC).Format(time.DateTime)
	date := args.Some(must(t.k, args.ParseDate, start))
	e, err := t.k.Calendar.Events().Create(t.inside, &calendar.EventFields{Title: args.Some(fmt.Sprintf("Concert %d", n)), Start: date, End: date,
		Status: args.Some(status)})
	t.k.Must(err)
	return e
}

// follow makes a source of the site demo.
func (t *town) follow() {
	t.k.T.Helper()
	t.k.Post("/sources", "administrator", kit.Object{"name": t.Slug, "kind": "site", "url": t.Slug}).Want(t.k.T, 201, "")
}

// counting counts what is asked of the store of sources.
type counting struct {
	sources.Store
	taken []int // sources of each turn
	whole int   // sites that were read as a whole
}

func (c *counting) Take(ctx context.Context, hold *sources.Hold, site int64) (*sources.Task, error) {
	task, err := c.Store.Take(ctx, hold, site)
	if task != nil {
		c.taken = append(c.taken, 1+len(task.More))
	}
	return task, err
}

func (c *counting) Given(ctx context.Context, id int64, uids []string) (map[string]int64, error) {
	if uids == nil {
		c.whole++
	}
	return c.Store.Given(ctx, id, uids)
}

// When many towns write at once, one turn reads them all, and each only what has changed; one turn of imports takes it all over.
func TestManyTownsWriteAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	count := &counting{Store: k.Sources.Store}
	k.Sources.Store = count
	var towns []*town
	for n := range 12 {
		towns = append(towns, newTown(k, n, 4))
	}
	for _, one := range towns {
		one.follow()
	}
	k.ReadSources()
	given := `SELECT count(*)::text FROM events WHERE given IS NOT NULL`
	if got := k.Peek("demo", given); got != "48" || len(count.taken) != 1 || count.whole != 12 {
		t.Fatalf("gathered %s events in turns of %v, %d sites as a whole", got, count.taken, count.whole)
	}

	count.taken, count.whole = nil, 0
	before := k.Peek("demo", `SELECT max(id)::text FROM imports`)
	var made []*calendar.Event
	for n, one := range towns {
		made = append(made, one.publish(100+n))
	}
	if worked, err := k.Sources.Work(t.Context()); err != nil || !worked {
		t.Fatal(worked, err)
	}
	if worked, err := k.Imports.Work(t.Context()); err != nil || !worked {
		t.Fatal(worked, err)
	}
	got := k.Peek("demo", given) + " events, " + k.Peek("demo", `SELECT count(*) || ' imports of ' || sum(total) || ' entries' FROM imports WHERE state = 'done' AND id > `+before)
	if got != "60 events, 12 imports of 12 entries" || fmt.Sprint(count.taken, count.whole) != "[12] 0" {
		t.Errorf("%s; turns of %v, %d sites as a whole", got, count.taken, count.whole)
	}

	// withdrawn, and gone for good; a draft is nobody's business
	_, err := k.Calendar.Events().Delete(towns[0].inside, calendar.Key{ID: made[0].ID}, false, "", nil)
	k.Must(err)
	_, err = k.Calendar.Events().Update(towns[1].inside, calendar.Key{ID: made[1].ID}, &calendar.EventFields{Hidden: args.Some(true)}, nil)
	k.Must(err)
	towns[2].write(200, "draft")
	k.ReadSources()
	if got := k.Peek("demo", given); got != "58" || count.whole != 0 {
		t.Errorf("withdrawn one by one: %s, %d sites as a whole", got, count.whole)
	}
	_, err = k.Calendar.Events().Delete(towns[3].inside, calendar.Key{ID: made[3].ID}, true, "", nil)
	k.Must(err)
	k.ReadSources()
	if got := k.Peek("demo", given); got != "57" || count.whole != 1 {
		t.Errorf("what is gone for good: %s, %d sites as a whole", got, count.whole)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM sources WHERE problem IS NOT NULL OR import_id <> 0 OR lease <> ''`); got != "0" {
		t.Errorf("%s sources are not done", got)
	}
}

// What many events of a town have changes all of them: its venue's name.
func TestTownRenamesVenue(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	share(k, "two", []string{"demo"}, false)
	for n := range 3 {
		onSite(k, "POST", "/events", "editor", kit.Object{"title": fmt.Sprint("Concert ", n), "start_date": fmt.Sprintf("2030-06-0%d 19:30", n+1),
			"end_date": fmt.Sprintf("2030-06-0%d 22:00", n+1), "venue": kit.Object{"venue": "Cellar"}}, 201)
	}
	gathered(k, nil)
	venue := onSite(k, "GET", "/venues?search=cellar", "", nil, 200).At("venues.0.id")
	onSite(k, "PATCH", fmt.Sprintf("/venues/%.0f", venue), "editor", kit.Object{"venue": "Attic"}, 200)
	k.ReadSources()
	if got := k.Peek("demo", `SELECT string_agg(DISTINCT v.name, ', ') FROM events e JOIN venues v ON v.site_id = e.site_id AND v.id = ANY(e.venue_ids)`); got != "Attic" {
		t.Errorf("the venue is called %s", got)
	}
}

package public

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// comingWalk changes a site by chance, and compares after each change what is counted
// from memory with what one statement counts.
type comingWalk struct {
	*kit.Kit
	ctx    context.Context
	random *rand.Rand
	ids    []int64
	done   []string
}

// TestComing: what is remembered of what comes is what the database has, whatever
// changed.
func TestComing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	seed := rand.Uint64()
	for _, body := range []kit.Object{{"label": "Stage", "kind": "choice", "options": []kit.Object{{"key": "hall", "label": "Hall"}, {"key": "garden", "label": "Garden"}}, "filter": true},
		{"label": "Dogs", "kind": "yes_no", "filter": true}, {"label": "Age", "kind": "number"}} {
		k.Post("/fields", "administrator", body).Want(t, 201, "")
	}
	site, err := k.Platform.Sites.Get(tenancy.AsProvider(t.Context(), tenancy.Provider{}), "demo")
	k.Must(err)
	w := &comingWalk{Kit: k, random: rand.New(rand.NewPCG(seed, 0)), ctx: tenancy.With(t.Context(), tenancy.Scope{Site: site})}
	for range 12 {
		w.make()
	}
	for range 120 {
		w.change()
		w.compare(fmt.Sprint("seed ", seed, ": ", w.done))
		w.compareOthers(fmt.Sprint("seed ", seed, ": ", w.done))
		if t.Failed() {
			return
		}
	}
}

// any returns one of some.
func (w *comingWalk) any(list ...any) any { return list[w.random.IntN(len(list))] }

// fields are some of an event, by chance.
func (w *comingWalk) fields() map[string]any {
	start := time.Date(2027, 2, 20+w.random.IntN(40), w.random.IntN(24), 0, 0, 0, time.UTC)
	all := map[string]any{"start_date": start.Format(kit.WallForm), "end_date": start.Add(time.Duration(1+w.random.IntN(60)) * time.Hour).Format(kit.WallForm),
		"categories": w.any([]string{}, []string{"Music"}, []string{"Jazz", "Food"}), "tags": w.any([]string{}, []string{"stage"}, []string{"new", "stage"}),
		"venue":     w.any(nil, map[string]any{"venue": "Hall", "city": "Lindau"}, map[string]any{"venue": fmt.Sprint("Inn ", w.random.IntN(9)), "city": w.any("Lindau", "Ulm", "")}),
		"organizer": w.any(nil, []any{map[string]any{"organizer": "Choir"}}, []any{map[string]any{"organizer": fmt.Sprint("Band ", w.random.IntN(4))}}),
		"cost":      w.any("", "Free", "12", "0"), "featured": w.any(true, false), "attendance_mode": w.any("offline", "online", "mixed"),
		"accessibility": w.any([]string{}, []string{"wheelchair"}, []string{"wheelchair", "toilets"}), "audience": w.any([]string{}, []string{"children"}, []string{"families", "adults"}),
		"fields":         w.any(nil, kit.Object{"stage": "hall", "dogs": true}, kit.Object{"stage": "garden", "dogs": nil, "age": 12}, kit.Object{"dogs": false}),
		"event_language": w.any([]string{}, []string{"ar"}, []string{"de", "zxx"}),
		"status":         w.any("publish", "publish", "publish", "draft"), "hide_from_listings": w.any(false, false, true), "post_password": w.any(nil, nil, "sesame")}
	some := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) { // in order, so that a seed repeats a walk
		if w.random.IntN(3) == 0 {
			some[name] = all[name]
		}
	}
	if some["start_date"] != nil {
		some["end_date"] = all["end_date"]
	} else {
		delete(some, "end_date")
	}
	return some
}

// make makes an event, sometimes a series.
func (w *comingWalk) make() {
	fields := w.fields()
	fields["title"] = fmt.Sprint("Event ", len(w.ids))
	if fields["start_date"] == nil {
		fields["start_date"], fields["end_date"] = "2027-03-05 10:00", "2027-03-05 12:00"
	}
	if w.random.IntN(6) == 0 {
		fields["recurrence"] = kit.Object{"rrule": fmt.Sprintf("FREQ=DAILY;COUNT=%d", 2+w.random.IntN(6))}
	}
	if a := w.Post("/events", "administrator", fields); a.Status == 201 {
		w.ids = append(w.ids, a.ID())
	}
}

// change changes something.
func (w *comingWalk) change() {
	event := fmt.Sprintf("/events/%d", w.ids[w.random.IntN(len(w.ids))])
	switch n := w.random.IntN(20); n {
	case 0, 1, 2:
		w.make()
	case 3, 4:
		w.Del(event, "administrator")
	case 5:
		w.Del(event+"?force=true", "administrator")
	case 6, 7: // one date of what may be a series
		if list, _ := w.Get("/events?per_page=50&start_date=2027-02-01", "administrator").Body["events"].([]any); len(list) > 0 {
			id := list[w.random.IntN(len(list))].(map[string]any)["id"]
			w.Patch(fmt.Sprintf("/events/%.0f", id), "administrator", w.fields())
		}
	case 8:
		w.Patch("/venues/by-slug/hall", "administrator", map[string]any{"city": w.any("Lindau", "Bregenz", ""), "status": w.any("publish", "draft"),
			"accessibility": w.any([]string{}, []string{"wheelchair", "hearing_loop"})})
	case 9:
		w.Patch("/organizers/by-slug/choir", "administrator", map[string]any{"organizer": fmt.Sprint("Choir ", n), "status": w.any("publish", "draft")})
	case 10:
		parent := w.Get("/categories/by-slug/music", "").Body["id"]
		w.Patch("/categories/by-slug/jazz", "administrator", map[string]any{"parent": w.any(parent, 0)})
	case 11:
		w.Del(w.any("/tags/by-slug/new", "/categories/by-slug/food", "/venues/by-slug/inn-1", "/organizers/by-slug/band-1").(string)+"?force=true", "administrator")
	case 12:
		w.Clock = w.Clock.Add(time.Duration(w.random.IntN(20)) * time.Hour)
	default:
		w.Patch(event, "administrator", w.fields())
	}
	w.done = append(w.done, event)
}

// compare counts both ways, with choices by chance.
func (w *comingWalk) compare(what string) {
	w.T.Helper()
	yesterday := args.Some(dayArg(w.T, w.Clock.AddDate(0, 0, -1).Format(time.DateOnly)))
	week := calendar.Days{First: w.Clock.Truncate(24 * time.Hour), Last: w.Clock.Truncate(24*time.Hour).AddDate(0, 0, 6)}
	for range 4 {
		c := &calendar.Choice{}
		if c.EndsAfter = yesterday; w.random.IntN(2) == 0 {
			c.Coming()
		}
		chance := func(do func()) {
			if w.random.IntN(4) == 0 {
				do()
			}
		}
		chance(func() { c.Categories = args.Some(args.Refs{{Text: w.any("music", "jazz").(string)}}) })
		chance(func() { c.Tags = args.Some(args.Refs{{Text: "stage"}}) })
		chance(func() { c.Cities = []string{"Lindau"} })
		chance(func() { c.Free = true })
		chance(func() { c.Taking = w.any("online", "here").(string) })
		chance(func() { c.Featured = args.Some(w.any(true, false).(bool)) })
		chance(func() { c.Spoken = args.Some(w.any(args.Texts{"ar"}, args.Texts{"zxx", "ar"}).(args.Texts)) })
		chance(func() {
			c.Fields = args.Some(w.any(args.Members{"stage": "hall"}, args.Members{"stage": "hall,garden"}, args.Members{"dogs": "true"}).(args.Members))
		})
		chance(func() {
			c.Audience = args.Some(w.any(args.Texts{"children"}, args.Texts{"children", "adults"}).(args.Texts))
		})
		chance(func() {
			c.Accessibility = args.Some(w.any(args.Texts{"wheelchair"}, args.Texts{"wheelchair", "toilets"}).(args.Texts))
		})
		chance(func() { c.Days = &week })
		remembered, err := w.Calendar.Events().Facets(w.ctx, c, []calendar.Days{week, {First: week.Last}})
		bounded := *c
		bounded.StartsBefore = args.Some(dayArg(w.T, "2090-01-01")) // which memory doesn't answer
		if remembered != nil && !(c.Days != nil && week.First.Before(args.DayOf(args.WallTime(w.Clock, tenancy.Current(w.ctx).Site.Location)))) {
			w.compareEnds(what, c.EventFilter, remembered.Ends)
			remembered.Ends = time.Time{}
		}
		counted, also := w.Calendar.Events().Facets(w.ctx, &bounded, []calendar.Days{week, {First: week.Last}})
		if fmt.Sprint(err) != fmt.Sprint(also) {
			w.T.Errorf("%s: %v, not %v", what, err, also)
		}
		if diff := cmp.Diff(counted, remembered); diff != "" {
			w.T.Errorf("%s: chosen %+v: counted and remembered differ: %s", what, c, diff)
			return
		}
		w.compareTotals(what, bounded)
	}
}

// compareTotals chooses what is offered: the list then has as many entries as the facet says. In a search each series is one.
func (w *comingWalk) compareTotals(what string, c calendar.Choice) {
	w.T.Helper()
	if w.random.IntN(2) == 0 {
		c.Search = args.Some(fmt.Sprint("event ", w.random.IntN(2)))
	}
	facets, err := w.Calendar.Events().Facets(w.ctx, &c, nil)
	if err != nil {
		return
	}
	chosen := func(kind string, offered []calendar.Facet, choose func(*calendar.Choice, calendar.Facet)) {
		if len(offered) == 0 {
			return
		}
		one, narrowed := offered[w.random.IntN(len(offered))], c
		choose(&narrowed, one)
		page, _, err := w.Calendar.Events().Choose(w.ctx, &narrowed)
		if err != nil || page.Total != one.Count {
			w.T.Errorf("%s: %s %q of %+v is offered with %d, and has %d (%v)", what, kind, one.Name, c, one.Count, page.Total, err)
		}
	}
	chosen("category", facets.Categories, func(c *calendar.Choice, f calendar.Facet) { c.Categories = args.Some(args.Refs{{Text: f.Slug}}) })
	chosen("tag", facets.Tags, func(c *calendar.Choice, f calendar.Facet) { c.Tags = args.Some(args.Refs{{Text: f.Slug}}) })
	chosen("city", facets.Cities, func(c *calendar.Choice, f calendar.Facet) { c.Cities = []string{f.Name} })
	chosen("audience", facets.Audience, func(c *calendar.Choice, f calendar.Facet) { c.Audience = args.Some(args.Texts{f.Slug}) })
	chosen("event_language", facets.Spoken, func(c *calendar.Choice, f calendar.Facet) { c.Spoken = args.Some(args.Texts{f.Slug}) })
	for _, key := range []string{"stage", "dogs"} {
		chosen(key, facets.Fields[key], func(c *calendar.Choice, f calendar.Facet) {
			rest := maps.Clone(c.Fields.Or(args.Members{}))
			rest[key] = f.Slug
			c.Fields = args.Some(rest)
		})
	}
	chosen("accessibility", facets.Accessibility, func(c *calendar.Choice, f calendar.Facet) {
		c.Accessibility = args.Some(append(slices.Clone(c.Accessibility.Or(nil)), f.Slug))
	})
	chosen("free", []calendar.Facet{{Count: facets.Free}}, func(c *calendar.Choice, _ calendar.Facet) { c.Free = true })
	chosen("online", []calendar.Facet{{Count: facets.Online}}, func(c *calendar.Choice, _ calendar.Facet) { c.Taking = "online" })
	chosen("featured", []calendar.Facet{{Count: facets.Featured}}, func(c *calendar.Choice, _ calendar.Facet) { c.Featured = args.Some(true) })
}

// compareEnds looks for when the first of what is counted ends.
func (w *comingWalk) compareEnds(what string, f calendar.EventFilter, ends time.Time) {
	w.T.Helper()
	wide := calendar.EventFilter{EndsAfter: f.EndsAfter, StrictDates: f.StrictDates, OrderBy: args.Some("end_date")}
	page, _, err := w.Calendar.Events().List(w.ctx, &wide)
	w.Must(err)
	if len(page.Items) == 0 && !ends.IsZero() || len(page.Items) > 0 && !ends.Equal(page.Items[0].EndUTC) {
		w.T.Errorf("%s: the first ends %s", what, ends)
	}
}

// compareOthers looks for what is like an event both ways.
func (w *comingWalk) compareOthers(what string) {
	w.T.Helper()
	list := func(change func(*calendar.EventFilter)) []*calendar.Event {
		f := (&calendar.EventFilter{}).Coming()
		f.PerPage = args.Some(50)
		change(f)
		page, _, err := w.Calendar.Events().Once(w.ctx, f)
		w.Must(err)
		return page.Items
	}
	all := list(func(*calendar.EventFilter) {})
	if len(all) == 0 {
		return
	}
	e, kin, shown := all[w.random.IntN(len(all))], calendar.Kin{}, map[int64]bool{}
	whole := func(e *calendar.Event) int64 {
		if e.Series != nil {
			return e.Series.ID
		}
		return e.ID
	}
	shown[whole(e)] = true
	of := func(found []*calendar.Event) (ids []int64) {
		for _, e := range found {
			if !shown[whole(e)] && !e.Masked && len(ids) < 3 {
				shown[whole(e)] = true
				ids = append(ids, e.ID)
			}
		}
		return ids
	}
	want := [3][]int64{}
	if len(e.Venues) > 0 && e.Venues[0].Status == calendar.Publish {
		kin.Venue = e.Venues[0].ID
		want[0] = of(list(func(f *calendar.EventFilter) { f.Venue = args.Some(args.IDs{kin.Venue}) }))
	}
	if len(e.Organizers) > 0 && e.Organizers[0].Status == calendar.Publish {
		kin.Organizer = e.Organizers[0].ID
		want[1] = of(list(func(f *calendar.EventFilter) { f.Organizer = args.Some(args.IDs{kin.Organizer}) }))
	}
	if len(e.Categories) > 0 {
		kin.Category = e.Categories[0].ID
		want[2] = of(list(func(f *calendar.EventFilter) { f.Categories = args.Some(args.Refs{{ID: kin.Category}}) }))
	}
	found, err := w.Calendar.Events().Others(w.ctx, e, kin, 3)
	w.Must(err)
	clear(shown)
	if diff := cmp.Diff(want, [3][]int64{of(found.Venue), of(found.Organizer), of(found.Category)}); diff != "" {
		w.T.Errorf("%s: others of %d: %s", what, e.ID, diff)
	}
}

func dayArg(t testing.TB, text string) args.Date {
	t.Helper()
	d, err := args.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

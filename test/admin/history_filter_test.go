package admin

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// exported returns the entries of an export of a history.
func exported(b *kit.Browser, path string, q url.Values) (list []kit.HistoryEntry) {
	b.K.T.Helper()
	q.Set("format", "jsonl")
	for line := range strings.Lines(b.Get(path + "?" + q.Encode()).Body) {
		var e kit.HistoryEntry
		b.K.Must(json.Unmarshal([]byte(line), &e))
		list = append(list, e)
	}
	return list
}

// filtering is a field of a history filter and a predicate on the matching entries.
type filtering struct {
	query url.Values
	lets  func(e *kit.HistoryEntry) bool
}

// filters queries the history by each filter field alone, and by two at once.
func filters(zone *time.Location, who, kind, action string, id int64, day string) map[string]filtering {
	begin, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		panic(err)
	}
	noon := begin.Add(12 * time.Hour)
	one := func(lets func(*kit.HistoryEntry) bool, pairs ...string) filtering {
		q := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		return filtering{q, lets}
	}
	return map[string]filtering{
		"who":       one(func(e *kit.HistoryEntry) bool { return e.Who == who }, "who", who),
		"who, case": one(func(e *kit.HistoryEntry) bool { return e.Who == who }, "who", strings.ToUpper(who)),
		"kind":      one(func(e *kit.HistoryEntry) bool { return e.Kind == kind }, "kind", kind),
		"action":    one(func(e *kit.HistoryEntry) bool { return e.Action == action }, "action", action),
		"id":        one(func(e *kit.HistoryEntry) bool { return e.ID == id }, "id", fmt.Sprint(id)),
		"from":      one(func(e *kit.HistoryEntry) bool { return !e.At.Before(begin) }, "from", day),
		"to":        one(func(e *kit.HistoryEntry) bool { return e.At.Before(begin.AddDate(0, 0, 1)) }, "to", day),
		"a day": one(func(e *kit.HistoryEntry) bool { return !e.At.Before(begin) && e.At.Before(begin.AddDate(0, 0, 1)) },
			"from", day, "to", day),
		"from a time": one(func(e *kit.HistoryEntry) bool { return !e.At.Before(noon) }, "from", day+" 12:00"),
		"to a time":   one(func(e *kit.HistoryEntry) bool { return e.At.Before(noon) }, "to", day+" 12:00"),
		"kind and id": one(func(e *kit.HistoryEntry) bool { return e.Kind == kind && e.ID == id }, "kind", kind, "id", fmt.Sprint(id)),
	}
}

// checkFilters compares the entries that match a filter with the expected ones. Each filter must match some entries
// but not all.
func checkFilters(t *testing.T, read func(url.Values) []kit.HistoryEntry, list map[string]filtering) {
	t.Helper()
	all := read(url.Values{})
	for name, f := range list {
		want := slices.DeleteFunc(slices.Clone(all), func(e kit.HistoryEntry) bool { return !f.lets(&e) })
		if len(want) == 0 || len(want) == len(all) {
			t.Fatalf("%s: %d of %d entries tell nothing", name, len(want), len(all))
		}
		if got := read(f.query); !cmp.Equal(got, want) {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
}

// Each field of a site's history filter works in the site's time zone, also for the provider and in exports.
func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2027, 5, 1, 11, 0, 0, 0, time.UTC)
	k.Provider("PATCH", "/sites/demo", map[string]any{"timezone": "Asia/Tokyo"}).Want(t, 200, "")
	var id int64
	for i, at := range []string{"2027-05-01T14:59:59Z", "2027-05-01T15:00:00Z", "2027-05-02T02:59:59Z", "2027-05-02T03:00:00Z",
		"2027-05-02T14:59:59Z", "2027-05-02T15:00:00Z", "2027-05-04T00:00:00Z"} { // about both ends and the noon of the second of May
		var err error
		k.Clock, err = time.Parse(time.RFC3339, at)
		k.Must(err)
		who := []string{"editor", "administrator"}[i%2]
		id = k.Post("/events", who, kit.NewEvent("Event "+at)).Want(t, 201, "").ID()
		k.Post(fmt.Sprintf("/events/%d", id), who, map[string]any{"title": "Renamed " + at}).Want(t, 200, "")
		k.Post("/categories", who, map[string]any{"name": "Category " + at}).Want(t, 201, "")
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	k.Must(err)
	list := filters(tokyo, "editor", "event", "update", id-3, "2027-05-02")
	checkFilters(t, func(q url.Values) []kit.HistoryEntry { return k.Audit("/sites/demo/audit", q) }, list)
	admin := k.Person("administrator")
	admin.Get("/admin")
	checkFilters(t, func(q url.Values) []kit.HistoryEntry { return exported(admin, "/admin/audit/export", q) }, list)
}

// Each field of the provider's history filter works.
func TestProviderHistoryFilters(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i, at := range []string{"2027-05-01T23:59:59Z", "2027-05-02T00:00:00Z", "2027-05-02T11:59:59Z", "2027-05-02T12:00:00Z",
		"2027-05-02T23:59:59Z", "2027-05-03T00:00:00Z"} {
		var err error
		k.Clock, err = time.Parse(time.RFC3339, at)
		k.Must(err)
		ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: []string{"desk", "robot"}[i%2]})
		_, err = k.Platform.Sites.Update(ctx, "demo", &platform.SiteFields{ProfileFields: platform.ProfileFields{Name: args.Some(at)}})
		k.Must(err)
		_, err = k.Platform.Plans.Create(ctx, fmt.Sprintf("plan-%d", i), &platform.PlanFields{})
		k.Must(err)
	}
	list := filters(time.UTC, "desk", "site", "update", k.Sites["demo"].ID, "2027-05-02")
	checkFilters(t, func(q url.Values) []kit.HistoryEntry { return k.Audit("/audit", q) }, list)
}

// Both histories can be exported from the console with the usual filters, including who did what, when, from where,
// and the values before and after.
func TestConsoleExportsHistories(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 5}}).Want(t, 201, "")
	k.Provider("PATCH", "/sites/demo", map[string]any{"name": "=Renamed", "plan": "small"}).Want(t, 200, "")
	k.Post("/categories", "editor", map[string]any{"name": "Music"}).Want(t, 201, "")
	b := k.Console()
	for page, path := range map[string]string{"/admin/provider": "/audit", "/admin/provider/sites/demo": "/sites/demo/audit"} {
		page += "/audit"
		if p := b.Get(page + "?action=update"); !p.Shows(page+"/export?action=update&format=csv") || !p.Shows("format=jsonl") {
			t.Errorf("%s shows no way to its exports", page)
		}
		for _, q := range []string{"", "action=update", "kind=site"} {
			filter, err := url.ParseQuery(q)
			k.Must(err)
			want := k.Audit(path, filter)
			filter.Del("per_page")
			if got := exported(b, page+"/export", filter); len(want) == 0 || !cmp.Equal(got, want) {
				t.Errorf("%s %s: %s", page, q, cmp.Diff(want, got))
			}
		}
	}
	rows, err := csv.NewReader(strings.NewReader(b.Get("/admin/provider/audit/export?format=csv&action=update").Body)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v, %v", rows, err)
	}
	got := map[string]string{}
	for i, column := range rows[0] {
		got[column] = rows[1][i]
	}
	delete(got, "place")
	delete(got, "at")
	want := map[string]string{"action": "update", "kind": "site", "id": fmt.Sprint(k.Sites["demo"].ID), "user_id": "0", "who": "environment",
		"via": "provider", "key": "", "address": "0.0.0.0", "object": "demo", "before": `{"name":"demo","plan":"unlimited"}`,
		"after": `{"name":"=Renamed","plan":"small"}`}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for _, path := range []string{"/admin/provider/audit/export", "/admin/provider/sites/demo/audit/export"} {
		if p := k.Browser().Get(path); p.Status != 303 {
			t.Errorf("%s without signing in: %d", path, p.Status)
		}
		if p := b.Get(path + "?from=never"); p.Status != 303 || p.Header.Get("Location") != strings.TrimSuffix(path, "/export")+"?from=never" {
			t.Errorf("%s with a wrong filter: %d %s", path, p.Status, p.Header.Get("Location"))
		}
	}
	if p := b.Get("/admin/provider/sites/nowhere/audit/export"); p.Status != 404 {
		t.Errorf("of no site: %d", p.Status)
	}
}

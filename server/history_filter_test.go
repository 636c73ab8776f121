package server_test

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

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// told is an entry of a history as it is answered and exported.
type told struct {
	Place, Action, Kind, Who string
	ID                       int64
	At                       time.Time
}

// audit returns the entries of a history in the provider's interface.
func (k *kit) audit(path string, q url.Values) (list []told) {
	k.t.Helper()
	q.Set("per_page", "200")
	a := k.provider("GET", path+"?"+q.Encode(), nil).want(k.t, 200, "")
	var page struct{ Entries []told }
	k.must(json.Unmarshal(a.Raw, &page))
	return page.Entries
}

// exported returns the entries of an export of a history.
func (b *browser) exported(path string, q url.Values) (list []told) {
	b.k.t.Helper()
	q.Set("format", "jsonl")
	for line := range strings.Lines(b.get(path + "?" + q.Encode()).Body) {
		var e told
		b.k.must(json.Unmarshal([]byte(line), &e))
		list = append(list, e)
	}
	return list
}

// filtering is a field of the filter of a history, and which entries it lets through.
type filtering struct {
	query url.Values
	lets  func(e *told) bool
}

// filters ask the history for each field of its filter alone, and for two at once.
func filters(zone *time.Location, who, kind, action string, id int64, day string) map[string]filtering {
	begin, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		panic(err)
	}
	noon := begin.Add(12 * time.Hour)
	one := func(lets func(*told) bool, pairs ...string) filtering {
		q := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		return filtering{q, lets}
	}
	return map[string]filtering{
		"who":       one(func(e *told) bool { return e.Who == who }, "who", who),
		"who, case": one(func(e *told) bool { return e.Who == who }, "who", strings.ToUpper(who)),
		"kind":      one(func(e *told) bool { return e.Kind == kind }, "kind", kind),
		"action":    one(func(e *told) bool { return e.Action == action }, "action", action),
		"id":        one(func(e *told) bool { return e.ID == id }, "id", fmt.Sprint(id)),
		"from":      one(func(e *told) bool { return !e.At.Before(begin) }, "from", day),
		"to":        one(func(e *told) bool { return e.At.Before(begin.AddDate(0, 0, 1)) }, "to", day),
		"a day": one(func(e *told) bool { return !e.At.Before(begin) && e.At.Before(begin.AddDate(0, 0, 1)) },
			"from", day, "to", day),
		"from a time": one(func(e *told) bool { return !e.At.Before(noon) }, "from", day+" 12:00"),
		"to a time":   one(func(e *told) bool { return e.At.Before(noon) }, "to", day+" 12:00"),
		"kind and id": one(func(e *told) bool { return e.Kind == kind && e.ID == id }, "kind", kind, "id", fmt.Sprint(id)),
	}
}

// checkFilters compares what a filter lets through with what it should. Each lets
// something through and keeps something back.
func checkFilters(t *testing.T, read func(url.Values) []told, list map[string]filtering) {
	t.Helper()
	all := read(url.Values{})
	for name, f := range list {
		want := slices.DeleteFunc(slices.Clone(all), func(e told) bool { return !f.lets(&e) })
		if len(want) == 0 || len(want) == len(all) {
			t.Fatalf("%s: %d of %d entries tell nothing", name, len(want), len(all))
		}
		if got := read(f.query); !cmp.Equal(got, want) {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
}

// Each field of the filter of a site's history counts, on the site's clock, for the
// provider and in the exports.
func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2027, 5, 1, 11, 0, 0, 0, time.UTC)
	k.provider("PATCH", "/sites/demo", map[string]any{"timezone": "Asia/Tokyo"}).want(t, 200, "")
	var id int64
	for i, at := range []string{"2027-05-01T14:59:59Z", "2027-05-01T15:00:00Z", "2027-05-02T02:59:59Z", "2027-05-02T03:00:00Z",
		"2027-05-02T14:59:59Z", "2027-05-02T15:00:00Z", "2027-05-04T00:00:00Z"} { // about both ends and the noon of the second of May
		var err error
		k.clock, err = time.Parse(time.RFC3339, at)
		k.must(err)
		who := []string{"editor", "administrator"}[i%2]
		id = k.post("/events", who, newEvent("Event "+at)).want(t, 201, "").id()
		k.post(fmt.Sprintf("/events/%d", id), who, map[string]any{"title": "Renamed " + at}).want(t, 200, "")
		k.post("/categories", who, map[string]any{"name": "Category " + at}).want(t, 201, "")
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	k.must(err)
	list := filters(tokyo, "editor", "event", "update", id-3, "2027-05-02")
	checkFilters(t, func(q url.Values) []told { return k.audit("/sites/demo/audit", q) }, list)
	admin := k.person("administrator")
	admin.get("/admin")
	checkFilters(t, func(q url.Values) []told { return admin.exported("/admin/audit/export", q) }, list)
}

// Each field of the filter of the provider's history counts.
func TestProviderHistoryFilters(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for i, at := range []string{"2027-05-01T23:59:59Z", "2027-05-02T00:00:00Z", "2027-05-02T11:59:59Z", "2027-05-02T12:00:00Z",
		"2027-05-02T23:59:59Z", "2027-05-03T00:00:00Z"} {
		var err error
		k.clock, err = time.Parse(time.RFC3339, at)
		k.must(err)
		ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: []string{"desk", "robot"}[i%2]})
		_, err = k.platform.Sites.Update(ctx, "demo", &tenancy.SiteFields{ProfileFields: tenancy.ProfileFields{Name: args.Some(at)}})
		k.must(err)
		_, err = k.platform.Plans.Create(ctx, fmt.Sprintf("plan-%d", i), &tenancy.PlanFields{})
		k.must(err)
	}
	list := filters(time.UTC, "desk", "site", "update", k.sites["demo"].ID, "2027-05-02")
	checkFilters(t, func(q url.Values) []told { return k.audit("/audit", q) }, list)
}

// Both histories are exported from the console, with the same filters as anywhere,
// and say who did what, when, from where, and what it was before and after.
func TestConsoleExportsHistories(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.plan("small", map[string]any{"limits": map[string]any{"events": 5}}).want(t, 201, "")
	k.provider("PATCH", "/sites/demo", map[string]any{"name": "=Renamed", "plan": "small"}).want(t, 200, "")
	k.post("/categories", "editor", map[string]any{"name": "Music"}).want(t, 201, "")
	b := k.console()
	for page, path := range map[string]string{"/admin/provider": "/audit", "/admin/provider/sites/demo": "/sites/demo/audit"} {
		page += "/audit"
		if p := b.get(page + "?action=update"); !p.shows(page+"/export?action=update&format=csv") || !p.shows("format=jsonl") {
			t.Errorf("%s shows no way to its exports", page)
		}
		for _, q := range []string{"", "action=update", "kind=site"} {
			filter, err := url.ParseQuery(q)
			k.must(err)
			want := k.audit(path, filter)
			filter.Del("per_page")
			if got := b.exported(page+"/export", filter); len(want) == 0 || !cmp.Equal(got, want) {
				t.Errorf("%s %s: %s", page, q, cmp.Diff(want, got))
			}
		}
	}
	rows, err := csv.NewReader(strings.NewReader(b.get("/admin/provider/audit/export?format=csv&action=update").Body)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v, %v", rows, err)
	}
	got := map[string]string{}
	for i, column := range rows[0] {
		got[column] = rows[1][i]
	}
	delete(got, "place")
	delete(got, "at")
	want := map[string]string{"action": "update", "kind": "site", "id": fmt.Sprint(k.sites["demo"].ID), "user_id": "0", "who": "environment",
		"via": "provider", "key": "", "address": "0.0.0.0", "object": "demo", "before": `{"name":"demo","plan":"unlimited"}`,
		"after": `{"name":"=Renamed","plan":"small"}`}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for _, path := range []string{"/admin/provider/audit/export", "/admin/provider/sites/demo/audit/export"} {
		if p := k.browser().get(path); p.Status != 303 {
			t.Errorf("%s without signing in: %d", path, p.Status)
		}
		if p := b.get(path + "?from=never"); p.Status != 303 || p.Header.Get("Location") != strings.TrimSuffix(path, "/export")+"?from=never" {
			t.Errorf("%s with a wrong filter: %d %s", path, p.Status, p.Header.Get("Location"))
		}
	}
	if p := b.get("/admin/provider/sites/nowhere/audit/export"); p.Status != 404 {
		t.Errorf("of no site: %d", p.Status)
	}
}

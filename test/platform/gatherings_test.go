package platform

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// gatherings lists who gathers from whom as "giver > receiver: state events".
func gatherings(k *kit.Kit, query string) string {
	k.T.Helper()
	a := k.Provider("GET", "/gatherings"+query, nil).Want(k.T, 200, "")
	list := []string{}
	for i := range kit.ListOf(a.At("gatherings")) {
		at := func(path string) any { return a.At(fmt.Sprintf("gatherings.%d.%s", i, path)) }
		list = append(list, fmt.Sprintf("%v > %v: %v %v", at("giver.slug"), at("receiver.slug"), at("source.state"), at("events")))
	}
	return fmt.Sprint(list)
}

// gathers has a site of the test share its events with another one, which takes them.
func gathers(k *kit.Kit, giver, receiver string) int64 {
	k.T.Helper()
	k.Provider("PATCH", "/sites/"+giver, kit.Object{"settings": kit.Object{"share": []string{"*"}}}).Want(k.T, 200, "")
	id := k.Send(kit.Request{Method: "POST", Path: "/sources", Site: receiver, As: "administrator",
		JSON: kit.Object{"name": "Events of " + giver, "kind": "site", "url": giver}}).Want(k.T, 201, "").ID()
	k.ReadSources()
	return id
}

// shares gives a site of the test events, one of them a series.
func shares(k *kit.Kit, slug string) {
	k.T.Helper()
	for _, more := range []kit.Object{{"title": "Fair"}, {"title": "Choir", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=3"}}} {
		more["start_date"], more["end_date"] = "2030-06-01 19:30", "2030-06-01 22:00"
		k.Send(kit.Request{Method: "POST", Path: "/events", Site: slug, As: "editor", JSON: more}).Want(k.T, 201, "")
	}
}

func TestGatherings(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	want := func(query, list string) {
		t.Helper()
		if got := gatherings(k, query); got != list {
			t.Errorf("%q: %s, want %s", query, got, list)
		}
	}
	want("", "[]")
	k.Site("alpha")
	k.Site("beta")
	shares(k, "alpha")
	source := gathers(k, "alpha", "demo")
	want("", "[alpha > demo: active 2]")
	one := k.Provider("GET", "/gatherings", nil).Want(t, 200, "")
	one.Has(t, "total", 1, "gatherings.0.giver.state", "active", "gatherings.0.receiver.state", "active", "gatherings.0.source.id", source,
		"gatherings.0.source.name", "Events of alpha", "gatherings.0.source.problem", nil)
	if at, err := time.Parse(time.RFC3339, fmt.Sprint(one.At("gatherings.0.source.last_read"))); err != nil || at.IsZero() {
		t.Errorf("last read: %s", one)
	}
	gathers(k, "alpha", "beta")
	gathers(k, "beta", "demo")
	want("", "[alpha > beta: active 2 alpha > demo: active 2 beta > demo: active 0]")
	want("?site=alpha", "[alpha > beta: active 2 alpha > demo: active 2]")
	want("?site=beta", "[alpha > beta: active 2 beta > demo: active 0]")
	want("?site=nobody", "[]")
	want("?per_page=2&page=2", "[beta > demo: active 0]")
	want("?page=9", "[]")
	k.Provider("GET", "/gatherings?site=demo&per_page=1", nil).Want(t, 200, "").Has(t, "total", 2, "total_pages", 2,
		"next_rest_url", "http://localhost/platform/v1/gatherings/?per_page=1&site=demo&page=2")
	for _, wrong := range []string{"page=0", "per_page=x", "site=%00", "site=%FF"} {
		if a := k.Provider("GET", "/gatherings?"+wrong, nil); a.Status >= 500 || a.Status == 200 && a.Body["total"] != 0.0 {
			t.Errorf("%s: %s", wrong, a)
		}
	}
	for as, code := range map[string]string{"": "rest_forbidden", "administrator": "rest_invalid_credentials"} {
		k.Send(kit.Request{Method: "GET", Path: "//platform/v1/gatherings", As: as}).Want(t, 401, code)
	}
}

// What becomes of one of the two sites is seen.
func TestGatheringsOfSitesThatChange(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, slug := range []string{"alpha", "beta", "gamma"} {
		k.Site(slug)
	}
	shares(k, "alpha")
	source := gathers(k, "alpha", "demo")
	gathers(k, "beta", "demo")
	gathers(k, "alpha", "gamma")
	k.Patch(fmt.Sprintf("/sources/%d", source), "administrator", kit.Object{"active": false}).Want(t, 200, "")
	k.Provider("PATCH", "/sites/beta", kit.Object{"settings": kit.Object{"share": []string{}}}).Want(t, 200, "")
	k.Provider("PATCH", "/sites/gamma", kit.Object{"state": "closed"}).Want(t, 200, "")
	k.Platform.Forget(k.Sites["beta"].ID)
	k.ReadSources()
	a := k.Provider("GET", "/gatherings?site=demo", nil).Want(t, 200, "")
	a.Has(t, "gatherings.0.source.state", "paused", "gatherings.1.source.state", "failing", "gatherings.1.source.problem.code", "site-not-found",
		"gatherings.1.giver.state", "active")
	k.Provider("GET", "/gatherings?site=gamma", nil).Want(t, 200, "").Has(t, "total", 1, "gatherings.0.receiver.state", "closed")

	k.Provider("DELETE", "/sites/alpha", nil).Want(t, 200, "")
	k.Provider("GET", "/gatherings?site=gamma", nil).Want(t, 200, "").Has(t, "gatherings.0.giver.state", "deleted", "gatherings.0.giver.slug", "alpha")
	k.Provider("POST", "/sites/alpha/undelete", nil).Want(t, 200, "")
	for _, slug := range []string{"alpha", "gamma"} {
		k.Provider("DELETE", "/sites/"+slug+"?grace=0", nil).Want(t, 200, "")
	}
	left := k.Provider("GET", "/gatherings", nil).Want(t, 200, "")
	left.Has(t, "total", 2, "gatherings.0.giver.slug", "alpha", "gatherings.0.giver.name", "", "gatherings.0.giver.state", nil, "gatherings.1.giver.slug", "beta")
}

package public

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// aBrowser is what browsers of people call themselves.
const aBrowser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// visit asks for a page as a browser does, or as headers say.
func visit(k *kit.Kit, method, path string, headers map[string]string) kit.Answer {
	all := map[string]string{"User-Agent": aBrowser}
	maps.Copy(all, headers)
	return k.Send(kit.Request{Method: method, Path: "//" + strings.TrimPrefix(path, "/"), Headers: all})
}

// tallied writes what nodes have counted, and returns the numbers of an event: views, calendars, tickets, letters.
func tallied(t *testing.T, k *kit.Kit, id int64, nodes ...*kit.Kit) string {
	t.Helper()
	for _, node := range append(nodes, k) {
		if err := node.Numbers.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	total, _ := k.Get(kit.Item("events", id)+"/numbers", "editor").Want(t, http.StatusOK, "").At("total").(map[string]any)
	return fmt.Sprint(total["views"], " ", total["calendars"], " ", total["tickets"], " ", total["letters"])
}

// People are counted, wherever their answer comes from, and programs are not. Two nodes add up.
func TestNumbersOfEvents(t *testing.T) {
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Puppets", "slug": "puppets", "tickets": []kit.Object{{"name": "Front", "url": "https://tickets.example/a"}}})
	locked := k.Event(kit.Object{"title": "Locked", "slug": "locked", "post_password": "anchor"})
	page := visit(k, "GET", "/event/puppets/", nil).Want(t, http.StatusOK, "")
	visit(k, "GET", "/event/puppets/", map[string]string{"If-None-Match": page.Header.Get("ETag")}).Want(t, http.StatusNotModified, "")
	visit(k, "HEAD", "/event/puppets/", nil)
	visit(k, "GET", "/event/nothing/", nil).Want(t, http.StatusNotFound, "")
	visit(k, "GET", "/event/locked/", nil).Want(t, http.StatusOK, "")
	for _, agent := range []string{"", "curl/8.5", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Mozilla/5.0 HeadlessChrome/120.0"} {
		visit(k, "GET", "/event/puppets/", map[string]string{"User-Agent": agent})
	}
	visit(k, "GET", "/event/puppets/", map[string]string{"Sec-Purpose": "prefetch;prerender"})
	visit(k, "GET", "/event/puppets/?ical=1", nil).Want(t, http.StatusOK, "")
	for _, want := range []string{fmt.Sprintf("/events/click?event=%d&amp;kind=tickets", id), fmt.Sprintf("/events/click?event=%d&amp;kind=calendar", id), `href="https://tickets.example/a"`} {
		if !strings.Contains(string(page.Raw), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(string(page.Raw), "kind=tickets"); n != 2 {
		t.Errorf("%d links to tickets tell of clicks, want the button and the list", n)
	}
	ping := map[string]string{"Content-Type": "text/ping", "Sec-Fetch-Site": "same-origin"}
	click := func(query string, headers map[string]string, status int) {
		t.Helper()
		if headers["Content-Type"] == "" { // as of beacons
			headers = maps.Clone(headers)
			if headers == nil {
				headers = map[string]string{}
			}
			headers["Content-Type"] = "application/x-www-form-urlencoded;charset=UTF-8"
		}
		if a := visit(k, "POST", "/events/click?"+query, headers); a.Status != status {
			t.Errorf("%s: %d, want %d", query, a.Status, status)
		}
	}
	click(fmt.Sprintf("event=%d&kind=tickets", id), ping, http.StatusNoContent)
	click(fmt.Sprintf("event=%d&kind=calendar", id), nil, http.StatusNoContent)
	click(fmt.Sprintf("event=%d&kind=tickets", id), map[string]string{"User-Agent": "curl/8.5"}, http.StatusNoContent)
	click(fmt.Sprintf("event=%d&kind=tickets", id), map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden)
	click("event=99999&kind=tickets", nil, http.StatusNotFound)
	click(fmt.Sprintf("event=%d&kind=tickets", locked), nil, http.StatusNotFound)
	click(fmt.Sprintf("event=%d&kind=other", id), nil, http.StatusNotFound)
	click("kind=tickets", nil, http.StatusNotFound)
	click("kind=calendar", nil, http.StatusNoContent)
	other := k.SecondNode()
	visit(other, "GET", "/event/puppets/", nil).Want(t, http.StatusOK, "")
	if got := tallied(t, k, id, other); got != "3 2 1 0" {
		t.Errorf("counted %s, want 3 2 1 0", got)
	}
	if got := tallied(t, k, locked); got != "0 0 0 0" {
		t.Errorf("of the protected one %s", got)
	}
	site := k.Get("/numbers", "editor").Want(t, http.StatusOK, "").Has(t, "subscriptions", 1, "events.0.id", id, "events.0.title", "Puppets")
	if days, _ := site.At("days").([]any); len(days) != 30 {
		t.Errorf("%d days", len(days))
	}
	k.Get("/numbers?from=2026-12-02&to=2026-12-01", "editor").Refused(t, "to")
	k.Get("/numbers", "author").Want(t, http.StatusForbidden, "rest_forbidden")
	k.Get("/numbers", "").Want(t, http.StatusUnauthorized, "rest_forbidden")
	k.Get(kit.Item("events", id)+"/numbers", "author").Want(t, http.StatusForbidden, "rest_forbidden")
	k.Del(kit.Item("events", id)+"?force=true", "administrator").Want(t, http.StatusOK, "")
	visit(k, "GET", "/event/puppets/", nil)
	if err := k.Numbers.Flush(context.Background()); err != nil {
		t.Error(err)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM event_numbers`); got != "0" {
		t.Errorf("%s numbers of a deleted event", got)
	}
}

// A series has the numbers of all its dates. What is counted while the database is away is written later; a site that wants no numbers has none,
// and loses those that it had.
func TestNumbersOfSites(t *testing.T) {
	k := kit.New(t)
	k.KeepAnswers()
	series := kit.Weekly(k, nil)
	for _, date := range kit.Happens(k, series, "administrator")[:2] {
		visit(k, "GET", strings.TrimPrefix(fmt.Sprint(date["url"]), "http://localhost"), nil).Want(t, http.StatusOK, "")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if k.Numbers.Flush(gone) == nil {
		t.Error("numbers are written without a database")
	}
	if got := tallied(t, k, series); got != "2 0 0 0" {
		t.Errorf("counted %s of two dates", got)
	}
	k.Peek("demo", `WITH a AS (INSERT INTO site_numbers (site_id, day, letters) SELECT site_id, '2020-01-01', 5 FROM event_numbers LIMIT 1 RETURNING 1) SELECT count(*)::text FROM a`)
	day := k.Calendar.Now().AddDate(-2, 0, 0)
	if err := k.DB.PurgeNumbers(context.Background(), day); err != nil {
		t.Error(err)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM site_numbers`); got != "0" {
		t.Errorf("%s numbers are older than two years", got)
	}
	k.Configure(&platform.ConfigFields{Numbers: args.Some(false)})
	visit(k, "GET", "/event/choir/", nil)
	k.Get("/numbers", "administrator").Want(t, http.StatusNotFound, "rest_no_route")
	if err := k.Numbers.Flush(context.Background()); err != nil {
		t.Error(err)
	}
	if strings.Contains(string(visit(k, "GET", "/events/", nil).Raw), "/events/click") {
		t.Error("links tell of clicks that nobody counts")
	}
	if err := k.DB.PurgeNumbers(context.Background(), day); err != nil {
		t.Error(err)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM event_numbers`); got != "0" {
		t.Errorf("%s numbers of a site that wants none", got)
	}
}

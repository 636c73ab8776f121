package public

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// kept asks for the plan of an address, and returns its page and its calendar file.
func kept(k *kit.Kit, ids ...any) (page, file string) {
	k.T.Helper()
	query := "?ids=" + strings.ReplaceAll(strings.Trim(fmt.Sprint(ids...), "[]"), " ", ",")
	p, f := k.Look("/en/events/kept/"+query), k.Look("/en/events/kept.ics"+query)
	if p.Status != http.StatusOK || f.Status != http.StatusOK || !strings.HasPrefix(f.Header.Get("Content-Type"), "text/calendar") {
		k.T.Fatalf("%s: %d, %d", query, p.Status, f.Status)
	}
	return string(p.Raw), strings.ReplaceAll(string(f.Raw), "\r\n ", "")
}

// among returns which of these titles a text has.
func among(text string, of ...string) (list []string) {
	for _, one := range of {
		if strings.Contains(text, one) {
			list = append(list, one)
		}
	}
	return list
}

// A plan has single events, dates of series each for itself, and whole series once; what is over, gone or for others is left out.
func TestKept(t *testing.T) {
	k := kit.PublicKit(t)
	event := func(title, start string, more ...any) int64 {
		fields := map[string]any{"title": title, "start_date": start + " 19:00", "end_date": start + " 21:00"}
		for i := 0; i+1 < len(more); i += 2 {
			fields[fmt.Sprint(more[i])] = more[i+1]
		}
		return k.Event(fields)
	}
	choir := event("Choir", "2026-12-01", "recurrence", map[string]any{"rrule": "FREQ=WEEKLY;COUNT=30"})
	chess := event("Chess", "2026-12-02", "recurrence", map[string]any{"rrule": "FREQ=WEEKLY;COUNT=30"})
	lake := k.Peek("demo", `SELECT id::text FROM events WHERE slug = 'lake'`)
	over, draft := event("Yesterday", "2026-11-19"), event("Sketch", "2026-12-03", "status", "draft")
	secret, hidden := event("Secret", "2026-12-04", "post_password", "sesame"), event("Unlisted", "2026-12-05", "hide_from_listings", true)
	date := func(nth int) string {
		return k.Peek("demo", fmt.Sprintf(`SELECT n::text FROM occurrences WHERE event_id = %d ORDER BY start_local OFFSET %d LIMIT 1`, choir, nth))
	}
	all := []string{"Choir", "Chess", "Lake Concert", "Yesterday", "Sketch", "Unlisted"}
	page, file := kept(k, lake, ",", date(1), ",", date(3), ",", "s", chess, ",", over, ",", draft, ",", hidden, ",", 987654321, ",x,-1,s,,0")
	if got := fmt.Sprint(among(page, all...)); got != "[Choir Chess Lake Concert]" {
		t.Errorf("the page has %s", got)
	}
	want := fmt.Sprintf(`data-found="s%d,%s,%s,%s"`, chess, date(1), date(3), lake)
	if !strings.Contains(page, want) || strings.Count(page, `<li class="entry`) != 4 || !strings.Contains(page, "2026-12-08T19:00") || strings.Contains(page, "2026-12-15T19:00") {
		t.Errorf("not %s in %s", want, page)
	}
	if got := fmt.Sprint(among(file, all...)); got != "[Choir Chess Lake Concert Yesterday]" { // which a calendar keeps for a while
		t.Errorf("the calendar has %s", got)
	}
	uids := map[string]bool{}
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "UID:") {
			uids[line] = true
		}
	}
	if len(uids) != 5 || strings.Count(file, "BEGIN:VEVENT") != 5 || strings.Count(file, "RRULE:FREQ=WEEKLY") != 1 || strings.Contains(file, "RECURRENCE-ID") ||
		!strings.Contains(file, "20261208T190000") || strings.Contains(file, "20261215T190000") {
		t.Errorf("%d events of one calendar: %s", len(uids), file)
	}
	if !strings.Contains(page, "/en/events/kept.ics?ids=") || !strings.Contains(page, "noindex") || !strings.Contains(page, "data-keep-all") {
		t.Error("the page has no calendar, or search engines list it")
	}
	if p, f := kept(k, secret); strings.Contains(p+f, "sesame") || strings.Contains(p, `class="keep plain"`) {
		t.Errorf("of an event with a password: %s", p)
	}
	if p, _ := kept(k, over); !strings.Contains(p, "All events in this list are over") {
		t.Error("nothing is said of a list that is over")
	}
	k.Clock = time.Date(2026, 12, 8, 20, 30, 0, 0, time.UTC) // the date ends
	if p, _ := kept(k, date(1)); strings.Contains(p, "Choir") {
		t.Error("a date that is over is still there")
	}
	other := k.Send(kit.Request{Method: "GET", Path: "//en/events/kept/?ids=" + lake, Site: "two"})
	if strings.Contains(string(other.Raw), "Lake Concert") {
		t.Error("shown on another site")
	}
}

// An address has so many ids at most, and none is the page that a script fills.
func TestKeptBounded(t *testing.T) {
	k := kit.PublicKit(t)
	for n, want := range map[int]int{200: 200, 201: 404, 5000: 404} {
		ids := strings.TrimSuffix(strings.Repeat("1,", n), ",")
		for _, path := range []string{"/en/events/kept/?ids=", "/en/events/kept.ics?ids="} {
			if got := k.Look(path + ids).Status; got != want {
				t.Errorf("%d ids at %s: %d, want %d", n, path, got, want)
			}
		}
	}
	for _, language := range []string{"en", "de", "ar", "ja"} {
		page := string(k.Look("/" + language + "/events/kept/").Raw)
		if words := kit.Untranslated.FindString(page); words != "" || !strings.Contains(page, `data-own="/`+language+`/events/kept/"`) || !strings.Contains(page, "<noscript>") {
			t.Errorf("%s: %q in %s", language, words, page)
		}
	}
	page := string(k.Look("/en/event/lake/").Raw)
	if !strings.Contains(page, `data-keep="`+k.Peek("demo", `SELECT id::text FROM events WHERE slug = 'lake'`)+`" aria-pressed="false"`) {
		t.Error("the page of an event cannot be kept")
	}
	if list := string(k.Look("/en/events/").Raw); !strings.Contains(list, `aria-label="Keep Lake Concert"`) {
		t.Error("the entry of a list cannot be kept")
	}
}

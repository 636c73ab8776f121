package admin

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// Items restored from the trash have their previous status.
func TestRestoreAsItWas(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var ids []string
	statuses := []string{"draft", "publish", "private", "pending"}
	for _, status := range statuses {
		ids = append(ids, fmt.Sprint(k.Event(kit.Object{"status": status})))
	}
	venue := fmt.Sprint(k.Post("/venues", "administrator", kit.Object{"venue": "Town hall"}).ID())
	b := k.Person("editor")
	b.Get("/admin/events")
	for _, do := range []string{"trash", "restore"} {
		b.Post("/admin/events", url.Values{"seen": {kit.AllSeen}, "do": {do}, "id": ids, "to": {"/admin/events"}})
		b.Post("/admin/venues", url.Values{"seen": {kit.AllSeen}, "do": {do}, "id": {venue}, "to": {"/admin/venues"}})
	}
	for i, id := range ids {
		if got := k.Get("/events/"+id, "administrator").Body["status"]; got != statuses[i] {
			t.Errorf("%s came back as %v", statuses[i], got)
		}
	}
	if got := k.Get("/venues/"+venue, "administrator").Body["status"]; got != "publish" {
		t.Errorf("a venue came back as %v", got)
	}
	if b.Get("/admin/events").Shows(`value="delete"`) || !b.Get("/admin/events?view=all").Shows(`value="trash"`) {
		t.Error("events are deleted for good outside of the trash")
	}
}

// TestChosenByTheList performs an action on all results of a list, across its pages.
func TestChosenByTheList(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i := range 25 {
		k.Event(kit.Object{"title": fmt.Sprint("Talk ", i)})
	}
	other := k.Event(kit.Object{"title": "Choir"})
	b := k.Person("editor")
	b.Get("/admin/events")
	p := b.Post("/admin/events", url.Values{"do": {"draft"}, "all": {"1"}, "to": {"/admin/events?search=talk&page=2"}})
	b.Post("/admin/events", answered(p, "draft"))
	if p := b.Follow(); !p.Shows("25 entries changed to drafts.") {
		t.Errorf("%.3000s", p.Body)
	}
	if got := k.Get(fmt.Sprintf("/events/%d", other), "administrator").Body["status"]; got != "publish" {
		t.Errorf("what the list doesn't find is %v", got)
	}
	if p := b.Get("/admin/events?view=draft&length=50"); len(rowsOf(p)) != 25 {
		t.Errorf("%d drafts", len(rowsOf(p)))
	}
	if p := b.Post("/admin/events", url.Values{"do": {"draft"}, "all": {"1"}, "to": {"/admin/events?from=never"}}); p.Status != http.StatusBadRequest {
		t.Errorf("a list that makes no sense: %d", p.Status)
	}
}

// TestUnpublishingAsks changes published events to drafts only when the question has been answered, which says how many there are and that
// a series goes with all its dates. Where visitors see none of them, nothing is asked.
func TestUnpublishingAsks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	talk, secret := k.Event(kit.Object{"title": "Talk"}), k.Event(kit.Object{"title": "Secret", "status": "private"})
	choir := kit.Weekly(k, kit.Object{"title": "Choir"})
	status := func(id int64) string { return eventField(k, id, "status") }
	ids := []string{fmt.Sprint(talk), fmt.Sprint(choir), fmt.Sprint(secret)}
	b := k.Person("editor")
	b.Get("/admin/events")
	form := url.Values{"seen": {kit.AllSeen}, "do": {"draft"}, "id": ids, "to": {"/admin/events?view=all"}}
	p := b.Post("/admin/events", form)
	if p.Status != 200 || !p.Shows("Change 2 published events to drafts?") || !p.Shows("Choir, with all its dates") || p.Shows("<bdi>Secret</bdi>") {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if got := status(talk) + status(choir) + status(secret); got != "publishpublishprivate" {
		t.Fatalf("before the answer: %s", got)
	}
	b.Post("/admin/events", answered(p, "draft"))
	if p = b.Follow(); !p.Shows("3 entries changed to drafts.") || !p.Shows(kit.UndoAction) {
		t.Errorf("%.3000s", p.Body)
	}
	if got := status(talk) + status(choir) + status(secret); got != "draftdraftdraft" {
		t.Errorf("after it: %s", got)
	}
	k.Patch(fmt.Sprintf("/events/%d", talk), "administrator", kit.Object{"status": "private"})
	if p := b.Post("/admin/events", form); p.Status != http.StatusSeeOther {
		t.Errorf("nobody sees them, and it asks: %d", p.Status)
	}
}

// answered is the form of a page that asks for confirmation, sent with its button.
func answered(p kit.Page, do string) url.Values {
	form := kit.FormAt(p, `<form class="buttons"`)
	form.Set("do", do)
	return form
}

// TestQuickAdd creates drafts from lines in every language on Friday, 1 March 2030.
func TestQuickAdd(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 3, 1, 8, 0, 0, 0, time.UTC)
	hall := k.Post("/venues", "administrator", kit.Object{"venue": "Town hall"}).ID()
	b := k.Person("author")
	b.Get("/admin/profile")
	for i, c := range []struct{ language, line, title, start string }{
		{"en", "Choir Thu 19:30 Town hall", "Choir", "2030-03-07 19:30:00"},
		{"en", "Choir tomorrow at 7pm in Town hall", "Choir", "2030-03-02 19:00:00"},
		{"de", "Chor am Donnerstag um 19 Uhr in Town hall", "Chor", "2030-03-07 19:00:00"},
		{"fr", "Chorale jeudi à 19h30 à Town hall", "Chorale", "2030-03-07 19:30:00"},
		{"es", "Coro el jueves a las 19:30 en Town hall", "Coro", "2030-03-07 19:30:00"},
		{"ar", "جوقة الخميس ١٩:٣٠ Town hall", "جوقة", "2030-03-07 19:30:00"},
		{"ja", "合唱 木曜 19:30 Town hall", "合唱", "2030-03-07 19:30:00"},
		{"ja", "合唱、明日19時30分、Town hall", "合唱", "2030-03-02 19:30:00"},
	} {
		b.Cookies["kalends-language"] = c.language
		if p := b.Get("/admin/events/quick?" + url.Values{"text": {c.line}}.Encode()); p.Status != 200 || !p.Shows("Town hall") {
			t.Errorf("%s: %d", c.line, p.Status)
		}
		p := b.Post("/admin/events/quick", url.Values{"text": {c.line}, "once": {fmt.Sprint("QUICK", i)}})
		m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
		if m == nil {
			t.Errorf("%s: %d", c.line, p.Status)
			continue
		}
		e := k.Get("/events/"+m[1], "administrator").Body
		if venue, _ := e["venue"].(kit.Object); e["title"] != c.title || e["start_date"] != c.start || e["status"] != "draft" || fmt.Sprint(venue["id"]) != fmt.Sprint(hall) {
			t.Errorf("%s: %v, %v, %v, %v", c.line, e["title"], e["start_date"], e["status"], venue["id"])
		}
	}
	b.Cookies["kalends-language"] = "de"
	p := b.Post("/admin/events/quick", url.Values{"text": {"Yoga jeden Montag bis 25.3. 18:30–20 Uhr, Town hall, 12 €"}, "once": {"QUICKSERIES"}})
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("a series: %d %.3000s", p.Status, p.Body)
	}
	if e := k.Get("/events/"+m[1], "administrator").Body; fmt.Sprint(e["start_date"], e["end_date"], e["cost"]) != "2030-03-04 18:30:002030-03-04 20:00:0012€" || e["recurrence"] == nil {
		t.Errorf("a series: %v %v %v %v", e["start_date"], e["end_date"], e["cost"], e["recurrence"])
	}
	for _, c := range []struct{ line, marked, says string }{
		{"Konzert 31.2. 10:00", "31.2.", "ist kein Datum und keine Uhrzeit"}, {"Kurs jeden 2. Samstag 10 Uhr", "jeden 2. Samstag", "keine eindeutige Wiederholung"},
		{"Tee 14:00", "", "Der Beginn fehlt."}, {"Konzert Do 25:99", "25:99", "ist kein Datum und keine Uhrzeit"},
		{strings.Repeat("lang ", 70) + "Do 19:30", "", "Die Zeile ist zu lang."},
	} {
		for _, p := range []kit.Page{b.Get("/admin/events/quick?" + url.Values{"text": {c.line}}.Encode()), b.Post("/admin/events/quick", url.Values{"text": {c.line}})} {
			if !p.Shows(c.says) || !p.Shows(`data-lines="/admin/import"`) || !p.Shows(`<a href="/admin/import">Liste einfügen</a>`) || c.marked != "" && !p.Shows("<mark>"+c.marked+"</mark>") || strings.Contains(p.Body, `action="/admin/events/quick"><input type="hidden"`) {
				t.Errorf("%s: %d %.2000s", c.line, p.Status, p.Body)
			}
		}
	}
	for _, line := range []string{"", "Choir", strings.Repeat("x ", 9999), "<script>alert(1)</script>"} {
		if p := b.Post("/admin/events/quick", url.Values{"text": {line}}); p.Status != 422 || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%.20q: %d", line, p.Status)
		}
	}
}

// TestCopyForNextWeek copies an event completely.
func TestCopyForNextWeek(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Choir", "start_date": "2030-03-28 23:00:00", "end_date": "2030-03-29 01:00:00", "venue": kit.Object{"venue": "Town hall"}, "tags": []string{"voice"}})
	b := k.Person("editor")
	b.Get("/admin")
	path := fmt.Sprintf("/admin/events/%d/copy", id)
	p := b.Get(path)
	if !p.Shows(`value="2030-04-04T23:00"`) {
		t.Errorf("not a week later: %d", p.Status)
	}
	if !strings.Contains(p.Body, fmt.Sprintf(`href="/admin/events/%d">Cancel</a>`, id)) {
		t.Error("nothing leads back")
	}
	p = b.Post(path, b.Fill(path, `<form class="stack narrow"`, url.Values{"do": {"publish"}}))
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	e := k.Get("/events/"+m[1], "").Body
	if text := fmt.Sprint(e["start_date"], " ", e["end_date"], e["venue"], e["tags"]); e["title"] != "Choir" || !strings.HasPrefix(text, "2030-04-04 23:00:00 2030-04-05 01:00:00") || !strings.Contains(text, "Town hall") || !strings.Contains(text, "voice") {
		t.Errorf("%v", e)
	}
	if p := b.Post(path, url.Values{"start_date": {"x"}}); p.Status != 422 {
		t.Errorf("no date: %d", p.Status)
	}
	series := kit.Weekly(k, nil)
	date := kit.Happens(k, series, "")[1]
	path = fmt.Sprintf("/admin/events/%v/copy", date["id"])
	p = b.Post(path, url.Values{"start_date": {"2030-06-01T10:00"}, "do": {"draft"}})
	if m = kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location")); m == nil || k.Get("/events/"+m[1], "administrator").Body["recurrence"] != nil {
		t.Errorf("a date of a series: %d", p.Status)
	}
	if p := k.Person("subscriber").Get(path); p.Status != http.StatusForbidden {
		t.Errorf("a subscriber: %d", p.Status)
	}
}

// TestCopyKeepsPassword: a copy asks for the password of its event, unless its form says otherwise.
func TestCopyKeepsPassword(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	secret := kit.Object{"title": "Talk", "description": "Behind the door", "post_password": "open it"}
	single, series := k.Event(secret), kit.Weekly(k, secret)
	b := k.Person("editor")
	b.Get("/admin")
	opens := func(about string, p kit.Page, password string) {
		t.Helper()
		m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
		if p.Status != http.StatusSeeOther || m == nil {
			t.Fatalf("%s: %d %.2000s", about, p.Status, p.Body)
		}
		if a := k.Get("/events/"+m[1], ""); (a.Status == http.StatusOK) != (password == "") {
			t.Errorf("%s without a password: %s", about, a)
		}
		if password != "" {
			k.Get("/events/"+m[1]+"?password="+url.QueryEscape(password), "").Want(t, http.StatusOK, "")
		}
	}
	path := fmt.Sprintf("/admin/events/%d/copy", single)
	opens("a copy", b.Post(path, b.Fill(path, `<form class="stack narrow"`, url.Values{"do": {"publish"}})), "open it")
	for _, id := range []int64{single, series} {
		path := fmt.Sprintf("/admin/events/new?copy=%d", id)
		for about, c := range map[string]struct {
			form     url.Values
			password string
		}{
			"as it is":         {url.Values{}, "open it"},
			"with another":     {url.Values{"post_password": {"another"}}, "another"},
			"without any more": {url.Values{"post_password_clear": {"1"}}, ""},
		} {
			c.form.Set("status", "publish")
			c.form.Set("do", "save")
			p := b.Post("/admin/events/new", b.Fill(path, kit.EveryEditor, c.form))
			if p.Status == http.StatusUnprocessableEntity { // there is such an event already
				again := kit.FormAt(p, kit.EveryEditor)
				maps.Copy(again, c.form)
				p = b.Post("/admin/events/new", again)
			}
			opens(fmt.Sprint("the form of a copy of ", id, " ", about), p, c.password)
		}
	}
	open := k.Event(kit.Object{"title": "Open"})
	for _, role := range []string{"author", "contributor"} { // who can't read it can't make a copy, nor take its password
		other := k.Person(role)
		form := other.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Mine"}, "start_date": {"2030-06-01T10:00"},
			"end_date": {"2030-06-01T11:00"}, "copy": {fmt.Sprint(single)}, "do": {"save"}})
		p := other.Post("/admin/events/new", form)
		m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
		if m == nil || k.Peek("demo", `SELECT (password IS NULL)::text FROM events WHERE id = `+m[1]) != "true" {
			t.Errorf("%s: %d %v", role, p.Status, m)
		}
	}
	opens("a copy of an open event", b.Post("/admin/events/new", b.Fill(fmt.Sprintf("/admin/events/new?copy=%d", open), kit.EveryEditor,
		url.Values{"title": {"Open, too"}, "status": {"publish"}, "do": {"save"}})), "")
}

// TestCopyKeepsSecrets: a copy tells where to take part online only to those whom the event tells it.
func TestCopyKeepsSecrets(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	secret := kit.Object{"title": "Talk", "attendance_mode": "online", "virtual_url": "https://x.example/live", "virtual_url_shown": "never"}
	single, series := k.Event(secret), kit.Weekly(k, secret)
	for role, shown := range map[string]bool{"administrator": true, "editor": true, "author": false, "contributor": false} {
		b := k.Person(role)
		b.Get("/admin")
		for _, id := range []int64{single, series} {
			if p := b.Get(fmt.Sprintf("/admin/events/new?copy=%d", id)); p.Status != 200 || p.Shows("x.example/live") != shown {
				t.Errorf("%s: the form of a copy of %d: %d", role, id, p.Status)
			}
		}
		p := b.Post(fmt.Sprintf("/admin/events/%d/copy", single), url.Values{"start_date": {"2030-06-01T10:00"}, "do": {"draft"}})
		if to := p.Header.Get("Location"); p.Status != http.StatusSeeOther || b.Get(to).Shows("x.example/live") != shown {
			t.Errorf("%s: a copy: %d %s", role, p.Status, to)
		}
	}
}

// TestCountsOfSearches counts the results of two searches at the same version of the site.
func TestCountsOfSearches(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, title := range []string{"Harvest", "Harvest feast", "Carnival"} {
		k.Event(kit.Object{"title": title})
	}
	b := k.Person("editor")
	for _, search := range []string{"harvest", "carnival", "nowhere"} {
		want := map[string]string{"harvest": "2", "carnival": "1", "nowhere": "0"}[search]
		if p := b.Get("/admin/events?search=" + search); !p.Shows(`All <span class="count">` + want + `</span>`) {
			t.Errorf("%s isn't counted %s", search, want)
		}
	}
}

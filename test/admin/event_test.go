package admin

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// everyField is a form with a value in every field of an event.
func everyField(k *kit.Kit) url.Values {
	parent := k.Event(map[string]any{"title": "Parent"})
	category := k.Post("/categories", "administrator", map[string]any{"name": "Music"}).ID()
	return url.Values{"title": {"Recital & more"}, "start_date": {"2031-05-01T19:30"}, "end_date": {"2031-05-01T21:00"}, "all_day": {"0"},
		"timezone": {"America/New_York"}, "venue": {"", ""}, "new_venue.venue": {"Town Hall"}, "new_venue.city": {"Berlin"},
		"new_organizer.organizer": {"Choir"}, "new_organizer.email": {"choir@example.org"}, "description": {"<p>One</p>\r\n<p>Two</p>"},
		"excerpt": {"Short"}, "categories": {"", fmt.Sprint(category)}, "tags": {"organ, 2026"}, "image": {""}, "cost": {"10, 20"},
		"website": {"https://example.org/recital"}, "status": {"draft"}, "date": {"2030-01-02T03:04"}, "author": {"2"}, "slug": {"recital"},
		"post_password": {"secret"}, "post_parent": {fmt.Sprint(parent)}, "featured": {"0", "1"}, "sticky": {"0", "1"},
		"hide_from_listings": {"0", "1"}, "show_map": {"0", "1"}, "show_map_link": {"0"},
		"tickets[0][name]": {"Front"}, "tickets[0][price]": {"12.5"}, "tickets[0][currency]": {"EUR"}, "tickets[0][url]": {"https://example.org/t"},
		"tickets[0][available_from]": {"2031-01-01T10:00"}, "tickets[0][available_until]": {"2031-04-01T10:00"}, "tickets[0][status]": {"presale"},
		"tickets[1][name]": {""}, "repeat": {"week"}, "repeat_every": {"2"}, "repeat_on": {"2", "4"}, "repeat_end": {"after"}, "repeat_count": {"6"},
		"repeat_dates": {"2031-05-30"}, "repeat_except": {"2031-05-13"}, "event_status": {"postponed"}, "event_status_reason": {"The organ is broken"},
		"attendance_mode": {"mixed"}, "virtual_url": {"https://example.org/live"}, "virtual_url_shown": {"started"}, "do": {"save"}}
}

func TestAdminSavesEveryField(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	form := everyField(k)
	p := b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if p.Status != 303 || m == nil {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	got := k.Get("/events/"+m[1], "administrator").Body
	for name, want := range map[string]any{"title": "Recital &amp; more", "start_date": "2031-05-01 19:30:00", "end_date": "2031-05-01 21:00:00",
		"timezone": "America/New_York", "all_day": false, "status": "draft", "featured": true, "sticky": true, "hide_from_listings": true,
		"show_map": true, "show_map_link": false, "slug": "recital", "website": "https://example.org/recital", "cost": "12.50EUR",
		"date": "2030-01-02 03:04:00", "event_status": "postponed", "event_status_reason": "The organ is broken", "attendance_mode": "mixed",
		"virtual_url": "https://example.org/live", "virtual_url_shown": "started"} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	rules := got["recurrence"].(kit.Object)
	if fmt.Sprintf("%v %v %v", rules["rrule"], rules["rdate"], rules["exdate"]) != "FREQ=WEEKLY;INTERVAL=2;COUNT=6;BYDAY=TU,TH [2031-05-30 19:30:00] [2031-05-13 19:30:00]" {
		t.Errorf("recurrence %v", rules)
	}
	text := fmt.Sprint(got)
	for _, want := range []string{"Town Hall", "Choir", "choir@example.org", "organ", "2026", "Front", "12.5", "presale", "Music", "<p>Two</p>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in %s", want, text)
		}
	}
	p = b.Follow()
	for _, want := range []string{"Saved as a draft.", `value="Recital & more"`, `value="2031-05-01T19:30"`, `value="Town Hall"`, `value="Choir"`, "<p>Two</p>", ">Short</p>",
		`value="2026, organ"`, `value="12.50 EUR"`, `value="https://example.org/recital"`, `value="2030-01-02T03:04"`, `value="recital"`, `value="Front"`,
		`value="12.5"`, `value="2031-01-01T10:00"`, "Remove the password", "In the site’s time zone", `value="America/New York"`,
		`value="week" selected`, `value="after" selected`, `name="repeat_except" value="2031-05-13"`, `name="repeat_dates" value="2031-05-30"`, `value="postponed" selected`,
		`value="The organ is broken"`, `value="mixed" selected`, `value="https://example.org/live"`, `value="started" selected`} {
		if !p.Shows(want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	before := k.Get("/events/"+m[1], "administrator").Header.Get("ETag")
	again := kit.FormIn(p)
	if p := b.Post("/admin/events/"+m[1], again); p.Status != 303 {
		t.Fatalf("unchanged: %d %s", p.Status, p.Body)
	}
	if after := k.Get("/events/"+m[1], "administrator").Header.Get("ETag"); after != before {
		t.Error("saving without a change changed something")
	}
}

func TestAdminRefusesEveryWrongField(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	long := strings.Repeat("x", 2000)
	wrong := url.Values{"title": {""}, "start_date": {"2031-02-30T10:00"}, "end_date": {"soon"}, "all_day": {"maybe"}, "timezone": {"Mars/Olympus"},
		"venue": {"Nowhere"}, "organizer": {"Nobody"}, "description": {strings.Repeat("y", 3<<20)}, "slug": {long},
		"categories": {long}, "image": {"ftp://example.org/x"}, "website": {"javascript:alert(1)"}, "status": {"gone"}, "date": {"never"},
		"author": {"zero"}, "post_password": {long}, "post_parent": {"-1"}, "featured": {"2"}, "sticky": {"2"}, "hide_from_listings": {"2"},
		"show_map": {"2"}, "show_map_link": {"2"}, "tickets[0][price]": {"much"}, "excerpt": {strings.Repeat("z", 300000)}, "seo_title": {long}, "seo_description": {long}, "do": {"save"}}
	p := b.Post("/admin/events/new", wrong)
	if p.Status != 422 {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	for name := range wrong {
		if name == "do" || name == "csrf" {
			continue
		}
		if !strings.Contains(p.Body, `id="p-`+name+`"`) {
			t.Errorf("nothing is said beside %s", name)
		}
	}
	for _, kept := range []string{`value="Nowhere"`, `value="Nobody"`, `value="javascript:alert(1)"`, `value="much"`, strings.Repeat("y", 3<<20), `value="ftp://example.org/x"`} {
		if !p.Shows(kept) {
			t.Errorf("%.60s is lost", kept)
		}
	}
	for name, value := range map[string]string{"end_date": "2031-01-01T10:00", "cost": strings.Repeat("9", 1001), "title": " "} {
		form := url.Values{"title": {"Fine"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"}, "do": {"save"}}
		form.Set(name, value)
		if p := b.Post("/admin/events/new", form); p.Status != 422 || !strings.Contains(p.Body, `id="p-`+name+`"`) {
			t.Errorf("%s: %d", name, p.Status)
		}
	}
	if total := k.Get("/events?starts_after=2000-01-01", "administrator").Body["total"]; total != float64(0) {
		t.Errorf("%v events were made", total)
	}
}

func TestAdminScriptsAreInert(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	evil := `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	form := url.Values{"title": {evil + "Title"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"}, "description": {evil}, "excerpt": {evil},
		"tags": {evil}, "cost": {evil}, "new_venue.venue": {evil + "V"}, "new_venue.city": {evil}, "new_organizer.organizer": {evil + "O"},
		"tickets[0][name]": {evil + "T"}, "slug": {evil}, "do": {"save"}, "status": {"draft"}}
	b.Post("/admin/events/new", form)
	pages := []kit.Page{b.Follow(), b.Get("/admin/events"), b.Get("/admin/venues"), b.Get("/admin/organizers"), b.Get("/admin/tags")}
	form.Set("website", evil)
	pages = append(pages, b.Post("/admin/events/new", form))
	for i, p := range pages {
		if p.Status >= 500 || strings.Contains(p.Body, "<script>") || strings.Contains(p.Body, "<img src=x") || strings.Contains(p.Body, `value=""><script`) {
			t.Errorf("page %d: %d %s", i, p.Status, p.Body)
		}
	}
}

func TestAdminMakesOneEventOfOneForm(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	form := kit.FormIn(b.Get("/admin/events/new"))
	form.Set("title", "Once")
	form.Set("status", "publish")
	first := b.Post("/admin/events/new", form).Header.Get("Location")
	second := b.Post("/admin/events/new", form).Header.Get("Location")
	if first == "" || first != second {
		t.Errorf("%q and %q", first, second)
	}
	if total := k.Get("/events", "").Body["total"]; total != float64(1) {
		t.Errorf("%v events", total)
	}
}

// Only those who may change an event's author are offered authors.
func TestAdminOffersAuthors(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for role, offered := range map[string]bool{"editor": true, "author": false} {
		if p := k.Person(role).Get("/admin/events/new"); strings.Contains(p.Body, `<select id="f-author"`) != offered {
			t.Errorf("%s: offered is not %v", role, offered)
		}
	}
}

func TestAdminConflict(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Old", "cost": "5", "tags": "one"})
	path := fmt.Sprintf("/admin/events/%d", id)
	b := k.Person("editor")
	form := kit.FormIn(b.Get(path))
	k.Patch(fmt.Sprintf("/events/%d", id), "administrator", map[string]any{"title": "Theirs", "cost": "7"})
	form.Set("title", "Mine")
	form.Set("tags", "two")
	p := b.Post(path, form)
	if p.Status != 409 || !p.Shows("Someone else made changes as well") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	for _, want := range []string{"Mine", "Theirs", `name="choose.title" value="mine" checked`} {
		if !p.Shows(want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, name := range []string{"website", "cost", "tags"} {
		if strings.Contains(p.Body, "choose."+name) {
			t.Errorf("%s is asked, which not both have changed", name)
		}
	}
	choice := url.Values{}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(p.Body, -1) {
		choice.Add(m[1], kit.Unescape(m[2]))
	}
	choice.Set("choose.title", "mine")
	choice.Set("do", "resolve")
	choice.Del("to")
	choice.Set("csrf", b.Cookies["csrf"])
	if p := b.Post(path, choice); p.Status != 303 {
		t.Fatalf("resolve: %d %s", p.Status, p.Body)
	}
	got := k.Get(fmt.Sprintf("/events/%d", id), "").Body
	if got["title"] != "Mine" || got["cost"] != "$7" || !strings.Contains(fmt.Sprint(got["tags"]), "two") {
		t.Errorf("%v %v %v", got["title"], got["cost"], got["tags"])
	}
}

// The price of a ticket can be typed like the price of an event.
func TestAdminTicketPrices(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := kit.FormIn(b.Get("/admin/events/new"))
	for name, value := range map[string]string{"title": "Tickets", "start_date": "2030-03-01T10:30", "end_date": "2030-03-01T11:30",
		"tickets[0][name]": "Comma", "tickets[0][price]": "12,50", "tickets[1][name]": "Francs", "tickets[1][price]": "CHF 8",
		"tickets[2][name]": "Chosen", "tickets[2][price]": "7 €", "tickets[2][currency]": "USD", "cost": "Free entry", "do": "publish"} {
		form.Set(name, value)
	}
	p := b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	event := k.Get("/events/"+m[1], "").Body
	if event["cost"] != "$7 – $12.50" { // and not what was typed beside them
		t.Errorf("the cost is %v", event["cost"])
	}
	tickets, _ := event["tickets"].([]any)
	var got []string
	for _, one := range tickets {
		ticket, _ := one.(map[string]any)
		got = append(got, fmt.Sprintln(ticket["name"], ticket["price"], ticket["currency"]))
	}
	if want := []string{"Comma 12.5 <nil>\n", "Francs 8 CHF\n", "Chosen 7 USD\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestAdminSessionGoneWhileTyping(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := kit.FormIn(b.Get("/admin/events/new"))
	form.Set("title", "Typed for an hour")
	form.Set("description", "Line one\r\nLine two")
	delete(b.Cookies, "kalends")
	p := b.Post("/admin/events/new", form)
	if p.Status != http.StatusUnauthorized || !p.Shows("Your entries have been kept") || !p.Shows("Typed for an hour") || p.Shows("<dt>repeat_") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	login := url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}
	for _, m := range regexp.MustCompile(`(?s)<input type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(p.Body, -1) {
		login.Add(m[1], kit.Unescape(m[2]))
	}
	p = b.Post("/admin/login", login)
	if p.Status != 200 || !p.Shows(`value="Typed for an hour"`) || !p.Shows("Line two") || b.Cookies["kalends"] == "" {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/events/new", kit.FormIn(p)); p.Status != 303 {
		t.Errorf("then: %d %s", p.Status, p.Body)
	}
}

func TestAdminUploadsImages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	b.Get("/admin/events/new")
	send := func(name string, content []byte, title string) kit.Page {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for field, text := range map[string]string{"csrf": b.Cookies["csrf"], "title": title, "start_date": "2031-05-01T10:00", "end_date": "2031-05-01T11:00", "do": "save"} {
			_ = w.WriteField(field, text)
		}
		file, err := w.CreateFormFile("image_file", name)
		k.Must(err)
		_, err = file.Write(content)
		k.Must(err)
		k.Must(w.Close())
		return b.Raw("/admin/events/new", w.FormDataContentType(), &body)
	}
	if p := send("x.png", []byte("no picture at all"), "Fake"); p.Status != 422 || !p.Shows("not a readable image") {
		t.Errorf("fake: %d", p.Status)
	}
	if p := send("x.png", kit.Picture(40, 30), ""); p.Status != 422 || !regexp.MustCompile(`name="image" type="text" value="\d+"`).MatchString(p.Body) {
		t.Errorf("the image is lost: %d", p.Status)
	}
	if p := send("x.png", kit.Picture(40, 30), "Real"); p.Status != 303 || !b.Follow().Shows(`<img class="thumb"`) {
		t.Errorf("real: %d %s", p.Status, p.Body)
	}
}

func TestAdminWarnsOfTakenVenues(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	venue := k.Post("/venues", "administrator", map[string]any{"venue": "Hall"}).ID()
	k.Event(map[string]any{"title": "First", "venue": venue})
	id := k.Event(map[string]any{"title": "Second", "venue": venue, "start_date": "2030-03-01 11:00:00"})
	later := k.Event(map[string]any{"title": "Third", "venue": venue, "start_date": "2030-03-01 12:00:00", "end_date": "2030-03-01 13:00:00"})
	b := k.Person("editor")
	if p := b.Get(fmt.Sprintf("/admin/events/%d", id)); !p.Shows("The venue is already booked at this time:") || !p.Shows("First") || p.Shows("Third") {
		t.Error("no warning")
	}
	if p := b.Get(fmt.Sprintf("/admin/events/%d", later)); p.Shows("already booked") {
		t.Error("a warning of what is over by then")
	}
	series := k.Event(map[string]any{"title": "Course", "venue": venue, "start_date": "2030-04-01 10:00:00", "end_date": "2030-04-01 11:00:00",
		"recurrence": map[string]any{"every": "day", "count": 3}})
	for _, occurrence := range []any{series, k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2030-01-01&end_date=2030-12-31", series), "editor").At("events.1.id")} {
		if p := b.Get(fmt.Sprintf("/admin/events/%v", occurrence)); p.Status != 200 || p.Shows("already booked") {
			t.Errorf("%v: a series is in its own way", occurrence)
		}
	}
}

// The form of a moved event, the list and the calendar say from when it was moved. The form no longer asks for the new date.
func TestMovedEvent(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	id := k.Event(map[string]any{"title": "Puppets", "start_date": "2030-03-01 15:00", "end_date": "2030-03-01 16:00", "event_status": "rescheduled"})
	path := kit.Item("admin/events", id)
	if p := b.Get(path); !p.Shows("Enter the new date at start and end") || p.Shows("originally") {
		t.Error("the form does not ask for the new date")
	}
	form := b.Fill(path, kit.EveryEditor, url.Values{"do": {"publish"}, "start_date": {"2030-03-08T15:00"}, "end_date": {"2030-03-08T16:00"}})
	if p := b.Post(path, form); p.Status != 303 {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	const was = "oved, originally Mar\u00a01,\u00a02030, 3:00\u00a0PM"
	if p := b.Get(path); !p.Shows("M"+was) || p.Shows("Enter the new date at start and end") {
		t.Errorf("the form does not say from when the event was moved: %s", p.Body)
	}
	for _, page := range []string{"/admin/events", "/admin?date=2030-03-08"} {
		if p := b.Get(page); !p.Shows("m" + was) {
			t.Errorf("%s does not say from when the event was moved", page)
		}
	}
	if p := b.Get("/admin?date=2030-03-08"); !p.Shows(`class="sign sign-rescheduled"`) || !p.Shows("</svg></span> Rescheduled</li>") {
		t.Errorf("the calendar has no mark for it: %s", p.Body)
	}
}

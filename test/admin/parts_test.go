package admin

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Requests of the editor's scripts.

// part requests part of a page like a script.
func part(b *kit.Browser, path string) kit.Page {
	b.K.T.Helper()
	return b.Do(http.MethodGet, path, nil, []string{"Kalends-Part", "1"})
}

// sendPart submits a form like a script.
func sendPart(b *kit.Browser, path string, form url.Values) kit.Page {
	b.K.T.Helper()
	return b.Post(path, form, "Kalends-Part", "1")
}

// sendFile posts a file to the library with the token of the session.
func sendFile(b *kit.Browser, name string, content []byte, csrf string) kit.Page {
	b.K.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", csrf)
	file, err := w.CreateFormFile("image_file", name)
	b.K.Must(err)
	_, err = file.Write(content)
	b.K.Must(err)
	b.K.Must(w.Close())
	return b.Raw("/admin/images", w.FormDataContentType(), &body)
}

func TestAdminSearchesWhileTyping(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.SecondSite()
	for i := range 30 {
		k.Post("/venues", "administrator", map[string]any{"venue": fmt.Sprintf("Über den Hallen %d", i)})
	}
	hall := k.Post("/venues", "administrator", map[string]any{"venue": "Hälle", "city": "Bern"}).ID()
	k.Post("/organizers", "administrator", map[string]any{"organizer": "Chœur <b>", "email": "choeur@example.org"})
	k.Post("/tags", "administrator", map[string]any{"name": "Été"})
	k.Post("/venues", "administrator", map[string]any{"venue": "Secret place", "status": "draft"})
	b := k.Person("author")
	for path, want := range map[string][]string{
		"/venues?q=halle":    {fmt.Sprintf(`data-value="Hälle (#%d)"`, hall), "Bern", "10 suggestions."},
		"/venues?q=H%C3%A4l": {"Hälle", `data-new="Häl"`},
		"/organizers?q=choe": {`data-name="Chœur <b>"`},
		"/tags?q=ete":        {`data-value="Été"`},
		"/tags?q=":           {`data-value="Été"`},
		"/venues?q=" + url.QueryEscape(strings.Repeat("x", 5000)): {`data-new="` + strings.Repeat("x", 100) + `"`},
	} {
		p := part(b, "/admin/search"+path)
		for _, text := range want {
			if p.Status != 200 || !p.Shows(text) {
				t.Errorf("%s: %d, no %s in %s", path, p.Status, text, p.Body)
			}
		}
		if strings.Contains(p.Body, "<html") || strings.Count(p.Body, "data-value") > 10 {
			t.Errorf("%s: %s", path, p.Body)
		}
	}
	if p := part(b, "/admin/search/venues?q=x%00%ff"); p.Status != 400 {
		t.Errorf("what is no text: %d", p.Status)
	}
	p := part(b, "/admin/search/venues?q=halle")
	if _, first, _ := strings.Cut(p.Body, "data-value="); !strings.HasPrefix(first, `"Hälle`) {
		t.Errorf("the name itself isn't first: %s", p.Body)
	}
	if p := part(b, "/admin/search/venues?q=Hälle"); strings.Contains(p.Body, "data-new") {
		t.Error("what is there is offered as new")
	}
	if p := part(b, "/admin/search/venues?q=secret"); strings.Contains(p.Body, "data-value") {
		t.Error("somebody else's draft is shown")
	}
	for _, path := range []string{"/search/venues", "/search/organizers", "/search/tags", "/search/events", "/images"} {
		if p := part(b, "/admin"+path+"?q="+kit.Marker+"&post_parent="+kit.Marker); p.Status != 200 || strings.Contains(p.Body, "data-value") || strings.Contains(p.Body, "<option") || strings.Contains(p.Body, "data-image") {
			t.Errorf("%s shows another site: %d %s", path, p.Status, p.Body)
		}
	}
}

func TestAdminPartsAskForASession(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Password("editor")
	b := k.Browser()
	for _, path := range []string{"/session", "/search/venues", "/search/organizers", "/search/tags", "/search/events", "/search/zones", "/images"} {
		if p := part(b, "/admin"+path); p.Status != 401 || !p.Shows("Sign in and save") || strings.Contains(p.Body, "<html") {
			t.Errorf("%s: %d %s", path, p.Status, p.Body)
		}
	}
	if p := sendPart(b, "/admin/events/preview", url.Values{"title": {"x"}}); p.Status != 401 {
		t.Errorf("preview: %d", p.Status)
	}
	if p := sendPart(b, "/admin/session", url.Values{"login": {"editor"}, "password": {"wrong"}}); p.Status != 422 || !p.Shows(`value="editor"`) || p.Shows(`value="wrong"`) || b.Cookies["kalends"] != "" {
		t.Errorf("wrong password: %d %s", p.Status, p.Body)
	}
	if p := sendPart(b, "/admin/session", url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}); p.Status != 200 || b.Cookies["kalends"] == "" || b.Cookies["csrf"] == "" {
		t.Fatalf("right password: %d %s", p.Status, p.Body)
	}
	if p := part(b, "/admin/session"); p.Status != 200 || !strings.Contains(p.Body, b.Cookies["csrf"]) {
		t.Errorf("session: %d", p.Status)
	}
	if p := b.Post("/admin/session", url.Values{"login": {"editor"}, "password": {kit.AdminPassword}}, "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("from another origin: %d", p.Status)
	}
}

func TestAdminPartsAskForRights(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("subscriber")
	for _, path := range []string{"/search/venues", "/search/organizers", "/search/tags", "/search/events", "/search/zones", "/images"} {
		if p := part(b, "/admin"+path); p.Status != 403 {
			t.Errorf("%s: %d", path, p.Status)
		}
	}
	b.Get("/admin/profile")
	if p := sendPart(b, "/admin/events/preview", url.Values{}); p.Status != 403 {
		t.Errorf("preview: %d", p.Status)
	}
	if p := sendFile(b, "x.png", kit.Picture(20, 20), b.Cookies["csrf"]); p.Status != 403 {
		t.Errorf("upload: %d", p.Status)
	}
	c := k.Person("contributor")
	c.Get("/admin/events/new")
	for _, csrf := range []string{"", "guessed"} {
		if p := sendPart(c, "/admin/events/preview", url.Values{"csrf": {"x" + csrf}}); p.Status != 403 {
			t.Errorf("preview with the token %q: %d", csrf, p.Status)
		}
	}
}

func TestAdminKeepsPictures(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	s := k.SecondSite()
	b := k.Person("author")
	b.Get("/admin/events/new")
	if p := sendFile(b, "x.png", kit.Picture(20, 20), "guessed"); p.Status != 403 {
		t.Errorf("without the token: %d", p.Status)
	}
	if p := sendFile(b, "x.png", []byte("<html>"), b.Cookies["csrf"]); p.Status != 422 || !p.Shows("not a readable image") {
		t.Errorf("no picture: %d %s", p.Status, p.Body)
	}
	p := sendFile(b, "Über-Garten.png", kit.Picture(20, 20), b.Cookies["csrf"])
	if p.Status != 200 || !strings.Contains(p.Body, `data-image="`) {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	id := between(p.Body, `data-image="`, `"`)
	for range 25 {
		k.Upload("demo", "editor", "other.png", kit.Picture(8, 8)).Want(t, 201, "")
	}
	if p := part(b, "/admin/images?q=garten"); strings.Count(p.Body, "data-image=") != 1 {
		t.Errorf("search: %s", p.Body)
	}
	first, second := part(b, "/admin/images"), part(b, "/admin/images?page=2")
	if strings.Count(first.Body, "data-image=") != 24 || strings.Count(second.Body, "data-image=") != 2 || strings.Contains(first.Body+second.Body, kit.Marker) {
		t.Errorf("pages: %s %s", first.Body, second.Body)
	}
	if p := part(b, "/admin/images?page=9999"); p.Status != 200 || strings.Contains(p.Body, "data-image=") {
		t.Errorf("a page too far: %d", p.Status)
	}
	for value, status := range map[string]int{fmt.Sprint(s.IDs["image"]): 422, id: 200, "": 422, "ftp://example.org/x": 422, "http://127.0.0.1/x.png": 422, "999": 422} {
		if p := sendPart(b, "/admin/images", url.Values{"image": {value}}); p.Status != status {
			t.Errorf("%q: %d %s", value, p.Status, p.Body)
		}
	}
}

func TestAdminDescribesPictures(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	image := k.Upload("demo", "author", "mine.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	theirs := k.Upload("demo", "editor", "theirs.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	b.Get("/admin/events/new")
	form := url.Values{"title": {"Shown"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"}, "image": {fmt.Sprint(image)},
		"image_alt": {"A <b>lake</b>"}, "image_alt_was": {""}, "do": {"save"}, "status": {"publish"}}
	if p := b.Post("/admin/events/new", form); p.Status != 303 {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if p := b.Follow(); !p.Shows(`alt="A lake"`) || !p.Shows(`name="image_alt_was" value="A lake"`) {
		t.Error("the text is lost")
	}
	form.Set("image", fmt.Sprint(theirs))
	if p := b.Post("/admin/events/new", form); p.Status != 403 {
		t.Errorf("another's picture: %d", p.Status)
	}
	form.Set("image_alt_was", "A <b>lake</b>")
	form.Set("title", "Shown as well")
	if p := b.Post("/admin/events/new", form); p.Status != 303 {
		t.Errorf("another's picture as it is: %d", p.Status)
	}
	form.Set("image", fmt.Sprint(image))
	form.Set("image_alt", strings.Repeat("x", 1001))
	if p := b.Post("/admin/events/new", form); p.Status != 422 || !strings.Contains(p.Body, `id="p-image_alt"`) {
		t.Errorf("too long: %d", p.Status)
	}
}

func TestAdminKeepsAFileThroughEverything(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	b.Get("/admin/events/new")
	for _, do := range []string{"save", "row_date_2030-12-26", "show"} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for field, text := range map[string]string{"csrf": b.Cookies["csrf"], "title": "", "do": do} {
			_ = w.WriteField(field, text)
		}
		file, err := w.CreateFormFile("image_file", "kept.png")
		k.Must(err)
		_, err = file.Write(kit.Picture(40, 30))
		k.Must(err)
		k.Must(w.Close())
		if p := b.Raw("/admin/events/new", w.FormDataContentType(), &body); !strings.Contains(p.Body, `<figure class="chosen" data-alt="`) {
			t.Errorf("%s: the picture is lost: %d", do, p.Status)
		}
	}
}

func TestAdminPreview(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	venue := k.Post("/venues", "administrator", map[string]any{"venue": "Hall"}).ID()
	first := k.Event(map[string]any{"title": "First <i>", "venue": venue})
	b := k.Person("author")
	b.Get("/admin/events/new")
	form := url.Values{"title": {"New"}, "start_date": {"2030-03-01T10:30"}, "end_date": {"2030-03-01T11:30"}, "timezone": {"America/New_York"},
		"cost": {"10, 20"}, "tickets[0][name]": {"Front"}, "tickets[0][price]": {"12.5"}, "venue": {""}}
	if p := sendPart(b, "/admin/events/preview", form); p.Status != 200 || !p.Shows("In the site’s time zone") || !p.Shows("$12.50 The price is taken from the ticket prices.") || !p.Shows("Front") || p.Shows("First") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	form.Set("end_unknown", "1")
	if p := sendPart(b, "/admin/events/preview", form); !p.Shows("from\u00a010:30") || !p.Shows("from\u00a04:30") || p.Shows("11:30") {
		t.Error("an unknown end is shown", p.Body)
	}
	form.Del("end_unknown")
	form.Set("timezone", "Europe/Berlin")
	for _, name := range []string{"Hall", fmt.Sprintf("Hall (#%d)", venue)} {
		form.Set("venue", name)
		if p := sendPart(b, "/admin/events/preview", form); !p.Shows("The venue is already booked at this time:") || !p.Shows("First") {
			t.Errorf("%s: no warning: %s", name, p.Body)
		}
	}
	if p := sendPart(b, fmt.Sprintf("/admin/events/preview?id=%d", first), form); p.Shows("At this time") {
		t.Error("an event is in its own way")
	}
	form.Set("end_date", "2030-03-01T10:00")
	form.Set("cost", strings.Repeat("9", 2000))
	form.Set("title", "")
	p := sendPart(b, "/admin/events/preview", form)
	if p.Status != 200 || strings.Count(p.Body, `class="wrong"`) != 2 {
		t.Errorf("wrong end and cost: %d %s", p.Status, p.Body)
	}
	tickets := url.Values{"tickets[1][name]": {"Seat"}, "tickets[1][url]": {"no address"}}
	if p := sendPart(b, "/admin/events/preview", tickets); !p.Shows("Tickets 2, Ticket link: Enter a complete address") || p.Shows("The field") {
		t.Errorf("a wrong ticket is not named as in the form: %s", p.Body)
	}
	if p := sendPart(b, "/admin/events/preview", url.Values{"start_date": {"x"}, "tickets[0][price]": {"y"}, "venue": {"Nowhere (#1)"}, "timezone": {"z"}}); p.Status != 200 {
		t.Errorf("nonsense: %d %s", p.Status, p.Body)
	}
	if total := k.Get("/events?starts_after=2000-01-01", "administrator").Body["total"]; total != float64(1) {
		t.Errorf("looking made events: %v", total)
	}
}

func TestAdminTellsOfEverythingAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	form := url.Values{"title": {" "}, "start_date": {"2031-05-02T10:00"}, "end_date": {"2031-05-01T10:00"}, "cost": {strings.Repeat("9", 1001)},
		"website": {"javascript:alert(1)"}, "venue": {"Nowhere"}, "tickets[0][price]": {"much"}, "date": {"never"}, "status": {"gone"}, "author": {"0"},
		"description": {strings.Repeat("&", 100_000)}, "post_parent": {"-1"}, "image": {"ftp://x"}, "do": {"save"}}
	p := b.Post("/admin/events/new", form)
	for name := range form {
		if name != "start_date" && name != "do" && name != "csrf" && !strings.Contains(p.Body, `id="p-`+name+`"`) {
			t.Errorf("nothing is said beside %s", name)
		}
	}
	if strings.Contains(p.Body, `id="p-start_date"`) {
		t.Error("the start is right")
	}
	id := k.Event(map[string]any{"title": "There", "start_date": "2031-05-02 10:00:00", "end_date": "2031-05-02 11:00:00"})
	change := kit.FormIn(b.Get(fmt.Sprintf("/admin/events/%d", id)))
	change.Set("end_date", "2031-05-01T10:00")
	change.Set("website", "javascript:alert(1)")
	p = b.Post(fmt.Sprintf("/admin/events/%d", id), change)
	if p.Status != 422 || !strings.Contains(p.Body, `id="p-end_date"`) || !strings.Contains(p.Body, `id="p-website"`) {
		t.Errorf("a change: %d", p.Status)
	}
	got := k.Post("/events", "administrator", map[string]any{"title": " <b> ", "start_date": "2031-05-02", "end_date": "2031-05-01", "cost": strings.Repeat("9", 1001)})
	if text := fmt.Sprint(got.Body); got.Status != 400 || !strings.Contains(text, "end_date") || !strings.Contains(text, "cost") {
		t.Errorf("the interface: %d %s", got.Status, text)
	}
}

// between is the text between two others.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// Dates can be skipped before somebody has entered the last day of a series, and the choice of the end stays.
func TestDatesAreSkippedBeforeTheEndIsKnown(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/events/new")
	form := url.Values{"title": {"Choir"}, "start_date": {"2030-03-05T19:30"}, "end_date": {"2030-03-05T21:00"}, "timezone": {"UTC"},
		"repeat": {"week"}, "repeat_every": {"1"}, "repeat_on": {"2"}, "repeat_end": {"on"}, "repeat_until": {""}, "repeat_from": {"2030-03-05T19:30:00"}}
	if p := sendPart(b, "/admin/events/preview", form); !p.Shows("Skip or add dates") || !strings.Contains(p.Body, `row_date_2030-03-12`) {
		t.Errorf("no dates to skip: %d", p.Status)
	}
	form.Set("do", "row_date_2030-03-12")
	p := sendPart(b, "/admin/events/preview", form)
	if !strings.Contains(p.Body, `name="repeat_except" value="2030-03-12`) || !strings.Contains(p.Body, `<option value="on" selected`) {
		t.Errorf("the skipped date or the choice of the end is lost: %d", p.Status)
	}
}

package rest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/kit"
)

// states are items of every collection, in every state that somebody can read, with every member that answers can have.
func states(k *kit.Kit) []string {
	var paths []string
	add := func(collection string, id int64) { paths = append(paths, kit.Item(collection, id)) }
	picture := k.Upload("demo", "administrator", "a.png", kit.Picture(400, 300)).ID()
	k.Post("/fields", "administrator", kit.Object{"label": "Door", "key": "door", "kind": "text", "of": []string{"event", "venue"}}).Want(k.T, 201, "")
	parent := k.Made("/categories", kit.Object{"name": "Music & more", "translations": kit.Object{"de": kit.Object{"name": "Musik"}}})
	category := k.Made("/categories", kit.Object{"name": "Jazz", "parent": parent, "description": "Blue <b>notes</b>"})
	tag := k.Made("/tags", kit.Object{"name": "東京 live!"})
	venue := k.Made("/venues", withTexts(calendar.AllVenueFields(), kit.Object{"venue": "Hall “A” & B", "description": "About", "excerpt": "Short", "city": "Bonn", "country": "Germany",
		"website": "https://example.org/?a=1&b=2", "show_map": "false", "image": picture, "geo_lat": 50.7, "geo_lng": 7.1, "address": "Main Street 1",
		"state": "NRW", "province": "P", "stateprovince": "NW", "zip": "53111", "phone": "0228", "accessibility": []string{"wheelchair", "toilets"}, "fields": kit.Object{"door": "B & C"},
		"translations": kit.Object{"de": kit.Object{"venue": "Halle", "description": "Über"}}}))
	bare := k.Made("/venues", kit.Object{"venue": "Bare", "status": "draft"})
	organizer := k.Made("/organizers", withTexts(calendar.AllOrganizerFields(), kit.Object{"organizer": "Ann", "email": "ann@example.org", "image": picture, "description": "About", "excerpt": "Short",
		"phone": "0228", "website": "https://example.org/", "translations": kit.Object{"de": kit.Object{"description": "Über"}}}))
	add("categories", parent)
	add("categories", category)
	add("tags", tag)
	add("venues", venue)
	add("venues", bare)
	add("organizers", organizer)
	for _, status := range []string{"draft", "pending", "private", "future"} {
		more := kit.Object{"status": status}
		if status == "future" {
			more["date"] = "2031-01-01 10:00:00"
		}
		of := func(fields kit.Object) kit.Object { maps.Copy(fields, more); return fields }
		add("venues", k.Made("/venues", of(kit.Object{"venue": "V " + status})))
		add("organizers", k.Made("/organizers", of(kit.Object{"organizer": "O " + status})))
		add("events", k.Event(of(kit.Object{"title": "E " + status})))
	}
	for _, as := range []string{"author", "contributor"} {
		add("events", k.Post("/events", as, kit.Times(kit.Object{"title": "By " + as, "venue": venue, "categories": category})).Want(k.T, 201, "").ID())
		add("venues", k.Post("/venues", as, kit.Object{"venue": "By " + as}).Want(k.T, 201, "").ID())
	}
	whole := kit.Object{"title": "A <b>bold</b> & “quoted” title", "description": "One\n\nTwo <i>x</i>", "excerpt": "Short", "slug": "東京",
		"timezone": "America/New_York", "image": picture, "cost": []string{"10", "$20"}, "website": "https://example.org/?a=1&b=2", "show_map": true, "show_map_link": true,
		"hide_from_listings": true, "sticky": true, "featured": true, "categories": []int64{category, parent}, "tags": []int64{tag},
		"venue": []int64{venue, bare}, "organizer": []int64{organizer}, "date": "2029-01-01 10:00:00",
		"tickets":      []any{kit.Object{"name": "A & B", "url": "https://example.org/t", "price": 12.5, "currency": "EUR", "available_from": "2029-01-01 10:00"}},
		"event_status": "postponed", "event_status_reason": "Ill", "attendance_mode": "mixed", "virtual_url": "https://example.org/live",
		"virtual_url_shown": "started", "seo_title": "S", "seo_description": "D", "end_unknown": true, "accessibility": []string{"wheelchair"},
		"audience": []string{"children", "families"}, "event_language": []string{"de", "en"}, "registration_until": "2029-02-01 18:00",
		"performers": []string{"Ann & Co", "Smith, Jr."}, "video_url": "https://video.example.org/?v=1&t=2", "fields": kit.Object{"door": "A"}}
	for _, f := range calendar.AllEventFields() { // texts without rules of their own
		if f.Text != nil && f.Usual == "" && f.Kind <= calendar.Line && f.Name != "review_note" && whole[f.Name] == nil {
			whole[f.Name] = "A “text” & more"
		}
	}
	full := k.Event(whole)
	add("events", full)
	add("events", k.Event(kit.Object{"status": "pending", "review_note": "Which hall?"}))
	add("events", k.Event(kit.Object{"post_parent": full, "venue": venue, "all_day": true, "timezone": "UTC+5:30", "cost": "0"}))
	add("events", k.Event(kit.Object{"post_password": "secret", "description": "Hidden", "excerpt": "x", "organizer": organizer, "cost": "5 €"}))
	add("events", k.Event(kit.Object{"start_date": "2030-03-31 02:30:00", "end_date": "2030-03-31 03:30:00", "timezone": "Europe/Berlin"}))
	add("events", k.Event(kit.Object{"title": "Concert", "description": "Text", "cost": "10 €", "translations": kit.Object{
		"de": kit.Object{"title": "Konzert", "description": "Beschreibung", "cost": "10 Euro"}, "fr": kit.Object{"title": "Concert français"}}}))
	series := kit.Weekly(k, kit.Object{"categories": category, "translations": kit.Object{"de": kit.Object{"title": "Chor"}}})
	add("events", series)
	dates := kit.Happens(k, series, "administrator")
	date := func(i int) int64 { id, _ := dates[i]["id"].(float64); return int64(id) }
	k.Patch(kit.Item("events", date(1)), "administrator", kit.Object{"title": "Gala", "start_date": "2029-12-20 20:00", "venue": venue, "end_unknown": true,
		"audience": "families", "event_language": "zxx", "registration_until": "2029-12-01",
		"performers": "Ann", "video_url": "https://video.example.org/gala"}).Want(k.T, 200, "")
	for i := range 3 {
		add("events", date(i))
	}
	add("events", k.Event(kit.Object{"recurrence": kit.Object{"rdate": []string{"2030-05-01 10:00:00"}}}))
	for _, id := range gathered(k) {
		add("events", id)
	}
	return paths
}

// withTexts adds the plain texts of a venue or organizer that a body lacks.
func withTexts[T, F any](fields []calendar.PlaceField[T, F], body kit.Object) kit.Object {
	for i := range fields {
		if f := &fields[i]; f.Text != nil && f.Kind <= calendar.Line && body[f.Name] == nil {
			body[f.Name] = "A “text” & more"
		}
	}
	return body
}

// gathered are events that a file and a source have brought, a series among them.
func gathered(k *kit.Kit) (ids []int64) {
	k.T.Helper()
	calendar := func(name string) string {
		return strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:"+name+"1@example.org\nDTSTART:20300501T180000Z\nSUMMARY:"+name+" & all\n"+
			"LOCATION:Hall, Bonn\nCATEGORIES:Jazz,New\nURL:https://example.org/?a=1&b=2\nEND:VEVENT\nBEGIN:VEVENT\nUID:"+name+"2@example.org\n"+
			"DTSTART;VALUE=DATE:20300506\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;VALUE=DATE:20300513\nSUMMARY:"+name+" weekly\nEND:VEVENT\nEND:VCALENDAR\n", "\n", "\r\n")
	}
	outlet := k.Outlet(calendar("Source"))
	source := k.Source(kit.Object{"url": outlet.URL})
	k.ReadSource(source)
	k.Import(kit.Sent{Name: "a.ics", File: calendar("File")})
	for _, search := range []string{fmt.Sprint("source=", source), "search=File"} {
		list := k.Get("/events?start_date=2030-05-01&"+search, "administrator").Want(k.T, 200, "")
		for _, e := range kit.ListOf(list.Body["events"]) {
			event, _ := e.(map[string]any)
			id, _ := event["id"].(float64)
			ids = append(ids, int64(id))
		}
	}
	if len(ids) < 6 {
		k.T.Errorf("%d events were gathered", len(ids))
	}
	return ids
}

// TestReturnedWhole: what is sent back has every field that there is, so that a new one can't be forgotten.
func TestReturnedWhole(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	had := map[string]map[string]bool{"events": {}, "venues": {}, "organizers": {}}
	for _, path := range states(k) {
		for name, value := range k.Get(path, "administrator").Want(t, 200, "").Body {
			if list := had[strings.Split(path, "/")[1]]; list != nil && !slices.Contains([]string{"", "0", "[]", "false", "<nil>"}, fmt.Sprint(value)) {
				list[name] = true
			}
		}
	}
	written := map[string]bool{"post_password": true, "exceptions": true} // no answer has these
	venues, organizers := []string{"image", "translations"}, []string{"image", "translations"}
	for _, f := range calendar.AllVenueFields() {
		venues = append(venues, f.Name)
	}
	for _, f := range calendar.AllOrganizerFields() {
		organizers = append(organizers, f.Name)
	}
	for collection, names := range map[string][]string{"events": append(calendar.EventFieldNames(), "source"), "venues": venues, "organizers": organizers} {
		for _, name := range names {
			if !had[collection][name] && !written[name] {
				t.Errorf("no item of %s has %s", collection, name)
			}
		}
	}
}

// TestReturned reads every item in every state and language as everybody, and sends the object back as it is: to those
// who may write it that is an update that changes nothing and makes no version, and to others no invalid request.
func TestReturned(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	paths := states(k)
	sent := 0
	for at, root := range []string{"//calendar/events/v1", "//de/calendar/events/v1", "//fr/wp-json/tribe/events/v1", "//wp-json/tribe/events/v1"} {
		for i, path := range paths {
			for _, as := range []string{"administrator", "author", "contributor", "subscriber"} {
				if as != "administrator" && at > 0 {
					continue
				}
				for _, query := range []string{"", "?content_language=de", "?translations=full", "?content_language=fr&translations=full"} {
					if query == "" || as == "administrator" && i%4 == len(query)%4 {
						sent += returns(t, k, root+path, query, as)
					}
				}
			}
		}
	}
	if sent < 300 {
		t.Errorf("%d objects were written", sent)
	}
}

// returns reads an object and sends it back in each way. It returns how many writes were accepted.
func returns(t *testing.T, k *kit.Kit, path, query, as string) (accepted int) {
	t.Helper()
	read := k.Get(path+query, as)
	if read.Status != http.StatusOK {
		return 0
	}
	before := k.State()
	for _, method := range []string{"PUT", "POST", "PATCH"} {
		wrote := k.Send(kit.Request{Method: method, Path: path + query, As: as, Body: string(read.Raw), Headers: map[string]string{"Content-Type": kit.JSONType}})
		switch {
		case wrote.Status == http.StatusOK:
			accepted++
		case as == "administrator" || wrote.Status != http.StatusForbidden:
			t.Errorf("%s %s as %s: %s\nsent %s", method, path+query, as, wrote, read.Raw)
		}
	}
	if after := k.State(); after != before {
		t.Errorf("%s as %s: the site was at %s and is at %s\nsent %s", path+query, as, before, after, read.Raw)
	}
	if again := k.Get(path+query, as); string(again.Raw) != string(read.Raw) || again.Header.Get("ETag") != read.Header.Get("ETag") {
		t.Errorf("%s as %s: was %s\nis %s", path+query, as, read.Raw, again.Raw)
	}
	return accepted
}

// TestReturnedChanged changes one member of what was read and sends everything back: nothing else changes.
func TestReturnedChanged(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	for _, path := range states(k) {
		name := map[string]string{"events": "title", "venues": "venue", "organizers": "organizer"}[strings.Split(path, "/")[1]]
		if name == "" {
			name = "name"
		}
		read := k.Get(path, "administrator").Want(t, 200, "")
		sent := maps.Clone(read.Body)
		sent[name] = fmt.Sprint("Changed ", path)
		k.Send(kit.Request{Method: "PUT", Path: path + "?strict=true", As: "administrator", JSON: sent}).Want(t, 200, "").Has(t, name, sent[name])
		after := k.Get(path, "administrator").Want(t, 200, "")
		for key, was := range read.Body {
			switch {
			case key == name || key == "modified" || key == "modified_utc" || key == "json_ld" || key == "source":
			case key == "translations" || key == "series": // the first is outdated now; the second names the series
			case fmt.Sprint(after.Body[key]) != fmt.Sprint(was):
				t.Errorf("%s: %s was %v and is %v", path, key, was, after.Body[key])
			}
		}
	}
}

// TestReturnedLater sends objects back in another language and after time has passed: what follows from either is no
// change.
func TestReturnedLater(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	paths := []string{kit.Item("events", k.Event(nil)), kit.Item("events", kit.Weekly(k, nil)), kit.Item("venues", k.Made("/venues", kit.Object{"venue": "V"}))}
	for _, path := range paths {
		read := k.Get("//de/calendar/events/v1"+path, "editor").Want(t, 200, "")
		before := k.State()
		k.Clock = k.Clock.AddDate(0, 2, 0)
		k.Send(kit.Request{Method: "PUT", Path: path, As: "editor", JSON: read.Body}).Want(t, 200, "")
		if after := k.State(); after != before {
			t.Errorf("%s: was %s and is %s", path, before, after)
		}
	}
}

// TestReturnedParts sends members of an object back as forms do, as objects with less in them, and next to changes of
// the members that belong to them.
func TestReturnedParts(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	picture := k.Upload("demo", "administrator", "a.png", kit.Picture(40, 30)).ID()
	one, two := k.Made("/categories", kit.Object{"name": "One"}), k.Made("/categories", kit.Object{"name": "Two"})
	id := k.Event(kit.Object{"image": picture, "categories": one, "date": "2029-01-01 10:00:00", "cost": "5"})
	path := kit.Item("events", id)
	form := url.Values{"description": {""}, "excerpt": {""}, "website": {"http://localhost/event/event/"}, "all_day": {"0"}, "featured": {"false"},
		"author": {"1"}, "categories[0][id]": {fmt.Sprint(one)}, "cost": {"$5"}}
	before := k.State()
	k.Send(kit.Request{Method: "PUT", Path: path, As: "editor", Form: form}).Want(t, 200, "").Has(t, "description", "")
	k.Send(kit.Request{Method: "PATCH", Path: path, As: "editor", JSON: kit.Object{"cost": "$5", "slug": "event", "image": k.Get(path, "").At("image")}}).
		Want(t, 200, "")
	if after := k.State(); after != before {
		t.Errorf("was %s and is %s", before, after)
	}
	k.Patch(path, "editor", kit.Object{"categories": []any{kit.Object{"id": one, "name": "One"}, kit.Object{"slug": "two"}}, "image": kit.Object{"id": picture}}).
		Want(t, 200, "").Has(t, "categories.1.id", two, "image.id", picture)
	k.Patch(path, "editor", kit.Object{"date": "2029-02-01 10:00:00", "date_utc": k.Get(path, "").At("date_utc")}).
		Want(t, 200, "").Has(t, "date_utc", "2029-02-01 09:00:00")
	k.Patch(path, "editor", kit.Object{"image": false, "description": "x"}).Want(t, 200, "").Has(t, "image", false)
	for name, value := range map[string]any{"description": "", "excerpt": "", "slug": "", "categories": []any{kit.Object{"count": 1}}, "image": kit.Object{"width": 1}} {
		a := k.Patch(path, "editor", kit.Object{name: value})
		if name == "excerpt" { // which was served like that
			a.Want(t, 200, "")
			continue
		}
		if a.Want(t, 400, "rest_invalid_param"); a.Params()[name] == nil {
			t.Errorf("%s: %s", name, a)
		}
	}
	k.Send(kit.Request{Method: "PATCH", Path: path, As: "editor", JSON: kit.Object{"excerpt": ""}, Headers: map[string]string{"If-Match": `"0-0"`}}).
		Want(t, 412, "rest_precondition_failed")
	k.Patch(path, "subscriber", kit.Object{"excerpt": ""}).Want(t, 403, "rest_forbidden")
	k.Patch(path, "", kit.Object{"cost": "$5"}).Want(t, 401, "rest_forbidden")
	k.Del(path, "editor").Want(t, 200, "")
	k.Patch(path, "editor", kit.Object{}).Want(t, 410, "event-is-in-trash")
	k.Patch(kit.Item("events", 9999), "editor", kit.Object{}).Want(t, 404, "rest-event-not-found")
}

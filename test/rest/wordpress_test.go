package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// wp is the address of WordPress' own API.
const wp = "//wp-json/wp/v2"

// list reads a list of WordPress, which is a bare array.
func list(t *testing.T, k *kit.Kit, path, as string) ([]kit.Object, http.Header) {
	t.Helper()
	a := k.Get(path, as)
	var entries []kit.Object
	if err := json.Unmarshal(a.Raw, &entries); a.Status != http.StatusOK || err != nil {
		t.Fatalf("%s: %s", path, a)
	}
	return entries, a.Header
}

// TestWordPressIndex finds the APIs as clients do: by the Link header of a page and of answers, and in the index.
func TestWordPressIndex(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const index = "<http://localhost/wp-json/>; rel=\"https://api.w.org/\""
	for _, path := range []string{"//events/", "//wp-json/tribe/events/v1/events", "//wp-json/", "//wp-json/wp/v2/tags", "//wp-json/tribe/events/v1/events/99"} {
		if link := k.Get(path, "").Header.Get("Link"); !strings.Contains(link, index) {
			t.Errorf("%s: Link %q", path, link)
		}
	}
	for _, path := range []string{"//wp-json", "//wp-json/", "//?rest_route=/", "//index.php?rest_route=/", "//WP-JSON/"} {
		k.Get(path, "").Want(t, 200, "").Has(t, "namespaces.0", "tribe/events/v1", "namespaces.1", "wp/v2", "name", "demo", "home", "http://localhost",
			"timezone_string", "Europe/Berlin", "gmt_offset", "1", "authentication.application-passwords.endpoints.authorization", "http://localhost/admin/access")
	}
	routes, _ := k.Get("//wp-json/", "").At("routes").(map[string]any)
	for _, route := range []string{"/tribe/events/v1/events", "/wp/v2/tags", "/wp/v2/media/(?P<id>\\d+)", "/wp/v2"} {
		if routes[strings.ReplaceAll(route, "\\\\", "\\")] == nil && routes[route] == nil {
			t.Errorf("no route %s", route)
		}
	}
	k.Get("//wp-json/wp/v2", "").Want(t, 200, "").Has(t, "namespace", "wp/v2")
	for _, path := range []string{"/wp/v2/posts", "/wp/v2/tags/x", "/oembed/1.0/embed", "/nothing", "/wp/v3/tags"} {
		k.Get("//wp-json"+path, "").Want(t, 404, "rest_no_route")
	}
	a := k.Send(kit.Request{Method: "OPTIONS", Path: wp + "/tags"})
	if a.Status != 200 || a.Header.Get("Allow") != "GET" || a.At("namespace") != "wp/v2" {
		t.Errorf("OPTIONS: %s, Allow %s", a, a.Header.Get("Allow"))
	}
	k.Post(wp+"/tribe_venue", "editor", kit.Object{"title": "x"}).Want(t, 405, "rest_method_not_allowed")
	k.Get(wp+"/users/me", "editor").Want(t, 200, "").Has(t, "slug", "editor", "roles.0", "editor")
	k.Get(wp+"/users/me", "").Want(t, 401, "rest_forbidden")
}

// TestWordPressTerms finds or creates terms as clients do, by search and by slug, and changes and deletes them.
func TestWordPressTerms(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for path, taxonomy := range map[string]string{"tags": "post_tag", "tribe_events_cat": "tribe_events_cat"} {
		at := wp + "/" + path
		if found, header := list(t, k, at+"?search=Live+Jazz", ""); len(found) != 0 || header.Get("X-WP-Total") != "0" || header.Get("X-TEC-Total") != "" {
			t.Errorf("%s: %v, %v", path, found, header)
		}
		made := k.Post(at, "editor", kit.Object{"name": "Live & Jazz", "description": ""}).Want(t, 201, "").
			Has(t, "name", "Live &amp; Jazz", "slug", "live-jazz", "taxonomy", taxonomy, "count", 0, "meta.#", 0)
		id := made.ID()
		item := fmt.Sprintf("%s/%d", at, id)
		if location := made.Header.Get("Location"); location != "http://localhost/"+strings.TrimPrefix(item, "//") {
			t.Errorf("Location %s", location)
		}
		k.Post(at, "editor", kit.Object{"name": "live & jazz"}).Want(t, 400, "term_exists").Has(t, "data.term_id", id)
		k.Post(at, "contributor", kit.Object{"name": "Other"}).Want(t, 403, "rest_forbidden")
		k.Post(at, "", kit.Object{"name": "Other"}).Want(t, 401, "rest_forbidden")
		for _, query := range []string{"search=jazz", "slug=live-jazz", "slug=other,live-jazz", fmt.Sprint("include=", id), "include=",
			"slug[]=live-jazz&per_page=100", "orderby=id&order=desc"} {
			if found, _ := list(t, k, at+"?"+query, ""); len(found) != 1 || found[0]["id"] != float64(id) {
				t.Errorf("%s?%s: %v", path, query, found)
			}
		}
		if found, _ := list(t, k, at+fmt.Sprint("?exclude=", id), ""); len(found) != 0 {
			t.Errorf("excluded: %v", found)
		}
		event := k.Event(kit.Object{map[string]string{"tags": "tags", "tribe_events_cat": "categories"}[path]: id})
		if found, _ := list(t, k, at+fmt.Sprint("?hide_empty=true&post=", event), ""); len(found) != 1 || found[0]["count"] != 1.0 {
			t.Errorf("of an event: %v", found)
		}
		read := k.Get(item, "").Want(t, 200, "")
		before := k.State()
		k.Send(kit.Request{Method: "PUT", Path: item, As: "editor", JSON: read.Body}).Want(t, 200, "")
		if after := k.State(); after != before {
			t.Errorf("%s: was %s and is %s", path, before, after)
		}
		k.Patch(item, "editor", kit.Object{"name": "Blues"}).Want(t, 200, "").Has(t, "name", "Blues", "slug", "live-jazz")
		k.Get("/"+map[string]string{"tags": "tags", "tribe_events_cat": "categories"}[path]+fmt.Sprint("/", id), "").Has(t, "name", "Blues")
		k.Del(item, "editor").Want(t, 501, "rest_trash_not_supported")
		k.Del(item+"?force=true", "editor").Want(t, 200, "").Has(t, "deleted", true, "previous.id", id)
		k.Get(item, "").Want(t, 404, "rest_term_invalid")
	}
	top := k.Made("/categories", kit.Object{"name": "Top"})
	k.Made("/categories", kit.Object{"name": "Below", "parent": top})
	if found, _ := list(t, k, wp+"/tribe_events_cat?parent=0", ""); len(found) != 1 || found[0]["id"] != float64(top) {
		t.Errorf("on top: %v", found)
	}
	if found, _ := list(t, k, wp+fmt.Sprint("/tribe_events_cat?parent=", top), ""); len(found) != 1 || found[0]["slug"] != "below" {
		t.Errorf("below: %v", found)
	}
	for i := range 12 {
		k.Made("/tags", kit.Object{"name": fmt.Sprintf("Tag %02d", i)})
	}
	page, header := list(t, k, wp+"/tags?_fields=id,name&page=2", "")
	if len(page) != 2 || len(page[0]) != 2 || header.Get("X-WP-Total") != "12" || header.Get("X-WP-TotalPages") != "2" ||
		!strings.Contains(header.Get("Link"), `rel="prev"`) || strings.Contains(header.Get("Link"), `rel="next"`) {
		t.Errorf("%v, %v", page, header)
	}
	if past, _ := list(t, k, wp+"/tags?page=3", ""); len(past) != 0 {
		t.Errorf("past the end: %v", past)
	}
	k.Get(wp+"/tags?per_page=101", "").Refused(t, "per_page")
}

// TestWordPressMedia uploads an image as a form and as the body itself, and makes an event with it.
func TestWordPressMedia(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	raw := func(as, disposition string, data []byte) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: wp + "/media?alt_text=A+poster", As: as, Body: string(data),
			Headers: map[string]string{"Content-Type": "image/png", "Content-Disposition": disposition}})
	}
	made := raw("author", `attachment; filename="Big poster.png"`, kit.Picture(400, 300)).Want(t, 201, "").
		Has(t, "type", "attachment", "media_type", "image", "mime_type", "image/png", "alt_text", "A poster", "media_details.width", 400,
			"media_details.sizes.thumbnail.width", 150, "media_details.sizes.full.height", 300)
	id := made.ID()
	item := fmt.Sprintf("%s/media/%d", wp, id)
	if location := made.Header.Get("Location"); location != "http://localhost/"+strings.TrimPrefix(item, "//") {
		t.Errorf("Location %s", location)
	}
	if source, _ := made.At("source_url").(string); k.Get("//"+strings.TrimPrefix(source, "http://localhost/"), "").Status != 200 {
		t.Errorf("source_url %s", source)
	}
	raw("subscriber", `attachment; filename="a.png"`, kit.Picture(4, 3)).Want(t, 403, "rest_forbidden")
	raw("author", `attachment`, kit.Picture(4, 3)).Want(t, 400, "rest_missing_callback_param")
	raw("author", `attachment; filename="a.png"`, []byte("no picture")).Want(t, 400, "rest_invalid_param")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "b.png")
	k.Must(err)
	_, err = part.Write(kit.Picture(40, 30))
	k.Must(err)
	k.Must(form.WriteField("alt_text", "Small"))
	k.Must(form.Close())
	second := k.Send(kit.Request{Method: "POST", Path: wp + "/media", As: "editor", Body: body.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}}).Want(t, 201, "").Has(t, "alt_text", "Small", "title.rendered", "b")
	event := k.Event(kit.Object{"image": fmt.Sprint(id)})
	k.Get(kit.Item("events", event), "").Has(t, "image.id", id)
	k.Get(item, "").Want(t, 200, "")
	k.Get(fmt.Sprintf("%s/media/%d", wp, second.ID()), "").Want(t, 404, "rest_post_invalid_id")
	if found, header := list(t, k, wp+"/media?search=poster", "editor"); len(found) != 1 || header.Get("X-WP-Total") != "1" {
		t.Errorf("found %v", found)
	}
	if found, _ := list(t, k, wp+"/media?include=", "editor"); len(found) != 2 {
		t.Errorf("an empty include: %v", found)
	}
	if found, _ := list(t, k, wp+fmt.Sprintf("/media?include=%d,%d", id, second.ID()), ""); len(found) != 1 {
		t.Errorf("what the public sees: %v", found)
	}
	k.Get(wp+"/media", "").Want(t, 401, "rest_forbidden")
	k.Post(item, "editor", kit.Object{"alt_text": "Other"}).Want(t, 200, "").Has(t, "alt_text", "Other")
	k.Patch(item, "contributor", kit.Object{"alt_text": "Mine"}).Want(t, 403, "rest_forbidden")
	k.Del(item, "editor").Want(t, 501, "rest_trash_not_supported")
	k.Del(item+"?force=true", "editor").Want(t, 200, "").Has(t, "previous.id", id)
}

// TestWordPressPosts reads events, venues and organizers as posts, with the rights and statuses of the calendar.
func TestWordPressPosts(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	tag, category := k.Made("/tags", kit.Object{"name": "Live"}), k.Made("/categories", kit.Object{"name": "Music"})
	picture := k.Upload("demo", "administrator", "a.png", kit.Picture(40, 30)).ID()
	venue := k.Made("/venues", kit.Object{"venue": "Town <hall>", "city": "Bonn", "description": "Old"})
	draft := k.Made("/venues", kit.Object{"venue": "Later", "status": "draft"})
	k.Made("/organizers", kit.Object{"organizer": "Ann", "email": "ann@example.org"})
	past := k.Event(kit.Object{"title": "Past & gone", "start_date": "2020-01-01 10:00", "end_date": "2020-01-01 11:00", "tags": tag, "categories": category,
		"image": picture, "venue": venue, "description": "Text", "date": "2020-01-01 00:00:00"})
	series := kit.Weekly(k, nil)
	closed := k.Event(kit.Object{"title": "Closed", "post_password": "secret", "description": "Hidden", "date": "2019-01-01 00:00:00"})
	found, header := list(t, k, wp+"/tribe_events?order=asc&_embed", "")
	if len(found) != 3 || header.Get("X-WP-Total") != "3" {
		t.Fatalf("%d events, %v", len(found), header)
	}
	shown, _ := json.Marshal(found[1])
	for _, part := range []string{fmt.Sprintf(`"id":%d`, past), `"rendered":"Past \u0026amp; gone"`, fmt.Sprintf(`"tags":[%d]`, tag), fmt.Sprintf(`"tribe_events_cat":[%d]`, category),
		fmt.Sprintf(`"featured_media":%d`, picture), `"date":"2020-01-01T00:00:00"`, `"_EventStartDate":"2020-01-01 10:00:00"`, `"source_url"`, `"name":"Live"`} {
		if !strings.Contains(string(shown), part) {
			t.Errorf("%s is not in %s", part, shown)
		}
	}
	if hidden, _ := json.Marshal(found[0]); found[0]["id"] != float64(closed) || strings.Contains(string(hidden), "Hidden") {
		t.Errorf("%s", hidden)
	}
	for query, id := range map[string]int64{"search=gone": past, "slug=past-gone": past, fmt.Sprint("include=", past): past, fmt.Sprint("tags=", tag): past,
		fmt.Sprint("tribe_events_cat=", category): past} {
		if found, _ := list(t, k, wp+"/tribe_events?"+query, ""); len(found) != 1 || found[0]["id"] != float64(id) {
			t.Errorf("%s: %v", query, found)
		}
	}
	k.Get(fmt.Sprintf("%s/tribe_events/%d", wp, past), "").Want(t, 200, "").Has(t, "type", "tribe_events", "title.raw", "-")
	k.Get(fmt.Sprintf("%s/tribe_events/%d?context=edit", wp, past), "editor").Want(t, 200, "").Has(t, "title.raw", "Past & gone")
	k.Get(fmt.Sprintf("%s/tribe_events/%d?context=edit", wp, past), "").Want(t, 401, "rest_forbidden")
	k.Get(fmt.Sprintf("%s/tribe_events/%d", wp, series), "").Want(t, 200, "")
	k.Get(fmt.Sprintf("%s/tribe_events/%d", wp, venue), "").Want(t, 404, "rest_post_invalid_id")
	k.Get(wp+"/tribe_events/99999", "").Want(t, 404, "rest_post_invalid_id")
	k.Get(wp+"/tribe_events?page=9", "").Want(t, 400, "rest_post_invalid_page_number")
	if found, _ := list(t, k, wp+"/tribe_venue?search=hall", ""); len(found) != 1 || found[0]["id"] != float64(venue) {
		t.Errorf("venues: %v", found)
	}
	k.Get(fmt.Sprintf("%s/tribe_venue/%d", wp, venue), "").Want(t, 200, "").Has(t, "title.rendered", "Town &lt;hall&gt;", "meta._VenueCity", "Bonn")
	k.Get(fmt.Sprintf("%s/tribe_venue/%d", wp, draft), "").Want(t, 403, "rest_forbidden")
	k.Get(wp+"/tribe_venue?status=draft", "").Refused(t, "status")
	k.Get(wp+"/tribe_venue?context=edit", "").Want(t, 401, "rest_forbidden")
	if found, _ := list(t, k, wp+"/tribe_venue?status=draft,publish", "editor"); len(found) != 2 {
		t.Errorf("drafts: %v", found)
	}
	if found, _ := list(t, k, wp+"/tribe_organizer?per_page=100", ""); len(found) != 1 {
		t.Errorf("organizers: %v", found)
	}
}

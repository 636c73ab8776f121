package rest

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestAllowOfErrors: what a caller may do with an item does not depend on what was wrong with the request (rule 4.6).
func TestAllowOfErrors(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const all, read = "GET, DELETE, POST, PUT, PATCH", "GET"
	own := kit.Item("events", k.Post("/events", "author", kit.Times(nil)).ID())
	others := kit.Item("events", k.Event(nil))
	for _, c := range []struct {
		path, as, want string
		body           kit.Object
		status         int
	}{
		{others, "author", read, kit.Object{"all_day": "perhaps"}, 400},
		{others, "contributor", read, kit.Object{"all_day": "perhaps"}, 400},
		{others, "", read, kit.Object{"all_day": "perhaps"}, 400},
		{others, "editor", all, kit.Object{"all_day": "perhaps"}, 400},
		{own, "author", all, kit.Object{"all_day": "perhaps"}, 400},
		{others, "author", read, kit.Object{"title": "x"}, 403},
		{"/events/9999", "author", all, kit.Object{"title": "x"}, 404},
		{"/events/9999", "subscriber", read, kit.Object{"title": "x"}, 403},
	} {
		if a := k.Patch(c.path, c.as, c.body); a.Status != c.status || a.Header.Get("Allow") != c.want {
			t.Errorf("%s %v as %q: %d, Allow %q, want %d, %q", c.path, c.body, c.as, a.Status, a.Header.Get("Allow"), c.status, c.want)
		}
	}
}

// TestDocumented tries what the documents say about answers in which TEC and Kalends could differ.
func TestDocumented(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const never = "0000-00-00 00:00:00"
	a := k.Post("/events", "editor", kit.Times(kit.Object{"date": "2029-01-01 10:00:00"})).Want(t, 201, "")
	a.Has(t, "date_utc", "2029-01-01 09:00:00", "modified_utc", "2030-02-20 12:00:00") // rule 9.4
	k.Post("/venues", "editor", kit.Object{"venue": "V", "date": "2029-01-01 10:00:00"}).Has(t, "modified_utc", "2029-01-01 09:00:00")
	draft := k.Post("/events", "editor", kit.Times(kit.Object{"status": "draft"})).Has(t, "date_utc", never, "slug", "")
	k.Post("/events", "editor", kit.Times(kit.Object{"status": "draft", "date": "2029-01-01 10:00:00"})).Has(t, "date_utc", "2029-01-01 09:00:00")
	k.Del(kit.Item("events", draft.ID()), "editor").Has(t, "status", "trash", "date_utc", "2030-02-20 12:00:00")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "<script>alert(1)</script> Night"})).Want(t, 201, "").Has(t, "slug", "alert1-night")
	for body, says := range map[string]struct {
		number int
		text   string
	}{
		`{`: {4, "Syntax error"}, `{"title": "a"}}`: {4, "Syntax error"}, strings.Repeat("[", 99): {1, "Maximum stack depth exceeded"},
		`{"title": "a\"`: {3, "Control character error, possibly incorrectly encoded"}, "{\"title\": \"\x01\"}": {3, "Control character error, possibly incorrectly encoded"},
		`{"title": "\ud83d"}`:    {10, "Single unpaired high surrogate in Unicode escape"},
		`{"a\\\ude00\ud83d": 1}`: {10, "Single unpaired high surrogate in Unicode escape"},
		"{\"title\": \"\xff\"}":  {5, "Malformed UTF-8 characters, possibly incorrectly encoded"},
	} {
		a := k.Send(kit.Request{Method: "POST", Path: "/events", As: "editor", Body: body, Headers: map[string]string{"Content-Type": kit.JSONType}})
		a.Want(t, 400, "rest_invalid_json").Has(t, "data.status", 400, "data.json_error_code", says.number, "data.json_error_message", says.text)
	}
	k.Post("/events", "editor", kit.Times(kit.Object{"status": "trash"})).Has(t, "date_utc", "2030-02-20 12:00:00", "modified_utc", "2030-02-20 12:00:00")
	for _, query := range []string{"search=", "categories=", "tags=", "venue=", "organizer=", "include=", "strict_dates="} {
		k.Get("/events?"+query+"&start_date=2029-01-01", "").Want(t, 200, "")
	}
	k.Get(kit.Item("events", a.ID())+"?password=", "").Want(t, 200, "")
	for _, query := range []string{"featured=", "page=", "start_date=", "status="} {
		k.Get("/events?"+query, "").Want(t, 400, "rest_invalid_param")
	}
	k.Post("/venues", "editor", kit.Object{"venue": "  "}).Want(t, 400, "rest_invalid_param")
	top := k.Made("/categories", kit.Object{"name": "Top"})
	k.Patch(kit.Item("categories", top), "editor", kit.Object{"parent": top}).Want(t, 400, "rest_invalid_param")
	single := k.Event(kit.Object{"seo_title": "S", "post_parent": a.ID()})
	if raw := string(k.Get(kit.Item("events", single), "").Raw); strings.Index(raw, `"json_ld"`) > strings.Index(raw, `"post_parent"`) {
		t.Errorf("a key of TEC comes after keys that it does not have: %s", raw)
	}
	k.Get(reference+"/", "").Has(t, "_links.up.0.href", "http://localhost/wp-json/")
	options := func(path string) kit.Answer {
		return k.Send(kit.Request{Method: "OPTIONS", Path: path}).Want(t, 200, "")
	}
	options(reference+"/events").Has(t, "_links.self.0.href", "http://localhost/wp-json/tribe/events/v1/events")
	options("//wp-json/wp/v2/tags").Has(t, "_links.self.0.href", "http://localhost/wp-json/wp/v2/tags")
	for _, path := range []string{reference + kit.Item("events", single), "//wp-json/wp/v2/tags/7"} {
		options(path).Has(t, "_links", "-")
	}
	for _, path := range []string{"/nothing", "/events/x", "//wp-json/wp/v2/posts"} {
		if got := options(path); string(got.Raw) != "[]" || got.Header["Allow"] != nil {
			t.Errorf("OPTIONS %s: %s, Allow %v", path, got.Raw, got.Header["Allow"])
		}
	}
}

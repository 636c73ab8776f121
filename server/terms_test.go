package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTerms makes, changes and removes terms (rule 12.1).
func TestTerms(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, collection := range []string{"categories", "tags"} {
		list := "/" + collection
		made := k.post(list, "editor", object{"name": `Jazz & <b>"Soul"</b>`, "description": "Some <b>text</b>"}).want(t, 201, "").
			has(t, "name", `Jazz &amp; &quot;Soul&quot;`, "slug", "jazz-soul", "description", "Some <b>text</b>", "count", 0, "meta.#", 0)
		if at := made.Header.Get("Location"); at != "http://localhost/calendar/events/v1"+item(collection, made.id()) {
			t.Errorf("Location %s", at)
		}
		path := item(collection, made.id())
		k.post(list, "editor", object{"name": `JAZZ &amp; "soul"`}).want(t, 400, "term_exists").has(t, "data.term_id", made.id(), "additional_data.0", made.id())
		k.post(list, "editor", object{"name": `Jazz & "Soul"`, "slug": "another"}).want(t, 201, "").has(t, "slug", "another")
		k.post(list, "editor", object{"name": "Third", "slug": "Another!"}).want(t, 201, "").has(t, "slug", "another-2")
		k.patch(path, "editor", object{"slug": "another"}).want(t, 400, "duplicate_term_slug")
		k.patch(path, "editor", object{"name": "Third"}).want(t, 200, "").has(t, "name", "Third", "slug", "jazz-soul", "description", "Some <b>text</b>")
		k.patch(path, "editor", object{"description": nil}).want(t, 200, "").has(t, "description", "", "name", "Third")
		k.patch(path, "editor", object{}).want(t, 200, "").has(t, "name", "Third", "slug", "jazz-soul")
		for arg, values := range map[string][]any{"name": {"", "  ", "<b></b>", 12, []any{"x"}, strings.Repeat("n", 201)}, "description": {"", 5}, "slug": {7, strings.Repeat("s", 201)}} {
			for _, value := range values {
				body := object{"name": "Valid"}
				body[arg] = value
				k.post(list, "editor", body).refused(t, arg)
				k.patch(path, "editor", object{arg: value}).refused(t, arg)
			}
		}
		event := k.event(object{collection: []int64{made.id()}})
		k.get(path, "").has(t, "count", 1, "name", "Third")
		k.del(path, "editor").want(t, 200, "").has(t, "id", made.id(), "count", 1)
		k.del(path, "editor").want(t, 404, "rest_term_invalid")
		k.get(item("events", event), "").has(t, collection+".#", 0)
		for role, c := range map[string]struct{ categories, tags int }{"administrator": {201, 201}, "editor": {201, 201}, "author": {201, 403},
			"contributor": {403, 403}, "subscriber": {403, 403}, "": {401, 401}} {
			want := c.categories
			if collection == "tags" {
				want = c.tags
			}
			a := k.post(list, role, object{"name": "by " + role})
			if a.Status != want {
				t.Errorf("%s makes one of the %s: %s", role, collection, a)
			}
		}
	}
	tag := k.made("/tags", object{"name": "flat"})
	k.post("/tags", "editor", object{"name": "x", "parent": tag}).want(t, 400, "rest_taxonomy_not_hierarchical")
	k.patch(item("tags", tag), "editor", object{"parent": tag}).want(t, 400, "rest_taxonomy_not_hierarchical")
	k.get(item("categories", tag), "").want(t, 404, "rest_term_invalid")
}

// TestHierarchy: categories below one another.
func TestHierarchy(t *testing.T) {
	t.Parallel()
	k := standing(t)
	top := k.made("/categories", object{"name": "Top"})
	mid := k.made("/categories", object{"name": "Mid", "parent": top})
	low := k.made("/categories", object{"name": "Low", "parent": mid})
	k.get(item("categories", low), "").has(t, "parent", mid, "url", "http://localhost/events/category/top/mid/low/",
		"urls.up", "http://localhost/calendar/events/v1"+item("categories", mid))
	k.get(item("categories", top), "").has(t, "parent", 0, "urls.up", "-")
	k.post("/categories", "editor", object{"name": "Top", "parent": top}).want(t, 201, "").has(t, "slug", "top-top")
	k.post("/categories", "editor", object{"name": "mid", "parent": top}).want(t, 400, "term_exists")
	for _, bad := range []any{999999, "top", -1} {
		k.post("/categories", "editor", object{"name": "X", "parent": bad}).refused(t, "parent")
	}
	for _, loop := range []int64{top, mid, low} {
		k.patch(item("categories", top), "editor", object{"parent": loop}).refused(t, "parent")
	}
	k.patch(item("categories", low), "editor", object{"name": "Lower"}).has(t, "parent", mid)
	k.del(item("categories", mid), "editor").want(t, 200, "").has(t, "parent", top)
	k.get(item("categories", low), "").has(t, "parent", top, "url", "http://localhost/events/category/top/low/")
	for _, none := range []any{nil, 0} {
		k.patch(item("categories", low), "editor", object{"parent": top}).has(t, "parent", top)
		k.patch(item("categories", low), "editor", object{"parent": none}).want(t, 200, "").has(t, "parent", 0)
	}
}

// TestTermLists: filters and order of terms (rule 5.3).
func TestTermLists(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, name := range []string{"beta", "Alpha", "Gamma", "delta"} { // ids 1 to 4
		k.made("/tags", object{"name": name, "slug": "s-" + name, "description": strings.ToLower(name[len(name)-2:])})
	}
	event := fmt.Sprint(k.event(object{"tags": []int64{1, 2}}))
	k.event(object{"tags": []int64{1}})
	draft := fmt.Sprint(k.event(object{"tags": []int64{3}, "status": "draft"}))
	for q, want := range map[string]string{
		"":                                         "2,1",
		"hide_empty=0":                             "2,1,4,3",
		"hide_empty=1":                             "2,1",
		"hide_empty=0&order=desc":                  "3,4,1,2",
		"hide_empty=0&order=ASC":                   "2,1,4,3",
		"hide_empty=0&order=other":                 "3,4,1,2",
		"hide_empty=0&orderby=id":                  "1,2,3,4",
		"hide_empty=0&orderby=nonsense":            "2,1,4,3",
		"orderby=count":                            "2,1",
		"orderby=count&order=desc":                 "1,2",
		"hide_empty=0&orderby=slug":                "2,1,4,3",
		"hide_empty=0&include=3,1":                 "1,3",
		"hide_empty=0&include=3,1&orderby=include": "3,1",
		"hide_empty=0&exclude=3,1":                 "2,4",
		"hide_empty=0&search=ALPHA":                "2",
		"hide_empty=0&search=s-":                   "2,1,4,3",
		"hide_empty=0&search=zzz":                  "",
		"hide_empty=0&slug=S-Delta":                "4",
		"hide_empty=0&slug=none":                   "",
		"hide_empty=0&slug=!!!":                    "",
		"event=" + event:                           "2,1",
		"post=" + event:                            "2,1",
		"event=" + event + "&post=" + draft:        "2,1",
	} {
		a := k.get("/tags?"+q, "").want(t, 200, "")
		if got := a.ids("tags"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	if got := k.get("/tags?event="+draft, "editor").ids("tags"); got != "3" {
		t.Errorf("terms of a draft: %s", got)
	}
	for _, q := range []string{"search=", "slug=", "order=", "orderby=", "hide_empty=", "hide_empty=maybe", "include=999", "exclude=x", "event=999",
		"post=0", "page=0", "per_page=x"} {
		k.get("/tags?"+q, "").want(t, 400, "rest_invalid_param")
	}
	for q, arg := range map[string]string{"post=999": "post", "event=999": "event", "post=999&event=998": "event", "post=" + draft: "post"} {
		k.get("/tags?"+q, "").refused(t, arg)
	}
	k.get("/categories?parent=0", "").refused(t, "parent")
	k.get("/categories?parent=999", "").refused(t, "parent")
}

package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestTerms makes, changes and removes terms (rule 12.1).
func TestTerms(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, collection := range []string{"categories", "tags"} {
		list := "/" + collection
		made := k.Post(list, "editor", kit.Object{"name": `Jazz & <b>"Soul"</b>`, "description": "Some <b>text</b>"}).Want(t, 201, "").
			Has(t, "name", `Jazz &amp; &quot;Soul&quot;`, "slug", "jazz-soul", "description", "Some <b>text</b>", "count", 0, "meta.#", 0)
		if at := made.Header.Get("Location"); at != "http://localhost/calendar/events/v1"+kit.Item(collection, made.ID()) {
			t.Errorf("Location %s", at)
		}
		path := kit.Item(collection, made.ID())
		k.Post(list, "editor", kit.Object{"name": `JAZZ &amp; "soul"`}).Want(t, 400, "term_exists").Has(t, "data.term_id", made.ID(), "additional_data.0", made.ID())
		k.Post(list, "editor", kit.Object{"name": `Jazz & "Soul"`, "slug": "another"}).Want(t, 201, "").Has(t, "slug", "another")
		k.Post(list, "editor", kit.Object{"name": "Third", "slug": "Another!"}).Want(t, 201, "").Has(t, "slug", "another-2")
		k.Patch(path, "editor", kit.Object{"slug": "another"}).Want(t, 400, "duplicate_term_slug")
		k.Patch(path, "editor", kit.Object{"name": "Third"}).Want(t, 200, "").Has(t, "name", "Third", "slug", "jazz-soul", "description", "Some <b>text</b>")
		k.Patch(path, "editor", kit.Object{"description": nil}).Want(t, 200, "").Has(t, "description", "", "name", "Third")
		k.Patch(path, "editor", kit.Object{}).Want(t, 200, "").Has(t, "name", "Third", "slug", "jazz-soul")
		for arg, values := range map[string][]any{"name": {"", "  ", "<b></b>", 12, []any{"x"}, strings.Repeat("n", 201)}, "description": {"", 5}, "slug": {7, strings.Repeat("s", 201)}} {
			for _, value := range values {
				body := kit.Object{"name": "Valid"}
				body[arg] = value
				k.Post(list, "editor", body).Refused(t, arg)
				if value != "" || arg != "description" { // which was served like that (rule 3.17)
					k.Patch(path, "editor", kit.Object{arg: value}).Refused(t, arg)
				}
			}
		}
		event := k.Event(kit.Object{collection: []int64{made.ID()}})
		k.Get(path, "").Has(t, "count", 1, "name", "Third")
		k.Del(path, "editor").Want(t, 200, "").Has(t, "id", made.ID(), "count", 1)
		k.Del(path, "editor").Want(t, 404, "rest_term_invalid")
		k.Get(kit.Item("events", event), "").Has(t, collection+".#", 0)
		for role, c := range map[string]struct{ categories, tags int }{"administrator": {201, 201}, "editor": {201, 201}, "author": {201, 403},
			"contributor": {403, 403}, "subscriber": {403, 403}, "": {401, 401}} {
			want := c.categories
			if collection == "tags" {
				want = c.tags
			}
			a := k.Post(list, role, kit.Object{"name": "by " + role})
			if a.Status != want {
				t.Errorf("%s makes one of the %s: %s", role, collection, a)
			}
		}
	}
	tag := k.Made("/tags", kit.Object{"name": "flat"})
	k.Post("/tags", "editor", kit.Object{"name": "x", "parent": tag}).Want(t, 400, "rest_taxonomy_not_hierarchical")
	k.Patch(kit.Item("tags", tag), "editor", kit.Object{"parent": tag}).Want(t, 400, "rest_taxonomy_not_hierarchical")
	k.Get(kit.Item("categories", tag), "").Want(t, 404, "rest_term_invalid")
}

// TestHierarchy: categories below one another.
func TestHierarchy(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	top := k.Made("/categories", kit.Object{"name": "Top"})
	mid := k.Made("/categories", kit.Object{"name": "Mid", "parent": top})
	low := k.Made("/categories", kit.Object{"name": "Low", "parent": mid})
	k.Get(kit.Item("categories", low), "").Has(t, "parent", mid, "url", "http://localhost/events/category/top/mid/low/",
		"urls.up", "http://localhost/calendar/events/v1"+kit.Item("categories", mid))
	k.Get(kit.Item("categories", top), "").Has(t, "parent", 0, "urls.up", "-", "_links.up", "-")
	wordpress := "http://localhost/wp-json/wp/v2/"
	k.Get(reference+kit.Item("categories", low), "").Has(t, "_links.up.0.embeddable", true,
		"_links.up.0.href", fmt.Sprint(wordpress, "tribe_events_cat/", mid), "_links.curies.0.name", "wp",
		"_links.wp:post_type.0.href", fmt.Sprint(wordpress, "tribe_events?tribe_events_cat=", low))
	k.Post("/categories", "editor", kit.Object{"name": "Top", "parent": top}).Want(t, 201, "").Has(t, "slug", "top-top")
	k.Post("/categories", "editor", kit.Object{"name": "mid", "parent": top}).Want(t, 400, "term_exists")
	for _, bad := range []any{999999, "top", -1} {
		k.Post("/categories", "editor", kit.Object{"name": "X", "parent": bad}).Refused(t, "parent")
	}
	for _, loop := range []int64{top, mid, low} {
		k.Patch(kit.Item("categories", top), "editor", kit.Object{"parent": loop}).Refused(t, "parent")
	}
	k.Patch(kit.Item("categories", low), "editor", kit.Object{"name": "Lower"}).Has(t, "parent", mid)
	k.Del(kit.Item("categories", mid), "editor").Want(t, 200, "").Has(t, "parent", top)
	k.Get(kit.Item("categories", low), "").Has(t, "parent", top, "url", "http://localhost/events/category/top/low/")
	for _, none := range []any{nil, 0} {
		k.Patch(kit.Item("categories", low), "editor", kit.Object{"parent": top}).Has(t, "parent", top)
		k.Patch(kit.Item("categories", low), "editor", kit.Object{"parent": none}).Want(t, 200, "").Has(t, "parent", 0)
	}
}

// TestTermLists: filters and order of terms (rule 5.3).
func TestTermLists(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, name := range []string{"beta", "Alpha", "Gamma", "delta"} { // ids 1 to 4
		k.Made("/tags", kit.Object{"name": name, "slug": "s-" + name, "description": strings.ToLower(name[len(name)-2:])})
	}
	event := fmt.Sprint(k.Event(kit.Object{"tags": []int64{1, 2}}))
	k.Event(kit.Object{"tags": []int64{1}})
	draft := fmt.Sprint(k.Event(kit.Object{"tags": []int64{3}, "status": "draft"}))
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
		a := k.Get("/tags?"+q, "").Want(t, 200, "")
		if got := a.IDs("tags"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	if got := k.Get("/tags?event="+draft, "editor").IDs("tags"); got != "3" {
		t.Errorf("terms of a draft: %s", got)
	}
	for _, q := range []string{"search=", "slug=", "order=", "orderby=", "hide_empty=", "hide_empty=maybe", "include=999", "exclude=x", "event=999",
		"post=0", "page=0", "per_page=x"} {
		k.Get("/tags?"+q, "").Want(t, 400, "rest_invalid_param")
	}
	for q, arg := range map[string]string{"post=999": "post", "event=999": "event", "post=999&event=998": "event", "post=" + draft: "post"} {
		k.Get("/tags?"+q, "").Refused(t, arg)
	}
	k.Get("/categories?parent=0", "").Refused(t, "parent")
	k.Get("/categories?parent=999", "").Refused(t, "parent")
}

package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSlugs makes slugs from titles and from what is sent (rule 10.1).
func TestSlugs(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, c := range []struct{ title, slug, want string }{
		{"Same Title", "", "same-title"},
		{"Same Title", "", "same-title-2"},
		{"same title!", "", "same-title-3"},
		{"Other", "same-title-2", "same-title-2-2"},
		{"Other", "Same TITLE", "same-title-4"},
		{"Grüße aus Köln & <b>Bonn</b>", "", "gruse-aus-koln-bonn"},
		{"Привет мир", "", "привет-мир"},
		{"tz UTC+5:30", "", "tz-utc530"},
		{"日本語", "", "日本語"},
		{"!!!", "", "10"},
		{"Title", "!!!", "title"},
		{"2030", "", "2030"},
		{strings.Repeat("long ", 60), "", strings.TrimSuffix(strings.Repeat("long-", 40), "-")},
	} {
		body := times(object{"title": c.title})
		if c.slug != "" {
			body["slug"] = c.slug
		}
		a := k.post("/events", "editor", body).want(t, 201, "").has(t, "slug", c.want)
		k.get("/events/by-slug/"+fmt.Sprint(a.at("slug")), "").want(t, 200, "").has(t, "id", a.id())
	}
	k.made("/venues", object{"venue": "Same Title"})
	k.get("/venues/by-slug/same-title", "").want(t, 200, "")
}

func TestRenaming(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id, other := k.event(object{"title": "First"}), k.event(object{"title": "Second"})
	k.patch(item("events", id), "editor", object{"title": "Changed"}).has(t, "slug", "first")
	k.patch(item("events", id), "editor", object{"slug": "second"}).has(t, "slug", "second-2")
	k.patch(item("events", id), "editor", object{"slug": "second-2"}).has(t, "slug", "second-2")
	k.patch("/events/by-slug/second-2", "editor", object{"slug": "Third Ä"}).want(t, 200, "").has(t, "slug", "third-a")
	k.get("/events/by-slug/second-2", "").want(t, 404, "rest-event-not-found")
	k.patch(item("events", other), "editor", object{"status": "draft"}).has(t, "slug", "second")
	draft := k.post("/events", "editor", times(object{"title": "Quiet", "status": "draft"})).has(t, "slug", "")
	k.patch(item("events", draft.id()), "editor", object{"title": "Loud"}).has(t, "slug", "")
	k.patch(item("events", draft.id()), "editor", object{"status": "pending"}).has(t, "slug", "")
	k.patch(item("events", draft.id()), "editor", object{"status": "publish"}).has(t, "slug", "loud")
	for _, kind := range []string{"venue", "organizer"} {
		place := k.post("/"+kind+"s", "editor", object{kind: "Town Hall", "status": "draft"}).has(t, "slug", "town-hall")
		k.patch(item(kind+"s", place.id()), "editor", object{kind: "City Hall"}).has(t, "slug", "town-hall")
		k.post("/"+kind+"s", "editor", object{kind: "Town Hall"}).has(t, "slug", "town-hall-2")
		k.post("/"+kind+"s", "editor", object{kind: "Named", "slug": "My Own"}).has(t, "slug", "my-own")
	}
}

// TestTrash: into the trash, out of it, and away (rules 9.3, 4.7).
func TestTrash(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		list, gone := "/"+kind+"s", kind+"-is-in-trash"
		notFound := "rest-" + kind + "-not-found"
		body := valid(kind)
		body["slug"] = "one"
		id := k.made(list, body)
		path := item(kind+"s", id)
		k.del(list+"/by-slug/one", "editor").want(t, 200, "").has(t, "status", "trash", "slug", "one__trashed", "id", id)
		k.del(path, "editor").want(t, 410, gone)
		k.del(list+"/by-slug/one__trashed", "editor").want(t, 410, gone)
		k.del(list+"/by-slug/one", "editor").want(t, 404, notFound)
		k.get(list+"/by-slug/one", "").want(t, 404, notFound)
		k.patch(path, "editor", object{"description": "x"}).want(t, 410, gone)
		k.patch(path, "editor", object{"status": "trash"}).want(t, 410, gone)
		k.get(list, "editor").has(t, "total", 0)
		body[nameOf(kind)] = "Two"
		rival := k.made(list, body) // the slug is free
		k.get(item(kind+"s", rival), "").has(t, "slug", "one")
		k.patch(path, "editor", object{"status": "draft", "description": "<p>x</p>"}).want(t, 200, "").
			has(t, "status", "draft", "description", "<p>x</p>", "slug", "one-2")
		k.patch(path, "editor", object{"status": "trash"}).want(t, 200, "").has(t, "slug", "one-2__trashed")
		k.patch(path, "editor", object{"status": "publish"}).want(t, 200, "").has(t, "slug", "one-2", "status", "publish")
		k.del(path, "editor").want(t, 200, "")
		k.del(path+"?force=true", "editor").want(t, 200, "").has(t, "status", "trash", "id", id)
		k.del(path, "editor").want(t, 404, notFound)
		k.get(path, "editor").want(t, 404, notFound)
		k.send(request{Method: "DELETE", Path: item(kind+"s", rival), As: "editor", JSON: object{"force": true}}).want(t, 200, "").
			has(t, "status", "publish", "slug", "one")
		k.get(list+"/by-slug/one", "").want(t, 404, notFound)
	}
}

// TestTrashedSlugs: two trashed ones of one slug, and each comes back.
func TestTrashedSlugs(t *testing.T) {
	t.Parallel()
	k := standing(t)
	first := k.event(object{"slug": "one"})
	k.del(item("events", first), "editor").has(t, "slug", "one__trashed")
	second := k.event(object{"slug": "one"})
	k.del(item("events", second), "editor").has(t, "slug", "one__trashed-2")
	k.patch(item("events", second), "editor", object{"status": "publish"}).has(t, "slug", "one")
	k.patch(item("events", first), "editor", object{"status": "publish"}).has(t, "slug", "one-2")
	unnamed := k.made("/events", times(object{"status": "draft"}))
	k.del(item("events", unnamed), "editor").has(t, "slug", "__trashed")
	k.patch(item("events", unnamed), "editor", object{"status": "draft"}).has(t, "slug", "")
	born := k.post("/events", "editor", times(object{"status": "trash", "title": "Born so"})).has(t, "slug", "born-so", "status", "trash")
	k.patch(item("events", born.id()), "editor", object{"status": "publish"}).has(t, "slug", "born-so")
}

// TestPlacesLeave: a venue or organizer in the trash stays linked, hidden from
// the public, and is back when restored; removed for good it is gone.
func TestPlacesLeave(t *testing.T) {
	t.Parallel()
	k := standing(t)
	hall := k.made("/venues", object{"venue": "Hall"})
	ann, bob := k.made("/organizers", object{"organizer": "Ann"}), k.made("/organizers", object{"organizer": "Bob"})
	event := item("events", k.event(object{"venue": hall, "organizer": []int64{ann, bob}}))
	k.del(item("venues", hall), "editor").want(t, 200, "")
	k.del(item("organizers", ann), "editor").want(t, 200, "")
	k.get(event, "").has(t, "venue.#", 0, "organizer.#", 1, "organizer.0.id", bob)
	k.patch(item("venues", hall), "editor", object{"status": "publish"}).want(t, 200, "")
	k.patch(item("organizers", ann), "editor", object{"status": "publish"}).want(t, 200, "")
	k.get(event, "").has(t, "venue.id", hall, "organizer.#", 2, "organizer.0.id", ann)
	k.remove(item("venues", hall))
	k.remove(item("organizers", bob))
	k.get(event, "").has(t, "venue.#", 0, "organizer.#", 1, "organizer.0.id", ann)
}

package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSlugs makes slugs from titles and from what is sent (rule 10.1).
func TestSlugs(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
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
		body := kit.Times(kit.Object{"title": c.title})
		if c.slug != "" {
			body["slug"] = c.slug
		}
		a := k.Post("/events", "editor", body).Want(t, 201, "").Has(t, "slug", c.want)
		k.Get("/events/by-slug/"+fmt.Sprint(a.At("slug")), "").Want(t, 200, "").Has(t, "id", a.ID())
	}
	k.Made("/venues", kit.Object{"venue": "Same Title"})
	k.Get("/venues/by-slug/same-title", "").Want(t, 200, "")
}

func TestRenaming(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id, other := k.Event(kit.Object{"title": "First"}), k.Event(kit.Object{"title": "Second"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Changed"}).Has(t, "slug", "first")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"slug": "second"}).Has(t, "slug", "second-2")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"slug": "second-2"}).Has(t, "slug", "second-2")
	k.Patch("/events/by-slug/second-2", "editor", kit.Object{"slug": "Third Ä"}).Want(t, 200, "").Has(t, "slug", "third-a")
	k.Get("/events/by-slug/second-2", "").Want(t, 404, "rest-event-not-found")
	k.Patch(kit.Item("events", other), "editor", kit.Object{"status": "draft"}).Has(t, "slug", "second")
	draft := k.Post("/events", "editor", kit.Times(kit.Object{"title": "Quiet", "status": "draft"})).Has(t, "slug", "")
	k.Patch(kit.Item("events", draft.ID()), "editor", kit.Object{"title": "Loud"}).Has(t, "slug", "")
	k.Patch(kit.Item("events", draft.ID()), "editor", kit.Object{"status": "pending"}).Has(t, "slug", "")
	k.Patch(kit.Item("events", draft.ID()), "editor", kit.Object{"status": "publish"}).Has(t, "slug", "loud")
	for _, kind := range []string{"venue", "organizer"} {
		place := k.Post("/"+kind+"s", "editor", kit.Object{kind: "Town Hall", "status": "draft"}).Has(t, "slug", "town-hall")
		k.Patch(kit.Item(kind+"s", place.ID()), "editor", kit.Object{kind: "City Hall"}).Has(t, "slug", "town-hall")
		k.Post("/"+kind+"s", "editor", kit.Object{kind: "Town Hall"}).Has(t, "slug", "town-hall-2")
		k.Post("/"+kind+"s", "editor", kit.Object{kind: "Named", "slug": "My Own"}).Has(t, "slug", "my-own")
	}
}

// TestTrash: into the trash, out of it, and away (rules 9.3, 4.7).
func TestTrash(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		list, gone := "/"+kind+"s", kind+"-is-in-trash"
		notFound := "rest-" + kind + "-not-found"
		body := kit.Valid(kind)
		body["slug"] = "one"
		id := k.Made(list, body)
		path := kit.Item(kind+"s", id)
		k.Del(list+"/by-slug/one", "editor").Want(t, 200, "").Has(t, "status", "trash", "slug", "one__trashed", "id", id)
		k.Del(path, "editor").Want(t, 410, gone)
		k.Del(list+"/by-slug/one__trashed", "editor").Want(t, 410, gone)
		k.Del(list+"/by-slug/one", "editor").Want(t, 404, notFound)
		k.Get(list+"/by-slug/one", "").Want(t, 404, notFound)
		k.Patch(path, "editor", kit.Object{"description": "x"}).Want(t, 410, gone)
		k.Patch(path, "editor", kit.Object{"status": "trash"}).Want(t, 410, gone)
		k.Get(list, "editor").Has(t, "total", 0)
		body[nameOf(kind)] = "Two"
		rival := k.Made(list, body) // the slug is free
		k.Get(kit.Item(kind+"s", rival), "").Has(t, "slug", "one")
		k.Patch(path, "editor", kit.Object{"status": "draft", "description": "<p>x</p>"}).Want(t, 200, "").
			Has(t, "status", "draft", "description", "<p>x</p>", "slug", "one-2")
		k.Patch(path, "editor", kit.Object{"status": "trash"}).Want(t, 200, "").Has(t, "slug", "one-2__trashed")
		k.Patch(path, "editor", kit.Object{"status": "publish"}).Want(t, 200, "").Has(t, "slug", "one-2", "status", "publish")
		k.Del(path, "editor").Want(t, 200, "")
		k.Del(path+"?force=true", "editor").Want(t, 200, "").Has(t, "status", "trash", "id", id)
		k.Del(path, "editor").Want(t, 404, notFound)
		k.Get(path, "editor").Want(t, 404, notFound)
		k.Send(kit.Request{Method: "DELETE", Path: kit.Item(kind+"s", rival), As: "editor", JSON: kit.Object{"force": true}}).Want(t, 200, "").
			Has(t, "status", "publish", "slug", "one")
		k.Get(list+"/by-slug/one", "").Want(t, 404, notFound)
	}
}

// TestTrashedSlugs: two trashed ones of one slug, and each comes back.
func TestTrashedSlugs(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	first := k.Event(kit.Object{"slug": "one"})
	k.Del(kit.Item("events", first), "editor").Has(t, "slug", "one__trashed")
	second := k.Event(kit.Object{"slug": "one"})
	k.Del(kit.Item("events", second), "editor").Has(t, "slug", "one__trashed-2")
	k.Patch(kit.Item("events", second), "editor", kit.Object{"status": "publish"}).Has(t, "slug", "one")
	k.Patch(kit.Item("events", first), "editor", kit.Object{"status": "publish"}).Has(t, "slug", "one-2")
	unnamed := k.Made("/events", kit.Times(kit.Object{"status": "draft"}))
	k.Del(kit.Item("events", unnamed), "editor").Has(t, "slug", "__trashed")
	k.Patch(kit.Item("events", unnamed), "editor", kit.Object{"status": "draft"}).Has(t, "slug", "")
	born := k.Post("/events", "editor", kit.Times(kit.Object{"status": "trash", "title": "Born so"})).Has(t, "slug", "born-so", "status", "trash")
	k.Patch(kit.Item("events", born.ID()), "editor", kit.Object{"status": "publish"}).Has(t, "slug", "born-so")
}

// TestPlacesLeave: a venue or organizer in the trash stays linked, hidden from
// the public, and is back when restored; removed for good it is gone.
func TestPlacesLeave(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	hall := k.Made("/venues", kit.Object{"venue": "Hall"})
	ann, bob := k.Made("/organizers", kit.Object{"organizer": "Ann"}), k.Made("/organizers", kit.Object{"organizer": "Bob"})
	event := kit.Item("events", k.Event(kit.Object{"venue": hall, "organizer": []int64{ann, bob}}))
	k.Del(kit.Item("venues", hall), "editor").Want(t, 200, "")
	k.Del(kit.Item("organizers", ann), "editor").Want(t, 200, "")
	k.Get(event, "").Has(t, "venue.#", 0, "organizer.#", 1, "organizer.0.id", bob)
	k.Patch(kit.Item("venues", hall), "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	k.Patch(kit.Item("organizers", ann), "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	k.Get(event, "").Has(t, "venue.id", hall, "organizer.#", 2, "organizer.0.id", ann)
	k.Remove(kit.Item("venues", hall))
	k.Remove(kit.Item("organizers", bob))
	k.Get(event, "").Has(t, "venue.#", 0, "organizer.#", 1, "organizer.0.id", ann)
}

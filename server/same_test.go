package server_test

import (
	"fmt"
	"testing"
)

// TestSaysNothingNew: a venue or organizer that says nothing new is the one that
// is there; any difference makes a new one, and none is ever overwritten
// (rule 3.6).
func TestSaysNothingNew(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for _, kind := range []string{"venue", "organizer"} {
		full := object{kind: "Town Hall", "description": "<p>Old</p>", "phone": "+49 1", "website": "https://example.org/", "excerpt": "<p>x</p>"}
		id := k.made("/"+kind+"s", full)
		before := string(k.get(item(kind+"s", id), "editor").Raw)
		for _, c := range []struct {
			body object
			same bool
		}{
			{object{kind: "Town Hall"}, true},
			{object{kind: "TOWN hall"}, true},
			{object{kind: "Town Hall", "phone": "+49 1", "description": "<p>old</p>"}, true},
			{full, true},
			{object{kind: "Town Hall", "status": "publish", "author": 1}, true},
			{object{kind: "Town Hall", "phone": "+49 2"}, false},
			{object{kind: "Town Hall", "description": "<p>New</p>"}, false},
			{object{kind: "Town Hall", "website": ""}, false},
			{object{kind: "Town Hall", "status": "draft"}, false},
			{object{kind: "Town Hall", "slug": "other"}, false},
			{object{kind: "Town Hall 2"}, false},
		} {
			a := k.post("/"+kind+"s", "editor", c.body).want(t, 201, "")
			if (a.id() == id) != c.same {
				t.Errorf("POST %v: id %d, want the same as %d: %v", c.body, a.id(), id, c.same)
			}
			if !c.same {
				k.remove(item(kind+"s", a.id()))
			}
			e := k.post("/events", "editor", times(object{kind: []any{c.body}})).want(t, 201, "")
			linked := e.links(kind)
			if (linked == fmt.Sprint(id)) != c.same {
				t.Errorf("inline %v: %s, want the same as %d: %v", c.body, linked, id, c.same)
			}
			if !c.same {
				k.remove("/" + kind + "s/" + linked)
			}
			k.remove(item("events", e.id()))
		}
		if after := string(k.get(item(kind+"s", id), "editor").Raw); after != before {
			t.Errorf("%s changed:\n%s\n%s", kind, before, after)
		}
		k.oneOfTwins(kind, id)
	}
}

// remove takes an item away for good.
func (k *kit) remove(path string) {
	k.t.Helper()
	k.del(path+"?force=true", "administrator").want(k.t, 200, "")
}

// oneOfTwins names the same new one twice in one write, and tries what isn't
// visible.
func (k *kit) oneOfTwins(kind string, id int64) {
	k.t.Helper()
	twice := k.post("/events", "editor", times(object{kind: []any{object{kind: "Twin"}, object{kind: "twin"}}})).want(k.t, 201, "")
	if list, isList := twice.Body[kind].([]any); isList && len(list) != 1 {
		k.t.Errorf("the same new %s twice: %v", kind, list)
	}
	k.patch(item(kind+"s", id), "administrator", object{"status": "private"}).want(k.t, 200, "")
	for _, role := range []string{"contributor", "author"} {
		if a := k.post("/"+kind+"s", role, object{kind: "Town Hall"}).want(k.t, 201, ""); a.id() == id {
			k.t.Errorf("%s was told of a private %s", role, kind)
		} else {
			k.remove(item(kind+"s", a.id()))
		}
	}
	if a := k.post("/"+kind+"s", "editor", object{kind: "Town Hall"}).want(k.t, 201, ""); a.id() != id {
		k.t.Errorf("the editor reads the private %s, and got another", kind)
	}
	k.del(item(kind+"s", id), "administrator").want(k.t, 200, "")
	if a := k.post("/"+kind+"s", "editor", object{kind: "Town Hall"}).want(k.t, 201, ""); a.id() == id {
		k.t.Errorf("the %s of the trash counts", kind)
	}
}

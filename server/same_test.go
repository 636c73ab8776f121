package server_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A new venue or organizer that says nothing new is the existing one; any difference creates a new one, and none is
// ever overwritten (rule 3.6).
func TestSaysNothingNew(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"venue", "organizer"} {
		full := kit.Object{kind: "Town Hall", "description": "<p>Old</p>", "phone": "+49 1", "website": "https://example.org/", "excerpt": "<p>x</p>"}
		id := k.Made("/"+kind+"s", full)
		before := string(k.Get(kit.Item(kind+"s", id), "editor").Raw)
		for _, c := range []struct {
			body kit.Object
			same bool
		}{
			{kit.Object{kind: "Town Hall"}, true},
			{kit.Object{kind: "TOWN hall"}, true},
			{kit.Object{kind: "Town Hall", "phone": "+49 1", "description": "<p>old</p>"}, true},
			{full, true},
			{kit.Object{kind: "Town Hall", "status": "publish", "author": 1}, true},
			{kit.Object{kind: "Town Hall", "phone": "+49 2"}, false},
			{kit.Object{kind: "Town Hall", "description": "<p>New</p>"}, false},
			{kit.Object{kind: "Town Hall", "website": ""}, false},
			{kit.Object{kind: "Town Hall", "status": "draft"}, false},
			{kit.Object{kind: "Town Hall", "slug": "other"}, false},
			{kit.Object{kind: "Town Hall 2"}, false},
		} {
			a := k.Post("/"+kind+"s", "editor", c.body).Want(t, 201, "")
			if (a.ID() == id) != c.same {
				t.Errorf("POST %v: id %d, want the same as %d: %v", c.body, a.ID(), id, c.same)
			}
			if !c.same {
				k.Remove(kit.Item(kind+"s", a.ID()))
			}
			e := k.Post("/events", "editor", kit.Times(kit.Object{kind: []any{c.body}})).Want(t, 201, "")
			linked := e.Links(kind)
			if (linked == fmt.Sprint(id)) != c.same {
				t.Errorf("inline %v: %s, want the same as %d: %v", c.body, linked, id, c.same)
			}
			if !c.same {
				k.Remove("/" + kind + "s/" + linked)
			}
			k.Remove(kit.Item("events", e.ID()))
		}
		if after := string(k.Get(kit.Item(kind+"s", id), "editor").Raw); after != before {
			t.Errorf("%s changed:\n%s\n%s", kind, before, after)
		}
		oneOfTwins(k, kind, id)
	}
}

// oneOfTwins names the same new one twice in one write, and tries invisible ones.
func oneOfTwins(k *kit.Kit, kind string, id int64) {
	k.T.Helper()
	twice := k.Post("/events", "editor", kit.Times(kit.Object{kind: []any{kit.Object{kind: "Twin"}, kit.Object{kind: "twin"}}})).Want(k.T, 201, "")
	if list, isList := twice.Body[kind].([]any); isList && len(list) != 1 {
		k.T.Errorf("the same new %s twice: %v", kind, list)
	}
	k.Patch(kit.Item(kind+"s", id), "administrator", kit.Object{"status": "private"}).Want(k.T, 200, "")
	for _, role := range []string{"contributor", "author"} {
		if a := k.Post("/"+kind+"s", role, kit.Object{kind: "Town Hall"}).Want(k.T, 201, ""); a.ID() == id {
			k.T.Errorf("%s was told of a private %s", role, kind)
		} else {
			k.Remove(kit.Item(kind+"s", a.ID()))
		}
	}
	if a := k.Post("/"+kind+"s", "editor", kit.Object{kind: "Town Hall"}).Want(k.T, 201, ""); a.ID() != id {
		k.T.Errorf("the editor reads the private %s, and got another", kind)
	}
	k.Del(kit.Item(kind+"s", id), "administrator").Want(k.T, 200, "")
	if a := k.Post("/"+kind+"s", "editor", kit.Object{kind: "Town Hall"}).Want(k.T, 201, ""); a.ID() == id {
		k.T.Errorf("the %s of the trash counts", kind)
	}
}

package rest

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestStatusOnCreate: what becomes of the status asked for, by role
// (rules 2.3 and 2.4).
func TestStatusOnCreate(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const past, soon = "2030-02-19 10:00", "2030-02-21 10:00"
	for _, kind := range []string{"event", "venue", "organizer"} {
		unasked := "pending"
		if kind == "event" {
			unasked = "draft"
		}
		for _, c := range []struct{ asked, date, editor, contributor string }{
			{"", "", "publish", unasked},
			{"publish", "", "publish", "pending"},
			{"draft", "", "draft", "draft"},
			{"pending", "", "pending", "pending"},
			{"private", "", "private", "pending"},
			{"trash", "", "trash", "trash"},
			{"future", "", "publish", "pending"},
			{"future", past, "publish", "pending"},
			{"future", soon, "future", "pending"},
			{"publish", soon, "future", "pending"},
			{"publish", past, "publish", "pending"},
			{"draft", soon, "draft", "draft"},
			{"private", soon, "private", "pending"},
		} {
			for role, want := range map[string]string{"administrator": c.editor, "editor": c.editor, "author": c.editor, "contributor": c.contributor} {
				body := kit.Valid(kind)
				body[nameOf(kind)] = strings.Join([]string{role, c.asked, c.date}, " ")
				if c.asked != "" {
					body["status"] = c.asked
				}
				if c.date != "" {
					body["date"] = c.date
				}
				k.Post("/"+kind+"s", role, body).Want(t, 201, "").Has(t, "status", want)
			}
		}
		for _, bad := range []any{"any", "auto-draft", "inherit", "PUBLISH", "", nil, 1, []any{"draft"}} {
			body := kit.Valid(kind)
			body["status"] = bad
			k.Post("/"+kind+"s", "editor", body).Refused(t, "status")
		}
		for _, role := range []string{"subscriber", ""} {
			status := map[string]int{"subscriber": 403, "": 401}[role]
			k.Post("/"+kind+"s", role, kit.Valid(kind)).Want(t, status, "rest_forbidden")
		}
	}
}

func nameOf(kind string) string {
	if kind == "event" {
		return "title"
	}
	return kind
}

// TestRights: who may change and remove what, by id and by slug alike (rule
// 2.3 with its holes closed).
func TestRights(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	may := map[string]map[string]bool{ // role → own published, own draft, others' published, others' draft
		"editor":      {"own publish": true, "own draft": true, "other publish": true, "other draft": true},
		"author":      {"own publish": true, "own draft": true},
		"contributor": {"own draft": true},
		"subscriber":  {},
		"":            {},
	}
	users := map[string]int{"editor": 2, "author": 3, "contributor": 4, "subscriber": 5, "": 5}
	for _, kind := range []string{"event", "venue", "organizer"} {
		for role, allowed := range may {
			for _, whose := range []string{"own", "other"} {
				for _, status := range []string{"publish", "draft"} {
					body := kit.Valid(kind)
					slug := strings.Join([]string{"x", role, whose, status}, "-")
					body["slug"], body["status"], body["author"], body[nameOf(kind)] = slug, status, users[role], slug
					if whose == "other" {
						body["author"] = 1
					}
					id := k.Made("/"+kind+"s", body)
					for _, path := range []string{kit.Item(kind+"s", id), "/" + kind + "s/by-slug/" + slug} {
						rightTo(k, role, path, allowed[whose+" "+status])
					}
				}
			}
		}
	}
}

// rightTo tries to change and to remove.
func rightTo(k *kit.Kit, role, path string, may bool) {
	k.T.Helper()
	status, code := 200, ""
	if !may {
		status, code = 403, "rest_forbidden"
	}
	if !may && role == "" {
		status = 401
	}
	k.Patch(path, role, kit.Object{"description": "changed by " + role}).Want(k.T, status, code)
	if !may {
		k.Del(path, role).Want(k.T, status, code)
		k.Del(path+"?force=true", role).Want(k.T, status, code)
	}
}

// TestAuthors: another author may be set by editors only.
func TestAuthors(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		for role, c := range map[string]struct{ own, status int }{
			"editor": {2, 201}, "author": {3, 403}, "contributor": {4, 403},
		} {
			body := kit.Valid(kind)
			body[nameOf(kind)] = role + " writes"
			made := k.Post("/"+kind+"s", role, body).Want(t, 201, "").Has(t, "author", c.own)
			k.Patch(kit.Item(kind+"s", made.ID()), role, kit.Object{"author": c.own, "status": "draft"})
			body["author"] = c.own
			body[nameOf(kind)] = role + " writes again"
			k.Post("/"+kind+"s", role, body).Want(t, 201, "").Has(t, "author", c.own)
			body["author"], body[nameOf(kind)] = 1, role+" for another"
			a := k.Post("/"+kind+"s", role, body)
			if a.Status != c.status {
				t.Errorf("%s: %s sets another author: %s", kind, role, a)
			}
		}
		for _, bad := range []any{0, -1, "editor", []any{1}, nil, 1.5, 999999} {
			body := kit.Valid(kind)
			body["author"], body[nameOf(kind)] = bad, "of whom?"
			k.Post("/"+kind+"s", "editor", body).Refused(t, "author")
		}
	}
}

// TestPublishing: drafts have no day of publication until they are published;
// scheduled ones can be published at once, and the other way round.
func TestPublishing(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const zeros = "0000-00-00 00:00:00"
	id := k.Made("/events", kit.Times(kit.Object{"status": "draft", "title": "Late"}))
	path := kit.Item("events", id)
	k.Get(path, "editor").Has(t, "date", "2030-02-20 13:00:00", "date_utc", zeros, "modified_utc", zeros, "slug", "",
		"url", "http://localhost/?post_type=tribe_events&p=1")
	k.Clock = k.Clock.Add(time.Hour)
	k.Patch(path, "editor", kit.Object{"title": "Later"}).Has(t, "status", "draft", "date_utc", zeros, "slug", "")
	k.Patch(path, "editor", kit.Object{"status": "publish"}).
		Has(t, "status", "publish", "date_utc", "2030-02-20 13:00:00", "date", "2030-02-20 14:00:00", "slug", "later", "url", "http://localhost/event/later/")
	k.Clock = k.Clock.Add(time.Hour)
	k.Patch(path, "editor", kit.Object{"title": "x"}).Has(t, "status", "publish", "date_utc", "2030-02-20 13:00:00", "modified_utc", "2030-02-20 14:00:00")
	k.Patch(path, "editor", kit.Object{"date": "2030-03-01 09:00"}).Has(t, "status", "future", "date_utc", "2030-03-01 08:00:00", "date", "2030-03-01 09:00:00")
	k.Get(path, "").Want(t, 403, "event-not-accessible")
	k.Patch(path, "editor", kit.Object{"title": "y"}).Has(t, "status", "future", "date_utc", "2030-03-01 08:00:00")
	k.Patch(path, "editor", kit.Object{"status": "publish"}).Has(t, "status", "publish", "date_utc", "2030-02-20 14:00:00")
	k.Patch(path, "editor", kit.Object{"date_utc": "2030-01-01 00:30"}).Has(t, "status", "publish", "date", "2030-01-01 01:30:00")
	k.Patch(path, "editor", kit.Object{"status": "future", "date": "tomorrow 9am"}).Has(t, "status", "future", "date", "2030-02-21 09:00:00")
	k.Patch(path, "editor", kit.Object{"status": "draft"}).Has(t, "status", "draft", "date", "2030-02-21 09:00:00", "slug", "later")
	dated := k.Made("/events", kit.Times(kit.Object{"status": "draft", "date_utc": "2030-02-01 10:00"}))
	k.Get(kit.Item("events", dated), "editor").Has(t, "date_utc", "2030-02-01 10:00:00", "date", "2030-02-01 11:00:00")
	k.Patch(kit.Item("events", dated), "editor", kit.Object{"status": "publish"}).Has(t, "date_utc", "2030-02-01 10:00:00")
}

// TestScheduled: what falls due is published, once.
func TestScheduled(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Made("/events", kit.Times(kit.Object{"date_utc": "2030-02-20 12:00:05"}))
	venue := k.Made("/venues", kit.Object{"venue": "V", "date_utc": "2030-02-20 12:00:05"})
	k.Get(kit.Item("events", id), "").Want(t, 403, "event-not-accessible")
	publish := func() int {
		n, err := k.DB.PublishDue(t.Context(), k.Clock)
		k.Must(err)
		return n
	}
	if n := publish(); n != 0 {
		t.Errorf("%d published too early", n)
	}
	k.Clock = k.Clock.Add(6 * time.Second)
	if n := publish(); n != 2 {
		t.Errorf("%d published, want 2", n)
	}
	if n := publish(); n != 0 {
		t.Errorf("%d published twice", n)
	}
	k.Get(kit.Item("events", id), "").Want(t, 200, "").Has(t, "status", "publish", "date_utc", "2030-02-20 12:00:05")
	k.Get(kit.Item("venues", venue), "").Want(t, 200, "")
}

// TestReading: who reads what stands how (rule 2.5).
func TestReading(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		for _, status := range []string{"publish", "draft", "pending", "private", "future", "trash"} {
			body := kit.Valid(kind)
			body["author"], body[nameOf(kind)], body["slug"] = 4, status, "s-"+status
			id := k.Made("/"+kind+"s", body)
			change := kit.Object{"status": status}
			if status == "future" {
				change["date"] = "2030-03-01 10:00"
			}
			k.Patch(kit.Item(kind+"s", id), "administrator", change).Want(t, 200, "")
			for role, reads := range map[string]bool{"administrator": true, "editor": true, "author": false, "contributor": true, "subscriber": false, "": false} {
				want, code := 200, ""
				switch {
				case kind == "event" && status == "trash":
					want, code = 403, "event-no-longer-available"
				case !reads && status != "publish":
					want, code = 403, kind+"-not-accessible"
				}
				k.Get(kit.Item(kind+"s", id), role).Want(t, want, code)
				if status != "trash" {
					k.Get("/"+kind+"s/by-slug/s-"+status, role).Want(t, want, code)
				}
			}
		}
	}
}

// TestListsByRole: lists show what is published and one's own; statuses are
// asked for by those who write.
func TestListsByRole(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		path := "/" + kind + "s"
		for _, author := range []string{"editor", "contributor"} {
			for _, status := range []string{"publish", "draft", "private", "trash"} {
				body := kit.Valid(kind)
				body[nameOf(kind)], body["status"] = author+" "+status, status
				body["author"] = map[string]int{"editor": 2, "contributor": 4}[author]
				if kind == "event" {
					body["start_date"], body["end_date"] = "2030-03-01 10:00", "2030-03-01 12:00"
				}
				k.Made(path, body)
			}
		}
		for _, c := range []struct {
			role, query string
			total       int
		}{
			{"", "", 2}, {"subscriber", "", 2}, {"contributor", "", 4}, {"author", "", 2}, {"editor", "", 6}, {"administrator", "", 6},
			{"", "status=publish", 2}, {"contributor", "status=draft", 1}, {"editor", "status=draft", 2}, {"editor", "status=draft,private", 4},
			{"editor", "status[]=trash&status[]=draft", 4}, {"contributor", "status=trash", 1}, {"author", "status=draft", 0}, {"editor", "status=future", 0},
		} {
			a := k.Get(path+"?"+c.query, c.role).Want(t, 200, "")
			a.Has(t, "total", c.total, kind+"s.#", c.total)
		}
		for role, queries := range map[string][]string{"": {"status=draft", "status=publish,draft", "status=", "status=any"}, "subscriber": {"status=private"},
			"editor": {"status=any", "status=nonsense", "status=publish,x"}} {
			for _, q := range queries {
				k.Get(path+"?"+q, role).Refused(t, "status")
			}
		}
	}
}

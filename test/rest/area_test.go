package rest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestArea: authors and contributors with an area write the events in it, before and after the write, and read all (rule 2.8).
func TestArea(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	jazz := k.Made("/categories", kit.Object{"name": "Jazz", "parent": music})
	sport := k.Made("/categories", kit.Object{"name": "Sport"})
	hall, arena := k.Made("/venues", kit.Object{"venue": "Hall"}), k.Made("/venues", kit.Object{"venue": "Arena"})
	club := k.Made("/organizers", kit.Object{"organizer": "Club"})
	early := k.Post("/events", "author", kit.Times(kit.Object{"title": "Early", "venue": arena})).Want(t, 201, "").ID()
	k.Provider("PATCH", "/sites/demo/users/3", kit.Object{"categories": []int64{music}, "venues": []int64{hall}}).Want(t, 200, "").
		Has(t, "categories.0", music, "venues.0", hall, "organizers", []any{})
	own := k.Post("/events", "author", kit.Times(kit.Object{"title": "Own"})).Want(t, 201, "").
		Has(t, "categories.0.id", music, "venue.id", hall).ID()
	k.Patch(kit.Item("events", own), "author", kit.Object{"categories": []int64{jazz}}).Want(t, 200, "")
	k.Get("/events", "author").Want(t, 200, "").Has(t, "total", 2)
	state := k.State()
	for name, one := range map[string]struct {
		answer kit.Answer
		arg    string // with the problem; "": forbidden
	}{
		"another venue":         {k.Patch(kit.Item("events", own), "author", kit.Object{"venue": arena}), "venue"},
		"no venue":              {k.Patch(kit.Item("events", own), "author", kit.Object{"venue": nil}), "venue"},
		"another category":      {k.Patch(kit.Item("events", own), "author", kit.Object{"categories": []int64{sport}}), "categories"},
		"a new event elsewhere": {k.Post("/events", "author", kit.Times(kit.Object{"venue": arena})), "venue"},
		"one from before":       {k.Patch(kit.Item("events", early), "author", kit.Object{"title": "Late"}), "categories"},
		"brought in":            {k.Patch(kit.Item("events", early), "author", kit.Object{"categories": []int64{music}, "venue": hall}), ""},
		"to the trash":          {k.Del(kit.Item("events", early), "author"), "categories"},
		"deleted":               {k.Del(kit.Item("events", early)+"?force=true", "author"), ""},
		"a category":            {k.Post("/categories", "author", kit.Object{"name": "Mine", "parent": music}), ""},
	} {
		if one.arg == "" {
			one.answer.Want(t, 403, "rest_forbidden")
			continue
		}
		if a := one.answer; a.Status != 400 || a.At("data.params."+one.arg) == nil {
			t.Errorf("%s: %s", name, a)
		}
	}
	if now := k.State(); now != state {
		t.Errorf("something outside the area changed: %s, was %s", now, state)
	}

	// An administrator writes everything, whatever they have.
	k.Provider("PATCH", "/sites/demo/users/1", kit.Object{"organizers": []int64{club}}).Want(t, 200, "")
	k.Patch(kit.Item("events", early), "administrator", kit.Object{"title": "Edited"}).Want(t, 200, "")

	// What is merged is followed.
	b := k.Person("administrator")
	form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/venues/merge?id=%d&id=%d&keep=%[1]d", arena, hall)))
	form.Set("do", "merge")
	b.Post("/admin/venues/merge", form)
	k.Provider("GET", "/sites/demo/users/3", nil).Want(t, 200, "").Has(t, "venues.0", arena)
	k.Patch(kit.Item("events", own), "author", kit.Object{"title": "Still"}).Want(t, 200, "")

	// An area names what the site has.
	for _, arg := range []string{"categories", "venues", "organizers"} {
		k.Provider("PATCH", "/sites/demo/users/3", kit.Object{arg: []int64{999}}).Want(t, 400, "rest_invalid_param")
	}
	// What it names may go: the user can be changed, and writes no events there.
	k.Del(kit.Item("categories", music), "administrator").Want(t, 200, "")
	k.Provider("PATCH", "/sites/demo/users/3", kit.Object{"name": "Renamed"}).Want(t, 200, "").Has(t, "categories.0", music)
	k.Patch(kit.Item("events", own), "author", kit.Object{"title": "Late"}).Want(t, 400, "rest_invalid_param")
	k.Provider("PATCH", "/sites/demo/users/3", kit.Object{"categories": nil, "venues": []int64{}}).Want(t, 200, "").
		Has(t, "categories", []any{}, "venues", []any{})
	k.Patch(kit.Item("events", own), "author", kit.Object{"categories": []int64{sport}}).Want(t, 200, "")
}

// TestAreaOfAnEditor: an editor with an area changes everybody's events in it, its places, and nothing that others share.
func TestAreaOfAnEditor(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	library, arena := k.Made("/venues", kit.Object{"venue": "Library"}), k.Made("/venues", kit.Object{"venue": "Arena"})
	club := k.Made("/organizers", kit.Object{"organizer": "Club"})
	tag := k.Made("/tags", kit.Object{"name": "Free"})
	reading := k.Post("/events", "author", kit.Times(kit.Object{"title": "Reading", "venue": library})).Want(t, 201, "").ID()
	match := k.Post("/events", "author", kit.Times(kit.Object{"title": "Match", "venue": arena})).Want(t, 201, "").ID()
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"venues": []int64{library}}).Want(t, 200, "")

	k.Patch(kit.Item("events", reading), "editor", kit.Object{"title": "Long reading", "organizer": club, "categories": []int64{music}}).Want(t, 200, "")
	k.Patch(kit.Item("venues", library), "editor", kit.Object{"address": "Main Street 1"}).Want(t, 200, "")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Own", "organizer": kit.Object{"organizer": "Friends"}})).Want(t, 201, "").Has(t, "venue.id", library)
	own := k.Made("/organizers", kit.Object{"organizer": "Own"}) // by the administrator
	mine := k.Post("/organizers", "editor", kit.Object{"organizer": "Mine"}).Want(t, 201, "").ID()
	k.Patch(kit.Item("organizers", mine), "editor", kit.Object{"phone": "1"}).Want(t, 200, "")
	state := k.State()
	for name, a := range map[string]kit.Answer{
		"an event elsewhere": k.Patch(kit.Item("events", match), "editor", kit.Object{"title": "Late"}),
		"no change of it":    k.Patch(kit.Item("events", match), "editor", kit.Object{}),
		"its removal":        k.Del(kit.Item("events", match)+"?force=true", "editor"),
		"to elsewhere":       k.Patch(kit.Item("events", reading), "editor", kit.Object{"venue": arena}),
		"another venue":      k.Patch(kit.Item("venues", arena), "editor", kit.Object{"address": "Main Street 2"}),
		"another organizer":  k.Patch(kit.Item("organizers", own), "editor", kit.Object{"phone": "1"}),
		"its end":            k.Del(kit.Item("organizers", own)+"?force=true", "editor"),
		"a category":         k.Patch(kit.Item("categories", music), "editor", kit.Object{"name": "Noise"}),
		"a tag":              k.Del(kit.Item("tags", tag), "editor"),
	} {
		if a.Status != 400 && a.Status != 403 {
			t.Errorf("%s: %s", name, a)
		}
	}
	if now := k.State(); now != state {
		t.Errorf("something outside the area changed: %s, was %s", now, state)
	}
	b := k.Person("editor")
	if p := b.Get(fmt.Sprintf("/admin/events/%d", reading)); p.Status != 200 {
		t.Errorf("the form of an event in the area: %d", p.Status)
	}
	if p := b.Get(fmt.Sprintf("/admin/events/%d", match)); p.Status != 403 {
		t.Errorf("the form of an event elsewhere: %d", p.Status)
	}
}

// TestAreaAndWhatIsShared: an editor with an area changes no pictures and no imports of other people, for these are not of one part.
func TestAreaAndWhatIsShared(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music, sport := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Sport"})
	theirs := k.Upload("demo", "administrator", "a.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	own := k.Upload("demo", "editor", "b.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	const rows = "Event UID,Event Name,Event Start Date,Event End Date,Event Category\nmatch,%s,2031-03-01 10:00,2031-03-01 11:00,%s\n" +
		"concert,%[1]s,2031-03-02 10:00,2031-03-02 11:00,Music\n"
	others := k.Import(kit.Sent{Name: "a.csv", As: "administrator", File: fmt.Sprintf(rows, "First", "Sport")})
	if got := others.Counts(); got != "read 2, created 2" {
		t.Fatalf("the import of an administrator: %s", got)
	}
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"categories": []int64{music}}).Want(t, 200, "")

	k.Del(kit.Item("media", theirs), "editor").Want(t, 403, "rest_forbidden")
	k.Send(kit.Request{Method: "POST", Path: fmt.Sprintf("//wp-json/wp/v2/media/%d", theirs), As: "editor", Body: `{"alt_text":"X"}`,
		Headers: map[string]string{"Content-Type": "application/json"}}).Want(t, 403, "rest_forbidden")
	k.Get(kit.Item("media", theirs), "editor").Want(t, 200, "")
	k.Del(kit.Item("media", own), "editor").Want(t, 200, "")

	// A row that is outside is refused, and the others are imported.
	file := fmt.Sprintf(rows, "Second", "Music")
	if got := k.Import(kit.Sent{Name: "a.csv", File: file}).Counts(); got != "read 2, changed 1, refused 1" {
		t.Errorf("an import with a row outside the area: %s", got)
	}
	if got := k.Again(others.ID(), "undo", "editor").Counts(); got != "read 2, changed 1, refused 1" {
		t.Errorf("undoing the import of somebody else: %s", got)
	}
	k.Get("/events?search=First", "").Want(t, 200, "").Has(t, "total", 1, "events.0.categories.0.id", sport)
	k.Del(kit.Item("imports", others.ID()), "editor").Want(t, 403, "rest_forbidden")
	k.Del(kit.Item("imports", others.ID()), "administrator").Want(t, 200, "")
}

// TestReview: on a site that wants it, what authors would publish waits for an editor (rule 2.9).
func TestReview(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	before := k.Post("/events", "author", kit.Times(kit.Object{"title": "Before"})).Want(t, 201, "").Has(t, "status", "publish").ID()
	k.Configure(&platform.ConfigFields{Review: args.Some(true)})
	event := k.Post("/events", "author", kit.Times(kit.Object{"title": "New", "status": "publish"})).Want(t, 201, "").Has(t, "status", "pending").ID()
	k.Patch(kit.Item("events", before), "author", kit.Object{"title": "Changed"}).Want(t, 403, "rest_forbidden")
	k.Patch(kit.Item("events", event), "author", kit.Object{"title": "Newer", "status": "publish"}).Want(t, 200, "").Has(t, "status", "pending")
	k.Patch(kit.Item("events", event), "editor", kit.Object{"status": "publish"}).Want(t, 200, "").Has(t, "status", "publish")
	k.Configure(&platform.ConfigFields{Review: args.Some(false)})
	k.Patch(kit.Item("events", event), "author", kit.Object{"title": "Mine again"}).Want(t, 200, "").Has(t, "status", "publish")
}

// shrinking are people of whom one has a smaller area when an import asks for their rights for the last time.
type shrinking struct {
	imports.People
	asked, last int
	shrink      func()
}

func (s *shrinking) Acting(ctx context.Context, user, credential int64) (tenancy.Principal, error) {
	if s.asked++; s.asked == s.last {
		s.shrink()
	}
	return s.People.Acting(ctx, user, credential)
}

// TestAreaShrinksDuringAnImport: what an import has not written yet follows the area that its author has by then.
func TestAreaShrinksDuringAnImport(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music, jazz, sport := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Jazz"}), k.Made("/categories", kit.Object{"name": "Sport"})
	area := func(of ...int64) {
		k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"categories": of}).Want(t, 200, "")
	}
	area(music, jazz, sport)
	people := &shrinking{People: k.Platform.Authenticator, last: 3, shrink: func() { area(music, jazz) }} // as it begins, for the first 250 entries, and for the rest
	k.ImportsAs(people)
	var rows strings.Builder
	rows.WriteString("Event UID,Event Name,Event Start Date,Event End Date,Event Category\n")
	for n := range 260 {
		fmt.Fprintf(&rows, "e%d,Event %[1]d,2031-03-01 10:00,2031-03-01 11:00,%s\n", n, []string{"Music", "Sport"}[n%2])
	}
	if got := k.Import(kit.Sent{Name: "a.csv", As: "editor", File: rows.String()}).Counts(); got != "read 260, created 255, refused 5" || people.asked != 3 {
		t.Errorf("%s, after %d questions", got, people.asked)
	}
	if of := k.Get(fmt.Sprintf("/events?categories=%d&per_page=1&start_date=2031-01-01", sport), "editor").Body["total"]; of != float64(125) {
		t.Errorf("%v events outside of the area that the editor has now", of)
	}
}

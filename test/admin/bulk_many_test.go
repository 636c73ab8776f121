package admin

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// eventField returns a field of an event as its administrator reads it.
func eventField(k *kit.Kit, id int64, name string) string {
	k.T.Helper()
	return fmt.Sprint(k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body[name])
}

// All that a list finds change in one write, one press takes it back in another, and a form that is sent twice counts once. More than the
// most are refused with a text.
func TestBulkOfTheList(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const most = 500
	var ids []int64
	for i := range most {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "cost": "3"}))
	}
	k.Event(kit.Object{"title": "Choir"})
	hall := k.Made("/venues", kit.Object{"venue": "Right hall"})
	b := k.Person("editor")
	const list = "/admin/events?view=all&search=talk"
	if p := b.Get(list); !p.Shows("All entries on all pages (500)") {
		t.Fatalf("the list does not offer all of its events: %.3000s", p.Body)
	}
	looking := url.Values{"do": {"bulk"}, "all": {"1"}, "to": {list}, "step": {"look"}, "set_venue": {fmt.Sprint(hall)}, "add_tags": {"moved"}, "cost": {"7"}}
	p := b.Post("/admin/events", looking)
	if p.Status != 200 || !p.Shows("Change 500 events") {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	form, before := bulkSaving(p), k.Version("demo")
	for range 2 {
		if p = b.Post("/admin/events", form); p.Status != 303 {
			t.Fatalf("%d %.2000s", p.Status, p.Body)
		}
		if p = b.Follow(); !p.Shows("500 events changed.") || !p.Shows(kit.UndoAction) {
			t.Fatalf("%.2000s", p.Body)
		}
	}
	if got := k.Version("demo"); got != before+1 {
		t.Errorf("%d writes, want one", got-before)
	}
	for _, id := range []int64{ids[0], ids[most/2], ids[most-1]} {
		if got := eventField(k, id, "venue") + eventField(k, id, "tags") + eventField(k, id, "cost"); !strings.Contains(got, "Right hall") || !strings.Contains(got, "moved") || !strings.Contains(got, "7") {
			t.Errorf("%d: %s", id, got)
		}
	}
	if p := b.Post(kit.Undoing(b)); p.Status != 303 || !b.Follow().Shows("Change undone: 500 events are as they were before.") {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	if got := k.Version("demo"); got != before+2 {
		t.Errorf("%d writes, want two", got-before)
	}
	for _, id := range []int64{ids[0], ids[most/2], ids[most-1]} {
		if got := eventField(k, id, "venue") + eventField(k, id, "tags"); strings.Contains(got, "Right hall") || strings.Contains(got, "moved") || !strings.Contains(eventField(k, id, "cost"), "3") {
			t.Errorf("%d is not as before: %s", id, got)
		}
	}
	const all = "/admin/events?view=all"
	if p := b.Get(all); !p.Shows("at most 500 entries") || p.Shows("All entries on all pages") {
		t.Error("a list of more offers all of it")
	}
	looking.Set("to", all)
	if b.Post("/admin/events", looking); !b.Follow().Shows("Nothing was changed: at most 500 entries can be changed at a time.") {
		t.Errorf("%.2000s", b.Page.Body)
	}
	if b.Post("/admin/events", url.Values{"do": {"bulk"}, "to": {all}}); !b.Follow().Shows("Nothing was selected") {
		t.Errorf("nothing chosen: %.2000s", b.Page.Body)
	}
	if got := k.Version("demo"); got != before+2 {
		t.Error("what was refused wrote something")
	}
}

// Authors change their own events and are told of the others, what is in the trash by now stays there, and is told.
func TestBulkSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall := k.Made("/venues", kit.Object{"venue": "Right hall"})
	others := k.Event(kit.Object{"title": "Of others"})
	own := []int64{k.Post("/events", "author", kit.Object{"title": "Mine", "start_date": "2030-03-01 10:00", "end_date": "2030-03-01 11:00"}).ID(),
		k.Post("/events", "author", kit.Object{"title": "Mine too", "start_date": "2030-03-01 10:00", "end_date": "2030-03-01 11:00"}).ID()}
	b := k.Person("author")
	b.Get("/admin/events?view=all")
	p := bulkForm(b, append(own, others), "look", "set_venue", fmt.Sprint(hall))
	if !p.Shows("Change 2 events") || !p.Shows("Cannot be changed: 1") || !p.Shows("You may not change this event.") {
		t.Fatalf("%.4000s", p.Body)
	}
	form := bulkSaving(p)
	form.Add("id", fmt.Sprint(others)) // as nobody would by the page
	k.Del(fmt.Sprintf("/events/%d", own[1]), "administrator")
	p = b.Post("/admin/events", form)
	if !p.Shows("1 event changed.") || !p.Shows("Cannot be changed: 2") || !p.Shows("It is in the trash.") || !p.Shows(kit.UndoAction) {
		t.Fatalf("%d %.4000s", p.Status, p.Body)
	}
	if got := eventField(k, own[0], "venue"); !strings.Contains(got, "Right hall") {
		t.Errorf("their own is at %s", got)
	}
	if got := eventField(k, others, "venue"); strings.Contains(got, "Right hall") {
		t.Errorf("that of others is at %s", got)
	}
	k.Del(fmt.Sprintf("/events/%d?force=true", own[1]), "administrator")
	if p := bulkForm(b, own, "look", "cost", "3"); !p.Shows("No longer there: 1") || !p.Shows("Change 1 event") {
		t.Errorf("%.3000s", p.Body)
	}
}

// Two editors change the same events: the second sets only what the form names, and is asked again where that has become another.
func TestBulkOfTwoEditors(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	right, third := k.Made("/venues", kit.Object{"venue": "Right hall"}), k.Made("/venues", kit.Object{"venue": "Third hall"})
	a, c := k.Event(kit.Object{"title": "Renamed"}), k.Event(kit.Object{"title": "Relocated"})
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	form := bulkSaving(bulkForm(b, []int64{a, c}, "look", "set_venue", fmt.Sprint(right)))
	k.Patch(fmt.Sprintf("/events/%d", a), "administrator", kit.Object{"title": "Another name"})
	k.Patch(fmt.Sprintf("/events/%d", c), "administrator", kit.Object{"venue": third})
	p := b.Post("/admin/events", form)
	if p.Status != 409 || !p.Shows("1 event changed.") || !p.Shows("changed in the meantime") || !p.Shows("Third hall") {
		t.Fatalf("%d %.4000s", p.Status, p.Body)
	}
	if got := eventField(k, a, "title") + eventField(k, a, "venue"); !strings.Contains(got, "Another name") || !strings.Contains(got, "Right hall") {
		t.Errorf("the first is %s", got)
	}
	if got := eventField(k, c, "venue"); !strings.Contains(got, "Third hall") {
		t.Errorf("the second is at %s", got)
	}
	if p := b.Post("/admin/events", bulkSaving(p)); p.Status != 303 || !strings.Contains(eventField(k, c, "venue"), "Right hall") {
		t.Errorf("after the second look: %d %s", p.Status, eventField(k, c, "venue"))
	}
}

// Undo takes back what nobody has changed since, field by field, and says what stays.
func TestBulkUndoKeepsWhatOthersChanged(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	right, third := k.Made("/venues", kit.Object{"venue": "Right hall"}), k.Made("/venues", kit.Object{"venue": "Third hall"})
	var ids []int64
	for i := range 4 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "cost": "3"}))
	}
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	b.Post("/admin/events", bulkSaving(bulkForm(b, ids, "look", "set_venue", fmt.Sprint(right), "cost", "7")))
	b.Follow()
	k.Patch(fmt.Sprintf("/events/%d", ids[0]), "administrator", kit.Object{"venue": third})
	k.Patch(fmt.Sprintf("/events/%d", ids[1]), "administrator", kit.Object{"title": "Renamed"})
	k.Del(fmt.Sprintf("/events/%d?force=true", ids[2]), "administrator")
	p := b.Post(kit.Undoing(b))
	if p.Status != 200 || !p.Shows("Not everything was undone") || !p.Shows("Events restored: 3") || !p.Shows("No longer there: 1") || !p.Shows("Talk 0") || p.Shows("Renamed") {
		t.Fatalf("%d %.4000s", p.Status, p.Body)
	}
	for i, want := range map[int]string{0: "Third hall", 1: "Renamed", 3: "Talk 3"} {
		got, cost := eventField(k, ids[i], "venue")+eventField(k, ids[i], "title"), eventField(k, ids[i], "cost")
		if !strings.Contains(got, want) || strings.Contains(got, "Right hall") || !strings.Contains(cost, "3") || strings.Contains(cost, "7") {
			t.Errorf("%d: %s, %s", i, got, cost)
		}
	}
}

// Undo takes any version. Whoever may not read what others write learns nothing of it that way, and changes none of it.
func TestUndoOfOthersTellsNothing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Secret party", "status": "draft"})
	made := k.Peek("demo", `SELECT version::text FROM changes WHERE kind = 'event' AND id = $1`, id)
	for _, role := range []string{"contributor", "author"} {
		b := k.Person(role)
		b.Get("/admin/events")
		p := b.Post("/admin/events/undo", url.Values{"writes": {"undo~all." + made}, "to": {"/admin/events"}})
		if p.Status == 303 {
			p = b.Follow()
		}
		if p.Status != 200 || p.Shows("Secret party") {
			t.Errorf("%s: %d %.4000s", role, p.Status, p.Body)
		}
		if got := eventField(k, id, "status"); got != "draft" {
			t.Errorf("%s: the event is %s", role, got)
		}
	}
	b := k.Person("editor")
	b.Get("/admin/events")
	b.Post("/admin/events/undo", url.Values{"writes": {"undo~all." + made}, "to": {"/admin/events"}})
	if got := k.Peek("demo", `SELECT status FROM events WHERE id = $1`, id); got != "trash" {
		t.Errorf("editors take back what others did: the event is %s", got)
	}
}

// What is moved keeps its time on the wall clock, also over a change of the clocks. A time that the clock skips is the one after it.
func TestBulkMovesOnTheWallClock(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, c := range [][3]string{
		{"2031-03-29 10:00:00", "2031-03-30 10:00:00", "2031-03-30 08:00:00"}, {"2031-03-29 02:30:00", "2031-03-30 03:30:00", "2031-03-30 01:30:00"},
		{"2031-10-25 10:00:00", "2031-10-26 10:00:00", "2031-10-26 09:00:00"},
	} {
		id := k.Event(kit.Object{"timezone": "Europe/Berlin", "start_date": c[0], "end_date": c[0]})
		b := k.Person("editor")
		b.Get("/admin/events?view=all")
		b.Post("/admin/events", bulkSaving(bulkForm(b, []int64{id}, "look", "move_days", "1")))
		if got := eventField(k, id, "start_date") + " " + eventField(k, id, "utc_start_date"); got != c[1]+" "+c[2] {
			t.Errorf("%s became %s", c[0], got)
		}
		if p := b.Follow(); !p.Shows(kit.UndoAction) {
			t.Fatalf("%.2000s", p.Body)
		}
		if b.Post(kit.Undoing(b)); eventField(k, id, "start_date") != c[0] {
			t.Errorf("%s was not taken back: %s", c[0], eventField(k, id, "start_date"))
		}
	}
}

// Organizers are added and removed, a status is set, and events are cancelled with a reason, together.
func TestBulkStatusAndOrganizers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	choir, band := k.Made("/organizers", kit.Object{"organizer": "The choir"}), k.Made("/organizers", kit.Object{"organizer": "The band"})
	ids := []int64{k.Event(kit.Object{"organizer": choir}), k.Event(kit.Object{"status": "draft"})}
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	do := func(more ...string) {
		t.Helper()
		if p := b.Post("/admin/events", bulkSaving(bulkForm(b, ids, "look", more...))); p.Status != 303 {
			t.Fatalf("%d %.3000s", p.Status, p.Body)
		}
	}
	do("add_organizer", fmt.Sprint(band), "status", "pending", "event_status", "cancelled", "event_status_reason", "Storm")
	for i, id := range ids {
		got := eventField(k, id, "organizer")
		if !strings.Contains(got, "The band") || strings.Contains(got, "The choir") != (i == 0) || eventField(k, id, "status") != "pending" || eventField(k, id, "event_status_reason") != "Storm" {
			t.Errorf("%d: %s, %s, %s", i, got, eventField(k, id, "status"), eventField(k, id, "event_status_reason"))
		}
	}
	do("remove_organizer", fmt.Sprint(choir), "event_status", "scheduled")
	if got := eventField(k, ids[0], "organizer"); strings.Contains(got, "The choir") || eventField(k, ids[0], "event_status") == "cancelled" {
		t.Errorf("%s, %s", got, eventField(k, ids[0], "event_status"))
	}
}

// Events are copied to the week after, with the same status or as drafts, all in one write that counts once and can be taken back.
func TestBulkCopies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall := k.Made("/venues", kit.Object{"venue": "Town hall"})
	var ids []int64
	for i := range 3 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Market ", i), "venue": hall, "cost": "3", "event_status": "cancelled", "post_password": "",
			"start_date": fmt.Sprintf("2031-03-2%d 10:00:00", 4+i), "end_date": fmt.Sprintf("2031-03-2%d 12:00:00", 4+i)}))
	}
	locked := k.Event(kit.Object{"title": "Market locked", "post_password": "secret", "start_date": "2031-03-24 10:00:00", "end_date": "2031-03-24 12:00:00"})
	choir := kit.Weekly(k, nil)
	b := k.Person("editor")
	list := fmt.Sprintf("/admin/events?view=draft&from=2031-03-01&search=market&venue=%d", hall)
	b.Get("/admin/events")
	asking := url.Values{"do": {"copies"}, "to": {list}}
	for _, id := range append(ids, locked, choir) {
		asking.Add("id", fmt.Sprint(id))
	}
	p := b.Post("/admin/events", asking)
	if p.Status != 200 || !p.Shows("Show the copies") || !p.Shows("A series repeats by itself.") || !p.Shows("Cannot be copied: 1") || !p.Shows("Mar\u00a031,\u00a02031") {
		t.Fatalf("%d %.4000s", p.Status, p.Body)
	}
	if !p.Shows("Make 4 copies (published)") || !p.Shows("Make 4 copies as drafts") || !strings.Contains(kit.Unescape(p.Body), `{"for":1,"text":"Make # copy (published)"}`) {
		t.Errorf("the buttons don’t say what they make: %.4000s", p.Body)
	}
	form := kit.FormAt(p, `<form class="stack"`)
	form.Set("do", "copies")
	form.Set("step", "same")
	before := k.Version("demo")
	for range 2 {
		if p := b.Post("/admin/events", form); p.Status != 303 {
			t.Fatalf("%d %.3000s", p.Status, p.Body)
		}
		copied := fmt.Sprintf(`</span> <a href="/admin/events?from=2031-03-31&amp;search=market&amp;to=2031-04-02&amp;venue=%d&amp;view=all">View</a>`, hall)
		if p := b.Follow(); !p.Shows("4 events copied: Mar\u00a031 – Apr\u00a02,\u00a02031.") || !strings.Contains(strings.ReplaceAll(p.Body, "  ", " "), copied) {
			t.Fatalf("%.3000s", p.Body)
		}
	}
	if got := k.Version("demo"); got != before+1 {
		t.Errorf("%d writes, want one", got-before)
	}
	found := k.Get("/events?search=market&start_date=2031-03-31&end_date=2031-04-30&status=publish", "administrator")
	if got := fmt.Sprint(found.Body["total"]); got != "4" {
		t.Fatalf("%s copies: %s", got, found)
	}
	text := found.String()
	for _, want := range []string{"2031-03-31 10:00:00", "2031-04-02 12:00:00", "Town hall"} {
		if !strings.Contains(text, want) {
			t.Errorf("the copies lack %s", want)
		}
	}
	if strings.Contains(text, `"event_status":"cancelled"`) {
		t.Error("a copy is cancelled")
	}
	if p := b.Post(kit.Undoing(b)); p.Status != 303 || !b.Follow().Shows("Change undone: 4 new events moved to the trash.") {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	if got := fmt.Sprint(k.Get("/events?search=market&start_date=2031-03-31&end_date=2031-04-30&status=publish", "administrator").Body["total"]); got != "0" {
		t.Errorf("%s copies are left", got)
	}
	form = kit.FormAt(b.Post("/admin/events", asking), `<form class="stack"`)
	form.Set("do", "copies")
	form.Set("step", "draft")
	form.Set("copy_days", "0")
	if p := b.Post("/admin/events", form); p.Status != 422 || !p.Shows("at least 1") {
		t.Errorf("%d", p.Status)
	}
	form.Set("copy_days", "14")
	b.Post("/admin/events", form)
	if got := fmt.Sprint(k.Get("/events?search=market&start_date=2031-04-07&end_date=2031-04-30&status=draft", "administrator").Body["total"]); got != "4" {
		t.Errorf("%s drafts", got)
	}
}

// TestBulkOutsideAnArea: of the events that an editor with an area has chosen, those in it change, and the others are left and named.
// One Undo of somebody else's write takes back what is in the area.
func TestBulkOutsideAnArea(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	music, sport := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Sport"})
	event := func(title string, category int64, more kit.Object) int64 {
		more["title"], more["categories"], more["start_date"], more["end_date"] = title, []int64{category}, "2031-01-10 10:00", "2031-01-10 11:00"
		return k.Event(more)
	}
	weekly := func() kit.Object { return kit.Object{"recurrence": kit.Object{"every": "week", "count": 3}} }
	inside := []int64{event("Concert", music, kit.Object{}), event("Choir", music, weekly())}
	outside := []int64{event("Match", sport, kit.Object{}), event("Training", sport, weekly())}
	date, err := strconv.ParseInt(fmt.Sprint(k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2031-01-01&end_date=2031-03-01", outside[1]), "").Want(t, 200, "").At("events.1.id")), 10, 64)
	k.Must(err)
	all := slices.Concat(inside, outside, []int64{date})
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"categories": []int64{music}}).Want(t, 200, "")
	b := k.Person("editor")
	b.Get("/admin/events")

	p := bulkForm(b, all, "look", "cost", "5 €")
	if !p.Shows("Match") || !p.Shows("Concert") {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if !p.Shows("not in your part of the calendar") || p.Shows("You may not change") || !strings.Contains(p.Body, `value="look"`) {
		t.Errorf("what cannot be changed is not explained: %.3000s", p.Body)
	}
	if p := bulkForm(b, outside, "look", "cost", "5 €"); p.Status != 200 || strings.Contains(p.Body, `value="look"`) || strings.Contains(p.Body, `value="save"`) {
		t.Errorf("there is a form for what cannot be changed: %.3000s", p.Body)
	}
	p = b.Post("/admin/events", bulkSaving(p))
	if p.Status >= 400 || eventField(k, inside[0], "cost") != "5€" || eventField(k, inside[1], "cost") != "5€" || eventField(k, outside[0], "cost") != "" {
		t.Errorf("saving: %d, costs %q and %q", p.Status, eventField(k, inside[0], "cost"), eventField(k, outside[0], "cost"))
	}
	form := url.Values{"do": {"cancel"}, "seen": {kit.AllSeen}}
	for _, id := range all {
		form.Add("id", fmt.Sprint(id))
	}
	if p = b.Post("/admin/events", form); p.Status != 303 {
		t.Errorf("cancelling: %d", p.Status)
	}
	for _, id := range all {
		if got := eventField(k, id, "event_status"); (got == "cancelled") != slices.Contains(inside, id) {
			t.Errorf("event %d is %s", id, got)
		}
	}

	admin := k.Person("administrator")
	admin.Get("/admin/events")
	form.Set("do", "trash")
	if p = admin.Post("/admin/events", form); p.Status != 303 {
		t.Fatalf("an administrator: %d", p.Status)
	}
	p = b.Post("/admin/events/undo", url.Values{"writes": {admin.Cookies["kalends-undo"]}, "to": {"/admin/events"}})
	if p.Status != 200 || !p.Shows("Match") || p.Shows("Concert") {
		t.Errorf("undo: %d %.2000s", p.Status, p.Body)
	}
	if got := eventField(k, inside[0], "status") + " " + eventField(k, outside[0], "status"); got != "publish <nil>" { // the API shows nothing of the trash
		t.Errorf("after undo: %s", got)
	}
}

// TestNamesThatTheAPIRefuses: the form of many events and that of one make no tags and categories that the API would refuse, in length or
// in number.
func TestNamesThatTheAPIRefuses(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Talk", "start_date": "2031-01-10 10:00", "end_date": "2031-01-10 11:00"})
	b := k.Person("editor")
	many := make([]string, 501)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	long := strings.Repeat("x", 201)
	for _, tags := range []string{long, strings.Join(many, ",")} {
		if p := b.Post("/admin/events", bulkSaving(bulkForm(b, []int64{id}, "look", "add_tags", tags))); p.Status >= 500 {
			t.Errorf("many events: %d", p.Status)
		}
	}
	path := fmt.Sprintf("/admin/events/%d", id)
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"new_category": {long}, "do": {"save"}})); p.Status != 422 {
		t.Errorf("one event: %d", p.Status)
	}
	for _, kind := range []string{"tags", "categories"} {
		if got := k.Get("/"+kind+"?hide_empty=false", "administrator").At("total"); fmt.Sprint(got) != "0" {
			t.Errorf("%v %s were made", got, kind)
		}
	}
}

package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// faltering is a node whose database does not answer some writes.
type faltering struct {
	*storage.DB
	imports.Store
	fails  func(n int) bool
	before func(n int)
	writes int
}

func (f *faltering) Imports() imports.Store { return f }

func (f *faltering) Write(ctx context.Context, b *imports.Batch) error {
	f.writes++
	if f.before != nil {
		f.before(f.writes)
	}
	if f.fails != nil && f.fails(f.writes) {
		return fmt.Errorf("write: %w", calendar.ErrUnavailable)
	}
	return f.Store.Write(ctx, b)
}

// node returns imports on a node of that kind.
func (f *faltering) node(k *kit.Kit) *imports.Service {
	f.DB, f.Store = k.DB, k.DB.Imports()
	return imports.New(k.Calendar, f, k.Editing, imports.Options{People: k.Platform.Authenticator, Clock: func() time.Time { return k.Clock }})
}

// A database that does not answer for a moment costs an import nothing: it goes on when its lease has ended. One that never answers ends it.
func TestImportOutlivesTheDatabase(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	const n = 900
	id := k.StartImport(kit.Sent{Name: "many.ics", File: many(n, nil)}).Want(t, 202, "").ID()
	node := (&faltering{fails: func(n int) bool { return n == 2 }}).node(k)
	if worked, err := node.Work(t.Context()); !worked || err != nil {
		t.Fatalf("%v %v", worked, err)
	}
	r := k.ReportOf("", id)
	if done := len(r.Entries); r.Body["state"] != "running" || done == 0 || done >= n {
		t.Fatalf("%s with %d entries", r.Body["state"], done)
	}
	k.Clock = k.Clock.Add(time.Minute)
	k.RunImports()
	if r = k.ReportOf("", id); r.Body["state"] != "done" || r.Counts() != fmt.Sprintf("read %d, created %d", n, n) {
		t.Errorf("%s: %s", r.Body["state"], r.Counts())
	}
	if got := k.Peek("demo", `SELECT count(*)::text || ' ' || count(DISTINCT title)::text FROM events`); got != fmt.Sprintf("%d %d", n, n) {
		t.Errorf("events and titles: %s", got)
	}
	id = k.StartImport(kit.Sent{Name: "more.ics", File: strings.ReplaceAll(many(20, nil), "SUMMARY:", "SUMMARY:More ")}).Want(t, 202, "").ID()
	never := (&faltering{fails: func(int) bool { return true }}).node(k)
	for range 5 {
		_, err := never.Work(t.Context())
		k.Must(err)
		k.Clock = k.Clock.Add(time.Minute)
	}
	if r = k.ReportOf("", id); r.Body["state"] != "failed" || r.At("problem.code") != "rest_service_unavailable" {
		t.Errorf("never answers: %s", r.Raw)
	}
}

// slow is a store whose writes for one site wait.
type slow struct {
	*storage.DB
	imports.Store
	site      string
	once      sync.Once
	began, on chan struct{}
}

func (s *slow) Imports() imports.Store { return s }

func (s *slow) Write(ctx context.Context, b *imports.Batch) error {
	if tenancy.Current(ctx).Site.Slug == s.site {
		s.once.Do(func() { close(s.began) })
		<-s.on
	}
	return s.Store.Write(ctx, b)
}

// An import that takes long holds up no import of another site.
func TestSlowImportHoldsUpNobody(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	other := k.Site("two").Slug
	store := &slow{DB: k.DB, Store: k.DB.Imports(), site: "demo", began: make(chan struct{}), on: make(chan struct{})}
	node := imports.New(k.Calendar, store, k.Editing, imports.Options{People: k.Platform.Authenticator})
	long := k.StartImport(kit.Sent{Name: "a.ics", File: many(1, nil)}).Want(t, 202, "").ID()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { node.Run(ctx); close(ended) }()
	<-store.began
	short := k.StartImport(kit.Sent{Name: "b.ics", File: many(1, nil), Site: other}).Want(t, 202, "").ID()
	storagetest.Until(t, "the other site's import ends", func() bool { return k.ReportAt(other, "", short).Body["state"] == "done" })
	if state := k.ReportOf("", long).Body["state"]; state != "running" {
		t.Errorf("the long import is %v", state)
	}
	close(store.on)
	storagetest.Until(t, "the long import ends", func() bool { return k.ReportOf("", long).Body["state"] == "done" })
	end()
	<-ended
}

// Who loses the right to import while an import runs imports no more from then on; what is there stays, and the report says how far it came.
func TestImportEndsWithRights(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const n = 900
	id := k.StartImport(kit.Sent{Name: "many.ics", File: many(n, nil)}).Want(t, 202, "").ID()
	node := (&faltering{before: func(n int) {
		if n == 2 {
			k.Change("demo", `UPDATE users SET role = 'subscriber' WHERE role = 'editor'`)
		}
	}}).node(k)
	_, err := node.Work(t.Context())
	k.Must(err)
	r := k.ReportOf("administrator", id)
	if r.Body["state"] != "failed" || r.At("problem.code") != "rest_forbidden" {
		t.Errorf("%s", r.Raw)
	}
	if got := k.Peek("demo", `SELECT count(*)::text FROM events`); got != fmt.Sprint(len(r.Entries)) || len(r.Entries) == 0 || len(r.Entries) == n {
		t.Errorf("%s events, %d entries", got, len(r.Entries))
	}
}

// An undo after people have changed half of the events takes the other half back, and says what stayed.
func TestUndoAfterPeopleChangedHalf(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first := k.Import(kit.Sent{Name: "many.ics", File: many(20, nil)})
	second := k.Import(kit.Sent{Name: "many.ics", File: strings.ReplaceAll(many(20, nil), "SUMMARY:", "SUMMARY:New ")})
	if first.Counts() != "read 20, created 20" || second.Counts() != "read 20, changed 20" {
		t.Fatalf("%s; %s", first.Counts(), second.Counts())
	}
	for i := range 10 {
		k.Patch(fmt.Sprintf("/events/by-slug/event-%d", i), "editor", kit.Object{"title": fmt.Sprint("Ours ", i), "cost": "5 €"}).Want(t, 200, "")
	}
	a := k.Post(at("imports", second.ID())+"/undo", "editor", nil).Want(t, 202, "")
	k.RunImports()
	r := k.ReportOf("", a.ID())
	if r.Body["state"] != "done" {
		t.Errorf("%s", r.Raw)
	}
	if got := k.Peek("demo", `SELECT count(*) FILTER (WHERE title LIKE 'Ours%') || ' ' || count(*) FILTER (WHERE title LIKE 'Event%') FROM events WHERE status = 'publish'`); got != "10 10" {
		t.Errorf("ours and theirs: %s", got)
	}
	if n := strings.Count(fmt.Sprint(r.Entries), "code:changed-since"); n != 10 {
		t.Errorf("%d are said to stay: %v", n, r.Entries[:3])
	}
	k.Post(at("imports", second.ID())+"/undo", "editor", nil).Want(t, 409, "import-undone")
}

// An entry of which a part is undone says what went back and what people changed, and the same file leaves theirs alone.
func TestUndoOfPartOfAnEntry(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Import(kit.Sent{Name: "many.ics", File: many(1, nil)})
	file := strings.ReplaceAll(many(1, nil), "SUMMARY:Event 0", "SUMMARY:New\r\nDESCRIPTION:New")
	second := k.Import(kit.Sent{Name: "many.ics", File: file})
	k.Patch("/events/by-slug/event-0", "editor", kit.Object{"description": "Ours"}).Want(t, 200, "")
	undo := k.Post(at("imports", second.ID())+"/undo", "editor", nil).Want(t, 202, "")
	k.RunImports()
	r := k.ReportOf("", undo.ID())
	if got := fmt.Sprint(r.Entries); !strings.Contains(got, "fields:[title]") || strings.Count(got, "changed-since") != 1 {
		t.Errorf("the report of the undo: %s", got)
	}
	third := k.Import(kit.Sent{Name: "many.ics", File: file})
	if got := fmt.Sprint(third.Entries); !strings.Contains(got, "fields:[title]") {
		t.Errorf("the same file again: %s", got)
	}
	e := k.Get("/events/by-slug/event-0", "").Want(t, 200, "")
	if e.Body["title"] != "New" || e.Body["description"] != "<p>Ours</p>" {
		t.Errorf("%s", e.Raw)
	}
}

// What waits has not begun, also if a dry run of it has ended.
func TestRunOfDryRunHasNotBegun(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	dry := k.Import(kit.Sent{Name: "many.ics", File: many(1, nil), Fields: map[string]string{"dry_run": "true"}})
	a := k.Post(at("imports", dry.ID())+"/run", "editor", nil).Want(t, 202, "")
	if a.Body["started"] != nil || a.Body["finished"] != nil {
		t.Errorf("%s", a.Raw)
	}
}

// packed returns zeros, packed: a thousandth of them.
func packed(bytesOf int) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write([]byte("BEGIN:VCALENDAR\r\n"))
	zeros := make([]byte, 1<<20)
	for range bytesOf >> 20 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	return out.String()
}

// What unpacks to more than is read, what never ends, and a line without an end fail as a whole, and leave nothing.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	bomb := packed(200 << 20)
	if r := k.Import(kit.Sent{Name: "bomb.ics", File: bomb}); r.Body["state"] != "failed" || r.At("problem.code") != "import-packed" {
		t.Errorf("packed: %s", r.Raw)
	}
	k.StartImport(kit.Sent{Name: "long.ics", File: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:" + strings.Repeat("x", 100<<20)}).Want(t, 413, "rest_content_too_large")
	if r := k.Import(kit.Sent{Name: "long.ics", File: many(1, func(_ int, line string) string {
		if strings.HasPrefix(line, "SUMMARY:") {
			return "SUMMARY:" + strings.Repeat("x", 60<<20)
		}
		return line
	})}); r.Counts() != "read 1, refused 1" {
		t.Errorf("a long line: %s", r.Raw)
	}
	feed := k.Outlet("")
	source := k.Source(kit.Object{"url": feed.URL})
	for about, c := range map[string]struct {
		code   string
		answer http.HandlerFunc
	}{
		"packed bomb": {"import-too-large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(bomb)) }},
		"endless": {"import-not-fetched", func(w http.ResponseWriter, r *http.Request) {
			piece := bytes.Repeat([]byte("BEGIN:VEVENT\r\n"), 8<<10)
			for n := 0; n < 2<<30 && r.Context().Err() == nil; n += len(piece) {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		}},
	} {
		feed.Answer(c.answer)
		if of := k.ReadSource(source); of.At("problem.code") != c.code {
			t.Errorf("%s: %s", about, of.Raw)
		}
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events`); n != "0" {
		t.Errorf("%s events", n)
	}
}

// A date of a series that its file has in another zone is converted, and the report says so.
func TestImportedDateInAnotherZone(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Import(kit.Sent{Name: "zones.ics", File: strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:x
BEGIN:VEVENT
UID:s@zones.example
DTSTAMP:20300101T000000Z
DTSTART;TZID=Europe/Berlin:20300107T190000
DTEND;TZID=Europe/Berlin:20300107T200000
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:Call
END:VEVENT
BEGIN:VEVENT
UID:s@zones.example
DTSTAMP:20300101T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20300114T190000
DTSTART;TZID=America/New_York:20300114T150000
DTEND;TZID=America/New_York:20300114T160000
SUMMARY:Call
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")})
	if !strings.Contains(fmt.Sprint(r.Entries), "date-zone") {
		t.Errorf("%v", r.Entries)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE start_local = '2030-01-14 21:00'`); n != "1" {
		t.Errorf("%s at nine in Berlin", n)
	}
}

// After more changes than are looked up one by one, a follower is told the same: each object once, at its own version.
func TestChangesOfAWholeImport(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const n = 1100
	chain := func(next string) (told map[string][]string, after string) {
		told = map[string][]string{}
		for more := true; more; {
			page := k.Get("/changes?types=event&per_page=500&since="+url.QueryEscape(next), "").Want(t, 200, "")
			for _, change := range kit.ListOf(page.Body["changes"]) {
				c, _ := change.(map[string]any)
				action := fmt.Sprint(c["action"])
				told[action] = append(told[action], fmt.Sprint(c["id"], " ", c["version"]))
			}
			next, _ = page.Body["next"].(string)
			more, _ = page.Body["more"].(bool)
		}
		return told, next
	}
	start := k.Get("/changes?types=event", "").Want(t, 200, "").Body["next"].(string)
	made := k.Import(kit.Sent{Name: "many.ics", File: many(n, nil)})
	told, next := chain(start)
	if len(told["created"]) != n || len(told) != 1 {
		t.Errorf("%d created", len(told["created"]))
	}
	event := k.Get("/events/by-slug/event-7", "").Want(t, 200, "").ID()
	went := k.Patch(kit.Item("events", event), "editor", kit.Object{"status": "draft"}).Want(t, 200, "").Header.Get("X-Kalends-Version")
	k.Post(at("imports", made.ID())+"/undo", "editor", nil).Want(t, 202, "")
	k.RunImports()
	told, next = chain(next)
	if len(told["deleted"]) != n || len(told) != 1 || !slices.Contains(told["deleted"], fmt.Sprint(event, " ", went)) {
		t.Errorf("%d deleted, or event %d not at version %s", len(told["deleted"]), event, went)
	}
	if told, _ = chain(next); len(told) != 0 {
		t.Errorf("told again: %v", told)
	}
}

package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// many is a calendar with n events, from one day on.
func many(n int, change func(i int, line string) string) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Many//EN\r\nX-WR-CALNAME:Many\r\n")
	day := time.Date(2030, 1, 1, 18, 0, 0, 0, time.UTC)
	for i := range n {
		for _, line := range []string{"BEGIN:VEVENT", fmt.Sprintf("UID:%d@many.example", i), "DTSTAMP:20300101T000000Z",
			"DTSTART:" + day.AddDate(0, 0, i%300).Format("20060102T150405Z"), "DURATION:PT1H", fmt.Sprintf("SUMMARY:Event %d", i),
			fmt.Sprintf("LOCATION:Hall %d", i%7), "CATEGORIES:Music", "END:VEVENT"} {
			if change != nil {
				line = change(i, line)
			}
			b.WriteString(line + "\r\n")
		}
	}
	return b.String() + "END:VCALENDAR\r\n"
}

// dying is a node that dies after some writes: nothing reaches the store any more.
type dying struct {
	*storage.DB
	imports.Store
	left int
}

var errDead = errors.New("dead")

func (d *dying) Imports() imports.Store { return d }

func (d *dying) Write(ctx context.Context, b *imports.Batch) error {
	if d.left--; d.left < 0 {
		return errDead
	}
	return d.Store.Write(ctx, b)
}

func (d *dying) End(context.Context, []*imports.Import, *imports.Hold) error { return errDead }
func (d *dying) Release(context.Context, int64, *imports.Hold) error         { return errDead }
func (d *dying) Extend(context.Context, *imports.Hold) error                 { return nil }

// A node that dies in the middle of an import leaves it to another, which goes on with what the report lacks: nothing is lost and
// nothing doubled.
func TestImportGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	const n = 900
	id := k.StartImport(kit.Sent{Name: "many.ics", File: many(n, nil)}).Want(t, 202, "").ID()
	for deaths := range 3 {
		node := imports.New(k.Calendar, &dying{DB: k.DB, Store: k.DB.Imports(), left: 1}, k.Editing,
			imports.Options{People: k.Platform.Authenticator, Clock: func() time.Time { return k.Clock }})
		if worked, err := node.Work(t.Context()); !worked || !errors.Is(err, errDead) {
			t.Fatalf("death %d: %v %v", deaths, worked, err)
		}
		if worked, err := k.Imports.Work(t.Context()); worked || err != nil {
			t.Fatalf("taken before the lease ended: %v %v", worked, err)
		}
		k.Clock = k.Clock.Add(time.Minute)
	}
	before := k.ReportOf("", id)
	if done := len(before.Entries); done == 0 || done >= n {
		t.Fatalf("%d entries before the last node", done)
	}
	k.RunImports()
	r := k.ReportOf("", id)
	if got := r.Counts(); r.Body["state"] != "done" || got != fmt.Sprintf("read %d, created %d", n, n) {
		t.Errorf("%s: %s", r.Body["state"], got)
	}
	for i, e := range r.Entries {
		if e["number"] != float64(i+1) {
			t.Fatalf("entry %d is number %v", i+1, e["number"])
		}
	}
	if events := k.Peek("demo", `SELECT count(*)::text || ' ' || count(DISTINCT title)::text FROM events`); events != fmt.Sprintf("%d %d", n, n) {
		t.Errorf("events and titles: %s", events)
	}
}

// Two people who import one file at the same moment get its events once.
func TestImportsOfOneSourceFollow(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first := k.StartImport(kit.Sent{Name: "many.ics", File: many(50, nil)}).Want(t, 202, "").ID()
	second := k.StartImport(kit.Sent{Name: "many.ics", File: many(50, nil), As: "administrator"}).Want(t, 202, "").ID()
	other := k.SecondNode()
	done := make(chan error, 2)
	for _, node := range []*imports.Service{k.Imports, other.Imports} {
		go func() {
			_, err := node.Work(t.Context())
			done <- err
		}()
	}
	k.Must(errors.Join(<-done, <-done))
	k.RunImports()
	a, b := k.ReportOf("", first).Counts(), k.ReportOf("", second).Counts()
	if a != "read 50, created 50" || b != "read 50, same 50" {
		t.Errorf("%s; %s", a, b)
	}
}

// Contributors import drafts of their own, subscribers nothing, and nobody sees the imports of others without being an editor.
func TestImportRights(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	file := kit.Sent{Name: "one.ics", File: many(1, func(_ int, line string) string { return strings.Replace(line, "CATEGORIES:Music", "", 1) })}
	for as, code := range map[string]int{"subscriber": 403, "Basic bm9ib2R5Om5vdGhpbmc=": 401} {
		file.As = as
		if a := k.StartImport(file); a.Status != code {
			t.Errorf("%s: %s", as, a)
		}
	}
	file.As = "contributor"
	r := k.Import(file)
	if r.Counts() != "read 1, created 1" {
		t.Fatalf("%s %v", r.Counts(), said(r))
	}
	if status := k.Peek("demo", `SELECT status FROM events`); status != "draft" {
		t.Errorf("a contributor's event is %s", status)
	}
	file.Fields = map[string]string{"status": "publish"}
	k.StartImport(file).Want(t, 403, "rest_forbidden")
	path := fmt.Sprintf("/imports/%d", r.ID())
	k.Send(kit.Request{Method: "GET", Path: path, As: "author"}).Want(t, 404, "rest-import-not-found")
	k.Send(kit.Request{Method: "GET", Path: path, As: "editor"}).Want(t, 200, "")

	id := k.StartImport(kit.Sent{Name: "many.ics", File: many(3, nil)}).Want(t, 202, "").ID()
	ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	_, err = k.Platform.Users.Update(ctx, 2, &accounts.UserFields{Role: args.Some("subscriber")})
	k.Must(err)
	k.RunImports()
	ended := k.ReportOf("administrator", id)
	problem, _ := ended.Body["problem"].(map[string]any)
	if ended.Body["state"] != "failed" || problem["code"] != "rest_forbidden" || len(ended.Entries) != 0 {
		t.Errorf("an editor who is none any more: %s", ended.Raw)
	}
}

// What nothing comes from has one problem, whatever the reason.
func TestImportFromAddresses(t *testing.T) {
	t.Parallel()
	files := http.NewServeMux()
	files.HandleFunc("/club.ics", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(club)) })
	files.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	})
	served := httptest.NewServer(files)
	t.Cleanup(served.Close)
	k := kit.New(t)
	for _, address := range []string{served.URL + "/club.ics", "https://10.1.2.3/a.ics", "http://localhost:1/", "https://[::1]/x", "webcal://127.0.0.1/a.ics"} {
		a := k.With("POST", "/imports", "editor", map[string]any{"url": address}).Want(t, 202, "")
		k.RunImports()
		r := k.ReportOf("", a.ID())
		problem, _ := r.Body["problem"].(map[string]any)
		if r.Body["state"] != "failed" || problem["code"] != "import-not-fetched" {
			t.Errorf("%s: %s", address, r.Raw)
		}
	}
	k.With("POST", "/imports", "editor", map[string]any{"url": "ftp://example.org/a.ics"}).Want(t, 400, "rest_invalid_param")
	k.With("POST", "/imports", "editor", map[string]any{}).Want(t, 400, "rest_missing_callback_param")
	k.StartImport(kit.Sent{Name: "a.ics", File: club, Fields: map[string]string{"gone": "trash"}}).Want(t, 400, "rest_invalid_param")
}

// What a file changed since it was read last changes here, except for what somebody changed here.
func TestImportKeepsWhatPeopleChanged(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Import(kit.Sent{Name: "many.ics", File: many(3, nil)})
	event := func(i int) string {
		e, _ := r.Entries[i]["event"].(map[string]any)
		return fmt.Sprintf("/events/%.0f", e["id"])
	}
	k.With("POST", event(0), "editor", map[string]any{"title": "Ours"}).Want(t, 200, "")
	changed := many(3, func(i int, line string) string {
		if i < 2 {
			line = strings.Replace(line, "SUMMARY:Event", "SUMMARY:Theirs", 1)
		}
		if i == 0 {
			line = strings.Replace(line, "PT1H", "PT2H", 1)
		}
		return line
	})
	again := k.Import(kit.Sent{Name: "many.ics", File: changed})
	if got := results(again); got != "changed changed same" {
		t.Errorf("%s %v", got, said(again))
	}
	for i, want := range []string{"Ours", "Theirs 1", "Event 2"} {
		if title := k.Send(kit.Request{Method: "GET", Path: event(i), As: "editor"}).Body["title"]; title != want {
			t.Errorf("event %d is called %v", i, title)
		}
	}
	undone := k.Again(again.ID(), "undo", "")
	if title := k.Send(kit.Request{Method: "GET", Path: event(1), As: "editor"}).Body["title"]; title != "Event 1" {
		t.Errorf("after undo: %v %v", title, undone.Entries)
	}
	replaced := k.Import(kit.Sent{Name: "many.ics", File: changed, Fields: map[string]string{"policy": "replace"}})
	if title := k.Send(kit.Request{Method: "GET", Path: event(0), As: "editor"}).Body["title"]; title != "Theirs 0" {
		t.Errorf("after replace: %v %v", title, results(replaced))
	}
	all := k.Again(r.ID(), "undo", "")
	t.Log(results(all), said(all))
}

// Where the file always wins, reading it once more takes back what people changed, reports just that, and then changes nothing.
func TestImportAlwaysWins(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	file := kit.Sent{Name: "many.ics", File: many(3, nil), Fields: map[string]string{"policy": "replace"}}
	r := k.Import(file)
	at := func(i int) string {
		return kit.Item("events", number(k, fmt.Sprintf(`SELECT id::text FROM events WHERE title = 'Event %d'`, i)))
	}
	retitled, moved := at(0), at(1)
	before := k.Get(moved, "editor").Body["start_date"]
	k.Patch(retitled, "editor", kit.Object{"title": "Ours", "excerpt": "Ours, too"}).Want(t, 200, "")
	k.Patch(moved, "editor", kit.Object{"start_date": "2030-05-05 10:00", "end_date": "2030-05-05 11:00"}).Want(t, 200, "")
	again := k.Import(file)
	if got := fmt.Sprint(results(again), again.Entries[0]["fields"], again.Entries[1]["fields"]); got != "changed changed same[title] [end_date start_date]" {
		t.Errorf("%s", got)
	}
	k.Get(retitled, "editor").Has(t, "title", "Event 0")
	k.Get(moved, "editor").Has(t, "start_date", before)
	version := k.Version("demo")
	if third := k.Import(file); results(third) != "same same same" || k.Version("demo") != version {
		t.Errorf("once more: %v, version %d became %d", results(third), version, k.Version("demo"))
	}
	k.Again(again.ID(), "undo", "")
	k.Get(retitled, "editor").Has(t, "title", "Ours")
	k.Again(r.ID(), "undo", "")
}

// UIDs that change at every fetch do not double events, and a second UID of the file is another event.
func TestImportWithUIDsThatChange(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Import(kit.Sent{Name: "a.ics", File: many(20, nil)})
	version := k.Version("demo")
	other := many(20, func(_ int, line string) string { return strings.Replace(line, "@many.example", "@again.example", 1) })
	for range 2 {
		r := k.Import(kit.Sent{Name: "a.ics", File: other})
		if r.Counts() != "read 20, same 20" || k.Version("demo") != version {
			t.Errorf("%s %v, version %d of %d", r.Counts(), said(r), k.Version("demo"), version)
		}
	}
}

// The calendar file of a site changes nothing on that site.
func TestImportOfOwnCalendar(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Import(kit.Sent{Name: "club.ics", File: club})
	k.With("POST", "/events", "editor", map[string]any{"title": "Own", "start_date": "2030-04-01 19:00", "end_date": "2030-04-01 20:00"}).Want(t, 201, "")
	feed := string(k.Send(kit.Request{Method: "GET", Path: "/events.ics?start_date=2030-01-01&end_date=2031-01-01"}).Raw)
	if !strings.Contains(feed, "BEGIN:VEVENT") {
		t.Fatal(feed)
	}
	version := k.Version("demo")
	r := k.Import(kit.Sent{Name: "own.ics", File: feed})
	for _, e := range r.Entries {
		if e["result"] != "same" {
			t.Errorf("%v", e)
		}
	}
	if now := k.Version("demo"); now != version {
		t.Errorf("version %d became %d", version, now)
	}
}

// An import that reaches the limit of the plan keeps what fits, and says of every other entry why it is none. A dry run says so before.
func TestImportReachesTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Limit(map[string]any{"events": 30})
	for _, dry := range []string{"true", "false"} {
		r := k.Import(kit.Sent{Name: "many.ics", File: many(50, nil), Fields: map[string]string{"dry_run": dry}})
		if r.Counts() != "read 50, created 30, refused 20" || r.Body["state"] != "done" {
			t.Errorf("dry run %s: %s %s", dry, r.Body["state"], r.Counts())
		}
		for number, codes := range said(r) {
			if codes != "limit_reached " {
				t.Errorf("dry run %s, entry %s: %s", dry, number, codes)
			}
		}
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events`); n != "30" {
		t.Errorf("%s events", n)
	}
}

// A file may be larger than other bodies, up to its own bound.
func TestImportOfLargeFiles(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	padded := func(megabytes int) string {
		line := "X-PAD:" + strings.Repeat("x", 57) + "\r\n"
		return strings.Replace(many(2, nil), "BEGIN:VEVENT", strings.Repeat(line, megabytes<<20/len(line))+"BEGIN:VEVENT", 1)
	}
	if r := k.Import(kit.Sent{Name: "large.ics", File: padded(30)}); r.Counts() != "read 2, created 2" {
		t.Errorf("%s %s", r.Counts(), r.Raw)
	}
	k.StartImport(kit.Sent{Name: "huge.ics", File: padded(65)}).Want(t, 413, "rest_content_too_large")
	k.StartImport(kit.Sent{Name: "large.ics", File: padded(30), As: "subscriber"}).Want(t, 403, "rest_forbidden")
}

// TestImportOfNothing: an empty file fails as one, and says so.
func TestImportOfNothing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, text := range []string{"", " \n", "\ufeff"} {
		k.Import(kit.Sent{Name: "empty.ics", File: text}).Has(t, "state", "failed", "problem.code", "import-empty")
	}
}

// What a source has no more is cancelled where that was asked for, but not if it would be too much: then somebody confirms it.
func TestImportOfWhatIsGone(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 6, 1, 12, 0, 0, 0, time.UTC)
	file, broken := "", false
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(file)) }))
	t.Cleanup(served.Close)
	k.Imports = imports.New(k.Calendar, k.DB, k.Editing, imports.Options{People: k.Platform.Authenticator, Clock: func() time.Time { return k.Clock },
		Files: media.NewFetcher(media.FetchConfig{AllowHosts: []string{strings.TrimPrefix(served.URL, "http://")}, MaxBytes: imports.MaxBytes})})
	gone := "cancel"
	read := func(without ...int) kit.Report {
		file = ""
		for i, event := range strings.SplitAfter(many(20, nil), "END:VEVENT\r\n") {
			if !slices.Contains(without, i) {
				file += event
			}
		}
		if broken {
			file = file[:strings.LastIndex(file, "BEGIN:VEVENT")]
		}
		a := k.With("POST", "/imports", "editor", map[string]any{"url": served.URL + "/a.ics?key=hidden", "gone": gone}).Want(t, 202, "")
		if url := a.Body["url"]; strings.Contains(fmt.Sprint(url), "hidden") {
			t.Errorf("the address shows what may be private: %v", url)
		}
		k.RunImports()
		return k.ReportOf("", a.ID())
	}
	off := func() string {
		return k.Peek("demo", `SELECT count(*)::text FROM events WHERE event_status = 'cancelled'`)
	}
	read()
	if r := read(5, 6); r.Counts() != "read 20, same 18, cancelled 2, warned 2" || off() != "2" {
		t.Errorf("%s, %s cancelled: %v", r.Counts(), off(), said(r))
	}
	r := read(5, 6, 7, 8, 9, 10, 11, 12, 13)
	problem, _ := r.Body["problem"].(map[string]any)
	if r.Body["state"] != "failed" || problem["code"] != "gone-too-many" || off() != "2" {
		t.Errorf("%s %s", r.Raw, off())
	}
	if again := k.Again(r.ID(), "run", ""); again.Body["state"] != "done" || off() != "9" {
		t.Errorf("confirmed: %s, %s cancelled", again.Raw, off())
	}
	if r := read(); r.Counts() != "read 20, changed 9, same 11" || off() != "0" {
		t.Errorf("everything is there again: %s, %s cancelled", r.Counts(), off())
	}
	broken = true
	r = read(5)
	problem, _ = r.Body["problem"].(map[string]any)
	if r.Body["state"] != "failed" || problem["code"] != "import-cut" || off() != "0" {
		t.Errorf("a file that ends in the middle: %s, %s cancelled", r.Raw, off())
	}
	broken = false
	gone = "trash"
	in := func() string { return k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'trash'`) }
	if r := read(5, 6); r.Counts() != "read 20, same 18, cancelled 2, warned 2" || in() != "2" {
		t.Errorf("%s, %s in the trash", r.Counts(), in())
	}
	id, _ := strconv.ParseInt(k.Peek("demo", `SELECT id::text FROM events WHERE status = 'publish' ORDER BY id LIMIT 1`), 10, 64)
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	if r := read(); r.Counts() != "read 20, changed 2, same 17, refused 1" || in() != "1" {
		t.Errorf("there again, and what somebody moved to the trash stays: %s, %s in the trash", r.Counts(), in())
	}
}

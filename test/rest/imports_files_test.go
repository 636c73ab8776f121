package rest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/test/kit"
)

// Whatever a program writes: a dry run says what the run then does, a second reading changes nothing, and an undo leaves nothing.
func TestImportsOfEveryProgram(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	files, err := filepath.Glob("../../calendar/reading/testdata/*/*")
	k.Must(err)
	n := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		data, err := os.ReadFile(file)
		k.Must(err)
		n++
		slug := fmt.Sprintf("file%d", n)
		k.Site(slug)
		importThrice(k, slug, kit.Sent{Name: filepath.Base(file), File: string(data), Site: slug})
	}
	if n < 60 {
		t.Errorf("only %d files", n)
	}
}

// importThrice imports a file as a dry run, for real, and again, and then undoes it.
func importThrice(k *kit.Kit, slug string, file kit.Sent) {
	k.T.Helper()
	wrong := func(what string, details ...any) {
		k.T.Helper()
		k.T.Errorf("%s: %s: %s", file.Name, what, fmt.Sprint(details...))
	}
	before := k.Version(slug)
	dry := file
	dry.Fields = map[string]string{"dry_run": "true"}
	rehearsed := k.Import(dry)
	if now := k.Version(slug); now != before {
		wrong("a dry run raised the version", before, now)
	}
	run := k.Import(file)
	if run.Body["state"] != rehearsed.Body["state"] {
		wrong("the dry run ended otherwise", string(rehearsed.Raw), string(run.Raw))
	}
	if run.Body["state"] == "failed" {
		return
	}
	if diff := cmp.Diff(withoutIDs(rehearsed), withoutIDs(run)); diff != "" {
		wrong("the dry run said something else", diff)
	}
	version := k.Version(slug)
	again := k.Import(file)
	for i, e := range again.Entries {
		first := run.Entries[i]["result"]
		if e["result"] != "same" && (e["result"] != first || first != "refused" && first != "cancelled") {
			wrong("a second reading is not the same", e)
		}
	}
	if now := k.Version(slug); now != version {
		wrong("a second reading raised the version", version, now)
	}
	if counts, _ := run.Body["counts"].(map[string]any); counts["created"] == 0.0 {
		return
	}
	k.Undone(slug, run, wrong)
}

// A table that this site exported changes nothing when it comes back as it was, and changes what somebody wrote into it.
func TestImportOfOwnTable(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Import(kit.Sent{Name: "club.ics", File: club})
	k.With("POST", "/events", "editor", map[string]any{"title": "Own", "start_date": "2030-04-01 19:00", "end_date": "2030-04-01 20:00",
		"cost": "12", "description": "<p>With <b>bold</b> words</p>", "website": "https://example.org/own"}).Want(t, 201, "")
	b := k.Person("editor")
	table := b.Get("/admin/events/export?format=csv").Body
	if !strings.Contains(table, "Own") {
		t.Fatalf("no table: %d %s", b.Page.Status, table)
	}
	version := k.Version("demo")
	r := k.Import(kit.Sent{Name: "events.csv", File: table})
	for _, e := range r.Entries {
		if e["result"] != "same" {
			t.Errorf("%v", e)
		}
	}
	if now := k.Version("demo"); now != version {
		t.Errorf("version %d became %d", version, now)
	}
	for _, known := range []bool{true, false} { // whether it was read before
		if !known {
			k.Exec("DELETE FROM import_identities")
		}
		title := fmt.Sprint("Ours, known ", known)
		changed := k.Import(kit.Sent{Name: "events.csv", File: strings.Replace(table, "\nOwn,", "\n\""+title+"\",", 1)})
		if got := results(changed); got != "same same same same same changed" {
			t.Errorf("%s: %s %v", title, got, said(changed))
		}
		if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE title = $1`, title); n != "1" {
			t.Errorf("%s events are called %s", n, title)
		}
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE status <> 'trash' AND series_id IS NULL`); n != "5" {
		t.Errorf("%s events", n)
	}
}

// What a calendar file has beside events is said once for each kind: in the report of the dry run, in that of the run, and afterwards.
func TestImportsSayWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	data, err := os.ReadFile("../../calendar/reading/testdata/ics/tasks-beside.ics")
	k.Must(err)
	file := kit.Sent{Name: "tasks-beside.ics", File: string(data)}
	const want = "VTODO 2, VJOURNAL 1, VFREEBUSY 1, VALARM 1, ATTENDEE 2"
	check := func(what string, body map[string]any, want string) {
		t.Helper()
		list, _ := body["left_out"].([]any)
		var got []string
		for _, one := range list {
			o, _ := one.(map[string]any)
			got = append(got, fmt.Sprintf("%v %v", o["kind"], o["count"]))
			if said := fmt.Sprint(o["message"]); !strings.Contains(said, fmt.Sprint(o["count"])) {
				t.Errorf("%s: %v says %q", what, o["kind"], said)
			}
		}
		if text := strings.Join(got, ", "); text != want || list == nil {
			t.Errorf("%s: left out %q, want %q", what, text, want)
		}
	}
	dry := file
	dry.Fields = map[string]string{"dry_run": "true"}
	check("dry run", k.Import(dry).Body, want)
	run := k.Import(file)
	check("run", run.Body, want)
	stored := k.Send(kit.Request{Method: "GET", Path: fmt.Sprintf("/imports/%v", run.Body["id"]), As: "editor",
		Headers: map[string]string{"Accept-Language": "de"}}).Want(t, 200, "")
	check("afterwards", stored.Body, want)
	if !strings.Contains(string(stored.Raw), `"message":"Nicht importiert: Aufgaben (2)"`) {
		t.Errorf("in German: %s", stored.Raw)
	}
	const tasks = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:t\nEND:VTODO\nEND:VCALENDAR\n"
	check("only tasks", k.Import(kit.Sent{Name: "tasks.ics", File: tasks}).Body, "VTODO 1")
	check("a table", k.Import(kit.Sent{Name: "a.csv", File: "Event Name,Event Start Date\nGig,2030-03-04\n"}).Body, "")
}

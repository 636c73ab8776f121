package admin

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

const importedFile = "title,start_date,end_date\nChoir,2030-05-01 19:30,2030-05-01 21:00\n,2030-05-02 19:30,2030-05-02 21:00\n"

// sendEvents sends the form of an import with a table, and returns the address of the import's page.
func sendEvents(b *kit.Browser, status string) string {
	b.K.T.Helper()
	return sendImport(b, "choirs.csv", importedFile, status)
}

// sendImport sends the form of an import with a file, and returns the address of the import's page.
func sendImport(b *kit.Browser, name, content, status string) string {
	b.K.T.Helper()
	b.Get("/admin/import")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"csrf": b.Cookies["csrf"], "policy": "update", "status": status, "do": "file"} {
		b.K.Must(form.WriteField(name, value))
	}
	part, err := form.CreateFormFile("file", name)
	b.K.Must(err)
	_, err = part.Write([]byte(content))
	b.K.Must(err)
	b.K.Must(form.Close())
	p := b.Raw("/admin/import", form.FormDataContentType(), &body)
	if p.Status != 303 {
		b.K.T.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	return p.Header.Get("Location")
}

// A file is looked at, imported and taken back; nothing is stored before somebody says so.
func TestImportPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	events := func() string {
		return k.Peek("demo", `SELECT count(*)::text FROM events WHERE site_id = $1 AND title = 'Choir' AND status <> 'trash'`, k.Sites["demo"].ID)
	}
	look := sendEvents(b, "publish")
	if p := b.Get(look); !strings.Contains(p.Body, `http-equiv="refresh"`) || !strings.Contains(p.Body, `value="cancel"`) {
		t.Errorf("waiting: %d %s", p.Status, p.Body)
	}
	k.RunImports()
	p := b.Get(look)
	if strings.Contains(p.Body, `http-equiv="refresh"`) || !p.Shows("Choir") || !p.Shows("The title is missing.") || events() != "0" {
		t.Errorf("looked: %s events, %d %s", events(), p.Status, p.Body)
	}
	run := b.Post(look, url.Values{"do": {"run"}}).Header.Get("Location")
	k.RunImports()
	if p := b.Get(run); events() != "1" || !strings.Contains(p.Body, `href="/admin/events/`) || !strings.Contains(p.Body, `value="undo"`) {
		t.Errorf("run: %s events, %d %s", events(), p.Status, p.Body)
	}
	if p := b.Post(run, url.Values{"do": {"undo"}}); p.Status != 200 || !strings.Contains(p.Body, `name="sure"`) {
		t.Errorf("undo asks: %d %s", p.Status, p.Body)
	}
	k.RunImports()
	if events() != "1" {
		t.Error("undone without an answer")
	}
	if p := b.Post(run, url.Values{"do": {"forget"}}); p.Status != 200 || !p.Shows("The events stay.") || b.Get(run).Status != 200 {
		t.Errorf("what can be undone is forgotten without asking: %d", p.Status)
	}
	b.Post(run, url.Values{"do": {"undo"}, "sure": {"1"}})
	k.RunImports()
	if events() != "0" {
		t.Error("not undone")
	}
	if p := b.Get("/admin/import"); strings.Count(p.Body, `<span class="badge">Undone</span>`) != 2 || strings.Contains(p.Body, `<span class="badge">Undo the import</span>`) || strings.Contains(p.Body, `</a><span class="badge`) {
		t.Errorf("the list does not say which import was undone: %s", p.Body)
	}
	if p := b.Post(run, url.Values{"do": {"undo"}, "sure": {"1"}}); p.Status != 409 || !p.Shows("already been undone") {
		t.Errorf("undone twice: %d %s", p.Status, p.Body)
	}
	if p := b.Post(run, url.Values{"do": {"forget"}}); p.Header.Get("Location") != "/admin/import" || b.Get(run).Status != 404 {
		t.Errorf("forgotten: %d", b.Page.Status)
	}
}

// Contributors import drafts, and see their own imports only.
func TestImportPagesOfContributors(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	of := sendEvents(k.Person("editor"), "publish")
	b := k.Person("contributor")
	if p := b.Get(of); p.Status != 404 {
		t.Errorf("another's import: %d", p.Status)
	}
	if p := b.Post("/admin/import", url.Values{"url": {"https://example.org/a.ics"}, "policy": {"update"}, "status": {"publish"}, "do": {"save"}}); p.Status != 403 {
		t.Errorf("published: %d", p.Status)
	}
	if p := b.Post("/admin/import", url.Values{"policy": {"update"}, "status": {"draft"}, "do": {"save"}}); p.Status != 422 || !strings.Contains(p.Body, `id="p-file"`) {
		t.Errorf("nothing sent: %d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/import", url.Values{"url": {""}, "policy": {"update"}, "status": {"draft"}, "do": {"url"}}); p.Status != 422 || !strings.Contains(p.Body, `id="p-url"`) {
		t.Errorf("no address: %d %s", p.Status, p.Body)
	}
	if p := b.Get(sendEvents(b, "draft")); p.Status != 200 {
		t.Errorf("own: %d", p.Status)
	}
}

// The report of a dry run says in words how an entry repeats, and has all of a long title. What an entry without a title says of its
// place is in its cell.
func TestImportShowsWhatRepeats(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	title := strings.Repeat("Rehearsal of the choir and its guests ", 4) + "at the church"
	look := sendImport(b, "choir.ics", strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:a\nDTSTART:20300506T193000\nDTEND:20300506T210000\n"+
		"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10\nSUMMARY:"+title+"\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nDTSTART:20300507T193000\nSUMMARY:Ball\nEND:VEVENT\nEND:VCALENDAR\n", "\n", "\r\n"), "draft")
	k.RunImports()
	p := b.Get(look)
	if !p.Shows("<b>Series</b>: every Monday, 10 times") || strings.Count(p.Body, "<b>Series</b>") != 1 {
		t.Errorf("the report does not say how one of the entries repeats: %s", p.Body)
	}
	if !strings.Contains(p.Body, title+"</textarea>") {
		t.Error("the title is not in a field that grows")
	}
	look = sendImport(b, "choirs.csv", "title,start_date,location\n,2030-05-01 19:30,Old hall\n", "draft")
	k.RunImports()
	if p := b.Get(look); !strings.Contains(p.Body, ">\nOld hall</textarea>") {
		t.Errorf("an entry without a title has lost its place: %s", p.Body)
	}
}

// A report leads to what its reader may change: an author who imports what somebody else has entered sees that it is there.
func TestImportLeadsToWhatMayBeChanged(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const file = "uid,title,start_date\na@x,Choir,2030-05-01 19:30\n"
	run := func(b *kit.Browser) kit.Page {
		look := sendImport(b, "choirs.csv", file, "draft")
		k.RunImports()
		to := b.Post(look, url.Values{"do": {"run"}}).Header.Get("Location")
		k.RunImports()
		return b.Get(to)
	}
	if p := run(k.Person("administrator")); !strings.Contains(p.Body, `href="/admin/events/`) || !p.Shows("Created") {
		t.Errorf("what was created: %s", p.Body)
	}
	if p := run(k.Person("editor")); !strings.Contains(p.Body, `class="name" href="/admin/events/`) {
		t.Errorf("what an editor may change: %s", p.Body)
	}
	if p := run(k.Person("author")); strings.Contains(p.Body, `class="name" href="/admin/events/`) || !p.Shows("Choir") {
		t.Errorf("what an author may not change: %s", p.Body)
	}
}

// The pages of an import say what it would do, what it has made, and which line of the file is which, also after it was undone.
func TestImportSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	if p := b.Get("/admin/import"); strings.Contains(p.Body, `<select id="f-policy"`) || strings.Count(p.Body, `<option value="publish" selected`) != 2 {
		t.Error("what happens to events imported before is asked when nothing was, or the preset of the status differs")
	}
	look := sendImport(b, "dances.csv", "Titel;Datum;Beginn;Ende;Ort;Kategorie;Beschreibung\nTanz;1.2.2030;19:30;21:00;Rathaus;Konzerte;Mit Kapelle\nBall;31.02.2030;19:30;21:00;;;\n", "draft")
	k.RunImports()
	p := b.Get(look)
	for _, text := range []string{"There is no such day: “31.02.2030”.", "Status: <b>Draft</b>", ">Discard</button>",
		"Will be added:", "Venues: 1 (Rathaus)", "Categories: 1 (Konzerte)", `<option value="Konzerte" selected>Konzerte</option>`, "Description: <bdi>Mit Kapelle</bdi>"} {
		if !strings.Contains(p.Body, text) {
			t.Errorf("the check lacks %s", text)
		}
	}
	if p := b.Get("/admin/import"); strings.Count(p.Body, `<option value="skip"`) != 2 {
		t.Error("after the first import nobody asks what happens to events imported before")
	}
	line := `data-name="Line">2</td>`
	run := b.Post(look, url.Values{"do": {"run"}}).Header.Get("Location")
	k.RunImports()
	if p := b.Get(run); !strings.Contains(p.Body, line) || !p.Shows("Delete the report") || p.Shows("Status: <b>") {
		t.Errorf("the report: %.3000s", p.Body)
	}
	if p := b.Post(run, url.Values{"do": {"undo"}}); !p.Shows("Created: 1") || !p.Shows("Also deleted, unless something else uses them:") || !p.Shows("Venues: 1 (Rathaus)") || p.Shows("Refused") {
		t.Errorf("what goes: %.3000s", p.Body)
	}
	undo := b.Post(run, url.Values{"do": {"undo"}, "sure": {"1"}}).Header.Get("Location")
	k.RunImports()
	if p := b.Get(undo); !strings.Contains(p.Body, line) {
		t.Errorf("the line is another one: %.3000s", p.Body)
	}
}

// The check of an import has the category of each event, says how many have none, and gives these one.
func TestImportsHaveCategories(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	const file = "title,start_date,categories\nChoir,2030-05-01,music\nTea,2030-05-02,\nBall,2030-05-03,\nFair,,\nTalk,2030-05-05,\"Clubs, Music\"\n"
	check := func() string {
		look := sendImport(b, "week.csv", file, "publish")
		k.RunImports()
		return look
	}
	if p := b.Get(check()); !strings.Contains(p.Body, `name="c.1.categories"`) || p.Shows("Events without a category") || strings.Contains(p.Body, `name="category"`) {
		t.Errorf("a site without categories: %d %s", p.Status, p.Body)
	}
	for _, name := range []string{"Music", "Eat, drink", "Fairs"} {
		b.Make("categories", url.Values{"name": {name}})
	}
	look := check()
	p := b.Get(look)
	if !p.Shows("Events without a category: 2.") || strings.Count(p.Body, `<option value="music" selected>Music</option>`) != 1 ||
		strings.Count(p.Body, `<option value="Clubs, Music" selected>Clubs, Music</option>`) != 1 {
		t.Errorf("the check: %s", p.Body)
	}
	form := b.Fill(look, `<form class="send" id="import-form"`, url.Values{"c.3.categories": {`"Eat, drink"`}, "c.4.start_date": {"2030-05-04"}, "category": {"Fairs"}, "do": {"run"}})
	b.Post(look, form)
	k.RunImports()
	got := k.Peek("demo", `SELECT string_agg(e.title || ': ' || (SELECT string_agg(t.name, ' + ' ORDER BY t.name)
		FROM terms t WHERE t.site_id = e.site_id AND t.id = ANY (e.term_ids)), '; ' ORDER BY e.start_local)
		FROM events e WHERE e.site_id = $1`, k.Sites["demo"].ID)
	if want := "Choir: Music; Tea: Fairs; Ball: Eat, drink; Fair: Fairs; Talk: Clubs + Music"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// On a site with very many categories, the rows of a check share one list of them, so that the page stays small.
func TestImportsOfManyCategories(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for n := range 101 {
		k.Post("/categories", "editor", kit.Object{"name": fmt.Sprint("Category ", n)}).Want(t, 201, "")
	}
	look := sendImport(b, "two.csv", "title,start_date,categories\nChoir,2030-05-01,Category 7\nTea,2030-05-02,\n", "publish")
	k.RunImports()
	p := b.Get(look)
	if !strings.Contains(p.Body, `name="c.1.categories" type="text" value="Category 7"`) || strings.Count(p.Body, `value="Category 50"`) != 2 {
		t.Errorf("the check: %d lists, %s", strings.Count(p.Body, `value="Category 50"`), p.Body)
	}
}

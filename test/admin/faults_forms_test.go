package admin

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"

	"github.com/kalends/kalends/test/kit"
)

// filled is a form of the administration with values.
type filled struct {
	who    *kit.Browser
	path   string
	form   url.Values
	secret url.Values        // typed too, and never shown again
	files  map[string][]byte // chosen
	typed  []string          // what the page has to hold when it comes to nothing
	makes  map[string]int    // rows more, by table
	done   string            // SQL of a boolean that says it is written
	means  int               // status in the end; 0: 303
	steps  bool              // it is several deeds, each whole
	gone   bool              // done, it answers 404: what it was about is no more
	ends   bool              // done, it ends the session

	over   bool // done, it answers 410: the way to it is good once
	seen   bool // done, it leads to what it has made, which was shown before or never will be
	device bool // signs it, which is good once
	used   bool // what it sends is good once: done without an answer, it leads to where there is more of that

	credential string // of the device
}

// keeping are the tables without content: their rows come and go with requests, or are counts of others.
var keeping = map[string]bool{"attempts": true, "challenges": true, "changes": true, "forms": true, "sessions": true, "drafts": true,
	"occurrence_days": true, "webhook_rounds": true, "letter_rounds": true, "attention_rounds": true}

// scripted are forms sent by scripts, which keep the input themselves, forms that only set a cookie, and the form that has a file looked
// through: sent twice, it looks twice and writes nothing to the calendar.
var scripted = []string{"/admin/session", "/admin/import", "/admin/profile/confirm", "/admin/events/preview", "/admin/drafts", "/admin/images", "/admin/language", "/admin/logout", "/admin/desk",
	"/admin/login/passkey/options", "/admin/profile/passkey", "/admin/session/passkey", "/admin/welcome/passkey", "/admin/sites/language"}

// TestFormsWithoutDatabase sends every form of the administration while Postgres disappears before the first round
// trip, before the second, and so on. Each time the response is 503 and a page with the input; nothing is written
// partially; and sending that page when Postgres is back does what the form was meant to do, exactly once.
func TestFormsWithoutDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("sends a few hundred forms")
	}
	t.Parallel()
	covered := map[string]bool{}
	for name := range lateForms {
		route, _, _ := strings.Cut(name, " ")
		covered[route] = true
	}
	for _, p := range web.New(web.Config{}).Pages() {
		if p.Method == http.MethodPost && frame.Admin(p.Path) && !slices.Contains(scripted, p.Path) && !covered[p.Path] {
			t.Errorf("%s: no such form here", p.Path)
		}
	}
	for name, fill := range lateForms {
		t.Run(strings.TrimPrefix(name, "/admin"), func(t *testing.T) {
			t.Parallel()
			database := storagetest.Database(t)
			wire, address := kit.NewWire(t, database)
			k := kit.NewOn(t, address)
			k.URL = database
			(&lateForm{k: k, wire: wire, filled: fill(k)}).send(t)
		})
	}
}

// lateForm is a form in transit.
type lateForm struct {
	*filled
	k      *kit.Kit
	wire   *kit.Wire
	tables []string // with content of the site
	before map[string]int
}

func (l *lateForm) send(t *testing.T) {
	l.before = l.counts()
	if l.done != "" && l.written() {
		t.Fatal("it is written already")
	}
	l.who.Cookies["kalends-language"] = "de"
	path, form := l.path, l.form
	for n := 0; ; n++ {
		l.forgetTries()
		l.wire.Cut(n)
		p := l.post(path, form)
		l.wire.Mend()
		l.k.DB.Reset()
		if p.Status < 500 {
			if n == 0 {
				t.Fatalf("needs no database: %d %s", p.Status, p.Body)
			}
			l.ended(t, n, p)
			return
		}
		path, form = l.check(t, n, p)
		if l.steps {
			continue
		}
		if now := l.counts(); l.done == "" && !maps.Equal(now, l.before) && !maps.Equal(now, l.after()) ||
			l.done != "" && !maps.Equal(now, map[bool]map[string]int{false: l.before, true: l.after()}[l.written()]) {
			t.Errorf("after %d round trips something is written by halves: %v, before %v", n, now, l.before)
		}
		if n > 60 {
			t.Fatal("no end")
		}
	}
}

// ended checks the final effect of the form.
func (l *lateForm) ended(t *testing.T, n int, p kit.Page) {
	want := []int{l.means}
	if l.means == 0 {
		want[0] = http.StatusSeeOther
	}
	if l.gone {
		want = append(want, http.StatusNotFound)
	}
	if l.over {
		want = append(want, http.StatusGone)
	}
	if l.seen {
		want = append(want, http.StatusSeeOther)
	}
	if l.used && p.Shows("Bitte") {
		want = append(want, http.StatusUnprocessableEntity)
	}
	if l.ends {
		want = append(want, http.StatusUnauthorized)
	}
	if !slices.Contains(want, p.Status) {
		t.Errorf("after %d round trips: %d, want %v %.300s", n, p.Status, want, p.Body)
	}
	if now := l.counts(); !maps.Equal(now, l.after()) {
		t.Errorf("in the end: %v, want %v", now, l.after())
	}
	if l.done != "" && !l.written() {
		t.Error("in the end it isn't written")
	}
}

// forgetTries resets password attempts, because each one counts regardless of its outcome.
func (l *lateForm) forgetTries() {
	l.k.Change("demo", "DELETE FROM attempts")
}

func (l *lateForm) written() bool { return l.k.Peek("demo", "SELECT ("+l.done+")::text") == "true" }

// counts returns the number of rows of every table of the site with content.
func (l *lateForm) counts() map[string]int {
	if l.tables == nil {
		l.tables = slices.DeleteFunc(l.k.SiteTables(), func(table string) bool { return keeping[table] })
	}
	columns := make([]string, len(l.tables))
	for i, table := range l.tables {
		columns[i] = "(SELECT count(*) FROM " + table + " WHERE site_id = $1)"
	}
	counts := map[string]int{}
	texts := l.k.Peek("demo", "SELECT concat_ws(' ', "+strings.Join(columns, ", ")+")", l.k.Sites["demo"].ID)
	for i, text := range strings.Fields(texts) {
		counts[l.tables[i]], _ = strconv.Atoi(text)
	}
	return counts
}

func (l *lateForm) after() map[string]int {
	counts := maps.Clone(l.before)
	for table, n := range l.makes {
		counts[table] += n
	}
	return counts
}

// post sends the form with the values to enter each time.
func (l *lateForm) post(path string, form url.Values) kit.Page {
	form = kit.Clone(form)
	maps.Copy(form, l.secret)
	if l.credential != "" {
		form.Set("credential", l.credential)
		l.credential = ""
	}
	if len(l.files) == 0 {
		return l.who.Post(path, form)
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	if form.Get("csrf") == "" {
		form.Set("csrf", l.who.Cookies["csrf"])
	}
	for name, values := range form {
		for _, value := range values {
			l.k.Must(parts.WriteField(name, value))
		}
	}
	for name, content := range l.files {
		part, err := parts.CreateFormFile(name, "stripes.png")
		l.k.Must(err)
		_, err = part.Write(content)
		l.k.Must(err)
	}
	l.k.Must(parts.Close())
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, path, &body)
	r.Header.Set("Content-Type", parts.FormDataContentType())
	return l.who.Send(r, nil)
}

var lateAction = regexp.MustCompile(`<form class="[^"]*\blate\b[^"]*" method="post" action="([^"]*)" enctype="([^"]*)"`)

// check checks the page of a failed form and returns what it sends.
func (l *lateForm) check(t *testing.T, n int, p kit.Page) (path string, form url.Values) {
	t.Helper()
	m := lateAction.FindStringSubmatch(p.Body)
	if p.Status != http.StatusServiceUnavailable || m == nil || p.Header.Get("Retry-After") == "" {
		t.Fatalf("after %d round trips: %d %.300s", n, p.Status, p.Body)
	}
	if !strings.Contains(p.Body, `<html lang="de"`) || !p.Shows("Gerade nicht erreichbar") {
		t.Errorf("after %d round trips it isn't said so: %.300s", n, p.Body)
	}
	for _, text := range l.typed {
		if !p.Shows(text) {
			t.Errorf("after %d round trips %q is lost: %.300s", n, text, p.Body)
		}
	}
	if id := p.Hidden("image"); id != "" && l.files["image_file"] != nil { // it is in the library already
		delete(l.files, "image_file")
		l.form = kit.Clone(l.form)
		l.form.Set("image", id)
	}
	for name, values := range l.secret {
		if p.Shows(values[0]) || !strings.Contains(p.Body, `name="`+name+`" type="password"`) {
			t.Errorf("after %d round trips, %s: %.300s", n, name, p.Body)
		}
	}
	for name := range l.files {
		if !strings.Contains(p.Body, `name="`+name+`" type="file"`) || m[2] != "multipart/form-data" {
			t.Errorf("after %d round trips, %s: %.300s", n, name, p.Body)
		}
	}
	if anew := p.Shows("außer Passwörtern und Dateien"); !l.device && anew != (len(l.secret)+len(l.files) > 0) {
		t.Errorf("after %d round trips, to be given again: %t", n, anew)
	}
	form = kit.FormAt(p, m[0])
	if form.Set("do", p.Hidden("do")); form.Get("do") == "" {
		form.Del("do")
	}
	for name := range l.secret {
		form.Del(name)
	}
	for name, values := range l.form {
		if name != "do" && !slices.Equal(form[name], values) {
			t.Errorf("after %d round trips, %s: %q, typed %q", n, name, form[name], values)
		}
	}
	return kit.Unescape(m[1]), form
}

// madeBy posts to the API and returns the id of the result.
func madeBy(k *kit.Kit, path string, body map[string]any) string {
	return fmt.Sprint(k.Post(path, "administrator", body).ID())
}

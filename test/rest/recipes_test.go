package rest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/docs"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// recipes has a check for each recipe of docs/build.md, by its first file.
var recipes = map[string]func(r *recipe){
	"next-five.html": nextFive, "subscribe.sh": subscribed, "newsletter.py": newsletter, "tonight.py": tonight, "mirror.py": mirrored,
	"send.html": sentByForm, "publish.sh": publishedOnce, "sheet-out.sh": sheet, "receiver.py": received, "move-series.ts": seriesMoved,
}

// recipe is one recipe that is tried on a server.
type recipe struct {
	*generators
	post  *mailtest.Server
	addr  string
	files map[string]string // code by name
	used  []string
	env   []string
}

var (
	recipeHead = regexp.MustCompile(`(?m)^## \d+\. `)
	recipeFile = regexp.MustCompile("(?s)\n`([a-z-]+\\.[a-z]+)`[^\n]*:\n\n```[a-z]+\n(.*?)```")
)

// TestRecipes tries each recipe of docs/build.md, as it stands there, on a running server.
func TestRecipes(t *testing.T) {
	t.Parallel()
	parts := recipeHead.Split(docs.Build, -1)[1:]
	if len(parts) != 10 {
		t.Errorf("%d recipes", len(parts))
	}
	var tried []string
	for _, part := range parts {
		title, _, _ := strings.Cut(part, "\n")
		found := recipeFile.FindAllStringSubmatch(part, -1)
		if len(found) == 0 || len(found) != strings.Count(part, "```")/2 {
			t.Errorf("%s: %d files with a name", title, len(found))
			continue
		}
		check := recipes[found[0][1]]
		if check == nil {
			t.Errorf("%s: %s has no check", title, found[0][1])
			continue
		}
		tried = append(tried, found[0][1])
		t.Run(found[0][1], func(t *testing.T) {
			t.Parallel()
			k, post := kit.Mailed(t)
			k.Configure(&platform.ConfigFields{Submissions: args.Some(true)})
			r := &recipe{generators: &generators{k: k, dir: t.TempDir()}, post: post, addr: k.Listen(), files: map[string]string{}}
			for _, file := range found {
				r.files[file[1]] = file[2]
			}
			check(r)
			if len(r.used) != len(r.files) {
				t.Errorf("of %d files %v are checked", len(r.files), r.used)
			}
		})
	}
	for name := range recipes {
		if !slices.Contains(tried, name) {
			t.Errorf("%s is checked, but is no recipe", name)
		}
	}
}

// file writes a file of the recipe, with the address of the server, and returns its name.
func (r *recipe) file(name string) string {
	r.k.T.Helper()
	code, there := r.files[name]
	if !there {
		r.k.T.Fatalf("there is no %s", name)
	}
	if !slices.Contains(r.used, name) {
		r.used = append(r.used, name)
	}
	r.write(name, strings.ReplaceAll(code, docs.Example, "http://"+r.addr))
	return name
}

func (r *recipe) write(name, text string) {
	r.k.T.Helper()
	r.k.Must(os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600))
}

func (r *recipe) read(name string) string {
	r.k.T.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	r.k.Must(err)
	return string(text)
}

// needs skips what has no program to run it.
func (r *recipe) needs(program string) {
	r.k.T.Helper()
	if _, err := exec.LookPath(program); err != nil {
		r.k.T.Skipf("there is no %s", program)
	}
}

// do runs a recipe and returns what it prints.
func (r *recipe) do(program string, arguments ...string) string {
	r.k.T.Helper()
	r.needs(program)
	said, err := r.command(program, arguments...).Output()
	if err != nil {
		ended := &exec.ExitError{}
		_ = errors.As(err, &ended)
		r.k.T.Fatalf("%s %v: %v\n%s%s", program, arguments, err, said, ended.Stderr)
	}
	return string(said)
}

func (r *recipe) command(program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.k.T.Context(), program, arguments...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), r.env...)
	return cmd
}

// key gives the recipe a key of the administrator with these scopes.
func (r *recipe) key(scopes ...string) {
	r.k.T.Helper()
	bearer, _ := r.k.LimitedKey(r.administrator(), accounts.KeyFields{Scopes: args.Some(args.Texts(scopes))})
	r.env = append(r.env, "KALENDS_KEY="+strings.TrimPrefix(bearer, "Bearer "))
}

func (r *recipe) administrator() int64 {
	a := r.k.Get("/me", "administrator").Want(r.k.T, 200, "")
	return a.ID()
}

// wants compares what a recipe has come to.
func (r *recipe) wants(about string, got, want any) {
	r.k.T.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		r.k.T.Errorf("%s: %s\nwant %s", about, g, w)
	}
}

// event makes an event so many days after today, as the site counts days, at 19:30.
func (r *recipe) event(title string, days int, more ...any) int64 {
	r.k.T.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	r.k.Must(err)
	day := time.Now().In(zone).AddDate(0, 0, days).Format(time.DateOnly)
	fields := map[string]any{"title": title, "start_date": day + " 19:30:00", "end_date": day + " 21:00:00"}
	for i := 0; i < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	return r.k.Event(fields)
}

// shown is what an element of a page shows.
type shown struct {
	Text  string
	Rows  []string
	Links []string
}

// page shows a page of the recipe, and sends its form with these fields.
func (r *recipe) page(name string, fields any) map[string]shown {
	r.k.T.Helper()
	r.copy("clienttest", "page.mjs")
	text, err := json.Marshal(fields)
	r.k.Must(err)
	var all map[string]shown
	r.k.Must(json.Unmarshal([]byte(r.do("node", "page.mjs", r.file(name), string(text))), &all))
	return all
}

// readable fails the test unless pages of other origins may read the answer to a request.
func (r *recipe) readable(method, path string) {
	r.k.T.Helper()
	a := r.k.Send(kit.Request{Method: method, Path: path, Headers: map[string]string{"Origin": "https://club.example"}})
	if got := a.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		r.k.T.Errorf("%s %s: pages of other origins may not read it: %q", method, path, got)
	}
}

func nextFive(r *recipe) {
	r.event("Yesterday", -1)
	for day := 6; day >= 1; day-- {
		r.event(fmt.Sprintf("Day %d <b>& night</b>", day), day)
	}
	r.event("All day", 1, "all_day", true)
	list := r.page("next-five.html", nil)["#next-events"]
	r.wants("rows", len(list.Rows), 5)
	for i, want := range []string{"All day", "Day 1 ", "Day 2 ", "Day 3 ", "Day 4 "} {
		if i < len(list.Rows) && !strings.Contains(list.Rows[i], want) {
			r.k.T.Errorf("row %d is %q, want %s", i, list.Rows[i], want)
		}
	}
	if i := 1; !strings.Contains(list.Rows[i], "7:30") && !strings.Contains(list.Rows[i], "19:30") || !strings.Contains(list.Rows[i], "&amp; night") ||
		strings.Contains(list.Rows[0], ":") || !strings.Contains(list.Links[0], "/event/all-day/") {
		r.k.T.Errorf("%+v", list)
	}
	r.readable("GET", "/events")
}

func subscribed(r *recipe) {
	r.k.Post("/categories", "administrator", map[string]any{"name": "Music"}).Want(r.k.T, 201, "")
	r.event("Concert", 3, "categories", "music")
	r.event("Reading", 3)
	name := r.file("subscribe.sh")
	r.do("sh", "-e", name)
	first := r.read("music.ics")
	if !strings.Contains(first, ":Concert") || strings.Contains(first, "Reading") || !strings.HasPrefix(first, "BEGIN:VCALENDAR") {
		r.k.T.Errorf("%s", first)
	}
	r.do("sh", "-e", name)
	r.wants("nothing new", r.read("music.ics") == first, true)
	r.event("Opera", 4, "categories", "music")
	r.do("sh", "-e", name)
	r.wants("something new", strings.Contains(r.read("music.ics"), ":Opera"), true)
}

func newsletter(r *recipe) {
	r.event("Concert", 3)
	name := r.file("newsletter.py")
	if said := r.do("python3", name); !strings.Contains(said, "Concert") || !strings.Contains(said, "/event/concert/") {
		r.k.T.Errorf("%q", said)
	}
	r.wants("nothing new", r.do("python3", name), "")
	r.event("Opera", 4)
	if said := r.do("python3", name); !strings.Contains(said, "Opera") || strings.Contains(said, "Concert") {
		r.k.T.Errorf("%q", said)
	}
}

func tonight(r *recipe) {
	r.k.Clock = time.Date(2027, 5, 3, 14, 0, 0, 0, time.UTC)
	var got []string
	chat := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		var message struct{ Text string }
		r.k.Must(json.NewDecoder(req.Body).Decode(&message))
		got = append(got, message.Text)
	}))
	defer chat.Close()
	r.env = append(r.env, "CHAT_URL="+chat.URL)
	name := r.file("tonight.py")
	r.do("python3", name)
	at := func(title, day, from, to string, more ...any) {
		fields := map[string]any{"title": title, "start_date": day + from, "end_date": day + to}
		if len(more) > 0 {
			fields["event_status"] = more[0]
		}
		r.k.Event(fields)
	}
	at("Tea & cake", "2027-05-03 ", "15:00", "16:00")
	at("Rock & roll", "2027-05-03 ", "20:15", "23:00")
	at("Cancelled", "2027-05-03 ", "20:15", "23:00", "cancelled")
	at("Tomorrow", "2027-05-04 ", "20:15", "23:00")
	r.do("python3", name)
	r.wants("said", strings.Join(got, "|"), "Nothing is on tonight.|20:15 Rock & roll http://"+r.addr+"/event/rock-roll/")
}

func mirrored(r *recipe) {
	r.copy(filepath.Join("..", "..", "clients", "python"), "kalends/__init__.py", "kalends/types.py")
	r.write("look.py", `import json, sqlite3
print(*sorted(json.loads(o)["title"] for (o,) in sqlite3.connect("mirror.db").execute("SELECT object FROM events")), sep=", ")`)
	look := func(about, want string) {
		r.k.T.Helper()
		r.do("python3", r.file("mirror.py"))
		r.wants(about, strings.TrimSpace(r.do("python3", "look.py")), want)
	}
	first, second := r.event("First", 1), r.event("Second", 2)
	r.event("Draft", 2, "status", "draft")
	r.event("Choir", 3, "recurrence", map[string]any{"every": "week", "count": 4})
	look("at first", "Choir, First, Second")
	r.k.Patch(path("events", first), "administrator", map[string]any{"title": "1st"}).Want(r.k.T, 200, "")
	r.k.Patch(path("events", second), "administrator", map[string]any{"status": "draft"}).Want(r.k.T, 200, "")
	r.event("Third", 3)
	look("then", "1st, Choir, Third")
	look("without a change", "1st, Choir, Third")
	r.k.Del(path("events", first), "administrator").Want(r.k.T, 200, "")
	elsewhere := r.k.Get("/changes?types=venue", "").Want(r.k.T, 200, "").Text("next")
	r.write("lose.py", `import sqlite3, sys
with sqlite3.connect("mirror.db") as db:
    db.execute("UPDATE state SET token = ?", sys.argv[1:])
    db.execute("INSERT INTO events VALUES (999999, ?)", ['{"title": "Gone long ago"}'])`)
	r.do("python3", "lose.py", elsewhere)
	look("at last", "Choir, Third")
}

func sentByForm(r *recipe) {
	fields := map[string]any{"title": "Rehearsal", "start_date": "2031-06-04T19:30", "end_date": "2031-06-04T21:00", "venue": "Old barn",
		"contact_name": "Ada", "contact_email": "ada@example.net"}
	r.wants("told", r.page("send.html", fields)["output"].Text, "Thank you. Please open the link in the e-mail.")
	letter := r.post.Next()
	r.wants("the letter is for", letter.To, "ada@example.net")
	r.k.Post("/submissions/sent/confirm", "", map[string]any{"token": kit.CodeIn(letter.Text)}).Want(r.k.T, 200, "").
		Has(r.k.T, "title", "Rehearsal", "start_date", "2031-06-04 19:30:00", "status", "waiting")
	fields["contact_email"] = "nobody"
	if said := r.page("send.html", fields)["output"].Text; !strings.Contains(said, "contact_email") {
		r.k.T.Errorf("a wrong address is answered %q", said)
	}
	r.readable("POST", "/submissions")
}

func publishedOnce(r *recipe) {
	r.k.Post("/categories", "administrator", map[string]any{"name": "Music"}).Want(r.k.T, 201, "")
	r.key("events:write", "venues:write")
	r.addr = strings.TrimPrefix(unreliable(r.k.T, "http://"+r.addr), "http://")
	name := r.file("publish.sh")
	for range 2 {
		if said := r.do("sh", "-e", name); !strings.Contains(said, `"title":"Spring concert"`) {
			r.k.T.Errorf("%s", said)
		}
	}
	r.wants("events", r.k.Peek("demo", `SELECT count(*)::text || title FROM events GROUP BY title`), "1Spring concert")
}

func sheet(r *recipe) {
	first := r.k.Event(map[string]any{"title": "Concert", "start_date": "2027-03-01 19:30", "end_date": "2027-03-01 21:00", "cost": "10"})
	r.k.Event(map[string]any{"title": "Reading", "start_date": "2027-03-02 19:30", "end_date": "2027-03-02 21:00"})
	r.key("events:read", "events:write", "imports:write")
	r.do("sh", "-e", r.file("sheet-out.sh"))
	table := r.read("events.csv")
	r.write("events.csv", strings.Replace(table, "\nConcert,", "\nGrand concert,", 1))
	done := make(chan struct{})
	go func() {
		defer close(done)
		storagetest.Until(r.k.T, "an import comes", func() bool { return r.k.Peek("demo", `SELECT count(*)::text FROM imports`) == "1" })
		r.k.RunImports()
	}()
	said := r.do("sh", "-e", r.file("sheet-in.sh"))
	<-done
	if !strings.Contains(said, `"title":"Grand concert","result":"changed","fields":["title"]`) || !strings.Contains(said, `"title":"Reading","result":"same"`) {
		r.k.T.Errorf("%s", said)
	}
	r.k.Get(path("events", first), "").Want(r.k.T, 200, "").Has(r.k.T, "title", "Grand concert", "cost", "$10")
}

func received(r *recipe) {
	hook := r.k.Receive() // whose place the receiver takes
	_, secret := r.k.Webhook(hook.URL, nil)
	r.env = append(r.env, "WEBHOOK_SECRET="+secret, "PORT=0", "PYTHONUNBUFFERED=1")
	r.needs("python3")
	name := r.file("receiver.py")
	code := strings.Replace(r.read(name), "HTTPServer((", "server = HTTPServer((", 1)
	code = strings.Replace(code, ".serve_forever()", "\nprint(server.server_port, flush=True)\nserver.serve_forever()", 1)
	r.write(name, code)
	cmd := r.command("python3", name)
	output, err := cmd.StdoutPipe()
	r.k.Must(err)
	r.k.Must(cmd.Start())
	r.k.T.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(output)
	lines.Scan()
	to := "http://127.0.0.1:" + lines.Text() + "/"
	var status []int
	forward := func(head http.Header, body string) {
		req, err := http.NewRequestWithContext(r.k.T.Context(), http.MethodPost, to, strings.NewReader(body))
		r.k.Must(err)
		req.Header = head.Clone()
		res, err := http.DefaultClient.Do(req)
		r.k.Must(err)
		r.k.Must(res.Body.Close())
		status = append(status, res.StatusCode)
	}
	r.k.Deliver()
	r.event("Concert", 3)
	m := hook.Await(1)[0]
	forward(m.Header, string(m.Body))
	forward(m.Header, string(m.Body))                                    // again
	forward(m.Header, strings.Replace(string(m.Body), "demo", "den", 1)) // forged
	old := m.Header.Clone()
	old.Set("webhook-timestamp", "1700000000")
	forward(old, string(m.Body))
	forward(http.Header{}, "{}")
	r.event("Opera", 4)
	m = hook.Await(2)[1]
	forward(m.Header, string(m.Body))
	r.wants("answered", status, []int{204, 204, 401, 401, 401, 204})
	for range 2 {
		lines.Scan()
		if !strings.HasPrefix(lines.Text(), "event.published http://localhost/calendar/events/v1/events/") {
			r.k.T.Errorf("printed %q", lines.Text())
		}
	}
}

func seriesMoved(r *recipe) {
	r.needs("node")
	series := r.k.Event(map[string]any{"title": "Choir", "start_date": "2031-01-02 19:30", "end_date": "2031-01-02 21:30",
		"recurrence": map[string]any{"every": "week", "on": "th", "count": 3}})
	r.key("events:read", "events:write")
	r.copy(filepath.Join("..", "..", "clients", "ts"), "kalends.ts", "types.ts")
	r.bundle(r.file("move-series.ts"), "move.mjs")
	dates := func() string {
		return string(r.k.Get(path("events", series)+"/occurrences?_fields=events.id,events.start_date", "").Want(r.k.T, 200, "").Raw)
	}
	before := dates()
	r.wants("said", r.do("node", "move.mjs"), "2031-01-03 19:30:00\n")
	want := strings.NewReplacer("2031-01-02", "2031-01-03", "2031-01-09", "2031-01-10", "2031-01-16", "2031-01-17").Replace(before)
	r.wants("dates", dates(), want)
}

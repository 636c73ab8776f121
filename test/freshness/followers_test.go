package freshness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/kit"
)

// TestFollowersUnderKills has followers of several roles and filters, two of a user whose role changes, follow what writers do through two
// nodes, while the nodes are killed and started again. Each write has a key and is repeated until it has an answer. In the end each follower has what a list with
// its filter has, was told of nothing that it could never see, and each creation was done exactly once. A
// webhook was told of the last that happened to each event.
func TestFollowersUnderKills(t *testing.T) {
	if testing.Short() || storagetest.OnCluster() {
		t.Skip("takes a minute, on a Postgres of its own")
	}
	t.Parallel()
	w := newWriting(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var followers []*mirror
	for i, of := range []struct{ as, filter string }{
		{"", "types=event"}, {"", ""}, {"", fmt.Sprintf("categories=%d", w.categories[0])}, {"", fmt.Sprintf("venue=%d", w.venues[0])},
		{"", "search=jazz"}, {"author", "types=event"}, {"editor", "types=event"}, {"editor", fmt.Sprintf("categories=%d", w.categories[0])},
		{"author", "featured=true"}, {"", fmt.Sprintf("organizer=%d", w.organizers[0])}, {wanderer, "types=event"},
		{wanderer, fmt.Sprintf("categories=%d", w.categories[0])},
	} {
		followers = append(followers, &mirror{w: w, as: of.as, filter: of.filter, n: i, has: map[string]bool{}, ever: map[string]bool{}})
	}
	var writers, readers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() { w.write(ctx, i) })
	}
	for _, f := range followers {
		readers.Go(func() {
			for ctx.Err() == nil {
				f.catchUp(ctx, "&wait=1")
			}
		})
	}
	w.kill()
	writers.Wait()
	stop()
	readers.Wait()
	for _, n := range w.nodes {
		storagetest.Until(t, "a node serves again", func() bool {
			status, _, err := n.get(t.Context(), "/events", true)
			return err == nil && status == http.StatusOK
		})
	}
	told := 0
	for _, f := range followers {
		f.catchUp(t.Context(), "") // ends the chain that was cut off, which tells of nothing after its beginning
		f.catchUp(t.Context(), "")
		f.compare()
		told += f.told
	}
	w.onceEach(t.Context())
	w.hook.compare(w)
	fmt.Printf("freshness: %d changes through two nodes under %d kills, %d of them sent again, %d merges, %d roles; %d followers were told of %d changes and began anew %d times; %d messages of a webhook, %d of them again\n",
		w.done.Load(), w.kills, w.again.Load(), w.merged.Load(), w.roles.Load(), len(followers), told, w.anew.Load(), len(w.hook.times), w.hook.again)
	if w.done.Load() < 50 {
		t.Errorf("too little happened to say anything")
	}
}

// writing is what writers share.
type writing struct {
	t        *testing.T
	database string
	kills    int
	nodes    [2]*node
	secrets  map[string]string // of roles
	desk     *http.Client      // where the administrator has signed in
	wanderer int64             // the user whose role changes
	hook     *hook

	categories, venues, organizers   []int64
	done, again, merged, roles, anew atomic.Int64
	enough                           atomic.Bool // the last kill is over

	mu     sync.Mutex
	events []int64
	made   map[int64]bool
	secret map[int64]bool // drafts that were never public
}

func newWriting(t *testing.T) *writing {
	t.Helper()
	w := &writing{t: t, database: storagetest.Cluster(t).URL(), kills: 4, secrets: map[string]string{}, made: map[int64]bool{}, secret: map[int64]bool{}}
	if kills, err := strconv.Atoi(os.Getenv("KILLS")); err == nil {
		w.kills = kills
	}
	file := storagetest.Program(t)
	w.hook = newHook(t)
	settings := []string{"DATABASE_URL=" + w.database, "KALENDS_PROVIDER_TOKEN=" + providerToken, "KALENDS_FETCH_HOSTS=" + w.hook.host}
	w.nodes[0] = startNode(t, file, settings...)
	w.nodes[1] = startNode(t, file, settings...)
	w.secrets["administrator"] = w.nodes[0].secret
	for _, login := range []string{"author", "editor", wanderer} {
		role := login
		if login == wanderer {
			role = "author"
		}
		answer := w.send(t.Context(), http.MethodPost, "//platform/v1/sites/demo/users", "", map[string]any{"login": login, "role": role,
			"email": login + "@example.org", "application_password": true})
		w.secrets[login], _ = answer.body["application_password"].(string)
		w.wanderer = answer.id()
	}
	w.signIn()
	w.hook.id = w.send(t.Context(), http.MethodPost, "/webhooks", "administrator", map[string]any{"url": w.hook.url, "events": []string{"*"}}).id()
	for _, name := range []string{"Alpha", "Beta"} {
		w.categories = append(w.categories, w.send(t.Context(), http.MethodPost, "/categories", "editor", map[string]any{"name": name}).id())
		w.venues = append(w.venues, w.send(t.Context(), http.MethodPost, "/venues", "editor", map[string]any{"venue": name}).id())
		w.organizers = append(w.organizers, w.send(t.Context(), http.MethodPost, "/organizers", "editor", map[string]any{"organizer": name}).id())
	}
	for i := range 6 {
		w.create(t.Context(), "editor", map[string]any{"title": fmt.Sprintf("Jazz %d", i), "categories": w.categories[:1], "venue": w.venues[0]})
	}
	return w
}

// answered is an answer to a request.
type answered struct {
	status int
	body   map[string]any
}

func (a answered) id() int64 { id, _ := a.body["id"].(float64); return int64(id) }

// send sends a request through either node until it has an answer that says what became of it.
func (w *writing) send(ctx context.Context, method, path, as string, body map[string]any) answered {
	sent, err := json.Marshal(body)
	if err != nil {
		w.t.Error(err)
	}
	key := fmt.Sprint(rand.Uint64())
	for tried := 0; ctx.Err() == nil; tried++ {
		n := w.nodes[rand.IntN(2)]
		req, err := http.NewRequestWithContext(ctx, method, n.address(path), bytes.NewReader(sent))
		if err != nil {
			w.t.Error(err)
			break
		}
		switch {
		case path[:2] == "//":
			req.Header.Set("Authorization", "Bearer "+providerToken)
		case as == "administrator":
			req.SetBasicAuth("admin", w.secrets[as])
		case as != "":
			req.SetBasicAuth(as, w.secrets[as])
		}
		if method != http.MethodGet {
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", key)
		}
		status, raw, err := n.do(req)
		a := answered{status: status, body: map[string]any{}}
		if err == nil && json.Unmarshal(raw, &a.body) == nil && status < 500 && status != http.StatusTooManyRequests &&
			a.body["code"] != "idempotency-key-in-use" {
			if tried > 0 && method != http.MethodGet {
				w.again.Add(1)
			}
			return a
		}
		pause(ctx, 200)
	}
	return answered{body: map[string]any{}}
}

// create makes an event, which a public follower may know unless it is a draft.
func (w *writing) create(ctx context.Context, as string, fields map[string]any) int64 {
	start := time.Now().AddDate(0, 1, 0).Format("2006-01-02")
	maps.Copy(fields, map[string]any{"start_date": start + " 10:00:00", "end_date": start + " 12:00:00"})
	a := w.send(ctx, http.MethodPost, "/events", as, fields)
	id := a.id()
	if a.status != http.StatusCreated {
		if ctx.Err() == nil && a.status != http.StatusBadRequest {
			w.t.Errorf("created: %d %v", a.status, a.body)
		}
		return 0 // names what another writer took away
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made[id] = true
	if fields["status"] == "draft" {
		w.secret[id] = true
	} else {
		w.events = append(w.events, id)
	}
	return id
}

// kill kills one node after the other while the writers write.
func (w *writing) kill() {
	for n := range w.kills {
		done := w.done.Load()
		storagetest.Until(w.t, "writers go on", func() bool { return w.done.Load() >= done+int64(5+rand.IntN(15)) })
		w.nodes[n%2].kill9()
		w.nodes[n%2].start()
	}
	w.enough.Store(true)
}

// write does things by chance until the last kill is over.
func (w *writing) write(ctx context.Context, n int) {
	by := rand.New(rand.NewPCG(uint64(n), 42))
	change := func(fields map[string]any, query string) {
		w.mu.Lock()
		id := w.events[by.IntN(len(w.events))]
		w.mu.Unlock()
		method := http.MethodPatch
		if fields == nil {
			method = http.MethodDelete
		}
		a := w.send(ctx, method, item("events", id)+query, "editor", fields)
		if a.status == http.StatusUnprocessableEntity {
			w.t.Errorf("%s %d %v: %v", method, id, fields, a.body)
		}
	}
	for !w.enough.Load() {
		title := []string{"Jazz", "Blues", "Chess"}[by.IntN(3)] + fmt.Sprint(" ", by.IntN(1000))
		switch by.IntN(18) {
		case 0, 1:
			w.create(ctx, []string{"editor", "author"}[by.IntN(2)], map[string]any{"title": title, "categories": []int64{w.categories[by.IntN(2)]}})
		case 2:
			if id := w.create(ctx, "author", map[string]any{"title": title, "status": "draft", "categories": w.categories[:1]}); id != 0 {
				w.send(ctx, http.MethodDelete, item("events", id)+[]string{"", "?force=true"}[by.IntN(2)], "author", nil)
			}
		case 3:
			w.create(ctx, "editor", map[string]any{"title": title, "featured": true, "recurrence": map[string]any{"every": "week", "count": 4}})
		case 4:
			change(map[string]any{"title": title}, "")
		case 5:
			change(map[string]any{"categories": []int64{w.categories[by.IntN(2)]}, "venue": w.venues[by.IntN(2)],
				"organizer": []int64{w.organizers[by.IntN(2)]}}, "")
		case 6:
			change(map[string]any{"status": []string{"draft", "publish", "private", "pending"}[by.IntN(4)]}, "")
		case 7:
			change(map[string]any{"hide_from_listings": by.IntN(2) == 0}, "")
		case 8:
			change(map[string]any{"status": "publish"}, "") // back from the trash, if it is there
		case 9:
			change(map[string]any{"password": []string{"", "secret"}[by.IntN(2)]}, "")
		case 10:
			change(map[string]any{"featured": by.IntN(2) == 0}, "")
		case 11:
			change(nil, "")
		case 12:
			change(nil, "?force=true")
		case 13: // planned for the next moment: time publishes it, and nobody's write
			w.create(ctx, "editor", map[string]any{"title": title, "status": "future", "categories": w.categories[:1],
				"date_utc": time.Now().UTC().Add(2 * time.Second).Format(time.DateTime)})
		case 14:
			w.send(ctx, http.MethodPatch, item("categories", w.categories[1]), "editor", map[string]any{"parent": []int64{0, w.categories[0]}[by.IntN(2)]})
		case 15: // a category that is there for a moment
			id := w.send(ctx, http.MethodPost, "/categories", "editor", map[string]any{"name": fmt.Sprint("Short ", rand.Uint32()), "parent": w.categories[0]}).id()
			change(map[string]any{"categories": []int64{id}}, "")
			w.send(ctx, http.MethodDelete, item("categories", id)+"?force=true", "editor", nil)
		case 16: // somebody who follows sees more or less from now on
			role := []string{"subscriber", "contributor", "author", "editor"}[by.IntN(4)]
			if a := w.send(ctx, http.MethodPatch, fmt.Sprintf("//platform/v1/sites/demo/users/%d", w.wanderer), "", map[string]any{"role": role}); a.status == http.StatusOK {
				w.roles.Add(1)
			}
		case 17: // what is merged into what followers ask for brings its events with it
			one := []struct {
				section, field, name string
				keep                 int64
			}{{"categories", "categories", "name", w.categories[by.IntN(2)]}, {"venues", "venue", "venue", w.venues[by.IntN(2)]},
				{"organizers", "organizer", "organizer", w.organizers[by.IntN(2)]}}[by.IntN(3)]
			id := w.send(ctx, http.MethodPost, "/"+one.section, "editor", map[string]any{one.name: fmt.Sprint("Double ", rand.Uint32())}).id()
			change(map[string]any{one.field: []int64{id}}, "")
			w.merge(ctx, one.section, one.name, one.keep, id)
		}
		w.done.Add(1)
	}
}

// wanderer is the login of the user whose role changes.
const wanderer = "wanderer"

// signIn signs the administrator in, on both nodes.
func (w *writing) signIn() {
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.desk = &http.Client{Timeout: 30 * time.Second, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a := w.page(w.t.Context(), w.nodes[0].address("//admin/login"), url.Values{"login": {"admin"}, "password": {w.nodes[0].password}})
	if a.Status != http.StatusSeeOther {
		w.t.Fatalf("sign in: %d %s", a.Status, a.Body)
	}
}

// page opens a page of the administration, or sends a form to it. The status is 0 if nothing is known of it.
func (w *writing) page(ctx context.Context, address string, form url.Values) (p kit.Page) {
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Error(err)
		return p
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", "http://"+req.Host)
	}
	res, err := w.desk.Do(req)
	if err != nil {
		return p
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return p
	}
	return kit.Page{Status: res.StatusCode, Header: res.Header, Body: string(raw)}
}

// merge makes one of two entries. It is no matter if that fails, or if it was done when the node was killed.
func (w *writing) merge(ctx context.Context, section, name string, keep, other int64) {
	n := w.nodes[rand.IntN(2)]
	asked := w.page(ctx, n.address(fmt.Sprintf("//admin/%s/merge?id=%d&id=%d&keep=%d", section, keep, other, keep)), nil)
	if asked.Status != http.StatusOK {
		return
	}
	form := kit.MergeForm(asked)
	form.Set("take."+name, fmt.Sprint(keep))
	form.Set("do", "merge")
	done := w.page(ctx, n.address("//admin/"+section+"/merge"), form)
	if done.Status == http.StatusSeeOther && strings.Contains(done.Header.Get("Location"), fmt.Sprint("/", keep)) {
		w.merged.Add(1)
	} else if done.Status != 0 && done.Status < 500 && done.Status != http.StatusConflict && done.Status != http.StatusSeeOther {
		w.t.Errorf("merge: %d %s", done.Status, done.Body)
	}
}

// connect connects to the database, for the site.
func (w *writing) connect(ctx context.Context) *pgx.Conn {
	conn, err := pgx.Connect(ctx, w.database)
	if err == nil {
		_, err = conn.Exec(ctx, `SELECT set_config('kalends.site', (SELECT id FROM sites WHERE slug = 'demo')::text, false)`)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return conn
}

// onceEach fails the test unless each creation that was answered was done, and no other.
func (w *writing) onceEach(ctx context.Context) {
	conn := w.connect(ctx)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT id FROM changes WHERE kind = 'event' AND action = 'create' AND who IN ('editor', 'author')`)
	if err != nil {
		w.t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(ids)
	if made := slices.Sorted(maps.Keys(w.made)); !slices.Equal(ids, made) {
		w.t.Errorf("created were %d\n%v\nanswered were %d\n%v", len(ids), ids, len(made), made)
	}
}

// mirror has what its follower was told of.
type mirror struct {
	w          *writing
	as, filter string
	n          int
	next       string
	has, ever  map[string]bool // by type and id
	told       int
}

// catchUp reads one chain of answers.
func (m *mirror) catchUp(ctx context.Context, more string) {
	seen, last := map[string]bool{}, 0.0
	for {
		a := m.w.send(ctx, http.MethodGet, "/changes?per_page=7&"+m.filter+more+"&since="+url.QueryEscape(m.next), m.as, nil)
		if a.status == 0 {
			return // the chain goes on next time
		}
		if a.status == http.StatusGone && m.as == wanderer { // the token is of other rights
			m.next, m.has = "", map[string]bool{}
			m.w.anew.Add(1)
			return
		}
		if a.status != http.StatusOK {
			m.w.t.Errorf("%q with %q: %d %v", m.as, m.filter, a.status, a.body)
			return
		}
		for _, one := range a.body["changes"].([]any) {
			c := one.(map[string]any)
			name := fmt.Sprint(c["type"], " ", c["id"])
			if version := c["version"].(float64); seen[name] || version < last {
				m.w.t.Errorf("%q with %q: %v comes twice or after %v", m.as, m.filter, c, last)
			} else {
				last = version
			}
			seen[name], m.ever[name] = true, true
			m.told++
			if c["action"] == "deleted" {
				delete(m.has, name)
			} else {
				m.has[name] = true
			}
		}
		m.next = a.body["next"].(string)
		if a.body["more"] != true {
			return
		}
	}
}

// compare fails the test unless the mirror has what a list has, and was told of no draft.
func (m *mirror) compare() {
	listed := map[string]bool{}
	for page, pages := 1, 1; page <= pages; page++ {
		filter, _ := url.ParseQuery(m.filter)
		filter.Del("types")
		a := m.w.send(m.w.t.Context(), http.MethodGet, fmt.Sprintf("/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&page=%d&%s", page, filter.Encode()), m.as, nil)
		for _, one := range a.body["events"].([]any) {
			event := one.(map[string]any)
			id := event["id"]
			if series, ok := event["series"].(map[string]any); ok && series["id"] != nil {
				id = series["id"]
			}
			listed[fmt.Sprint("event ", id)] = true
		}
		total, _ := a.body["total_pages"].(float64)
		pages = int(total)
	}
	events := maps.Clone(m.has)
	maps.DeleteFunc(events, func(name string, _ bool) bool { return !strings.HasPrefix(name, "event ") })
	if !maps.Equal(events, listed) {
		m.w.t.Errorf("%q with %q has\n%v\nlisted are\n%v", m.as, m.filter, slices.Sorted(maps.Keys(events)), slices.Sorted(maps.Keys(listed)))
	}
	if m.filter == "" {
		m.compareOthers()
	}
	for id := range m.w.secret {
		if m.as == "" && m.ever[fmt.Sprint("event ", id)] {
			m.w.t.Errorf("the public with %q was told of draft %d", m.filter, id)
		}
	}
}

// compareOthers fails the test unless the mirror has the venues, organizers and categories that lists have.
func (m *mirror) compareOthers() {
	for kind, list := range map[string]string{"venue": "venues?", "organizer": "organizers?", "category": "categories?hide_empty=false&"} {
		section, _, _ := strings.Cut(list, "?")
		listed, has := map[string]bool{}, maps.Clone(m.has)
		maps.DeleteFunc(has, func(name string, _ bool) bool { return !strings.HasPrefix(name, kind+" ") })
		for page, pages := 1, 1; page <= pages; page++ {
			a := m.w.send(m.w.t.Context(), http.MethodGet, fmt.Sprintf("/%sper_page=50&page=%d", list, page), m.as, nil)
			for _, one := range a.body[section].([]any) {
				listed[fmt.Sprint(kind, " ", one.(map[string]any)["id"])] = true
			}
			total, _ := a.body["total_pages"].(float64)
			pages = int(total)
		}
		if !maps.Equal(has, listed) {
			m.w.t.Errorf("%q has\n%v\nlisted are\n%v", m.as, slices.Sorted(maps.Keys(has)), slices.Sorted(maps.Keys(listed)))
		}
	}
}

package server_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Two sites on one server. Whatever is asked of the first, nothing of the second
// is shown, named, linked or changed.

// marker is in every text of the second site.
const marker = "Zwilling"

// callers are everybody who may ask on a site.
func callers() []string {
	list := []string{""}
	for _, role := range slices.Backward(tenancy.Roles()) {
		list = append(list, string(role))
	}
	return append(list, "reader")
}

// as returns the credentials of a caller on a site; "reader" is a read-only API
// key of an administrator.
func (k *kit) as(site, caller string) string {
	k.t.Helper()
	if caller != "reader" {
		return caller
	}
	name := site + "/bearer"
	if k.secrets[name] == "" {
		ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.sites[site])
		k.must(err)
		users, err := k.platform.Users.List(ctx, &tenancy.UserFilter{})
		k.must(err)
		for _, user := range users.Items {
			if user.Role == tenancy.Administrator {
				_, k.secrets[name], err = k.platform.Keys.Create(ctx, user.ID, &tenancy.KeyFields{
					Name: args.Some("reader"), Kind: args.Some("api_key"), ReadOnly: args.Some(true)})
				k.must(err)
			}
		}
	}
	return "Bearer " + k.secrets[name]
}

// twins makes the second site, whose ids begin where those of the first will
// never get, with one item of each resource.
func (k *kit) twins() *sample {
	k.t.Helper()
	k.site("two")
	k.exec("UPDATE sites SET last_post_id = 90000, last_term_id = 90000, last_user_id = 90000 WHERE slug = 'two'")
	s := &sample{ids: map[string]int64{}, slugs: map[string]string{}}
	create := func(resource, path string, body map[string]any) {
		a := k.send(request{Method: "POST", Path: path, Site: "two", As: "administrator", JSON: body}).want(k.t, 201, "")
		s.ids[resource] = a.id()
		s.slugs[resource], _ = a.Body["slug"].(string)
	}
	create("venue", "/venues", map[string]any{"venue": marker + " Ort"})
	create("organizer", "/organizers", map[string]any{"organizer": marker + " Verein"})
	create("category", "/categories", map[string]any{"name": marker + " Art"})
	create("tag", "/tags", map[string]any{"name": marker + " Wort"})
	create("event", "/events", map[string]any{"title": marker + " Fest", "start_date": "tomorrow 10:00", "end_date": "tomorrow 11:00",
		"venue": s.ids["venue"], "organizer": s.ids["organizer"], "categories": []int64{s.ids["category"]}, "tags": []int64{s.ids["tag"]}})
	a := k.upload("two", "administrator", marker+".png", picture(20, 20)).want(k.t, 201, "")
	s.ids["image"] = a.id()
	s.slugs["image"], _ = a.Body["url"].(string)
	return s
}

// siteTables are the tables whose rows belong to a site, as the database says, but for
// one that has no rows beside those of events.
func (k *kit) siteTables() []string {
	k.t.Helper()
	rows, err := k.owner().Query(context.Background(), `
		SELECT c.relname::text
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'event_texts'
		ORDER BY c.relname`)
	k.must(err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	k.must(err)
	return names
}

// sums is a digest of everything a site has, table by table.
func (k *kit) sums(slug string) string {
	k.t.Helper()
	var all []string
	for _, table := range k.siteTables() {
		sum := k.peek(slug, `SELECT count(*) || ' ' || md5(COALESCE(string_agg(x::text, '|' ORDER BY x::text), ''))
			FROM `+table+` x WHERE site_id = $1`, k.sites[slug].ID)
		if strings.HasPrefix(sum, "0 ") && table == "events" {
			k.t.Fatal("no events to look after")
		}
		all = append(all, table+" "+sum)
	}
	return strings.Join(all, "\n")
}

// walkAPI asks the first site for the ids and slugs of the second's items: as if
// they were nowhere.
func (w *tour) walkAPI() {
	k, t := w.k, w.k.t
	for _, r := range api.New(nil).Routes() {
		for _, method := range r.Methods {
			row := w.row(method, api.Namespace+r.Path)
			for _, caller := range callers() {
				foreign := k.walk(&r, method, w.two, k.as("demo", caller))
				w.asked(row, caller, foreign.Status, foreign.Raw)
				if !strings.Contains(r.Path, "{") {
					continue
				}
				unknown := k.walk(&r, method, w.nowhere, k.as("demo", caller))
				if foreign.String() != unknown.String() || foreign.Status < 400 {
					w.leaks++
					t.Errorf("%s %s as %q: foreign id %s, unknown id %s", method, r.Path, caller, foreign, unknown)
				}
				if method == http.MethodGet && foreign.Status != http.StatusNotFound {
					w.leaks++
					t.Errorf("GET %s as %q: %s", r.Path, caller, foreign)
				}
			}
		}
	}
}

// walk makes a request on a route with the ids of a sample.
func (k *kit) walk(r *api.Route, method string, s *sample, as string) answer {
	k.t.Helper()
	path := strings.NewReplacer("{id}", strconv.FormatInt(s.ids[r.Resource], 10), "{slug}", s.slugs[r.Resource]).Replace(r.Path)
	req := request{Method: method, Path: path, As: as}
	switch method {
	case http.MethodGet:
		req.Path += "?per_page=50&hide_empty=false"
	case http.MethodDelete:
		req.Path += "?force=true"
	default:
		req.JSON = valid(r.Resource)
	}
	return k.send(req)
}

// table lays out rows in columns.
func table(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			width := 8
			if i == 1 {
				width = 30
			}
			if cell == "" {
				cell = "nobody"
			}
			fmt.Fprintf(&b, "%-*.*s ", width, width, cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestForeignFilters(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.twins()
	k.event(map[string]any{"title": "Own", "start_date": "tomorrow 10:00", "end_date": "tomorrow 11:00"})
	queries := map[string]string{
		"/events?venue=": "venue", "/events?organizer=": "organizer", "/events?categories=": "category", "/events?tags=": "tag",
		"/events?include=": "event", "/events?post_parent=": "event", "/venues?event=": "event", "/organizers?event=": "event",
		"/categories?hide_empty=0&event=": "event", "/categories?hide_empty=0&post=": "event", "/categories?hide_empty=0&parent=": "category",
		"/categories?hide_empty=0&include=": "category", "/tags?hide_empty=0&include=": "tag", "/tags?hide_empty=0&post=": "event",
	}
	for _, caller := range callers() {
		for query, resource := range queries {
			a := k.send(request{Method: "GET", Path: query + strconv.FormatInt(two.ids[resource], 10), As: k.as("demo", caller)})
			total, isList := a.Body["total"].(float64)
			if a.Status != 400 && (a.Status != 200 || !isList || total != 0) || bytes.Contains(a.Raw, []byte(marker)) {
				t.Errorf("%s%d as %q: %s", query, two.ids[resource], caller, a)
			}
		}
		for _, path := range []string{"/events?search=", "/venues?search=", "/organizers?search=", "/tags?hide_empty=0&search=",
			"/tags?hide_empty=0&slug=", "/events?tags="} {
			a := k.send(request{Method: "GET", Path: path + marker, As: k.as("demo", caller)})
			if total, _ := a.Body["total"].(float64); a.Status != 200 && a.Status != 400 || total != 0 {
				t.Errorf("%s as %q: %s", path, caller, a)
			}
		}
	}
}

// TestForeignLinks writes to the first site with ids of the second: refused, or
// for terms skipped, and nothing is linked.
func TestForeignLinks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.twins()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.sites["two"])
	k.must(err)
	stranger, _, err := k.platform.Users.Create(ctx, &tenancy.UserFields{Login: args.Some("stranger"),
		Email: args.Some(args.Email("stranger@example.org")), Role: args.Some("editor")})
	k.must(err)
	own := k.sample()
	before, beforeTwo := k.state(), k.sums("two")
	blob := strings.Replace(two.slugs["image"], "two.localhost", "localhost", 1)
	attempts := []struct {
		resource, name string
		value          any
	}{
		{"event", "venue", two.ids["venue"]}, {"event", "venue", map[string]any{"id": two.ids["venue"]}},
		{"event", "venue", []int64{own.ids["venue"], two.ids["venue"]}},
		{"event", "organizer", two.ids["organizer"]}, {"event", "organizer", []int64{two.ids["organizer"], own.ids["organizer"]}},
		{"event", "image", strconv.FormatInt(two.ids["image"], 10)}, {"event", "image", blob}, {"event", "image", two.slugs["image"]},
		{"event", "post_parent", two.ids["event"]}, {"event", "author", stranger.ID},
		{"event", "venue", map[string]any{"venue": "New", "image": strconv.FormatInt(two.ids["image"], 10)}},
		{"event", "organizer", map[string]any{"organizer": "New", "author": stranger.ID}},
		{"venue", "image", two.ids["image"]}, {"venue", "author", stranger.ID},
		{"organizer", "image", two.ids["image"]}, {"organizer", "author", stranger.ID},
		{"category", "parent", two.ids["category"]},
	}
	collections := map[string]string{"event": "/events", "venue": "/venues", "organizer": "/organizers", "category": "/categories"}
	for _, one := range attempts {
		body := valid(one.resource)
		for name := range maps.Keys(body) {
			if text, ok := body[name].(string); ok && !strings.Contains(name, "date") {
				body[name] = text + " anew"
			}
		}
		body[one.name] = one.value
		item := collections[one.resource] + "/" + strconv.FormatInt(own.ids[one.resource], 10)
		for path, body := range map[string]any{collections[one.resource]: body, item: map[string]any{one.name: one.value}} {
			for _, role := range []string{"administrator", "editor", "author", "contributor"} {
				a := k.post(path, role, body)
				if a.Status != 400 && a.Status != 403 || a.Status == 400 && a.params()[one.name] == nil {
					t.Errorf("POST %s %s = %v as %s: %s", path, one.name, one.value, role, a)
				}
				if role == "administrator" && a.Status != 400 {
					t.Errorf("POST %s %s = %v as %s: %s", path, one.name, one.value, role, a)
				}
			}
		}
	}
	if after := k.state(); after != before {
		t.Errorf("refused writes left traces: %s, before %s", after, before)
	}
	body := valid("event")
	body["categories"], body["tags"] = []int64{two.ids["category"]}, []int64{two.ids["tag"]}
	a := k.post("/events", "administrator", body).want(t, 201, "")
	if fmt.Sprint(a.Body["categories"], a.Body["tags"]) != "[] []" {
		t.Errorf("linked: %s", a)
	}
	if after := k.sums("two"); after != beforeTwo {
		t.Errorf("the second site changed:\n%s\nbefore:\n%s", after, beforeTwo)
	}
}

// TestForeignCredentials tries the credentials of each site's people on the
// other.
func TestForeignCredentials(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.twins()
	for _, caller := range callers()[1:] {
		as := k.as("two", caller)
		if caller != "reader" {
			r, err := http.NewRequest(http.MethodGet, "http://localhost/", nil)
			k.must(err)
			r.SetBasicAuth(caller, k.secrets["two/"+caller])
			as = r.Header.Get("Authorization")
		}
		for _, r := range api.New(nil).Routes() {
			for _, method := range r.Methods {
				k.walk(&r, method, two, as).want(t, 401, "rest_invalid_credentials")
			}
		}
		k.send(request{Method: "GET", Path: "/events", Site: "two", As: as}).want(t, 200, "")
	}
}

// TestForeignBlob asks the first site for the picture of the second.
func TestForeignBlob(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.twins()
	_, path, _ := strings.Cut(two.slugs["image"], "/media/")
	path = "/media/" + path
	for _, caller := range callers() {
		k.send(request{Method: "GET", Path: "/" + path, As: k.as("demo", caller)}).want(t, 404, "rest_no_route")
	}
	if a := k.send(request{Method: "GET", Path: "/" + path, Site: "two"}); a.Status != 200 || !bytes.HasPrefix(a.Raw, []byte("\x89PNG")) {
		t.Errorf("on its own site: %d %d bytes", a.Status, len(a.Raw))
	}
}

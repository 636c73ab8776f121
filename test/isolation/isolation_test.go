package isolation

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/kit"
)

// Two sites on one server: requests to the first must not show, name, link or change anything of the second.

// sums is a digest of everything a site has, table by table.
func sums(k *kit.Kit, slug string) string {
	k.T.Helper()
	var all []string
	for _, table := range k.SiteTables() {
		sum := k.Peek(slug, `SELECT count(*) || ' ' || md5(COALESCE(string_agg(x::text, '|' ORDER BY x::text), ''))
			FROM `+table+` x WHERE site_id = $1`, k.Sites[slug].ID)
		if strings.HasPrefix(sum, "0 ") && table == "events" {
			k.T.Fatal("no events to look after")
		}
		all = append(all, table+" "+sum)
	}
	return strings.Join(all, "\n")
}

// walkAPI requests the ids and slugs of the second site's items from the first: they must appear not to exist.
func (w *tour) walkAPI() {
	k, t := w.k, w.k.T
	for _, r := range api.New(nil).Routes() {
		for _, method := range r.Methods {
			row := w.row(method, api.Namespace+r.Path)
			for _, caller := range kit.Callers() {
				foreign := walk(k, &r, method, w.two, k.As("demo", caller))
				w.asked(row, caller, foreign.Status, foreign.Raw)
				if !strings.Contains(r.Path, "{") {
					continue
				}
				unknown := walk(k, &r, method, w.nowhere, k.As("demo", caller))
				if foreign.String() != unknown.String() || foreign.Status < 400 {
					w.leaks++
					t.Errorf("%s %s as %q: foreign id %s, unknown id %s", method, r.Path, caller, foreign, unknown)
				}
				if refused := (r.Resource == "submission" || r.Resource == "import" || r.Resource == "webhook" || r.Resource == "source") && (foreign.Status == 401 || foreign.Status == 403); method == http.MethodGet && foreign.Status != 404 && !refused {
					w.leaks++
					t.Errorf("GET %s as %q: %s", r.Path, caller, foreign)
				}
			}
		}
	}
}

// walk makes a request on a route with the ids of a sample.
func walk(k *kit.Kit, r *api.Route, method string, s *kit.Sample, as string) kit.Answer {
	k.T.Helper()
	path := strings.NewReplacer("{id}", strconv.FormatInt(s.IDs[r.Resource], 10), "{slug}", s.Slugs[r.Resource], "{key}", s.Slugs[r.Resource], "{delivery}", "1").Replace(r.Path)
	req := kit.Request{Method: method, Path: path, As: as}
	switch method {
	case http.MethodGet:
		req.Path += "?per_page=50&hide_empty=false"
	case http.MethodDelete:
		req.Path += "?force=true"
	default:
		req.JSON = kit.Valid(r.Resource)
	}
	return k.Send(req)
}

func TestForeignFilters(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	two := k.SecondSite()
	k.Event(map[string]any{"title": "Own", "start_date": "tomorrow 10:00", "end_date": "tomorrow 11:00"})
	queries := map[string]string{
		"/events?venue=": "venue", "/events?organizer=": "organizer", "/events?categories=": "category", "/events?tags=": "tag",
		"/events?include=": "event", "/events?post_parent=": "event", "/venues?event=": "event", "/organizers?event=": "event",
		"/categories?hide_empty=0&event=": "event", "/categories?hide_empty=0&post=": "event", "/categories?hide_empty=0&parent=": "category",
		"/categories?hide_empty=0&include=": "category", "/tags?hide_empty=0&include=": "tag", "/tags?hide_empty=0&post=": "event",
	}
	for _, caller := range kit.Callers() {
		for query, resource := range queries {
			a := k.Send(kit.Request{Method: "GET", Path: query + strconv.FormatInt(two.IDs[resource], 10), As: k.As("demo", caller)})
			total, isList := a.Body["total"].(float64)
			if a.Status != 400 && (a.Status != 200 || !isList || total != 0) || bytes.Contains(a.Raw, []byte(kit.Marker)) {
				t.Errorf("%s%d as %q: %s", query, two.IDs[resource], caller, a)
			}
		}
		for _, path := range []string{"/events?search=", "/venues?search=", "/organizers?search=", "/tags?hide_empty=0&search=",
			"/tags?hide_empty=0&slug=", "/events?tags="} {
			a := k.Send(kit.Request{Method: "GET", Path: path + kit.Marker, As: k.As("demo", caller)})
			if total, _ := a.Body["total"].(float64); a.Status != 200 && a.Status != 400 || total != 0 {
				t.Errorf("%s as %q: %s", path, caller, a)
			}
		}
	}
}

// TestForeignLinks writes to the first site with ids of the second: they are rejected or, for terms, skipped, and
// nothing is linked.
func TestForeignLinks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	two := k.SecondSite()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["two"])
	k.Must(err)
	stranger, _, err := k.Platform.Users.Create(ctx, &accounts.UserFields{Login: args.Some("stranger"),
		Email: args.Some(args.Email("stranger@example.org")), Role: args.Some("editor")})
	k.Must(err)
	own := k.Sample()
	before, beforeTwo := k.State(), sums(k, "two")
	blob := strings.Replace(two.Slugs["image"], "two.localhost", "localhost", 1)
	attempts := []struct {
		resource, name string
		value          any
	}{
		{"event", "venue", two.IDs["venue"]}, {"event", "venue", map[string]any{"id": two.IDs["venue"]}},
		{"event", "venue", []int64{own.IDs["venue"], two.IDs["venue"]}},
		{"event", "organizer", two.IDs["organizer"]}, {"event", "organizer", []int64{two.IDs["organizer"], own.IDs["organizer"]}},
		{"event", "image", strconv.FormatInt(two.IDs["image"], 10)}, {"event", "image", blob}, {"event", "image", two.Slugs["image"]},
		{"event", "post_parent", two.IDs["event"]}, {"event", "author", stranger.ID},
		{"event", "venue", map[string]any{"venue": "New", "image": strconv.FormatInt(two.IDs["image"], 10)}},
		{"event", "organizer", map[string]any{"organizer": "New", "author": stranger.ID}},
		{"venue", "image", two.IDs["image"]}, {"venue", "author", stranger.ID},
		{"organizer", "image", two.IDs["image"]}, {"organizer", "author", stranger.ID},
		{"category", "parent", two.IDs["category"]},
	}
	collections := map[string]string{"event": "/events", "venue": "/venues", "organizer": "/organizers", "category": "/categories"}
	for _, one := range attempts {
		body := kit.Valid(one.resource)
		for name := range maps.Keys(body) {
			if text, ok := body[name].(string); ok && !strings.Contains(name, "date") {
				body[name] = text + " anew"
			}
		}
		body[one.name] = one.value
		item := collections[one.resource] + "/" + strconv.FormatInt(own.IDs[one.resource], 10)
		for path, body := range map[string]any{collections[one.resource]: body, item: map[string]any{one.name: one.value}} {
			for _, role := range []string{"administrator", "editor", "author", "contributor"} {
				a := k.Post(path, role, body)
				if a.Status != 400 && a.Status != 403 || a.Status == 400 && a.Params()[one.name] == nil {
					t.Errorf("POST %s %s = %v as %s: %s", path, one.name, one.value, role, a)
				}
				if role == "administrator" && a.Status != 400 {
					t.Errorf("POST %s %s = %v as %s: %s", path, one.name, one.value, role, a)
				}
			}
		}
	}
	if after := k.State(); after != before {
		t.Errorf("refused writes left traces: %s, before %s", after, before)
	}
	body := kit.Valid("event")
	body["categories"], body["tags"] = []int64{two.IDs["category"]}, []int64{two.IDs["tag"]}
	a := k.Post("/events", "administrator", body).Want(t, 201, "")
	if fmt.Sprint(a.Body["categories"], a.Body["tags"]) != "[] []" {
		t.Errorf("linked: %s", a)
	}
	if after := sums(k, "two"); after != beforeTwo {
		t.Errorf("the second site changed:\n%s\nbefore:\n%s", after, beforeTwo)
	}
}

// TestForeignCredentials tries each site's credentials on the other.
func TestForeignCredentials(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	two := k.SecondSite()
	for _, caller := range kit.Callers()[1:] {
		as := k.As("two", caller)
		if caller != "reader" {
			r, err := http.NewRequest(http.MethodGet, "http://localhost/", nil)
			k.Must(err)
			r.SetBasicAuth(caller, k.Secrets["two/"+caller])
			as = r.Header.Get("Authorization")
		}
		for _, r := range api.New(nil).Routes() {
			for _, method := range r.Methods {
				walk(k, &r, method, two, as).Want(t, 401, "rest_invalid_credentials")
			}
		}
		k.Send(kit.Request{Method: "GET", Path: "/events", Site: "two", As: as}).Want(t, 200, "")
	}
}

// TestForeignBlob asks the first site for the picture of the second.
func TestForeignBlob(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	two := k.SecondSite()
	_, path, _ := strings.Cut(two.Slugs["image"], "/media/")
	path = "/media/" + path
	for _, caller := range kit.Callers() {
		k.Send(kit.Request{Method: "GET", Path: "/" + path, As: k.As("demo", caller)}).Want(t, 404, "rest_no_route")
	}
	if a := k.Send(kit.Request{Method: "GET", Path: "/" + path, Site: "two"}); a.Status != 200 || !bytes.HasPrefix(a.Raw, []byte("\x89PNG")) {
		t.Errorf("on its own site: %d %d bytes", a.Status, len(a.Raw))
	}
}

package isolation

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/mcp"
	"github.com/kalends/kalends/api/wordpress"
	"github.com/kalends/kalends/media"
)

// walkRest asks for what no table of routes has: the files of pictures, which belong
// to a site, and what is for the machines around.
func (w *tour) walkRest() {
	k, t := w.k, w.k.T
	picture, err := url.Parse(w.two.Slugs["image"])
	k.Must(err)
	if a := k.Send(kit.Request{Method: "GET", Path: "/" + picture.Path, Site: "two"}); a.Status != http.StatusOK {
		t.Fatalf("the second site's own picture %s: %d", picture.Path, a.Status)
	}
	file := w.row(http.MethodGet, media.Path+":key/:file")
	for _, caller := range kit.Callers() {
		as := k.As("demo", caller)
		foreign := k.Send(kit.Request{Method: "GET", Path: "/" + picture.Path, As: as})
		unknown := k.Send(kit.Request{Method: "GET", Path: "/" + media.Path + "nosuchkey/a.png", As: as})
		w.asked(file, caller, foreign.Status, foreign.Raw)
		if foreign.Status != http.StatusNotFound || foreign.String() != unknown.String() {
			w.leaks++
			t.Errorf("the second site's picture as %q: %d, an unknown one %d", caller, foreign.Status, unknown.Status)
		}
		for _, path := range []string{"/healthz", "/readyz", api.PlatformNamespace + "/domains/ask"} {
			row := w.row(http.MethodGet, path)
			if i := slices.IndexFunc(w.rows, func(r *tourRow) bool { return r.path == path }); i < len(w.rows)-1 {
				row, w.rows = w.rows[i], w.rows[:len(w.rows)-1]
			}
			a := k.Send(kit.Request{Method: "GET", Path: "/" + path + "?domain=zwilling.example.org", As: as})
			w.asked(row, caller, a.Status, a.Raw)
		}
	}
}

// wordPressItems are the resources of the samples behind the collections of WordPress' own API.
var wordPressItems = map[string]string{"media": "image", "tags": "tag", "tribe_events_cat": "category", "tribe_events": "event",
	"tribe_venue": "venue", "tribe_organizer": "organizer"}

// walkWordPress asks WordPress' own API of the first site for what belongs to the second.
func (w *tour) walkWordPress() {
	k, t := w.k, w.k.T
	for _, caller := range kit.Callers() {
		a := k.Send(kit.Request{Method: "GET", Path: "/" + api.Index + "/", As: k.As("demo", caller)})
		w.asked(w.row(http.MethodGet, api.Index+"/"), caller, a.Status, a.Raw)
	}
	for _, r := range wordpress.New(api.New(nil), nil).Routes() {
		collection, _, isItem := strings.Cut(strings.Trim(r.Path, "/"), "/{id}")
		r.Resource = wordPressItems[collection]
		r.Path = "/" + api.WordPress + r.Path
		for _, method := range r.Methods {
			row := w.row(method, r.Path[1:])
			for _, caller := range kit.Callers() {
				foreign := walk(k, &r, method, w.two, k.As("demo", caller))
				w.asked(row, caller, foreign.Status, foreign.Raw)
				if !isItem {
					continue
				}
				unknown := walk(k, &r, method, w.nowhere, k.As("demo", caller))
				if foreign.String() != unknown.String() || foreign.Status < http.StatusBadRequest {
					w.leaks++
					t.Errorf("%s %s as %q: foreign id %s, unknown id %s", method, r.Path, caller, foreign, unknown)
				}
			}
		}
	}
}

// covers fails the test for each route of the app that was not walked. Those of the
// administration are behind one of their own, and stand in its table.
func (w *tour) covers() {
	walked := make([]string, 0, len(w.rows))
	for _, row := range w.rows {
		walked = append(walked, row.path)
	}
	covers(w.k, walked)
}

// covers reports the routes of the app that are not among those walked.
func covers(k *kit.Kit, paths []string) {
	plain := func(path string) string {
		segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
		for i, s := range segments {
			if strings.ContainsAny(s, ":{#*") {
				segments[i] = "*"
			}
		}
		return strings.Join(segments, "/")
	}
	walked := map[string]bool{}
	for _, path := range paths {
		walked[plain(path)] = true
	}
	unwalked, seen := map[string]bool{}, 0
	for _, method := range k.App.Stack() {
		for _, route := range method {
			seen++
			if path := plain(route.Path); !walked[path] && path != "" {
				unwalked[path] = true
			}
		}
	}
	for _, behind := range []string{"/admin/*", "/admin/provider/*", "/admin/sites/*", api.Namespace + "/*", api.PlatformNamespace + "/*",
		api.WordPress + "/*", api.Index + "/*"} {
		if !unwalked[behind] && !walked[behind] {
			k.T.Errorf("%s is no route any more", behind)
		}
		delete(unwalked, behind)
	}
	delete(unwalked, mcp.Path) // its tools call routes of the API
	for path := range unwalked {
		k.T.Errorf("%s is a route that nobody walked", path)
	}
	if seen < 200 {
		k.T.Errorf("%d routes", seen)
	}
}

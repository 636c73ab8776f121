package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// tecSite answers as a site with The Events Calendar does: lists of at most 50, events between two dates only, drafts only for
// those who sign in, venues without what is empty.
type tecSite struct {
	*httptest.Server
	mu       sync.Mutex
	events   []map[string]any
	things   map[string][]map[string]any // venues, organizers, categories, tags
	faults   func(w http.ResponseWriter, r *http.Request) bool
	asked    []string
	password string
}

const tecRoot = "/wp-json/tribe/events/v1"

func newTECSite(t *testing.T) *tecSite {
	t.Helper()
	s := &tecSite{things: map[string][]map[string]any{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *tecSite) host() string { return strings.TrimPrefix(s.URL, "http://") }

// add adds an event with the members of The Events Calendar, and returns it.
func (s *tecSite) add(id int64, title, start string, hours int, more map[string]any) map[string]any {
	at, err := time.Parse(time.DateTime, start)
	if err != nil {
		panic(err)
	}
	slug := strings.ToLower(strings.ReplaceAll(title, " ", "-"))
	e := map[string]any{"id": id, "global_id": fmt.Sprintf("site.example?id=%d", id), "author": "1", "status": "publish",
		"date": "2026-11-01 08:00:00", "date_utc": "2026-11-01 07:00:00", "url": s.URL + "/event/" + slug + "/",
		"rest_url": fmt.Sprintf("%s%s/events/%d", s.URL, tecRoot, id), "title": title, "description": "<p>About " + title + "</p>", "excerpt": "",
		"slug": slug, "image": false, "all_day": false, "start_date": start,
		"end_date": at.Add(time.Duration(hours) * time.Hour).Format(time.DateTime), "timezone": "Europe/Berlin", "cost": "",
		"website": s.URL + "/event/" + slug + "/", "show_map": true, "show_map_link": true, "hide_from_listings": false, "sticky": false,
		"featured": false, "categories": []any{}, "tags": []any{}, "venue": []any{}, "organizer": []any{}, "custom_fields": []any{}}
	maps.Copy(e, more)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
	return e
}

// thing adds a venue, organizer, category or tag, and returns it.
func (s *tecSite) thing(list string, id int64, name, slug string, more map[string]any) map[string]any {
	key := map[string]string{"venues": "venue", "organizers": "organizer"}[list]
	if key == "" {
		key = "name"
	}
	thing := map[string]any{"id": id, key: name, "slug": slug}
	maps.Copy(thing, more)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.things[list] = append(s.things[list], thing)
	return thing
}

func (s *tecSite) signedIn(r *http.Request) bool {
	user, password, ok := r.BasicAuth()
	return ok && user == "editor" && password == s.password && s.password != ""
}

func (s *tecSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.Path+"?"+r.URL.RawQuery)
	if s.faults != nil && s.faults(w, r) {
		return
	}
	if _, _, sent := r.BasicAuth(); sent && !s.signedIn(r) {
		answerTEC(w, 401, map[string]any{"code": "incorrect_password", "message": "…", "data": map[string]any{"status": 401}})
		return
	}
	list, found := strings.CutPrefix(r.URL.Path, tecRoot+"/")
	switch {
	case r.URL.Path == "/wp-json/wp/v2/tribe_events":
		ids := []any{}
		for _, e := range s.events {
			if e["status"] == "publish" || s.signedIn(r) {
				ids = append(ids, map[string]any{"id": e["id"]})
			}
		}
		w.Header().Set("X-WP-TotalPages", "1")
		answerTEC(w, 200, ids)
	case r.URL.Path == "/picture.png":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(onePixel)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<!doctype html><title>Not found</title>"))
	case list == "events":
		s.page(w, r, list, s.visible(r))
	case strings.HasPrefix(list, "events/"):
		for _, e := range s.events {
			if fmt.Sprint(e["id"]) == list[len("events/"):] {
				answerTEC(w, 200, e)
				return
			}
		}
		answerTEC(w, 404, map[string]any{"code": "rest-event-not-found"})
	default:
		s.page(w, r, list, s.things[list])
	}
}

// visible are the events that a list gives, in the order of their starts.
func (s *tecSite) visible(r *http.Request) []map[string]any {
	from, to := r.URL.Query().Get("start_date"), r.URL.Query().Get("end_date")
	if from == "" {
		from, to = "2026-11-28", "2028-11-28 23:59:59"
	}
	list := []map[string]any{}
	for _, e := range s.events {
		start, _ := e["start_date"].(string)
		end, _ := e["end_date"].(string)
		if start >= from && end <= to && e["hide_from_listings"] != true && (e["status"] == "publish" || s.signedIn(r)) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b map[string]any) int {
		return strings.Compare(fmt.Sprint(a["start_date"]), fmt.Sprint(b["start_date"]))
	})
	return list
}

func (s *tecSite) page(w http.ResponseWriter, r *http.Request, list string, all []map[string]any) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	per, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	per, page = min(max(per, 1), 50), max(page, 1)
	pages := (len(all) + per - 1) / per
	if page > max(pages, 1) && list != "categories" && list != "tags" {
		answerTEC(w, 404, map[string]any{"code": strings.TrimSuffix(list, "s") + "-archive-page-not-found", "message": "…"})
		return
	}
	some := all[min((page-1)*per, len(all)):min(page*per, len(all))]
	answer := map[string]any{list: some, "rest_url": s.URL + tecRoot + "/" + list, "total": len(all), "total_pages": pages}
	if page < pages {
		answer["next_rest_url"] = "http://169.254.169.254/latest/" // which nobody may follow
	}
	answerTEC(w, 200, answer)
}

func answerTEC(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// in is what an event has of a venue or the like: one, or several.
func in(things ...map[string]any) []any {
	list := []any{}
	for _, thing := range things {
		list = append(list, thing)
	}
	return list
}

package fuzz

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api"
	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"
)

// target is one route: what is known of the requests it takes.
type target struct {
	method  string
	pattern string     // "{id}", "{slug}" and others stand for what a request names
	fields  []argument // of the query or the body
	room    kit.Room

	resource string // of what it is about, or ""
}

// thing is something there is.
type thing struct{ id, slug string }

// know notes what a request made.
func (f *fuzzer) know(s *shot, body []byte) {
	var made struct {
		ID   int64
		Slug string
	}
	if err := json.Unmarshal(body, &made); err == nil && made.ID > 0 {
		f.items[s.target.resource] = append(f.items[s.target.resource], thing{strconv.FormatInt(made.ID, 10), made.Slug})
	}
}

// resourceOf names what the pages of a path are about.
func resourceOf(path string) string {
	for _, in := range [][2]string{{"categories", "category"}, {"category", "category"}, {"tag", "tag"}, {"venue", "venue"}, {"organizer", "organizer"},
		{"event", "event"}} {
		if strings.Contains(path, "/"+in[0]) {
			return in[1]
		}
	}
	return ""
}

// argument is a field of a request: one of the interface, or one of a form with the
// texts it was seen with.
type argument struct {
	name  string
	field *args.Field
	seen  []string
}

const (
	interfaceRoom kit.Room = iota
	platformRoom
	publicRoom
	adminRoom
	consoleRoom
)

// world fills the site, signs everybody in, and looks at all forms.
func (f *fuzzer) world() {
	k := f.k
	k.Site("two")
	own := k.Sample()
	k.Configure(&platform.ConfigFields{Submissions: args.Some(true)})
	f.ids, f.items = []string{"1", "2", "3", "4"}, map[string][]thing{}
	for _, resource := range slices.Sorted(maps.Keys(own.IDs)) {
		f.ids = append(f.ids, strconv.FormatInt(own.IDs[resource], 10))
		f.slugs = append(f.slugs, own.Slugs[resource])
		f.items[resource] = []thing{{strconv.FormatInt(own.IDs[resource], 10), own.Slugs[resource]}}
	}
	for i := range 3 {
		f.ids = append(f.ids, fmt.Sprint(k.Event(map[string]any{"title": fmt.Sprint("Event ", i), "start_date": "tomorrow 10:00",
			"end_date": "tomorrow 11:00", "venue": own.IDs["venue"], "categories": []int64{own.IDs["category"]}, "cost": "5–10"})))
	}
	f.slugs = append(f.slugs, "event-0", "event-1", "event-2", "demo", "two", "unlimited")
	f.callers = []kit.Caller{{}, f.stranger(), {Rooms: []kit.Room{interfaceRoom}, Headers: [][2]string{{"Authorization", "Bearer none"}}},
		{Rooms: []kit.Room{platformRoom}, Headers: [][2]string{{"Authorization", "Bearer " + kit.ProviderToken}}}}
	for _, role := range append(tenancy.Roles(), "administrator", "administrator", "editor") { // who come further than others
		basic := base64.StdEncoding.EncodeToString([]byte(string(role) + ":" + k.Secrets["demo/"+string(role)]))
		f.callers = append(f.callers, kit.Caller{Rooms: []kit.Room{interfaceRoom}, Headers: [][2]string{{"Authorization", "Basic " + basic}}})
	}
	administrator := k.Person("administrator")
	people := map[kit.Room]*kit.Browser{adminRoom: administrator, consoleRoom: k.Console()}
	for _, role := range []string{"editor", "author", "contributor"} {
		b := k.Person(role)
		b.Get("/admin/profile")
		f.callers = append(f.callers, b.Caller(adminRoom))
	}
	f.targets = f.everything()
	for i := range f.targets {
		if b := people[f.targets[i].room]; b != nil && f.targets[i].method == http.MethodGet {
			f.learn(b, f.targets[i].pattern)
		}
	}
	for in, b := range people {
		for range 3 {
			f.callers = append(f.callers, b.Caller(in))
		}
	}
}

// stranger is somebody who signs in with what nobody has.
func (f *fuzzer) stranger() kit.Caller {
	basic := base64.StdEncoding.EncodeToString([]byte(f.hostile() + ":" + f.hostile()))
	header := one(f, "Basic "+basic, "Basic %%%", "Bearer kal_"+url.PathEscape(f.hostile()), "Digest a", "basic", "Bearer \xff")
	return kit.Caller{Rooms: []kit.Room{interfaceRoom, platformRoom}, Headers: [][2]string{{"Authorization", header}}}
}

// everything lists all routes.
func (f *fuzzer) everything() []target {
	var list []target
	add := func(routes []api.Route, namespace string, in kit.Room) {
		for i := range routes {
			var fields []argument
			for _, field := range routes[i].Arguments() {
				if !field.Path {
					fields = append(fields, argument{name: field.Name, field: &field})
				}
			}
			for _, method := range routes[i].Methods {
				list = append(list, target{method, namespace + routes[i].Path, fields, in, routes[i].Resource})
			}
		}
	}
	add(api.New(f.k.Calendar).Routes(), api.Namespace, interfaceRoom)
	add(platformapi.New(f.k.Platform, f.k.Jobs, "localhost", nil).Routes(), api.PlatformNamespace, platformRoom)
	for _, p := range web.New(web.Config{Calendar: f.k.Calendar, Platform: f.k.Platform}).Pages() {
		in := publicRoom
		switch {
		case frame.Console(p.Path):
			in = consoleRoom
		case frame.Admin(p.Path):
			in = adminRoom
		}
		path := strings.NewReplacer("#", "{id}", "*", "{slug}", ":file", "{slug}", ":slug", "{slug}", ":month", "{day}", ":day", "{day}").Replace(p.Path)
		list = append(list, target{p.Method, path, nil, in, resourceOf(path)})
	}
	for _, path := range []string{"/media/{slug}/{slug}", "/platform/v1/domains/ask", "/healthz", "/readyz", "/{slug}", "/"} {
		list = append(list, target{http.MethodGet, path, nil, publicRoom, ""})
	}
	return list
}

var (
	fieldTag   = regexp.MustCompile(`<(?:input|select|textarea|button)\b[^>]*>`)
	nameOfTag  = regexp.MustCompile(`\bname="([^"]*)"`)
	valueOfTag = regexp.MustCompile(`\bvalue="([^"]*)"`)
	queryOf    = regexp.MustCompile(`href="[^"?]*\?([^"]+)"`)
)

// learn looks at a page and gives the fields of its forms and links to the routes
// that they may belong to: its own, and those below.
func (f *fuzzer) learn(b *kit.Browser, pattern string) {
	for _, id := range f.ids {
		path := strings.NewReplacer("{id}", id, "{slug}", "demo", "{day}", "2030-01").Replace(pattern)
		if strings.Contains(path, "/plans/") {
			path = strings.Replace(path, "demo", "unlimited", 1)
		}
		p := b.Get(path)
		if p.Status != http.StatusOK {
			continue
		}
		seen := url.Values{}
		for _, tag := range fieldTag.FindAllString(p.Body, -1) {
			name, value := nameOfTag.FindStringSubmatch(tag), valueOfTag.FindStringSubmatch(tag)
			if name != nil && name[1] != "csrf" {
				seen[name[1]] = append(seen[name[1]], "")
				if value != nil {
					seen[name[1]] = append(seen[name[1]], html.UnescapeString(value[1]))
				}
			}
		}
		for _, link := range queryOf.FindAllStringSubmatch(p.Body, -1) {
			values, _ := url.ParseQuery(html.UnescapeString(link[1]))
			for name, list := range values {
				seen[name] = append(seen[name], list...)
			}
		}
		for i := range f.targets {
			if t := &f.targets[i]; t.pattern == pattern || strings.HasPrefix(t.pattern, pattern+"/") && t.method == http.MethodPost {
				t.add(seen)
			}
		}
		if !strings.Contains(pattern, "{id}") {
			return
		}
	}
}

// add notes fields that a route may know.
func (t *target) add(seen url.Values) {
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if i := slices.IndexFunc(t.fields, func(a argument) bool { return a.name == name }); i < 0 {
			t.fields = append(t.fields, argument{name: name, seen: seen[name]})
		}
	}
}

package frame

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// Route is a page of the administration with the rights it requires.
type Route struct {
	Method, Path string // below /admin; "#" stands for an id
	May          tenancy.Permission
	Handle       Handler
	Open         bool // does not require signing in
	ShowsAgain   bool // the handler can show a form again if it is ShownAgain; other handlers never receive such a form
}

// GetPage returns the route of a page for signed-in users with some rights.
func GetPage(path string, may tenancy.Permission, handle Handler) Route {
	return Route{Method: fiber.MethodGet, Path: path, May: may, Handle: handle}
}

// PostPage returns a route for forms of signed-in users with some rights. People type nothing into these forms, so
// a form that is ShownAgain redirects to its page.
func PostPage(path string, may tenancy.Permission, handle Handler) Route {
	return Route{Method: fiber.MethodPost, Path: path, May: may, Handle: handle}
}

// FormPage is PostPage for forms that people type into. The handler also receives forms that are ShownAgain, and
// shows them with what was typed.
func FormPage(path string, may tenancy.Permission, handle Handler) Route {
	return Route{Method: fiber.MethodPost, Path: path, May: may, Handle: handle, ShowsAgain: true}
}

// GetOpen returns the route of a page that does not require signing in.
func GetOpen(path string, handle Handler) Route {
	return Route{Method: fiber.MethodGet, Path: path, Handle: handle, Open: true}
}

// PostOpen returns a route for forms that do not require signing in.
func PostOpen(path string, handle Handler) Route {
	return Route{Method: fiber.MethodPost, Path: path, Handle: handle, Open: true}
}

// Handler handles a visit.
type Handler func(*Visit) (*Reply, error)

// Table is a set of routes below /admin.
type Table []Route

// Find returns the route of a method and a path below /admin. allow lists the methods of an existing path.
func (t Table) Find(method, path string) (found *Route, id int64, allow []string) {
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	for i := range t {
		n, ok := Matches(t[i].Path, strings.TrimSuffix(path, "/"))
		if !ok {
			continue
		}
		allow = append(allow, t[i].Method)
		if t[i].Method == method {
			return &t[i], n, nil
		}
	}
	return nil, 0, allow
}

// Answer passes a visit to the handler of its route. If a form is ShownAgain but the handler cannot show it again,
// Answer redirects to the address in the form's field "to", or to the nearest page above its path.
func (t Table) Answer(v *Visit, route *Route) (*Reply, error) {
	if route.Open || route.ShowsAgain || !v.Post || !v.Form.ShownAgain() {
		return route.Handle(v)
	}
	if to := v.Form.Get("to"); to != "" {
		return &Reply{Redirect: Inside(to)}, nil
	}
	path := v.Path
	for path != AdminRoot {
		if page, _, _ := t.Find(fiber.MethodGet, strings.TrimPrefix(path, AdminRoot)); page != nil {
			break
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return &Reply{Redirect: path}, nil
}

// Matches reports whether a path matches a pattern, and returns the id in it.
func Matches(pattern, path string) (id int64, ok bool) {
	before, after, has := strings.Cut(pattern, "#")
	if !has {
		return 0, pattern == path
	}
	rest, ok := strings.CutPrefix(path, before)
	if !ok {
		return 0, false
	}
	if rest, ok = strings.CutSuffix(rest, after); !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(rest, 10, 64)
	return id, err == nil && id > 0 && rest[0] != '+'
}

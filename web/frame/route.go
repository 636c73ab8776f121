package frame

import (
	"net/url"
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
}

// GetPage returns a page for signed-in users with some rights.
func GetPage(path string, may tenancy.Permission, handle Handler) Route {
	return Route{fiber.MethodGet, path, may, handle, false}
}

// PostPage accepts forms of signed-in users with some rights.
func PostPage(path string, may tenancy.Permission, handle Handler) Route {
	return Route{fiber.MethodPost, path, may, handle, false}
}

// GetOpen returns a page that does not require signing in.
func GetOpen(path string, handle Handler) Route {
	return Route{fiber.MethodGet, path, 0, handle, true}
}

// PostOpen accepts forms that do not require signing in.
func PostOpen(path string, handle Handler) Route {
	return Route{fiber.MethodPost, path, 0, handle, true}
}

// Handler handles a visit.
type Handler func(*Visit) (*Reply, error)

// Table is a set of pages below /admin.
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

// Matches reports whether a path matches a pattern, and the id in it.
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

// AdminRoot is the path of the administration.
const AdminRoot = "/admin"

// Admin reports whether a path belongs to the administration.
func Admin(path string) bool { return path == AdminRoot || strings.HasPrefix(path, AdminRoot+"/") }

// ConsoleRoot is the path of the provider's console.
const ConsoleRoot = AdminRoot + "/provider"

// Console reports whether a path belongs to the provider's console, which belongs to no site.
func Console(path string) bool {
	return path == ConsoleRoot || strings.HasPrefix(path, ConsoleRoot+"/")
}

// LobbyRoot is the path of the lobby on the platform's own domain, where people with accounts on several sites sign
// in.
const LobbyRoot = AdminRoot + "/sites"

// Lobby reports whether a path belongs to the lobby, which belongs to no site.
func Lobby(path string) bool { return path == LobbyRoot || strings.HasPrefix(path, LobbyRoot+"/") }

// LoginPath returns the address of the sign-in page that continues to an address.
func LoginPath(to string) string {
	if to == AdminRoot {
		return AdminRoot + "/login"
	}
	return AdminRoot + "/login?to=" + url.QueryEscape(to)
}

// Inside returns an address if it is in the administration, and the start of the administration otherwise.
func Inside(to string) string {
	if path, _, _ := strings.Cut(to, "?"); Admin(path) && !strings.ContainsAny(to, "\\\r\n\t") && !strings.Contains(to, "//") &&
		path != AdminRoot+"/login" && path != AdminRoot+"/logout" {
		return to
	}
	return AdminRoot
}

// PathOf returns an address without its query.
func PathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

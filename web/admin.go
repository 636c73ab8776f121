package web

import (
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// admin is the administration of a site. Every page of it works without
// scripts: a form is sent, and the answer is the form again with what is wrong,
// or a redirect to what it made.
type admin struct {
	calendar *calendar.Calendar
	platform *tenancy.Platform
	post     Post // nil: no mail is sent
	logger   *slog.Logger
	sending  chan struct{} // mail in the background
	table    []adminRoute
}

func newAdmin(c Config) *admin {
	w := &admin{calendar: c.Calendar, platform: c.Platform, post: c.Post, logger: c.Logger,
		sending: make(chan struct{}, mostSending)}
	w.table = w.routes()
	return w
}

// adminRoute is one page of the administration and who may open it.
type adminRoute struct {
	method, path string // below /admin; "#" stands for an id
	may          tenancy.Permission
	handle       adminHandler
	open         bool // needs nobody signed in
}

// adminHandler answers a visit.
type adminHandler func(*visit) (*reply, error)

// routes is the table of the administration.
func (w *admin) routes() []adminRoute {
	const get, post = fiber.MethodGet, fiber.MethodPost
	const edit = tenancy.EditOwn
	list := []adminRoute{
		{get, "", 0, w.home, false},
		{get, "/login", 0, w.askLogin, true},
		{post, "/login", 0, w.login, true},
		{get, "/session", 0, w.session, false},
		{post, "/session", 0, w.enter, true},
		{post, "/session/passkey", 0, w.enterByPasskey, true},
		{post, "/logout", 0, w.logout, false},
		{post, "/language", 0, w.language, true},
		{get, "/events", edit, w.listEvents, false},
		{post, "/events", edit, w.manyEvents, false},
		{get, "/events/new", edit, w.newEvent, false},
		{post, "/events/new", edit, w.createEvent, false},
		{post, "/events/preview", edit, w.previewEvent, false},
		{get, "/events/export", edit, w.exportEvents, false},
		{post, "/events/undo", edit, w.undo, false},
		{get, "/events/quick", edit, w.askQuick, false},
		{post, "/events/quick", edit, w.addQuick, false},
		{get, "/events/#/copy", edit, w.askCopy, false},
		{post, "/events/#/copy", edit, w.copyEvent, false},
		{get, "/search/venues", edit, w.searchVenues, false},
		{get, "/search/organizers", edit, w.searchOrganizers, false},
		{get, "/search/tags", edit, w.searchTags, false},
		{get, "/images", edit, w.searchImages, false},
		{post, "/images", tenancy.Upload, w.addImage, false},
		{get, "/events/#", edit, w.editEvent, false},
		{post, "/events/#", edit, w.updateEvent, false},
		{post, "/events/#/remove", edit, w.removeEvent, false},
		{post, "/events/#/preview", edit, w.changePreview, false},
		{post, "/drafts", edit, w.saveDraft, false},
		{get, "/events/#/move", edit, w.askMove, false},
		{post, "/events/#/move", edit, w.moveEvent, false},
		{get, "/trash", edit, w.trash, false},
		{get, "/audit", tenancy.ManageSite, w.showAudit, false},
		{get, "/audit/export", tenancy.ManageSite, w.exportAudit, false},
		{get, "/settings", tenancy.ManageSite, w.settings, false},
		{post, "/settings", tenancy.ManageSite, w.changeSettings, false},
		{get, "/profile", 0, w.profile, false},
		{post, "/profile", 0, w.changeProfile, false},
		{get, "/access", 0, w.access, false},
		{post, "/access", 0, w.changeAccess, false},
	}
	return slices.Concat(list, w.routesOfMedia(), w.revisionRoutes("event", "events"), w.revisionRoutes("venue", "venues"),
		w.revisionRoutes("organizer", "organizers"), w.routesOf(w.venueKind()), w.routesOf(w.organizerKind()),
		w.routesOfTerms(categoryKind), w.routesOfTerms(tagKind), w.routesOfUsers(), w.routesOfKeys(),
		w.routesOfVouchers(), w.routesOfPasskeys(),
		w.routesOfLobby(), w.routesOfEmbed())
}

// route finds what answers a method and a path below /admin; allow lists the
// methods of a path that is there.
func (w *admin) route(method, path string) (found *adminRoute, id int64, allow []string) {
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	for _, r := range w.table {
		n, ok := matches(r.path, strings.TrimSuffix(path, "/"))
		if !ok {
			continue
		}
		allow = append(allow, r.method)
		if r.method == method {
			return &r, n, nil
		}
	}
	return nil, 0, allow
}

// matches reports whether a path is of a pattern, and the id in it.
func matches(pattern, path string) (id int64, ok bool) {
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

// adminRoot is the path of the administration.
const adminRoot = "/admin"

// Admin reports whether a path is one of the administration's.
func Admin(path string) bool { return path == adminRoot || strings.HasPrefix(path, adminRoot+"/") }

// mount adds the administration to an app.
func (w *admin) mount(app fiber.Router) {
	app.All(consoleRoot, w.console)
	app.All(consoleRoot+"/*", w.console)
	app.All(lobbyRoot, w.lobby)
	app.All(lobbyRoot+"/*", w.lobby)
	app.All(adminRoot, w.serve)
	app.All(adminRoot+"/*", w.serve)
}

// serve answers every request of the administration: route, session, form,
// right, handler.
func (w *admin) serve(c *fiber.Ctx) error {
	route, id, allow := w.route(c.Method(), strings.TrimPrefix(c.Path(), adminRoot))
	if route == nil {
		if allow == nil {
			return fiber.ErrNotFound
		}
		c.Set(fiber.HeaderAllow, strings.Join(allow, ", "))
		return fiber.ErrMethodNotAllowed
	}
	v, err := w.visit(c, id)
	if err != nil {
		return err
	}
	answer, err := w.admit(v, route)
	if errors.Is(err, tenancy.ErrUnderWay) {
		answer, err = underWay(v), nil
	}
	if err != nil {
		return err
	}
	return w.send(c, v, answer)
}

// admit lets a visit through to its handler, or answers in its place: with the
// way to sign in, or with the form again when it isn't of this session.
func (w *admin) admit(v *visit, route *adminRoute) (*reply, error) {
	switch {
	case v.post && v.foreign && route.path != arrivalPath: // which looks itself where it comes from
		return nil, tenancy.ErrForbidden
	case route.open:
		return route.handle(v)
	case v.session == nil && v.part:
		return signInPart(), nil
	case v.session == nil && v.post && v.path != adminRoot+"/logout":
		return w.signInFirst(v), nil
	case v.session == nil:
		return &reply{redirect: loginPath(v.address())}, nil
	case v.post && !v.genuine():
		return staleForm(v), nil
	}
	if err := v.scope().Principal.Require(route.may); err != nil {
		return nil, err
	}
	return route.handle(v)
}

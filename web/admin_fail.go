package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// failures are the statuses the administration has words for; others are told
// as the one they belong to.
var failures = map[int]bool{400: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true, 429: true, 500: true, 503: true}

// fail answers a visit that came to nothing. What was typed into a form is
// kept, to be sent again.
func (w *admin) fail(c *fiber.Ctx, err error, status int) error {
	if status == http.StatusUnauthorized {
		adminHeaders(c)
		return c.Redirect(loginPath(adminRoot), http.StatusSeeOther)
	}
	as := status
	switch {
	case failures[as]:
	case as >= http.StatusInternalServerError:
		as = http.StatusInternalServerError
	default:
		as = http.StatusBadRequest
	}
	v := &visit{ctx: c.UserContext(), path: c.Path(), post: c.Method() == fiber.MethodPost, form: &form{}}
	w.recall(v)
	key, passes := "fail."+strconv.Itoa(as), as >= http.StatusInternalServerError
	if errors.Is(err, tenancy.ErrReadOnly) {
		key, passes = "fail.read_only", true
	}
	r := &reply{status: status, title: tell(v.ctx, key+".title"), body: failPage(key, v.home(), nil)}
	arrives := v.path == adminRoot+arrivalPath && c.Get(fiber.HeaderOrigin) == w.platformOrigin(v)
	if v.post && passes && (!foreign(c) || arrives) {
		if sent, err := readForm(c); err == nil {
			sent.takePicture(v.ctx)
			r.body = failPage(key, v.home(), lateForm(c.OriginalURL(), v.path, sent))
		}
	}
	return w.send(c, v, r)
}

// typedKey is where a failure finds the form as far as it got.
type typedKey struct{}

// takePicture puts in the place of a file the picture that it has become before
// things went wrong.
func (f *form) takePicture(ctx context.Context) {
	typed, _ := ctx.Value(typedKey{}).(*form)
	if typed == nil || f.files["image_file"] == nil || typed.files != nil || typed.get("image") == "" {
		return
	}
	f.set("image", typed.get("image"))
	f.set("image_alt_was", "")
	f.files = nil
}

// home is where a visit that came to nothing can begin anew.
func (v *visit) home() string {
	switch site := v.scope().Site; {
	case site == nil && Console(v.path):
		return consoleRoot
	case site == nil && Lobby(v.path):
		return lobbyRoot
	}
	return adminRoot
}

// late is a form that came to nothing, to be sent again: with what was typed,
// and with empty fields for what is never sent back.
type late struct {
	action   string
	kept     []pair
	login    string // typed to sign in
	entrance bool   // it asks who somebody is
	secrets  []pair // names of fields and keys of their labels
	files    []pair // as secrets
}

// typeable are the fields for secrets, in their order, and the keys of their
// labels where these aren't the ones of a person.
var typeable = []string{"present", "old", "confirm", "password", "again"}

var typeableLabels = map[string]string{adminRoot + "/login": "login.password", adminRoot + "/session": "login.password",
	consoleRoot + "/login": "console.token"}

// fileLabels are the keys of the labels of files.
var fileLabels = map[string]string{"image_file": "field.image_file", "files": "media.files"}

// lateForm returns the form that was sent to an address. What a device signed is
// good once: such a form leads back to where a device is asked.
func lateForm(address, path string, sent *form) *late {
	if sent.get("credential") != "" {
		sent.set("do", "show")
		if path == adminRoot+"/login/passkey" {
			address, path = adminRoot+"/login", adminRoot+"/login"
			sent.set("login", "")
			sent.set("password", "asked for")
		}
	}
	l := &late{action: address, kept: sent.kept(), login: sent.get("login"), entrance: sent.has("login")}
	for _, name := range []string{"csrf", "do", "pending"} {
		if sent.has(name) {
			l.kept = append(l.kept, pair{name, sent.get(name)})
		}
	}
	for _, name := range typeable {
		if sent.get(name) != "" {
			l.secrets = append(l.secrets, pair{name, ui.FirstText(typeableLabels[path], "field.user."+name)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sent.files)) {
		if key := fileLabels[name]; key != "" {
			l.files = append(l.files, pair{name, key})
		}
	}
	return l
}

// kind is how the form is sent.
func (l *late) kind() string {
	if len(l.files) > 0 {
		return fiber.MIMEMultipartForm
	}
	return fiber.MIMEApplicationForm
}

// completes says what a browser may fill a field for a secret with.
func (l *late) completes(name string) string {
	if !l.entrance && (name == "password" || name == "again") {
		return "new-password"
	}
	return "current-password"
}

// userKey is where a failure finds who was signed in.
type userKey struct{}

// recall finds in the context who was signed in when things went wrong.
func (w *admin) recall(v *visit) {
	session, there := v.ctx.Value(sessionKey{}).(*tenancy.Session)
	user, known := v.ctx.Value(userKey{}).(*tenancy.User)
	if there && known {
		v.session, v.user = session, user
	}
}

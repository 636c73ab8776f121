package frame

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

// Fail answers a visit that came to nothing. What was typed into a form is
// kept, to be sent again; trusted is a form of another origin that may be, too.
func Fail(c *fiber.Ctx, v *Visit, err error, status int, trusted bool) error {
	if status == http.StatusUnauthorized {
		headers(c)
		return c.Redirect(LoginPath(AdminRoot), http.StatusSeeOther)
	}
	as := status
	switch {
	case failures[as]:
	case as >= http.StatusInternalServerError:
		as = http.StatusInternalServerError
	default:
		as = http.StatusBadRequest
	}
	key, passes := "fail."+strconv.Itoa(as), as >= http.StatusInternalServerError
	if errors.Is(err, tenancy.ErrReadOnly) {
		key, passes = "fail.read_only", true
	}
	r := &Reply{Status: status, Title: Tell(v.Ctx, key+".title"), Body: failPage(key, v.home(), nil)}
	if v.Post && passes && (!ui.Abroad(c) || trusted) {
		if sent, err := readForm(c); err == nil {
			sent.takePicture(v.Ctx)
			r.Body = failPage(key, v.home(), lateForm(c.OriginalURL(), v.Path, sent))
		}
	}
	return Send(c, v, r)
}

// typedKey is where a failure finds the form as far as it got.
type typedKey struct{}

// takePicture puts in the place of a file the picture that it has become before
// things went wrong.
func (f *Form) takePicture(ctx context.Context) {
	typed, _ := ctx.Value(typedKey{}).(*Form)
	for _, name := range []string{"image", "logo", "header"} {
		file := name + "_file"
		if typed == nil || f.Files[file] == nil || typed.Files[file] != nil || typed.Get(name) == "" {
			continue
		}
		f.Set(name, typed.Get(name))
		if name == "image" {
			f.Set("image_alt_was", "")
		}
		delete(f.Files, file)
	}
}

// home is where a visit that came to nothing can begin anew.
func (v *Visit) home() string {
	switch site := v.Scope().Site; {
	case site == nil && Console(v.Path):
		return ConsoleRoot
	case site == nil && Lobby(v.Path):
		return LobbyRoot
	}
	return AdminRoot
}

// late is a form that came to nothing, to be sent again: with what was typed,
// and with empty fields for what is never sent back.
type late struct {
	action   string
	kept     []Pair
	login    string // typed to sign in
	entrance bool   // it asks who somebody is
	secrets  []Pair // names of fields and keys of their labels
	files    []Pair // as secrets
}

// typeable are the fields for secrets, in their order, and the keys of their
// labels where these aren't the ones of a person.
var typeable = []string{"present", "old", "confirm", "password", "again"}

var typeableLabels = map[string]string{AdminRoot + "/login": "login.password", AdminRoot + "/session": "login.password",
	ConsoleRoot + "/login": "console.token"}

// fileLabels are the keys of the labels of files.
var fileLabels = map[string]string{"image_file": "field.image_file", "logo_file": "field.image_file", "header_file": "field.image_file",
	"files": "media.files"}

// lateForm returns the form that was sent to an address. What a device signed is
// good once: such a form leads back to where a device is asked.
func lateForm(address, path string, sent *Form) *late {
	if sent.Get("credential") != "" {
		sent.Set("do", "show")
		if path == AdminRoot+"/login/passkey" {
			address, path = AdminRoot+"/login", AdminRoot+"/login"
			sent.Set("login", "")
			sent.Set("password", "asked for")
		}
	}
	l := &late{action: address, kept: sent.Kept(), login: sent.Get("login"), entrance: sent.Has("login")}
	for _, name := range []string{"csrf", "do", "pending"} {
		if sent.Has(name) {
			l.kept = append(l.kept, Pair{name, sent.Get(name)})
		}
	}
	for _, name := range typeable {
		if sent.Get(name) != "" {
			l.secrets = append(l.secrets, Pair{name, ui.FirstText(typeableLabels[path], "field.user."+name)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sent.Files)) {
		if key := fileLabels[name]; key != "" {
			l.files = append(l.files, Pair{name, key})
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

package frame

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// failures are the statuses with their own message; others use the message of their class.
var failures = map[int]bool{400: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true, 429: true, 500: true, 503: true}

// outsideKey is the key of the message for people with an area who have asked for something outside of it. AreaAnchor is the address of
// the list of what is in their area.
const (
	outsideKey = "fail.outside"
	AreaAnchor = AdminRoot + "/profile#area"
)

// Fail responds to a failed visit. It keeps the input of a form, so that it can be sent again. With trusted it does
// so even for a form from another origin.
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
	if errors.Is(err, tenancy.ErrOutside) {
		key = outsideKey
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

// typedKey is the context key of the form that was read, completely or in part.
type typedKey struct{}

// takePicture replaces a file in the form by the image created from it before the failure.
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

// home returns where a failed visit can start over.
func (v *Visit) home() string {
	switch site := v.Scope().Site; {
	case site == nil && Console(v.Path):
		return ConsoleRoot
	case site == nil && Lobby(v.Path):
		return LobbyRoot
	}
	return AdminRoot
}

// late is a form to be sent again after a failure. It keeps the input, except secrets and files, which are never
// sent back; their fields are empty.
type late struct {
	action   string
	kept     []Pair
	login    string // username entered to sign in
	entrance bool   // it is a sign-in form
	secrets  []Pair // names of fields and keys of their labels
	files    []Pair // like secrets
}

// typeable are the secret fields in order. typeableLabels are the keys of their labels, by path or name, if they
// differ from the labels in the form of a person.
var typeable = []string{"present", "old", "confirm", "yours", "token", "password", "again", "codes", "app_code", "client_secret"}

var typeableLabels = map[string]string{
	AdminRoot + "/login":   "login.password",
	AdminRoot + "/session": "login.password",
	ConsoleRoot + "/login": "field.token",
	"token":                "field.token",
	"app_code":             "field.app_code",
	"client_secret":        "field.provider.client_secret",
}

// fileLabels are the keys of the labels of files.
var fileLabels = map[string]string{"image_file": "field.image_file", "logo_file": "field.image_file", "header_file": "field.image_file",
	"files": "media.files"}

// lateForm returns the form that was sent to an address. A signature by a device is valid only once, so such a form
// redirects to the page that asks for it.
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
			l.secrets = append(l.secrets, Pair{name, cmp.Or(typeableLabels[path], typeableLabels[name], "field.user."+name)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sent.Files)) {
		if key := fileLabels[name]; key != "" {
			l.files = append(l.files, Pair{name, key})
		}
	}
	return l
}

// kind returns the encoding type of the form.
func (l *late) kind() string {
	if len(l.files) > 0 {
		return fiber.MIMEMultipartForm
	}
	return fiber.MIMEApplicationForm
}

// completes returns the autocomplete value of a secret field.
func (l *late) completes(name string) string {
	switch {
	case name == "app_code":
		return "one-time-code"
	case name == "client_secret":
		return "off"
	case !l.entrance && (name == "password" || name == "again"):
		return "new-password"
	}
	return "current-password"
}

// userKey is the context key of the user who was signed in.
type userKey struct{}

// Unseen reports whether an error means that an event does not exist or may not be seen.
func Unseen(err error) bool {
	return slices.ContainsFunc([]error{calendar.ErrNotFound, calendar.ErrTrashed, calendar.ErrNotReadable, calendar.ErrPassword},
		func(is error) bool { return errors.Is(err, is) })
}

package web

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// failures are the statuses the administration has words for; others are told
// as the one they belong to.
var failures = map[int]bool{400: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true, 429: true, 500: true, 503: true}

// fail answers a visit that came to nothing. What was typed into a form is
// kept, to be sent again.
func (w *admin) fail(c *fiber.Ctx, status int) error {
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
	key := "fail." + strconv.Itoa(as)
	r := &reply{status: status, title: tell(v.ctx, key+".title"), body: failPage(key, "", nil)}
	if v.post && as >= http.StatusInternalServerError && !foreign(c) {
		if sent, err := readPosted(c); err == nil && v.path != adminRoot+"/login" {
			r.body = failPage(key, v.path, append(sent.kept(), sent.wanted()...))
		}
	}
	return w.send(c, v, r)
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

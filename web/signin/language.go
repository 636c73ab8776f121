package signin

import (
	"net/http"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// language stores the chosen language.
func (w *Pages) language(v *frame.Visit) (*frame.Reply, error) {
	r := &frame.Reply{Redirect: frame.Inside(v.Form.Get("to"))}
	route, _, _ := w.table.Find(http.MethodGet, strings.TrimPrefix(frame.PathOf(r.Redirect), frame.AdminRoot))
	if route == nil { // the page was the answer to a form
		r.Redirect = frame.AdminRoot
	}
	if v.Session == nil && (route == nil || !route.Open) {
		r.Redirect = frame.LoginPath(r.Redirect)
	}
	if tag := v.Form.Get("language"); i18n.Supported(tag) {
		r.Language = tag
	}
	if v.Session != nil && v.Genuine() && v.User.Language != "" && r.Language != "" { // the user's setting for all browsers is changed, too
		if _, err := w.platform.Users.Personalize(v.Ctx, &accounts.PersonFields{Language: args.Some(r.Language)},
			accounts.Presence{}); err != nil {
			return nil, err
		}
	}
	return r, nil
}

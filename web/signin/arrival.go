package signin

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// arrivalPath is the path, below /admin, where a site accepts sign-ins from the lobby.
const arrivalPath = "/arrive"

// fromPlatform reports whether a form comes from the platform's own domain, or from the page of this site that
// shows the failed form again.
func (w *Pages) fromPlatform(v *frame.Visit) bool {
	return v.Origin == w.platformOrigin(v) || v.Origin != "" && !v.Foreign
}

// arrive signs in a user who comes from the lobby, or from the page that shows the failed form again. It rejects
// forms from other origins.
func (w *Pages) arrive(v *frame.Visit) (*frame.Reply, error) {
	if !w.fromPlatform(v) {
		return nil, tenancy.ErrForbidden
	}
	user, err := w.platform.Lobby.Arrive(v.Ctx, v.Form.Get("pass"))
	if errors.Is(err, accounts.ErrNoWay) {
		v.Form = &frame.Form{Values: url.Values{}}
		v.Form.Wrong("login", frame.Tell(v.Ctx, "lobby.over"))
		return w.loginReply(v, http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	v.Form = &frame.Form{Values: url.Values{}}
	enter := func(v *frame.Visit, user *tenancy.User) (*frame.Reply, error) {
		return w.enterAs(v, user, accounts.ByPasswordAlone)
	}
	if user.SecondFactor { // the lobby has seen the password only
		enter = w.askCode
	}
	r, err := enter(v, user)
	if err == nil {
		r.Came = &cameFromLobby
	}
	return r, err
}

// cameFromLobby is the cookie value at a site that the browser entered from the lobby.
var cameFromLobby = "1"

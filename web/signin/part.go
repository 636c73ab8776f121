package signin

import (
	"net/http"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/web/forms/frame"
)

// Parts of pages for the scripts of the editor. Texts and rules stay on the server: a script requests a part and
// inserts it.

// session responds to a script with the data that forms need, or with the sign-in form if nobody is signed in.
func (w *Pages) session(v *frame.Visit) (*frame.Reply, error) {
	return frame.PartReply(0, frame.CSRFField(v.Session.CSRF)), nil
}

// signInPart is the form for signing in without leaving the page.
func signInPart() *frame.Reply {
	return frame.PartReply(http.StatusUnauthorized, signInForm(&frame.Form{}))
}

// enter signs in by password without leaving the page.
func (w *Pages) enter(v *frame.Visit) (*frame.Reply, error) { return enterBy(v, w.login) }

// enterByPasskey signs in by passkey without leaving the page.
func (w *Pages) enterByPasskey(v *frame.Visit) (*frame.Reply, error) {
	return enterBy(v, w.passkeyLogin)
}

// enterBy signs in without leaving the page. If that is not sufficient, it responds with 409, and the script opens
// the sign-in page.
func enterBy(v *frame.Visit, signIn frame.Handler) (*frame.Reply, error) {
	v.Form.Values.Del("pending")
	r, err := signIn(v)
	switch {
	case err != nil:
		return nil, err
	case r.Token == nil && v.Form.Problem("login") != "":
		r.Body, r.Part = signInForm(v.Form), true
		return r, nil
	case r.Token == nil || v.Session == nil:
		return frame.PartReply(http.StatusConflict, templ.NopComponent), nil
	}
	answer := frame.PartReply(0, frame.CSRFField(v.Session.CSRF))
	answer.Token, answer.Asked = r.Token, r.Asked
	return answer, nil
}

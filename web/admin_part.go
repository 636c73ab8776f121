package web

import (
	"net/http"

	"github.com/a-h/templ"
)

// Parts of pages, for the scripts of the editor. Texts and rules stay here: a
// script asks and puts the answer where it belongs.

// partReply answers a script with a part of a page.
func partReply(status int, body templ.Component) *reply {
	return &reply{status: status, body: body, part: true}
}

// session tells a script what forms have to carry; who isn't signed in gets the
// form to do so instead.
func (w *admin) session(v *visit) (*reply, error) {
	return partReply(0, csrfField(v.session.CSRF)), nil
}

// signInPart is the form to sign in without leaving the page.
func signInPart() *reply {
	return partReply(http.StatusUnauthorized, signInForm(&form{}))
}

// enter signs in by password without leaving the page.
func (w *admin) enter(v *visit) (*reply, error) { return enterBy(v, w.login) }

// enterByPasskey signs in by a device without leaving the page.
func (w *admin) enterByPasskey(v *visit) (*reply, error) { return enterBy(v, w.passkeyLogin) }

// enterBy signs in without leaving the page. What takes more than the way of
// signing in is for the page that can ask for it: 409.
func enterBy(v *visit, signIn adminHandler) (*reply, error) {
	v.form.values.Del("pending")
	r, err := signIn(v)
	switch {
	case err != nil:
		return nil, err
	case r.token == nil && v.form.problem("login") != "":
		r.body, r.part = signInForm(v.form), true
		return r, nil
	case r.token == nil || v.session == nil:
		return partReply(http.StatusConflict, templ.NopComponent), nil
	}
	answer := partReply(0, csrfField(v.session.CSRF))
	answer.token, answer.asked = r.token, r.asked
	return answer, nil
}

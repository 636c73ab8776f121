package web

import (
	"crypto/rand"
	"net/http"
)

// newFormToken names a form that makes something.
func newFormToken() string { return rand.Text() }

// underWay answers a form that is being worked on by another request, which takes
// its time. Sent again later, it leads to what was made.
func underWay(v *visit) *reply {
	return &reply{status: http.StatusConflict, title: tell(v.ctx, "underway.title"),
		body: waitingPage("underway", v.path, v.form.kept(), v.form.get("do"))}
}

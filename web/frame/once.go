package frame

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"time"
)

// NewToken names a form that makes something.
func NewToken() string { return rand.Text() }

// UnderWay answers a form that is being worked on by another request, which takes
// its time. Sent again later, it leads to what was made.
func UnderWay(v *Visit) *Reply {
	return &Reply{Status: http.StatusConflict, Title: Tell(v.Ctx, "underway.title"),
		Body: WaitingPage("underway", v.Path, v.Form.Kept(), v.Form.Get("do"))}
}

// Throttled says at a field that there were too many attempts, on the page the
// form came from.
func Throttled(v *Visit, field string, wait time.Duration, page func(status int) (*Reply, error)) (*Reply, error) {
	v.Form.Wrong(field, Tell(v.Ctx, "login.throttled"))
	r, err := page(http.StatusTooManyRequests)
	if r != nil {
		r.Retry = Seconds(wait)
	}
	return r, err
}

// Seconds writes a wait as Retry-After takes it.
func Seconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}

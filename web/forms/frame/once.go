package frame

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"time"
)

// NewToken returns a token that identifies a form that creates something.
func NewToken() string { return rand.Text() }

// UnderWay responds to a form that another request is still processing. If it is sent again later, it leads to the
// result.
func UnderWay(v *Visit) *Reply {
	return &Reply{Status: http.StatusConflict, Title: Tell(v.Ctx, "underway.title"),
		Body: WaitingPage("underway", v.Path, v.Form.Kept(), v.Form.Get("do"))}
}

// Throttled reports too many attempts at a field, on the page that contains the form.
func Throttled(v *Visit, field string, wait time.Duration, page func(status int) (*Reply, error)) (*Reply, error) {
	v.Form.Wrong(field, Tell(v.Ctx, "login.throttled"))
	r, err := page(http.StatusTooManyRequests)
	if r != nil {
		r.Retry = Seconds(wait)
	}
	return r, err
}

// Seconds formats a duration for Retry-After.
func Seconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}

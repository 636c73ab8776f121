package web

import (
	"net/http"
	"strconv"
	"time"
)

// throttled says at a field that there were too many attempts, on the page the
// form came from.
func throttled(v *visit, field string, wait time.Duration, page func(status int) (*reply, error)) (*reply, error) {
	v.form.wrong(field, tell(v.ctx, "login.throttled"))
	r, err := page(http.StatusTooManyRequests)
	if r != nil {
		r.retry = seconds(wait)
	}
	return r, err
}

// seconds writes a wait as Retry-After takes it.
func seconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}

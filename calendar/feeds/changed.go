package feeds

import (
	"context"
	"net/http"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// propagation is how long it may take until all nodes know of a change. Last-Modified is this much later than the
// change, and is sent only after that time has passed. A client that received the previous version in between
// therefore got an earlier Last-Modified, or none.
const propagation = 2 * time.Second

type datedKey struct{}

// Dated returns a context whose feeds have a Last-Modified. It must be called before the contents of a feed are read,
// so that Last-Modified is never later than the contents.
func Dated(ctx context.Context, events services.Events) (context.Context, error) {
	if !tenancy.Current(ctx).Principal.Anonymous() {
		return ctx, nil
	}
	at, err := events.Changed(ctx)
	if err != nil {
		return nil, err
	}
	return context.WithValue(ctx, datedKey{}, at), nil
}

// changed returns the Last-Modified of a feed: the last change of its site, or the midnight at which its range of
// dates moved if that is later. The time of the last change never goes back, even if the changed item has since
// been deleted. It returns the zero time if the time is unknown.
func changed(ctx context.Context, until, now time.Time) time.Time {
	last, known := ctx.Value(datedKey{}).(time.Time)
	if !known {
		return time.Time{}
	}
	if place := tenancy.Current(ctx).Site.Location; !until.IsZero() {
		if !until.Equal(calendar.Midnight(now, place)) {
			return time.Time{}
		}
		if today := calendar.DayBegan(now, place); today.After(last) {
			last = today
		}
	}
	return last.UTC().Truncate(time.Second).Add(propagation)
}

// Told formats a Last-Modified header; it returns "" for the zero time. The caller must not send a time in the
// future.
func Told(changed time.Time) string {
	if changed.IsZero() {
		return ""
	}
	return changed.UTC().Format(http.TimeFormat)
}

// Early reports whether it is too early to send a Last-Modified header.
func Early(told string, now time.Time) bool {
	at, err := http.ParseTime(told)
	return err == nil && at.After(now)
}

// Unchanged reports whether a client with this If-Modified-Since has the current feed. If-None-Match takes precedence
// (RFC 9110 §13.1.3).
func Unchanged(noneMatch, since string, changed time.Time) bool {
	return noneMatch == "" && Since(since, Told(changed))
}

// Since reports whether a resource with the Last-Modified told is unchanged since an If-Modified-Since.
func Since(since, told string) bool {
	at, err := http.ParseTime(since)
	if err != nil {
		return false
	}
	last, err := http.ParseTime(told)
	return err == nil && !last.After(at)
}

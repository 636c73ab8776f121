package feeds

import (
	"context"
	"net/http"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// settled is how long after a change all nodes know of it. A feed says so much later
// that it changed, and only from then on: who was sent the one before in that time was
// told nothing, or an earlier moment.
const settled = 2 * time.Second

type datedKey struct{}

// Dated returns a context whose feeds say when they changed. It comes before anything of
// a feed is read, so that what is told is never later than what is sent.
func Dated(ctx context.Context, events calendar.Events) (context.Context, error) {
	if !tenancy.Current(ctx).Principal.Anonymous() {
		return ctx, nil
	}
	at, err := events.Changed(ctx)
	if err != nil {
		return nil, err
	}
	return context.WithValue(ctx, datedKey{}, at), nil
}

// changed returns when a feed was last another one, as Last-Modified tells it: when its
// site last changed, which never goes back, also where what changed is gone by now, or
// the midnight since which it is of other days. The zero time says that it isn't known.
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
	return last.UTC().Truncate(time.Second).Add(settled)
}

// Told returns what Last-Modified says of a moment, "" where it isn't known. Whoever sends
// it leaves out what is yet to come.
func Told(changed time.Time) string {
	if changed.IsZero() {
		return ""
	}
	return changed.UTC().Format(http.TimeFormat)
}

// Early reports whether it is too early to send a Last-Modified.
func Early(told string, now time.Time) bool {
	at, err := http.ParseTime(told)
	return err == nil && at.After(now)
}

// Unchanged reports whether a client that had a feed at a moment, by its If-Modified-Since,
// has it as it is. Tags go before (RFC 9110 §13.1.3).
func Unchanged(noneMatch, since string, changed time.Time) bool {
	return noneMatch == "" && Since(since, Told(changed))
}

// Since reports whether what changed when a Last-Modified says is as it was at the moment
// of an If-Modified-Since.
func Since(since, told string) bool {
	at, err := http.ParseTime(since)
	if err != nil {
		return false
	}
	last, err := http.ParseTime(told)
	return err == nil && !last.After(at)
}

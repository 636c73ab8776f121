package storage

import (
	"math"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// mostEvents is how many events a site s with the plan p may hold.
const mostEvents = `CASE WHEN s.overrides ? 'events' THEN (s.overrides ->> 'events')::bigint ELSE p.max_events END`

// limitColumns are what a site s with the plan p may hold, as use reads them.
const limitColumns = `
	` + mostEvents + `,
	CASE WHEN s.overrides ? 'occurrences' THEN (s.overrides ->> 'occurrences')::bigint ELSE p.max_occurrences END,
	CASE WHEN s.overrides ? 'users' THEN (s.overrides ->> 'users')::bigint ELSE p.max_users END,
	CASE WHEN s.overrides ? 'media_bytes' THEN (s.overrides ->> 'media_bytes')::bigint ELSE p.max_media_bytes END`

// useColumns are what a site s holds.
const useColumns = `
	s.used_events,
	s.used_occurrences,
	s.used_users,
	s.used_media_bytes`

// use is what a site may hold, what it holds, and what a transaction adds to it.
// It is kept in the row of the site, which every write locks and changes anyway.
type use struct {
	limits tenancy.Limits
	was    tenancy.Usage
	more   tenancy.Usage
}

// columns returns where useColumns and limitColumns go.
func (u *use) columns() []any {
	return []any{&u.was.Events, &u.was.Occurrences, &u.was.Users, &u.was.MediaBytes,
		&u.limits.Events, &u.limits.Occurrences, &u.limits.Users, &u.limits.MediaBytes}
}

// note counts what the change log is told.
func (u *use) note(kind, action string) {
	n := int64(0)
	switch action {
	case "create":
		n = 1
	case "delete":
		n = -1
	}
	switch kind {
	case "event":
		u.more.Events += n
	case "user":
		u.more.Users += n
	}
}

// picture counts the files of an image, made (1) or removed (-1).
func (u *use) picture(i *calendar.Image, n int64) {
	bytes := i.Bytes
	for _, size := range i.Sizes {
		bytes += size.Bytes
	}
	u.more.MediaBytes += n * bytes
}

// dates counts stored occurrences of series, made or removed (negative).
func (u *use) dates(n int) { u.more.Occurrences += int64(n) }

// room is how many occurrences more the transaction may store.
func (u *use) room() int {
	used := u.was
	used.Occurrences += u.more.Occurrences
	return int(min(u.limits.Room(used), math.MaxInt32))
}

// check returns a *tenancy.LimitError when the transaction adds more than the
// site may hold.
func (u *use) check() error { return u.limits.Allow(u.was, u.more) }

package pg

import "github.com/kalends/kalends/tenancy"

// MostEvents is how many events a site s with the plan p may hold.
const MostEvents = `CASE WHEN s.overrides ? 'events' THEN (s.overrides ->> 'events')::bigint ELSE p.max_events END`

// MostScanned is the number of posts, including deleted ones, up to which searches read all texts of a site's
// events. The texts of larger sites are indexed.
const MostScanned = 2000

// HoldingColumns select the usage and the limits of a site s with the plan p. Holding.Columns has their
// destinations.
const HoldingColumns = `
	s.used_events,
	s.used_occurrences,
	s.used_users,
	s.used_media_bytes,
	` + MostEvents + `,
	CASE WHEN s.overrides ? 'occurrences' THEN (s.overrides ->> 'occurrences')::bigint ELSE p.max_occurrences END,
	CASE WHEN s.overrides ? 'users' THEN (s.overrides ->> 'users')::bigint ELSE p.max_users END,
	CASE WHEN s.overrides ? 'media_bytes' THEN (s.overrides ->> 'media_bytes')::bigint ELSE p.max_media_bytes END,
	CASE WHEN s.overrides ? 'webhooks' THEN (s.overrides ->> 'webhooks')::bigint ELSE p.max_webhooks END,
	CASE WHEN s.overrides ? 'letters' THEN (s.overrides ->> 'letters')::bigint ELSE p.max_letters END`

// HoldingMedia are the HoldingColumns for pictures: the bytes stored and the bytes allowed, NULL for no limit.
const HoldingMedia = `
	s.used_media_bytes,
	CASE WHEN s.overrides ? 'media_bytes' THEN (s.overrides ->> 'media_bytes')::bigint ELSE p.max_media_bytes END`

// Holding is the usage of a site and its limits. It is stored in the site's row, which every write locks and
// changes anyway.
type Holding struct {
	Has    tenancy.Usage
	Limits tenancy.Limits
}

// Columns returns the destinations of HoldingColumns.
func (h *Holding) Columns() []any {
	return []any{&h.Has.Events, &h.Has.Occurrences, &h.Has.Users, &h.Has.MediaBytes,
		&h.Limits.Events, &h.Limits.Occurrences, &h.Limits.Users, &h.Limits.MediaBytes, &h.Limits.Webhooks,
		&h.Limits.Letters}
}

// use is the usage of a site, and what a transaction adds to it.
type use struct {
	Holding

	more tenancy.Usage
}

// add adds n times the usage of one item. n is negative for removed items.
func (u *use) add(one tenancy.Usage, n int64) {
	u.more.Events += n * one.Events
	u.more.Occurrences += n * one.Occurrences
	u.more.Users += n * one.Users
	u.more.MediaBytes += n * one.MediaBytes
}

// check returns a *tenancy.LimitError if the transaction exceeds the limits of the site.
func (u *use) check() error { return u.Limits.Allow(u.Has, u.more) }

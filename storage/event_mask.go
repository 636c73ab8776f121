package storage

import (
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// masked is the condition that an event e shows its mask, so that nothing may be
// found by what is behind it. The password is compared as Event.Opens does.
const masked = `e.password IS NOT NULL
	AND NOT @unlocks
	AND NOT COALESCE(e.author = @owner AND (@publishes OR e.status NOT IN ('publish', 'future', 'private')), false)
	AND substr(e.password, 1, 16) || sha256(substr(e.password, 1, 16) || convert_to(@key::text, 'UTF8')) <> e.password`

// openerArgs adds the values that masked names.
func openerArgs(o calendar.Opener, named pgx.NamedArgs) pgx.NamedArgs {
	named["unlocks"], named["owner"], named["publishes"], named["key"] = o.All, o.User, o.Publishes, o.Password
	return named
}

// unmasked keeps events that show what they are selected by. Few have a password,
// and an index has those.
func (b *eventQuery) unmasked() {
	if o := b.Opener; o != nil {
		condition := strings.NewReplacer("@unlocks", b.arg(o.All), "@owner", b.arg(o.User), "@publishes", b.arg(o.Publishes),
			"@key", b.arg(o.Password)).Replace(masked)
		b.and("o.event_id NOT IN (SELECT e.id FROM events e WHERE e.site_id = $1 AND " + condition + ")")
	}
}

package content

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// Offset returns how many items come before a page; pages are numbered from 1.
func Offset(page, perPage int) int64 { return int64(max(page, 1)-1) * int64(perPage) }

// LinkedAs is SQL for the id of the event that holds the links of @event: an occurrence that does not differ from
// its series has the links of the series.
const LinkedAs = `COALESCE((
				SELECT o.event_id
				FROM occurrences o
				WHERE o.site_id = @site
				  AND o.n = @event::bigint
				  AND o.n <> 0), @event)`

// QueueVersion reads the version of the site.
func QueueVersion(b *pgx.Batch, site int64, version *int64) {
	const read = `
		SELECT version
		FROM sites
		WHERE id = $1`
	b.Queue(read, site).QueryRow(pg.One(version))
}

// QueueVisible refuses a list of items of an event that the viewer cannot see. An event of 0 means that the list is
// not of an event.
func QueueVisible(b *pgx.Batch, site, event int64, viewer calendar.Viewer) {
	const visible = `
		SELECT e.id
		FROM events e
		WHERE e.site_id = @site
		  AND e.id = ` + LinkedAs + `
		  AND (e.status = 'publish' OR @all OR e.author = @user)`
	if event == 0 {
		return
	}
	named := pgx.NamedArgs{"site": site, "event": event, "all": viewer.All, "user": viewer.User}
	b.Queue(visible, named).QueryRow(func(row pgx.Row) error {
		err := row.Scan(nil)
		if errors.Is(err, pgx.ErrNoRows) {
			return args.Invalid("event", "problem.event.unknown", nil)
		}
		return err
	})
}

// Masked is the condition that the viewer sees only the mask of event e, so that searches do not find the event by
// masked fields. It compares the password as Event.Opens does.
const Masked = `e.password IS NOT NULL
	AND NOT @unlocks
	AND NOT COALESCE(e.author = @owner AND (@publishes OR e.status NOT IN ('publish', 'future', 'private')), false)
	AND substr(e.password, 1, 16) || sha256(substr(e.password, 1, 16) || convert_to(@key::text, 'UTF8')) <> e.password`

// OpenerArgs adds the parameters of Masked to named.
func OpenerArgs(o calendar.Opener, named pgx.NamedArgs) pgx.NamedArgs {
	named["unlocks"], named["owner"], named["publishes"], named["key"] = o.All, o.User, o.Publishes, o.Password
	return named
}

// LackingIn returns a condition on an item's translations: the title in the placeholder's language is missing, or
// the text is outdated. The language '*' finds items whose own title is not in the site's language.
func LackingIn(translations, language string) string {
	in := translations + " -> " + language + "::text"
	return "CASE WHEN " + language + "::text = '*' THEN " + foreign(translations) + " ELSE " +
		"(COALESCE(" + in + " ->> 'title', '') = '' AND NOT COALESCE(" + in + " -> 'original' ? 'title', false)) " +
		"OR COALESCE((" + in + " ->> 'outdated')::boolean, false) END"
}

// TranslatedIn returns a condition on an item's translations: there is a text in the placeholder's language. The language '*'
// is the site's own.
func TranslatedIn(translations, language string) string {
	return "CASE WHEN " + language + "::text = '*' THEN NOT " + foreign(translations) + " ELSE COALESCE(" + translations +
		" ? " + language + "::text, false) END"
}

// foreign is the condition that an item's own title is not in the site's language.
func foreign(translations string) string {
	return "COALESCE(jsonb_path_exists(" + translations + `, '$.*.original[*] ? (@ == "title")'), false)`
}

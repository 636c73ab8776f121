package content

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// refusals gives for each constraint of the database the argument at fault and the key of the error text. If the
// text quotes the refused value, value is its placeholder: when several values were sent, only Postgres knows which
// one it refused.
var refusals = map[string]struct{ arg, key, value string }{
	"events_pkey":                     {"id", "problem.id.taken", ""},
	"occurrences_n_key":               {"id", "problem.id.taken", ""},
	"occurrences_pkey":                {"id", "problem.id.taken", ""},
	"events_author_fkey":              {"author", "problem.author", ""},
	"venues_author_fkey":              {"author", "problem.author", ""},
	"organizers_author_fkey":          {"author", "problem.author", ""},
	"events_image_fkey":               {"image", "problem.image.unknown", ""},
	"venues_image_fkey":               {"image", "problem.image.unknown", ""},
	"organizers_image_fkey":           {"image", "problem.image.unknown", ""},
	"events_parent_fkey":              {"post_parent", "problem.event.unknown", ""},
	"events_dates_check":              {"end_date", "problem.end", ""},
	"event_venues_venue_fkey":         {"venue", "problem.venue.unknown", ""},
	"event_organizers_organizer_fkey": {"organizer", "problem.organizer.unknown", ""},
	"terms_parent_fkey":               {"parent", "problem.category.unknown", ""},
	"terms_parent_check":              {"parent", "problem.parent.self", ""},
	"terms_color_check":               {"color", "problem.color", ""},
	"venues_geo_check":                {"geo_lat", "problem.geo", ""},
	"users_login_key":                 {"login", "problem.login.taken", ""},
	"users_email_key":                 {"email", "problem.email.taken", ""},
	"sites_slug_key":                  {"slug", "problem.site.taken", ""},
	"sites_slug_check":                {"slug", "problem.site.slug", ""},
	"sites_plan_fkey":                 {"plan", "problem.plan.unknown", ""},
	"plans_pkey":                      {"name", "problem.plan.taken", ""},
	"domains_pkey":                    {"domains", "problem.domain.taken", "Domain"},
}

// asCalendarError turns an error of Postgres into an error of the calendar.
func asCalendarError(said *pgconn.PgError) error {
	if r, ok := refusals[pg.Constraint(said)]; ok {
		var data map[string]any
		if r.value != "" {
			data = map[string]any{r.value: brokenValue(said)}
		}
		return args.Invalid(r.arg, r.key, data)
	}
	switch class := said.Code[:2]; {
	case said.Code == "53100": // disk_full
		return fmt.Errorf("%w: %w", syscall.ENOSPC, said)
	case class == "08", class == "53", class == "57", class == "58", said.Code == "25006":
		return fmt.Errorf("%w: %w", calendar.ErrUnavailable, said)
	}
	return said
}

// brokenValue returns the value that broke a constraint. Postgres writes "Key (…)=(…)" the same way in every language.
func brokenValue(said *pgconn.PgError) string {
	_, value, _ := strings.Cut(said.Detail, "=(")
	value, _, _ = strings.Cut(value, ")")
	return value
}

// errNoRow reports a missing row. Callers see calendar.ErrNotFound; code that knows what the row is sees pgx.ErrNoRows.
var errNoRow = fmt.Errorf("%w: %w", calendar.ErrNotFound, pgx.ErrNoRows)

// Failure turns an error of Postgres or of the connection into an error of the calendar.
func Failure(err error) error {
	var said *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return errNoRow
	case errors.As(err, &said):
		return asCalendarError(said)
	case pg.Unreachable(err):
		return fmt.Errorf("%w: %w", calendar.ErrUnavailable, err)
	}
	return err
}

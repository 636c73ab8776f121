package lists

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// withinSQL reads which of the events and occurrences $2 are in an area: the categories $3, the venues $4 and the organizers $5.
var withinSQL = `
	SELECT i.id
	FROM unnest($2::bigint[]) i (id)
	CROSS JOIN LATERAL (
		SELECT e.id
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = COALESCE(
			(SELECT own.id FROM events own WHERE own.site_id = $1 AND own.id = i.id),
			(SELECT o.event_id FROM occurrences o WHERE o.site_id = $1 AND o.n = i.id AND o.n <> 0))
		  AND ` + content.InArea("$3::bigint[]", "$4::bigint[]", "$5::bigint[]") + `
		OFFSET 0
	) w`

// Within implements calendar.EventStore.
func (s *Lists) Within(ctx context.Context, ids []int64, a tenancy.Area) (within []int64, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(withinSQL, site, ids, content.IDs(a.Categories), content.IDs(a.Venues), content.IDs(a.Organizers)).
			Query(pg.All(&within, pgx.RowTo[int64]))
	})
	return within, err
}

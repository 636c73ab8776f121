package places

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// linksVersion reads at which version of the site a venue, organizer or term has changed last.
const linksVersion = `
	SELECT links_version
	FROM sites
	WHERE id = $1`

// placeMarks reads what items are compared by, unless none has changed since version $2.
const placeMarks = `
	SELECT p.id,
	       p.name,
	       {where},
	       p.apart
	FROM {place}s p
	WHERE p.site_id = $1
	  AND p.status <> 'trash'
	  AND (SELECT s.links_version FROM sites s WHERE s.id = $1) <> $2
	ORDER BY p.id DESC
	LIMIT $3`

// Twins implements calendar.PlaceStore. The node remembers the groups until a venue, organizer or term of the site changes.
func (s store[T]) Twins(ctx context.Context) ([]calendar.Twins, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	key := content.TwinsOf{Site: scope.Site.ID, Kind: s.kind.name}
	known, remembered := s.db.Twins.Get(key)
	if !remembered {
		known.Version = tenancy.NoVersion
	}
	var found content.FoundTwins
	var marks []calendar.Mark
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(linksVersion, site).QueryRow(pg.One(&found.Version))
		all := b.Queue(s.kind.marks, site, known.Version, calendar.MostMarks)
		all.Query(pg.All(&marks, func(row pgx.CollectableRow) (m calendar.Mark, err error) {
			return m, row.Scan(&m.ID, &m.Name, &m.City, &m.Zip, &m.Address, &m.Lat, &m.Lng, &m.Apart)
		}))
	})
	if err != nil || remembered && found.Version == known.Version {
		return known.Groups, err
	}
	found.Groups = calendar.FindTwins(marks)
	s.db.Twins.Set(key, found)
	return found.Groups, nil
}

// partPlaces adds to each of the items $2 that it is none of the others. It forgets items that are gone.
const partPlaces = `
	UPDATE {place}s p
	SET apart = ARRAY(
		SELECT o.id
		FROM {place}s o
		WHERE o.site_id = $1
		  AND o.id = ANY(p.apart || $2::bigint[])
		  AND o.id <> p.id
		ORDER BY o.id)
	WHERE p.site_id = $1
	  AND p.id = ANY($2)`

// Apart implements calendar.PlaceStore. It is no change of an item, but what lists of twins show changes.
func (s store[T]) Apart(ctx context.Context, ids []int64) error {
	return s.db.Write(ctx, func(_ context.Context, t *content.Tx) error {
		t.Queue(s.kind.part, t.Site, ids)
		t.Raised, t.Linked = true, true
		return nil
	})
}

package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// refoldedAtOnce is how many items one transaction reads or changes.
const refoldedAtOnce = 200

// RefoldLater folds all search texts again if they were folded by older rules than those of wording.Fold, and returns how many it
// changed. ok reports whether the rules were older. Nodes of an older release do not undo this, but texts that they write in the
// meantime stay folded by their rules until they are written again.
func (db *DB) RefoldLater(ctx context.Context) (items int, ok bool, err error) {
	return db.deriveLater(ctx, derivation{column: "folding", rules: wording.Folding, what: "search texts"}, db.refoldSite)
}

// folded is the search text of an item: as it is stored, and as it should be.
type folded struct {
	id       int64
	was, now string
}

// foldings has, for each table with folded texts, a statement that reads the items of a site after an id, and the
// function that reads a row.
var foldings = map[string]struct {
	some string
	read func(*pg.Fields) folded
}{
	"events": {`
		SELECT e.id, e.search, e.title, e.description, e.excerpt, e.translations
		FROM events e
		WHERE e.site_id = $1
		  AND e.id > $2
		ORDER BY e.id
		LIMIT $3`, func(f *pg.Fields) folded {
		one := folded{id: f.Int64(), was: f.Text()}
		e := calendar.Event{}
		e.Title, e.Description, e.Excerpt = f.Text(), f.Text(), f.Text()
		e.Texts = content.ReadTexts(f)
		one.now = events.Searched(&e)
		return one
	}},
	"terms": {`
		SELECT t.id, t.search, t.name, t.slug, t.translations
		FROM terms t
		WHERE t.site_id = $1
		  AND t.id > $2
		ORDER BY t.id
		LIMIT $3`, func(f *pg.Fields) folded {
		one := folded{id: f.Int64(), was: f.Text()}
		term := calendar.Term{Name: f.Text(), Slug: f.Text()}
		term.Texts = content.ReadTexts(f)
		one.now = terms.Searched(&term)
		return one
	}},
	"venues":     {places.Venues.SQL(somePlaces), foldedPlace(places.Venues)},
	"organizers": {places.Organizers.SQL(somePlaces), foldedPlace(places.Organizers)},
}

const somePlaces = `
	SELECT p.id, p.search, {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id > $2
	ORDER BY p.id
	LIMIT $3`

func foldedPlace[T any](k *places.Kind[T]) func(*pg.Fields) folded {
	return func(f *pg.Fields) folded {
		one := folded{id: f.Int64(), was: f.Text()}
		one.now = k.Searched(k.Read(f))
		return one
	}
}

// refoldSite folds the texts of a site again, some at a time.
func (db *DB) refoldSite(ctx context.Context, site int64) (changed int, err error) {
	for table, of := range foldings {
		for after, more := int64(0), true; more; {
			var wrong []folded
			more = false
			rest := background(ctx)
			err := db.In(ctx, "texts are folded anew site by site, without a scope", site, func(site int64, b *pgx.Batch) {
				b.Queue(of.some, site, after, refoldedAtOnce).Query(func(rows pgx.Rows) error {
					f := &pg.Fields{}
					for rows.Next() {
						f.Row(rows)
						one := of.read(f)
						if after, more = one.id, true; one.was != one.now {
							wrong = append(wrong, one)
						}
						if f.Err() != nil {
							return f.Err()
						}
					}
					return rows.Err()
				})
			})
			if err == nil && len(wrong) > 0 {
				err = db.refold(ctx, site, table, wrong)
			}
			if err == nil {
				err = rest()
			}
			if err != nil {
				return changed, db.Failure(err)
			}
			changed += len(wrong)
		}
	}
	return changed, nil
}

// refold writes folded texts of items that nobody has changed in the meantime.
func (db *DB) refold(ctx context.Context, site int64, table string, wrong []folded) error {
	write := `
		UPDATE ` + table + ` x
		SET search = n.now
		FROM unnest($2::bigint[], $3::text[], $4::text[]) n (id, was, now)
		WHERE x.site_id = $1
		  AND x.id = n.id
		  AND x.search = n.was`
	ids, was, now := make([]int64, len(wrong)), make([]string, len(wrong)), make([]string, len(wrong))
	for i, one := range wrong {
		ids[i], was[i], now[i] = one.id, one.was, one.now
	}
	return db.derive(ctx, site, write, ids, was, now)
}

package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// tonedAtOnce is how many pictures are read and changed in one step, after which the work rests.
const tonedAtOnce = 20

// toneRules is the number of the rules by which dominant colors are told.
const toneRules = 1

// ToneOf returns the dominant color of a stored picture of a site as #rrggbb, or "" if it has none or cannot be read.
type ToneOf func(ctx context.Context, site int64, picture *calendar.Image) (string, error)

// ToneLater sets the dominant colors of pictures that were stored before the service recorded them, and returns the
// number of these pictures. ok reports whether there may have been any.
func (db *DB) ToneLater(ctx context.Context, of ToneOf) (pictures int, ok bool, err error) {
	return db.deriveLater(ctx, derivation{column: "tones", rules: toneRules, what: "colors of pictures"},
		func(ctx context.Context, site int64) (int, error) { return db.toneSite(ctx, site, of) })
}

// toneSite sets the dominant colors of the pictures of a site that have none, in batches of tonedAtOnce.
func (db *DB) toneSite(ctx context.Context, site int64, of ToneOf) (changed int, err error) {
	const some = `
		SELECT ` + content.ImageRecord + `
		FROM images i
		WHERE i.site_id = $1
		  AND i.id > $2
		  AND i.tone = ''
		ORDER BY i.id
		LIMIT $3`
	for after := int64(0); ; {
		var found []*calendar.Image
		rest := background(ctx)
		err := db.In(ctx, "colors of pictures are told site by site, without a scope", site, func(site int64, b *pgx.Batch) {
			b.Queue(some, site, after, tonedAtOnce).Query(content.ReadAll(&found, content.ReadImage))
		})
		if err != nil || len(found) == 0 {
			return changed, db.Failure(err)
		}
		var ids []int64
		var tones []string
		for _, picture := range found {
			after = picture.ID
			tone, err := of(ctx, site, picture)
			if err != nil {
				return changed, err
			}
			if tone != "" {
				ids, tones = append(ids, picture.ID), append(tones, tone)
			}
		}
		if len(ids) > 0 {
			if err := db.tone(ctx, site, ids, tones); err != nil {
				return changed, db.Failure(err)
			}
		}
		changed += len(ids)
		if err := rest(); err != nil {
			return changed, err
		}
	}
}

// tone writes colors of pictures. The site gets a new version, because its pages show them.
func (db *DB) tone(ctx context.Context, site int64, ids []int64, tones []string) error {
	const write = `
		UPDATE images x
		SET tone = n.tone
		FROM unnest($2::bigint[], $3::text[]) n (id, tone)
		WHERE x.site_id = $1
		  AND x.id = n.id
		  AND x.tone = ''`
	return db.derive(ctx, site, write, ids, tones)
}

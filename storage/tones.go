package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/tenancy"
)

// tonedAtOnce is how many pictures are read and changed in one step, after which the work rests.
const tonedAtOnce = 20

// toneRules is the number of the rules by which dominant colors are told.
const toneRules = 1

// ToneOf returns the dominant color of a stored picture of a site as #rrggbb, or "" if it has none or cannot be read.
type ToneOf func(ctx context.Context, site int64, picture *calendar.Image) (string, error)

// ToneLater tells the dominant colors of pictures that were stored before pictures had them, and records that it did. ok reports whether it
// did. It goes through the sites one by one, some pictures in each transaction, so it can be interrupted, repeated, and run on two nodes at
// the same time.
func (db *DB) ToneLater(ctx context.Context, of ToneOf) (pictures int, ok bool, err error) {
	const query = `SELECT tones FROM installation`
	const note = `UPDATE installation SET tones = GREATEST(tones, $1)`
	outside := db.Across("by which rules colors of pictures were told is known of the installation")
	stored := 0
	err = outside.QueryRow(ctx, query).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && stored >= toneRules {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, db.Failure(err)
	}
	list, err := db.siteIDs(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, site := range list {
		n, err := db.toneSite(ctx, site, of)
		if pictures += n; err != nil && !errors.Is(err, tenancy.ErrNoSite) { // it may be deleted in the meantime
			return pictures, false, fmt.Errorf("tell the colors of pictures of site %d: %w", site, err)
		}
	}
	_, err = outside.Exec(ctx, note, toneRules)
	return pictures, true, db.Failure(err)
}

// toneSite tells the colors of the pictures of a site that have none, some at a time.
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
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}) // so that it works in a read-only site, too
	return db.WriteTo(ctx, site, tenancy.Source{Via: tenancy.ViaSchedule}, func(_ context.Context, t *content.Tx) error {
		t.Raised = true
		t.Queue(write, t.Site, ids, tones)
		return nil
	})
}

// Package images stores the records of pictures; package media stores their files.
package images

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// store implements calendar.ImageStore.
type store struct{ db *content.DB }

// Of returns the store of images.
func Of(db *content.DB) calendar.ImageStore { return store{db} }

// Get returns one image.
func (s store) Get(ctx context.Context, id int64) (*calendar.Image, error) {
	var image *calendar.Image
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) { content.QueueImage(b, site, id, &image) })
	if err != nil {
		return nil, err
	}
	return image, nil
}

// Shown implements calendar.ImageStore.
func (s store) Shown(ctx context.Context, id int64) (shown bool, err error) {
	const anywhere = `SELECT EXISTS (SELECT FROM (` + content.ShownImages + `) s WHERE s.image_id = $2)`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(anywhere, site, id).QueryRow(pg.One(&shown))
	})
	return shown, err
}

// BySource returns the image that was fetched from this URL.
func (s store) BySource(ctx context.Context, source string) (*calendar.Image, error) {
	const bySource = `SELECT ` + content.ImageRecord + `
		FROM images i
		WHERE i.site_id = @site
		  AND md5(i.source) = md5(@source)
		  AND i.source = @source
		  AND i.source <> ''
		ORDER BY i.id
		LIMIT 1`
	return s.one(ctx, bySource, pgx.NamedArgs{"source": source})
}

// ByKey returns the image whose files are stored under this key.
func (s store) ByKey(ctx context.Context, key string) (*calendar.Image, error) {
	const byKey = `SELECT ` + content.ImageRecord + `
		FROM images i
		WHERE i.site_id = @site
		  AND i.key = @key`
	return s.one(ctx, byKey, pgx.NamedArgs{"key": key})
}

func (s store) one(ctx context.Context, sql string, a pgx.NamedArgs) (*calendar.Image, error) {
	var image *calendar.Image
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a["site"] = site
		b.Queue(sql, a).Query(content.ReadOne(&image, content.ReadImage))
	})
	if err != nil {
		return nil, err
	}
	return image, nil
}

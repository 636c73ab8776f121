package storage

import (
	"context"
	"encoding/json"

	"github.com/kalends/kalends/calendar"
)

const insertImage = `
	INSERT INTO images (
		site_id,
		id,
		version,
		author,
		key,
		file,
		mime,
		extension,
		width,
		height,
		bytes,
		sizes,
		alt,
		source,
		created_at,
		translations
	) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`

// insertImage stores a new image; it fills in id and version.
func (t *tx) insertImage(ctx context.Context, i *calendar.Image) error {
	i.ID = t.postID(i.ID)
	i.Version = t.Version
	if i.Created.IsZero() {
		i.Created = t.Now
	}
	sizes := []byte("[]")
	if len(i.Sizes) > 0 {
		var err error
		if sizes, err = json.Marshal(i.Sizes); err != nil {
			return err
		}
	}
	_, err := t.Exec(ctx, insertImage,
		t.Site, i.ID, i.Version, nullable(i.Author), i.Key, i.File, i.MIME, i.Extension,
		i.Width, i.Height, i.Bytes, sizes, i.Alt, i.Source, i.Created, i.Texts.Stamped(t.Version).Raw())
	t.Log("image", i.ID, "create", nil)
	t.Use(picture(i, 1))
	return err
}

package images

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// Update implements calendar.ImageStore. Only the alternative text of an image, in all languages, and its focus can change.
func (s store) Update(ctx context.Context, id int64, change func(*calendar.Image) error) (*calendar.Image, error) {
	const update = `
		UPDATE images
		SET version = $3,
		    alt = $4,
		    translations = $5,
		    focus_x = $6,
		    focus_y = $7
		WHERE site_id = $1
		  AND id = $2`
	var image *calendar.Image
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if image, err = t.Image(ctx, id); err != nil {
			return err
		}
		was := *image
		if err = change(image); err != nil {
			return err
		}
		image.Version = t.Version
		image.Texts = image.Texts.Stamped(t.Version)
		t.Queue(update, t.Site, id, t.Version, image.Alt, image.Texts.Raw(), image.Focus.X, image.Focus.Y)
		t.Log("image", id, "update", content.ImageDocument(&was).Unlike(content.ImageDocument(image)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return image, nil
}

// Create stores a new image; it fills in id and version.
func (s store) Create(ctx context.Context, image *calendar.Image) error {
	made := *image
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		made = *image
		return t.InsertImage(ctx, &made)
	})
	if err == nil {
		*image = made
	}
	return err
}

// Delete removes an image. Items that showed it lose their picture.
func (s store) Delete(ctx context.Context, id int64, check func(*calendar.Image) error) (*calendar.Image, error) {
	shown := []string{
		`UPDATE events SET image_id = NULL WHERE site_id = $1 AND image_id = $2`,
		`UPDATE venues SET image_id = NULL WHERE site_id = $1 AND image_id = $2`,
		`UPDATE organizers SET image_id = NULL WHERE site_id = $1 AND image_id = $2`,
	}
	const remove = `
		DELETE FROM images
		WHERE site_id = $1
		  AND id = $2`
	var image *calendar.Image
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if image, err = t.Image(ctx, id); err != nil {
			return err
		}
		if err = check(image); err != nil {
			return err
		}
		for _, sql := range append(shown, remove) {
			t.Queue(sql, t.Site, id)
		}
		t.Log("image", id, "delete", content.ImageDocument(image))
		t.Use(content.PictureUsage(image, -1))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return image, nil
}

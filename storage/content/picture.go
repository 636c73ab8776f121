package content

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// ShownImages is SQL for the images that something public of a site $1 shows. The image of an event with a password is not shown.
const ShownImages = `
	SELECT e.image_id
	FROM events e
	WHERE e.site_id = $1
	  AND e.image_id IS NOT NULL
	  AND e.status = 'publish'
	  AND e.password IS NULL
	UNION ALL
	SELECT v.image_id
	FROM venues v
	WHERE v.site_id = $1
	  AND v.image_id IS NOT NULL
	  AND v.status = 'publish'
	UNION ALL
	SELECT g.image_id
	FROM organizers g
	WHERE g.site_id = $1
	  AND g.image_id IS NOT NULL
	  AND g.status = 'publish'`

// ImageRecord is SQL for an image i as one value; ReadImage reads it.
const ImageRecord = `ROW(
	i.id,
	i.version,
	i.key,
	i.file,
	i.mime,
	i.extension,
	i.width,
	i.height,
	i.bytes,
	i.sizes,
	i.tone,
	i.focus_x,
	i.focus_y,
	i.alt,
	i.source,
	i.author,
	i.created_at,
	i.translations)`

// ReadImage reads an ImageRecord. It returns nil if there is no image.
func ReadImage(f *pg.Fields) (i *calendar.Image) {
	f.Record(func(f *pg.Fields) {
		i = &calendar.Image{}
		i.ID = f.Int64()
		i.Version = f.Int64()
		i.Key = f.Text()
		i.File = f.Text()
		i.MIME = f.Text()
		i.Extension = f.Text()
		i.Width = f.Int()
		i.Height = f.Int()
		i.Bytes = f.Int64()
		f.JSON(&i.Sizes)
		i.Tone = f.Text()
		i.Focus = calendar.Focus{X: f.Int(), Y: f.Int()}
		i.Alt = f.Text()
		i.Source = f.Text()
		i.Author = f.Int64()
		i.Created = f.Time()
		i.Texts = ReadTexts(f)
	})
	return i
}

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
		tone,
		focus_x,
		focus_y,
		alt,
		source,
		created_at,
		translations
	) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

// InsertImage stores a new image; it fills in id and version.
func (t *Tx) InsertImage(ctx context.Context, i *calendar.Image) error {
	i.ID = t.PostID(i.ID)
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
		t.Site, i.ID, i.Version, NullID(i.Author), i.Key, i.File, i.MIME, i.Extension,
		i.Width, i.Height, i.Bytes, sizes, i.Tone, i.Focus.X, i.Focus.Y, i.Alt, i.Source, i.Created, i.Texts.Stamped(t.Version).Raw())
	t.Log("image", i.ID, "create", nil)
	t.Use(PictureUsage(i, 1))
	return err
}

// Image returns one image as the transaction sees it.
func (t *Tx) Image(ctx context.Context, id int64) (*calendar.Image, error) {
	var image *calendar.Image
	b := &pgx.Batch{}
	QueueImage(b, t.Site, id, &image)
	err := t.Send(ctx, b)
	return image, err
}

const imageByID = `
	SELECT ` + ImageRecord + `
	FROM images i
	WHERE i.site_id = $1
	  AND i.id = $2`

// QueueImage reads one image. The batch returns pgx.ErrNoRows if there is none.
func QueueImage(b *pgx.Batch, site, id int64, image **calendar.Image) {
	b.Queue(imageByID, site, id).Query(ReadOne(image, ReadImage))
}

// PictureUsage is the space that the files of an image take up. n is 1 for a new image, and -1 for a removed one.
func PictureUsage(i *calendar.Image, n int64) tenancy.Usage {
	bytes := i.Bytes
	for _, size := range i.Sizes {
		bytes += size.Bytes
	}
	return tenancy.Usage{MediaBytes: n * bytes}
}

// KeepPicture makes sure that an item's picture is stored, and returns its id.
func (t *Tx) KeepPicture(ctx context.Context, p *calendar.Post) (*int64, error) {
	switch {
	case p.Image == nil:
		return nil, nil //nolint:nilnil // no picture is no error
	case p.Image.ID == 0:
		image := *p.Image // the caller's image stays unchanged after a rollback
		if err := t.InsertImage(ctx, &image); err != nil {
			return nil, err
		}
		p.Image = &image
	case p.Image.Key == "":
		image, err := t.Image(ctx, p.Image.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, args.Invalid("image", "problem.image.unknown", nil)
		}
		if err != nil {
			return nil, err
		}
		p.Image = image
	}
	return &p.Image.ID, nil
}

// LookUpImage reads an image and passes it to found if it exists.
func (t *Tx) LookUpImage(b *pgx.Batch, id int64, found func(*calendar.Image)) {
	b.Queue(imageByID, t.Site, id).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			i := ReadImage(f)
			if f.Err() != nil {
				return f.Err()
			}
			found(i)
		}
		return rows.Err()
	})
}

// ImageDocument has the fields of an image, as the history stores them.
func ImageDocument(i *calendar.Image) pg.Document {
	return pg.Document{
		"file":         i.File,
		"mime":         i.MIME,
		"width":        i.Width,
		"height":       i.Height,
		"alt":          i.Alt,
		"focus_x":      i.Focus.X,
		"focus_y":      i.Focus.Y,
		"source":       i.Source,
		"author":       IDOrNil(i.Author),
		"translations": TextsDocument(i.Texts, "alt"),
	}
}

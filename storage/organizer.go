package storage

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// organizers implements calendar.PlaceStore.
type organizers struct{ db *DB }

// organizerColumns are what organizerRow reads first; imageColumns follow.
const organizerColumns = `
	o.id,
	o.version,
	COALESCE(o.author, 0),
	o.status,
	o.slug,
	o.published_at,
	o.dated,
	o.modified_at,
	o.name,
	o.description,
	o.excerpt,
	o.phone,
	o.website,
	o.email`

// organizerRow reads one organizer and its picture.
func organizerRow(row pgx.CollectableRow, first ...any) (*calendar.Organizer, error) {
	o, image := &calendar.Organizer{}, &calendar.Image{}
	into := append(slices.Clone(first),
		&o.ID, &o.Version, &o.Author, &o.Status, &o.Slug, (*utc)(&o.Date), &o.Dated, (*utc)(&o.Modified),
		&o.Name, &o.Description, &o.Excerpt, &o.Phone, &o.Website, &o.Email)
	if err := row.Scan(append(into, imageRow(image)...)...); err != nil {
		return nil, err
	}
	pictured(&o.Post, image)
	return o, nil
}

// Get returns one organizer.
func (s organizers) Get(ctx context.Context, key calendar.Key) (*calendar.Organizer, error) {
	return former(ctx, s.db, "organizer", key, func(key calendar.Key) (o *calendar.Organizer, err error) {
		err = s.db.quick(ctx, func(site int64, b *pgx.Batch) { queueOrganizer(b, site, key, &o) })
		return o, err
	})
}

// organizer returns one organizer as the transaction sees it.
func (t *tx) organizer(ctx context.Context, key calendar.Key) (*calendar.Organizer, error) {
	var o *calendar.Organizer
	b := &pgx.Batch{}
	queueOrganizer(b, t.site, key, &o)
	return o, t.send(ctx, b)
}

func queueOrganizer(b *pgx.Batch, site int64, key calendar.Key, o **calendar.Organizer) {
	const get = `SELECT` + organizerColumns + `,` + imageColumns + `
		FROM organizers o
		LEFT JOIN images i ON i.site_id = @site AND i.id = o.image_id
		WHERE o.site_id = @site
		  AND o.id = COALESCE(NULLIF(@id, 0), (
			SELECT same.id
			FROM organizers same
			WHERE same.site_id = @site
			  AND same.slug = @slug))`
	b.Queue(get, pgx.NamedArgs{"site": site, "id": key.ID, "slug": key.Slug}).Query(func(rows pgx.Rows) error {
		return scan[calendar.Organizer](organizerRow).one(rows, o)
	})
}

// Create stores link.New, or returns the organizer that it is the same as.
func (s organizers) Create(ctx context.Context, link calendar.Link[calendar.Organizer]) (*calendar.Organizer, error) {
	return createPlace(ctx, s.db, link, (*tx).newOrganizer)
}

// newOrganizer returns the organizer a link without an id names, and whether it had
// to be made.
func (t *tx) newOrganizer(ctx context.Context, link calendar.Link[calendar.Organizer]) (*calendar.Organizer, bool, error) {
	const named = `SELECT` + organizerColumns + `,` + imageColumns + `
		FROM organizers o
		LEFT JOIN images i ON i.site_id = $1 AND i.id = o.image_id
		WHERE o.site_id = $1
		  AND md5(o.name_key) = md5($2)
		  AND o.name_key = $2
		ORDER BY o.id`
	return resolve(ctx, t, link, named, link.New.Name, organizerRow, t.insertOrganizer)
}

// Update changes one organizer and returns it.
func (s organizers) Update(ctx context.Context, key calendar.Key, change func(*calendar.Organizer) error) (*calendar.Organizer, error) {
	var o *calendar.Organizer
	err := s.db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if o, err = t.organizer(ctx, key); err != nil {
			return err
		}
		was := *o
		if err := change(o); err != nil {
			return err
		}
		return t.updateOrganizer(ctx, &was, o)
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Delete removes one organizer and its links to events for good.
func (s organizers) Delete(ctx context.Context, key calendar.Key, check func(*calendar.Organizer) error) (*calendar.Organizer, error) {
	const unlink = `
		UPDATE events
		SET organizer_ids = array_remove(organizer_ids, $2)
		WHERE site_id = $1
		  AND id IN (SELECT x.event_id FROM event_organizers x WHERE x.site_id = $1 AND x.organizer_id = $2)`
	const remove = `
		DELETE FROM organizers
		WHERE site_id = $1
		  AND id = $2`
	var o *calendar.Organizer
	err := s.db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if o, err = t.organizer(ctx, key); err != nil {
			return err
		}
		if err := check(o); err != nil {
			return err
		}
		t.queueUnlinked(noteNoOrganizer, o.ID, "organizer")
		t.queue(unlink, t.site, o.ID)
		t.queue(remove, t.site, o.ID)
		t.forgetSlugs("organizer", o.ID)
		t.unplanPlace("organizer", o.ID)
		t.logFrom("organizer", o.ID, "delete", organizerDocument(o))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

package storage

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// venues implements calendar.PlaceStore.
type venues struct{ db *DB }

// venueColumns are what venueRow reads first; imageColumns follow.
const venueColumns = `
	v.id,
	v.version,
	COALESCE(v.author, 0),
	v.status,
	v.slug,
	v.published_at,
	v.dated,
	v.modified_at,
	v.name,
	v.description,
	v.excerpt,
	v.address,
	v.city,
	v.country,
	v.province,
	v.state,
	v.stateprovince,
	v.zip,
	v.phone,
	v.website,
	v.geo_lat,
	v.geo_lng,
	v.show_map,
	v.show_map_link`

// venueRow reads one venue and its picture.
func venueRow(row pgx.CollectableRow, first ...any) (*calendar.Venue, error) {
	v, image := &calendar.Venue{}, &calendar.Image{}
	into := append(slices.Clone(first),
		&v.ID, &v.Version, &v.Author, &v.Status, &v.Slug, (*utc)(&v.Date), &v.Dated, (*utc)(&v.Modified),
		&v.Name, &v.Description, &v.Excerpt,
		&v.Address, &v.City, &v.Country, &v.Province, &v.State, &v.StateProvince, &v.Zip, &v.Phone, &v.Website,
		&v.GeoLat, &v.GeoLng, &v.ShowMap, &v.ShowMapLink)
	if err := row.Scan(append(into, imageRow(image)...)...); err != nil {
		return nil, err
	}
	pictured(&v.Post, image)
	return v, nil
}

// Get returns one venue.
func (s venues) Get(ctx context.Context, key calendar.Key) (*calendar.Venue, error) {
	return former(ctx, s.db, "venue", key, func(key calendar.Key) (v *calendar.Venue, err error) {
		err = s.db.quick(ctx, func(site int64, b *pgx.Batch) { queueVenue(b, site, key, &v) })
		return v, err
	})
}

// venue returns one venue as the transaction sees it.
func (t *tx) venue(ctx context.Context, key calendar.Key) (*calendar.Venue, error) {
	var v *calendar.Venue
	b := &pgx.Batch{}
	queueVenue(b, t.site, key, &v)
	return v, t.send(ctx, b)
}

func queueVenue(b *pgx.Batch, site int64, key calendar.Key, v **calendar.Venue) {
	const get = `SELECT` + venueColumns + `,` + imageColumns + `
		FROM venues v
		LEFT JOIN images i ON i.site_id = @site AND i.id = v.image_id
		WHERE v.site_id = @site
		  AND v.id = COALESCE(NULLIF(@id, 0), (
			SELECT same.id
			FROM venues same
			WHERE same.site_id = @site
			  AND same.slug = @slug))`
	b.Queue(get, pgx.NamedArgs{"site": site, "id": key.ID, "slug": key.Slug}).Query(func(rows pgx.Rows) error {
		return scan[calendar.Venue](venueRow).one(rows, v)
	})
}

// Create stores link.New, or returns the venue that it is the same as.
func (s venues) Create(ctx context.Context, link calendar.Link[calendar.Venue]) (*calendar.Venue, error) {
	return createPlace(ctx, s.db, link, (*tx).newVenue)
}

// newVenue returns the venue a link without an id names, and whether it had
// to be made.
func (t *tx) newVenue(ctx context.Context, link calendar.Link[calendar.Venue]) (*calendar.Venue, bool, error) {
	const named = `SELECT` + venueColumns + `,` + imageColumns + `
		FROM venues v
		LEFT JOIN images i ON i.site_id = $1 AND i.id = v.image_id
		WHERE v.site_id = $1
		  AND md5(v.name_key) = md5($2)
		  AND v.name_key = $2
		ORDER BY v.id`
	return resolve(ctx, t, link, named, link.New.Name, venueRow, t.insertVenue)
}

// Update changes one venue and returns it.
func (s venues) Update(ctx context.Context, key calendar.Key, change func(*calendar.Venue) error) (*calendar.Venue, error) {
	var v *calendar.Venue
	err := s.db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if v, err = t.venue(ctx, key); err != nil {
			return err
		}
		was := *v
		if err := change(v); err != nil {
			return err
		}
		return t.updateVenue(ctx, &was, v)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Delete removes one venue and its links to events for good.
func (s venues) Delete(ctx context.Context, key calendar.Key, check func(*calendar.Venue) error) (*calendar.Venue, error) {
	const unlink = `
		UPDATE events
		SET venue_ids = array_remove(venue_ids, $2)
		WHERE site_id = $1
		  AND id IN (SELECT x.event_id FROM event_venues x WHERE x.site_id = $1 AND x.venue_id = $2)`
	const remove = `
		DELETE FROM venues
		WHERE site_id = $1
		  AND id = $2`
	var v *calendar.Venue
	err := s.db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if v, err = t.venue(ctx, key); err != nil {
			return err
		}
		if err := check(v); err != nil {
			return err
		}
		t.queueUnlinked(noteNoVenue, v.ID, "venue")
		t.queue(unlink, t.site, v.ID)
		t.queue(remove, t.site, v.ID)
		t.forgetSlugs("venue", v.ID)
		t.unplanPlace("venue", v.ID)
		t.logFrom("venue", v.ID, "delete", venueDocument(v))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

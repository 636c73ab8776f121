package places

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

const venuesByID = `
	SELECT ` + VenueRecord + `
	FROM venues p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id = ANY($2)`

// LookUpVenues reads the venues of these ids.
func LookUpVenues(t *content.Tx, b *pgx.Batch, ids []int64, into map[int64]calendar.Venue) {
	if len(ids) == 0 {
		return
	}
	b.Queue(venuesByID, t.Site, ids).Query(t.EachLinked(linked.Venue, func(f *pg.Fields) (int64, int) {
		v := ReadVenue(f)
		into[v.ID] = v
		return v.ID, 0
	}))
}

const organizersByID = `
	SELECT ` + OrganizerRecord + `
	FROM organizers p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.id = ANY($2)`

// LookUpOrganizers reads the organizers of these ids.
func LookUpOrganizers(t *content.Tx, b *pgx.Batch, ids []int64, into map[int64]calendar.Organizer) {
	if len(ids) == 0 {
		return
	}
	b.Queue(organizersByID, t.Site, ids).Query(t.EachLinked(linked.Organizer, func(f *pg.Fields) (int64, int) {
		o := ReadOrganizer(f)
		into[o.ID] = o
		return o.ID, 0
	}))
}

// Settle returns the venues or organizers that links name, in their order
// and each once; create finds or makes those without an id.
func Settle[T any](ctx context.Context, t *content.Tx, k *Kind[T], links []calendar.Link[T], known map[int64]T,
	create func(context.Context, *content.Tx, calendar.Link[T]) (*T, bool, error),
) ([]T, error) {
	var list []T
	seen := map[int64]bool{}
	for _, link := range links {
		item, ok := known[link.ID]
		switch {
		case link.ID == 0:
			made, _, err := create(ctx, t, link)
			if err != nil {
				return nil, args.Within(k.name, t.Failure(err))
			}
			item = *made
		case !ok:
			return nil, args.Invalid(k.name, "problem."+k.name+".unknown", nil)
		}
		if id := k.post(&item).ID; !seen[id] {
			seen[id] = true
			list = append(list, item)
		}
	}
	return list, nil
}

// LinkedIDs returns the ids among links.
func LinkedIDs[T any](links []calendar.Link[T]) []int64 {
	var ids []int64
	for _, link := range links {
		if link.ID != 0 {
			ids = append(ids, link.ID)
		}
	}
	return ids
}

// VenueRecord is a venue p with its image i; ReadVenue reads it.
const VenueRecord = `ROW(
	p.id,
	p.version,
	p.author,
	p.status,
	p.slug,
	p.published_at,
	p.dated,
	p.modified_at,
	p.translations,
	p.name,
	p.description,
	p.excerpt,
	p.address,
	p.city,
	p.country,
	p.province,
	p.state,
	p.stateprovince,
	p.zip,
	p.phone,
	p.website,
	p.geo_lat,
	p.geo_lng,
	p.show_map,
	p.show_map_link,
	CASE WHEN i.id IS NOT NULL THEN ` + content.ImageRecord + ` END)`

// OrganizerRecord is an organizer p with its image i; ReadOrganizer reads it.
const OrganizerRecord = `ROW(
	p.id,
	p.version,
	p.author,
	p.status,
	p.slug,
	p.published_at,
	p.dated,
	p.modified_at,
	p.translations,
	p.name,
	p.description,
	p.excerpt,
	p.phone,
	p.website,
	p.email,
	CASE WHEN i.id IS NOT NULL THEN ` + content.ImageRecord + ` END)`

// ReadVenue reads a VenueRecord.
func ReadVenue(f *pg.Fields) calendar.Venue {
	v := calendar.Venue{
		Post:          readPlace(f),
		Name:          f.Text(),
		Description:   f.Text(),
		Excerpt:       f.Text(),
		Address:       f.Text(),
		City:          f.Text(),
		Country:       f.Text(),
		Province:      f.Text(),
		State:         f.Text(),
		StateProvince: f.Text(),
		Zip:           f.Text(),
		Phone:         f.Text(),
		Website:       f.Text(),
		GeoLat:        f.Float(),
		GeoLng:        f.Float(),
		ShowMap:       f.Bool(),
		ShowMapLink:   f.Bool(),
	}
	v.Image = content.ReadImage(f)
	return v
}

// readPlace reads what venues and organizers begin with.
func readPlace(f *pg.Fields) calendar.Post {
	p := content.ReadPost(f)
	p.Texts = content.ReadTexts(f)
	return p
}

// ReadOrganizer reads an OrganizerRecord.
func ReadOrganizer(f *pg.Fields) calendar.Organizer {
	g := calendar.Organizer{
		Post:        readPlace(f),
		Name:        f.Text(),
		Description: f.Text(),
		Excerpt:     f.Text(),
		Phone:       f.Text(),
		Website:     f.Text(),
		Email:       f.Text(),
	}
	g.Image = content.ReadImage(f)
	return g
}

// VenueDocument has the fields of a venue, as the history keeps them.
func VenueDocument(v *calendar.Venue) pg.Document {
	d := content.PostDocument(&v.Post, "venue")
	maps.Copy(d, pg.Document{
		"venue":         v.Name,
		"description":   v.Description,
		"excerpt":       v.Excerpt,
		"address":       v.Address,
		"city":          v.City,
		"country":       v.Country,
		"province":      v.Province,
		"state":         v.State,
		"stateprovince": v.StateProvince,
		"zip":           v.Zip,
		"phone":         v.Phone,
		"website":       v.Website,
		"geo_lat":       v.GeoLat,
		"geo_lng":       v.GeoLng,
		"show_map":      v.ShowMap,
		"show_map_link": v.ShowMapLink,
	})
	return d
}

// OrganizerDocument has the fields of an organizer, as the history keeps them.
func OrganizerDocument(o *calendar.Organizer) pg.Document {
	d := content.PostDocument(&o.Post, "organizer")
	maps.Copy(d, pg.Document{
		"organizer":   o.Name,
		"description": o.Description,
		"excerpt":     o.Excerpt,
		"phone":       o.Phone,
		"website":     o.Website,
		"email":       o.Email,
	})
	return d
}

const placesOffered = `
	SELECT p.id,
	       p.name
	FROM {place}s p
	WHERE p.site_id = @site
	  AND (p.status = 'publish' OR @all OR p.author = @user)
	  AND p.status <> 'trash'
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit`

// noteNoPlace notes in the history of events that a venue or organizer goes.
const noteNoPlace = content.NoteUnlinked + `
			SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY o.position)
			FROM event_{place}s o
			JOIN {place}s p ON p.site_id = o.site_id AND p.id = o.{place}_id
			WHERE o.site_id = $1
			  AND o.event_id = x.event_id))
		FROM event_{place}s x
		WHERE x.site_id = $1
		  AND x.{place}_id = $2` + content.NoteUnlinkedEnd

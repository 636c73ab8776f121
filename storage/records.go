package storage

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// imageRecord is an image i as one value; readImage reads it.
const imageRecord = `ROW(
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
	i.alt,
	i.source,
	i.author,
	i.created_at,
	i.translations)`

// venueRecord is a venue p with its image i; readVenue reads it.
const venueRecord = `ROW(
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
	CASE WHEN i.id IS NOT NULL THEN ` + imageRecord + ` END)`

// organizerRecord is an organizer p with its image i; readOrganizer reads it.
const organizerRecord = `ROW(
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
	CASE WHEN i.id IS NOT NULL THEN ` + imageRecord + ` END)`

// termRecord is a term c; readTerm reads it. Only terms below another pay for
// the way up.
var termRecord = termWith(`CASE WHEN c.parent_id IS NULL THEN c.slug ELSE (
		WITH RECURSIVE up (parent_id, path, steps) AS (
			SELECT c.parent_id, c.slug, 1
			UNION ALL
			SELECT above.parent_id, ` + stepOf("above") + ` || '/' || up.path, up.steps + 1
			FROM up
			JOIN terms above ON above.site_id = $1 AND above.id = up.parent_id
			WHERE up.steps < 100
		)
		SELECT up.path
		FROM up
		ORDER BY up.steps DESC
		LIMIT 1
	) END`)

// stepOf is the slug of a term above others with those of its texts, as Term.Stand reads
// it.
func stepOf(term string) string {
	return `CASE WHEN ` + term + `.translations IS NULL THEN ` + term + `.slug ELSE ` + term + `.slug || COALESCE((
		SELECT string_agg(E'\x02' || l.key || '=' || (l.value ->> 'slug'), '' ORDER BY l.key COLLATE "C")
		FROM jsonb_each(` + term + `.translations) l
		WHERE l.value ->> 'slug' <> ''), '') END`
}

// termWith is a term c with the path given; readTerm reads it.
func termWith(path string) string {
	return `ROW(
	c.id,
	c.version,
	c.translations,
	c.taxonomy,
	c.name,
	c.slug,
	c.description,
	c.parent_id,
	c.count,
	c.color,
	` + path + `)`
}

// readImage returns nil where there is none.
func readImage(f *pg.Fields) (i *calendar.Image) {
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
		i.Alt = f.Text()
		i.Source = f.Text()
		i.Author = f.Int64()
		i.Created = f.Time()
		i.Texts = readTexts(f)
	})
	return i
}

func readVenue(f *pg.Fields) calendar.Venue {
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
	v.Image = readImage(f)
	return v
}

// readPlace reads what venues and organizers begin with.
func readPlace(f *pg.Fields) calendar.Post {
	p := readPost(f)
	p.Texts = readTexts(f)
	return p
}

func readOrganizer(f *pg.Fields) calendar.Organizer {
	g := calendar.Organizer{
		Post:        readPlace(f),
		Name:        f.Text(),
		Description: f.Text(),
		Excerpt:     f.Text(),
		Phone:       f.Text(),
		Website:     f.Text(),
		Email:       f.Text(),
	}
	g.Image = readImage(f)
	return g
}

func readTerm(f *pg.Fields) calendar.Term {
	term := calendar.Term{
		ID:          f.Int64(),
		Version:     f.Int64(),
		Translated:  calendar.Translated{Texts: readTexts(f)},
		Taxonomy:    calendar.Taxonomy(f.Text()),
		Name:        f.Text(),
		Slug:        f.Text(),
		Description: f.Text(),
		Parent:      f.Int64(),
		Count:       f.Int(),
		Color:       f.Text(),
	}
	term.Stand(f.Text())
	return term
}

// oneTerm reads termRecord where it is the row.
func oneTerm(f *pg.Fields) *calendar.Term {
	var term calendar.Term
	f.Record(func(f *pg.Fields) { term = readTerm(f) })
	return &term
}

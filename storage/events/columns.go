package events

import (
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// eventOwn are the columns of an event e with its image, for a statement whose
// first argument is the site.
const eventOwn = `
	e.id,
	e.version,
	e.author,
	e.status,
	e.slug,
	e.published_at,
	e.dated,
	e.modified_at,
	e.title,
	e.description,
	e.excerpt,
	e.timezone,
	e.all_day,
	e.start_local,
	e.end_local,
	e.start_utc,
	e.end_utc,
	e.cost,
	e.website,
	e.show_map,
	e.show_map_link,
	e.hidden,
	e.sticky,
	e.featured,
	e.parent_id,
	e.password,
	e.tickets,
	e.several,
	e.series_id,
	e.original_start,
	e.event_status,
	e.status_reason,
	e.previous_start,
	e.attendance,
	e.virtual_url,
	e.virtual_shown,
	e.uid,
	e.sequence,
	e.seo_title,
	e.seo_description,
	e.languages,
	e.translations,
	CASE WHEN e.image_id IS NOT NULL THEN (
		SELECT ` + content.ImageRecord + `
		FROM images i
		WHERE i.site_id = $1
		  AND i.id = e.image_id
	) END`

// Columns are an event with the ids of what it is linked to; Read reads
// them.
const Columns = eventOwn + `,
	e.venue_ids,
	e.organizer_ids,
	e.term_ids`

// LinkedColumns are the records of venues, organizers and terms with these ids,
// each once; Linked.Learn reads them.
func LinkedColumns(venueIDs, organizerIDs, termIDs string) (ofVenues, ofOrganizers, ofTerms string) {
	return `ARRAY(` + places.Venues.ByIDs(venueIDs) + `)`, `ARRAY(` + places.Organizers.ByIDs(organizerIDs) + `)`, `ARRAY(
		SELECT ` + terms.Record + `
		FROM terms c
		WHERE c.site_id = $1
		  AND c.id = ANY(` + termIDs + `)
	)`
}

// Read reads Columns.
func Read(f *pg.Fields, n *Linked) *calendar.Event {
	e := &calendar.Event{Post: content.ReadPost(f)}
	e.Title = f.Text()
	e.Description = f.Text()
	e.Excerpt = f.Text()
	e.Timezone = f.Text()
	e.AllDay = f.Bool()
	e.Start = f.Time()
	e.End = f.Time()
	e.StartUTC = f.Time()
	e.EndUTC = f.Time()
	e.Cost = f.Texts()
	e.Website = f.Text()
	e.ShowMap = f.Bool()
	e.ShowMapLink = f.Bool()
	e.Hidden = f.Bool()
	e.Sticky = f.Bool()
	e.Featured = f.Bool()
	e.Parent = f.Int64()
	e.Password = f.Bytes()
	f.JSON(&e.Tickets)
	e.Several = f.Bool()
	if series, original := f.Int64(), f.Moment(); series != 0 {
		e.Series = &calendar.Series{ID: series, OriginalStart: original}
		e.Slug = ownSlug(e.Slug)
	}
	e.Happening = calendar.Happening{Status: unless(f.Text(), "scheduled"), Reason: f.Text()}
	e.PreviousStart = f.Moment()
	e.Attendance = calendar.Attendance{Mode: unless(f.Text(), "offline"), URL: f.Text(), Shown: unless(f.Text(), "always")}
	e.UID = f.Text()
	e.Sequence = f.Int()
	e.SEO = calendar.SEO{Title: f.Text(), Description: f.Text()}
	e.Texts = readEventTexts(f, n)
	e.Image = content.ReadImage(f)
	n.read(f, e)
	return e
}

// readEventTexts reads the languages and the translations of an event.
func readEventTexts(f *pg.Fields, n *Linked) translations.Texts {
	if n.Texts != nil {
		f.Skip(2)
		return *n.Texts
	}
	languages := f.Texts()
	texts := content.ReadTexts(f).Raw()
	if n.Language != "" && texts != nil && !slices.Contains(languages, translations.Mark) {
		return translations.StoredIn(n.Language, texts, languages)
	}
	return translations.Stored(texts, languages)
}

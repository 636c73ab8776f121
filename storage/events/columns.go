package events

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/tenancy"
)

// row is an event as it is stored, with the reader of its links.
type row struct {
	*calendar.Event
	links     *Linked
	languages []string // of its translations
	from      tenancy.Source
	indexed   bool // its texts
}

// postColumns are the columns that events share with venues and organizers.
var postColumns = content.PostColumns(postOf, func(r *row) string { return storedSlug(r.Event) })

// ownColumns are the columns of an event that lists read.
var ownColumns = slices.Concat(postColumns, fieldColumns(), pg.Columns[row]{
	pg.TimeColumn("start_local", pg.WallClock, func(r *row) *time.Time { return &r.Start }),
	pg.TimeColumn("end_local", pg.WallClock, func(r *row) *time.Time { return &r.End }),
	pg.TimeColumn("start_utc", pg.Instants, func(r *row) *time.Time { return &r.StartUTC }),
	pg.TimeColumn("end_utc", pg.Instants, func(r *row) *time.Time { return &r.EndUTC }),
	{Name: "cost", Type: "text[]", Value: func(r *row) any { return append([]string{}, r.Cost...) },
		Read: func(f *pg.Fields, r *row) { r.Cost = f.Texts() }},
	pg.IDColumn("parent_id", func(r *row) *int64 { return &r.Parent }),
	{Name: "password", Type: "bytea", Value: func(r *row) any {
		if !r.Protected() {
			return []byte(nil)
		}
		return r.Password
	}, Read: func(f *pg.Fields, r *row) { r.Password = f.Bytes() }},
	{Name: "tickets", Type: "jsonb", Value: func(r *row) any {
		if len(r.Tickets) == 0 {
			return nil
		}
		return slices.Clone(r.Tickets)
	}, Read: func(f *pg.Fields, r *row) { f.JSON(&r.Tickets) }},
	pg.BoolColumn("several", func(r *row) *bool { return &r.Several }),
	{Name: "series_id", Type: "bigint", Value: func(r *row) any {
		if r.Series == nil {
			return nil
		}
		return r.Series.ID
	}, Read: func(f *pg.Fields, r *row) {
		if id := f.Int64(); id != 0 {
			r.Series = &calendar.Series{ID: id}
			r.Slug = ownSlug(r.Slug)
		}
	}},
	{Name: "original_start", Type: pg.WallClock, Value: func(r *row) any {
		if r.Series == nil {
			return nil
		}
		return r.Series.OriginalStart
	}, Read: func(f *pg.Fields, r *row) {
		if at := f.Moment(); r.Series != nil {
			r.Series.OriginalStart = at
		}
	}},
	pg.MomentColumn("previous_start", pg.Instants, func(r *row) *time.Time { return &r.PreviousStart }),
	pg.TextColumn("uid", func(r *row) *string { return &r.UID }),
	pg.IDColumn("source_id", func(r *row) *int64 { return &r.Origin }),
	{Name: "given", Type: "jsonb", Value: func(r *row) any {
		if r.Elsewhere == nil {
			return nil
		}
		return *r.Elsewhere
	}, Same: func(a, b *row) bool { return reflect.DeepEqual(a.Elsewhere, b.Elsewhere) },
		Read: func(f *pg.Fields, r *row) { f.JSON(&r.Elsewhere) }},
	{Name: "sequence", Type: "integer", Value: func(r *row) any { return r.Sequence },
		Read: func(f *pg.Fields, r *row) { r.Sequence = f.Int() }},
	{Name: "languages", Type: "text[]", Value: func(r *row) any { return r.Texts.Column() }, Same: sameTexts,
		Read: func(f *pg.Fields, r *row) { r.languages = f.Texts() }},
	{Name: "translations", Type: "jsonb", Value: func(r *row) any { return r.Texts.Raw() }, Same: sameTexts, Read: readTexts},
	content.PictureColumn(`CASE WHEN e.image_id IS NOT NULL THEN (
		SELECT `+content.ImageRecord+`
		FROM images i
		WHERE i.site_id = $1
		  AND i.id = e.image_id
	) END`, postOf),
	{Name: "search", Type: "text", Value: func(r *row) any { return Searched(r.Event) }, Same: sameSearched},
	{Name: "venue_ids", Type: "bigint[]", Value: func(r *row) any { return venueIDs(r.Event) },
		Read: func(f *pg.Fields, r *row) { f.Elements(func(b []byte) { r.links.venue(f, r.Event, pg.BigInt(b)) }) }},
	{Name: "organizer_ids", Type: "bigint[]", Value: func(r *row) any { return organizerIDs(r.Event) },
		Read: func(f *pg.Fields, r *row) { f.Elements(func(b []byte) { r.links.organizer(f, r.Event, pg.BigInt(b)) }) }},
	{Name: "term_ids", Type: "bigint[]", Value: func(r *row) any { return termIDs(r.Event) },
		Read: func(f *pg.Fields, r *row) {
			f.Elements(func(b []byte) { r.links.term(f, r.Event, pg.BigInt(b)) })
			sortTerms(r.Event)
		}},
})

// fieldColumns are the columns of text, choice, flag and word fields, and of the fields that the site has added.
func fieldColumns() (list pg.Columns[row]) {
	fields := calendar.AllEventFields()
	for i := range fields {
		f := &fields[i]
		text := func(r *row) *string { return f.Text(r.Event) }
		switch name := cmp.Or(f.Column, f.Name); {
		case f.Flag != nil:
			list = append(list, pg.BoolColumn(name, func(r *row) *bool { return f.Flag(r.Event) }))
		case f.Added != nil:
			list = append(list, content.AddedFieldsColumn(func(r *row) *calendar.AddedFields { return f.Added(r.Event) }))
		case f.Words != nil:
			list = append(list, pg.WordsColumn(name, f.Choices(), func(r *row) *[]string { return f.Words(r.Event) }))
		case f.Usual != "":
			list = append(list, pg.ChoiceColumn(name, f.Usual, text))
		case f.Text != nil:
			list = append(list, pg.TextColumn(name, text))
		}
	}
	return list
}

// seriesColumns are the columns of a series that lists do not need.
var seriesColumns = pg.Columns[row]{
	{Name: "rules", Type: "jsonb", Value: func(r *row) any {
		if rules := rulesOf(r.Event); rules != nil {
			return rules
		}
		return nil
	}, Read: readRules},
	pg.MomentColumn("stored_until", pg.WallClock, func(r *row) *time.Time { return &r.StoredUntil }),
	pg.MomentColumn("last_start_utc", pg.Instants, func(r *row) *time.Time { return &r.LastStart }),
	{Name: "overrides", Type: "text[]", Value: func(r *row) any {
		if r.Series == nil {
			return []string{}
		}
		return append([]string{}, r.Series.Changed...)
	}, Read: func(f *pg.Fields, r *row) {
		if changed := f.Texts(); r.Series != nil {
			r.Series.Changed = changed
		}
	}},
}

// columns are all columns of an event.
var columns = slices.Concat(ownColumns, seriesColumns)

// storedColumns are the columns that a write with a lock on the site's row stores. Whether the texts are indexed
// depends on the site.
var storedColumns = append(slices.Clone(columns), pg.Column[row]{Name: "texts_indexed", Type: "boolean", Same: sameSearched,
	Value: func(r *row) any { return r.indexed }})

func postOf(r *row) *calendar.Post { return &r.Post }

func sameTexts(a, b *row) bool { return a.Texts.Equal(b.Texts) }

func sameSearched(a, b *row) bool {
	return a.Title == b.Title && a.Description == b.Description && a.Excerpt == b.Excerpt && sameTexts(a, b)
}

// Columns are the columns of an event e with the ids of its links, for a statement whose first parameter is the site; Read
// reads them. texts is the SQL of the event's translations.
func Columns(texts string) string {
	return ownColumns.Select("e", map[string]string{"translations": texts})
}

// allTexts is the SQL of the translations of an event e in all languages.
const allTexts = "e.translations"

// LinkedColumns are the records of the venues, organizers and terms with these ids, each once; Linked.Learn reads them.
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
	e := &calendar.Event{}
	ownColumns.Read(f, &row{Event: e, links: n})
	return e
}

// readTexts reads the translations of an event, which follow their languages.
func readTexts(f *pg.Fields, r *row) {
	n := r.links
	if n.Texts != nil {
		f.Skip(1)
		r.Texts = *n.Texts
		return
	}
	texts := content.ReadTexts(f).Raw()
	if n.Language != "" && texts != nil && !slices.Contains(r.languages, translations.Mark) {
		r.Texts = translations.StoredIn(n.Language, texts, r.languages)
		return
	}
	r.Texts = translations.Stored(texts, r.languages)
}

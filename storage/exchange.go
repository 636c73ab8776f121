package storage

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/tenancy"
)

// exchangedAtOnce is how many items are read, and then written, at a time.
const exchangedAtOnce = 500

// exchange swaps the texts of a site's items when its language changes: texts in the new language become the items' own (ADR
// 101). It runs within the transaction that changes the language, and returns how many items it swapped and how many kept
// their texts.
func (db *DB) exchange(ctx context.Context, in *pg.Tx, from, to string) (tenancy.LanguageChange, error) {
	x := &exchanging{Tx: content.On(in), from: from, to: to}
	for _, kind := range exchangedKinds {
		for after, more := int64(0), true; more; {
			var items []*exchanged
			b := &pgx.Batch{}
			b.Queue(kind.some, x.Site, after, exchangedAtOnce).Query(func(rows pgx.Rows) error {
				f := &pg.Fields{}
				for rows.Next() {
					f.Row(rows)
					items = append(items, kind.read(f))
					if f.Err() != nil {
						return f.Err()
					}
				}
				return rows.Err()
			})
			if err := x.Send(ctx, b); err != nil {
				return x.done, err
			}
			if more = len(items) > 0; more {
				after = items[len(items)-1].id
			}
			if err := x.items(ctx, &kind, items); err != nil {
				return x.done, err
			}
		}
	}
	_, err := x.Exec(ctx, readdressDates, x.Site)
	return x.done, err
}

// exchanging is an exchange in progress.
type exchanging struct {
	*content.Tx
	from, to string
	done     tenancy.LanguageChange
}

// exchanged is an item before and after a change of the site's language.
type exchanged struct {
	id       int64
	kind     string // as in slugs and the history
	title    string // name of the argument for its title
	gone     bool   // in the trash, where slugs are free for other items
	date     bool   // a date of a series; it has the slug of the series
	own      translations.Text
	texts    translations.Texts
	changed  []string // the fields in which a date differs from its series
	slug     string   // before
	searched func(own translations.Text, texts translations.Texts) string
}

// exchangedKind is a table with texts. some reads the items of a site that come after an id.
type exchangedKind struct {
	some  string
	read  func(*pg.Fields) *exchanged
	write string
	args  func(e *exchanged) []any // after site, id, version and texts
}

var exchangedKinds = []exchangedKind{
	{`
		SELECT e.id, e.status = 'trash', e.series_id IS NOT NULL, e.slug, e.title, e.description, e.excerpt, e.cost, e.seo_title,
		       e.seo_description, e.overrides, e.translations
		FROM events e
		WHERE e.site_id = $1
		  AND e.id > $2
		ORDER BY e.id
		LIMIT $3`, readExchangedEvent, `
		UPDATE events
		SET version = $3,
		    translations = $4,
		    search = $5,
		    title = $6,
		    slug = $7,
		    description = $8,
		    excerpt = $9,
		    cost = $10,
		    seo_title = $11,
		    seo_description = $12,
		    overrides = $13,
		    languages = $14
		WHERE site_id = $1
		  AND id = $2`, func(e *exchanged) []any {
		return []any{e.searched(e.own, e.texts), e.own.Title, e.own.Slug, e.own.Description, e.own.Excerpt,
			append([]string{}, e.own.Cost...), e.own.SEOTitle, e.own.SEODesc, append([]string{}, e.changed...), e.texts.Column()}
	}},
	{places.Venues.SQL(somePlaces), func(f *pg.Fields) *exchanged {
		id, _ := f.Int64(), f.Text()
		v := places.Venues.Read(f)
		return &exchanged{id: id, kind: "venue", title: "venue", gone: v.Trashed(), own: v.Text(), texts: v.Texts, slug: v.Slug,
			searched: func(own translations.Text, texts translations.Texts) string {
				v.Name, v.Description, v.Excerpt = own.Title, own.Description, own.Excerpt
				v.Address, v.City, v.Country = own.Address, own.City, own.Country
				v.Texts = texts
				return places.Venues.Searched(v)
			}}
	}, `
		UPDATE venues
		SET version = $3,
		    translations = $4,
		    search = $5,
		    name = $6,
		    name_key = $7,
		    slug = $8,
		    description = $9,
		    excerpt = $10,
		    address = $11,
		    city = $12,
		    country = $13
		WHERE site_id = $1
		  AND id = $2`, func(e *exchanged) []any {
		return []any{e.searched(e.own, e.texts), e.own.Title, strings.ToLower(e.own.Title), e.own.Slug, e.own.Description, e.own.Excerpt,
			e.own.Address, e.own.City, e.own.Country}
	}},
	{places.Organizers.SQL(somePlaces), func(f *pg.Fields) *exchanged {
		id, _ := f.Int64(), f.Text()
		o := places.Organizers.Read(f)
		return &exchanged{id: id, kind: "organizer", title: "organizer", gone: o.Trashed(), own: o.Text(), texts: o.Texts, slug: o.Slug,
			searched: func(own translations.Text, texts translations.Texts) string {
				o.Name, o.Description, o.Excerpt, o.Texts = own.Title, own.Description, own.Excerpt, texts
				return places.Organizers.Searched(o)
			}}
	}, `
		UPDATE organizers
		SET version = $3,
		    translations = $4,
		    search = $5,
		    name = $6,
		    name_key = $7,
		    slug = $8,
		    description = $9,
		    excerpt = $10
		WHERE site_id = $1
		  AND id = $2`, func(e *exchanged) []any {
		return []any{e.searched(e.own, e.texts), e.own.Title, strings.ToLower(e.own.Title), e.own.Slug, e.own.Description, e.own.Excerpt}
	}},
	{`
		SELECT t.id, t.taxonomy, t.slug, t.name, t.description, t.translations
		FROM terms t
		WHERE t.site_id = $1
		  AND t.id > $2
		ORDER BY t.id
		LIMIT $3`, func(f *pg.Fields) *exchanged {
		e := &exchanged{id: f.Int64(), kind: f.Text(), title: "name", slug: f.Text()}
		e.own = translations.Text{Title: f.Text(), Description: f.Text(), Slug: e.slug}
		e.texts = content.ReadTexts(f)
		e.searched = func(own translations.Text, texts translations.Texts) string {
			term := calendar.Term{Name: own.Title, Slug: own.Slug}
			term.Texts = texts
			return terms.Searched(&term)
		}
		return e
	}, `
		UPDATE terms
		SET version = $3,
		    translations = $4,
		    search = $5,
		    name = $6,
		    name_key = $7,
		    slug = $8,
		    description = $9
		WHERE site_id = $1
		  AND id = $2`, func(e *exchanged) []any {
		return []any{e.searched(e.own, e.texts), e.own.Title, strings.ToLower(e.own.Title), e.own.Slug, e.own.Description}
	}},
	{`
		SELECT i.id, i.alt, i.translations
		FROM images i
		WHERE i.site_id = $1
		  AND i.id > $2
		ORDER BY i.id
		LIMIT $3`, func(f *pg.Fields) *exchanged {
		e := &exchanged{id: f.Int64(), kind: "image", title: "alt", own: translations.Text{Title: f.Text()}}
		e.texts = content.ReadTexts(f)
		return e
	}, `
		UPDATE images
		SET version = $3,
		    translations = $4,
		    alt = $5
		WHERE site_id = $1
		  AND id = $2`, func(e *exchanged) []any { return []any{e.own.Title} }},
}

func readExchangedEvent(f *pg.Fields) *exchanged {
	e := &exchanged{id: f.Int64(), kind: "event", title: "title", gone: f.Bool(), date: f.Bool(), slug: f.Text()}
	e.own = translations.Text{
		Title:       f.Text(),
		Description: f.Text(),
		Excerpt:     f.Text(),
		Cost:        f.Texts(),
		SEOTitle:    f.Text(),
		SEODesc:     f.Text(),
	}
	e.own.Slug, _, _ = strings.Cut(e.slug, "/") // a date has the slug of its series
	e.changed = f.Texts()
	e.texts = content.ReadTexts(f)
	e.searched = func(own translations.Text, texts translations.Texts) string {
		event := calendar.Event{Title: own.Title, Description: own.Description, Excerpt: own.Excerpt}
		event.Texts = texts
		return events.Searched(&event)
	}
	return e
}

// readdressDates gives the dates of series the present slugs of their series.
const readdressDates = `
	UPDATE events x
	SET slug = s.slug || substr(x.slug, strpos(x.slug, '/'))
	FROM events s
	WHERE x.site_id = $1
	  AND s.site_id = $1
	  AND s.id = x.series_id
	  AND strpos(x.slug, '/') > 0
	  AND split_part(x.slug, '/', 1) <> s.slug`

// items exchanges the texts of some items of a kind.
func (x *exchanging) items(ctx context.Context, kind *exchangedKind, items []*exchanged) error {
	b := &pgx.Batch{}
	var changed, moved []*exchanged // moved: items whose slug changes
	for _, e := range items {
		was, texts := e.own, e.texts
		var swapped map[string]string
		e.own, e.texts, swapped = texts.Exchange(was, x.from, x.to)
		if len(swapped) == 0 && e.texts.Equal(texts) {
			continue
		}
		if e.texts = e.texts.Stamped(x.Version); e.date {
			e.changed = calendar.ExchangedFields(e.changed, texts, swapped, x.to)
			e.own.Slug = e.slug
		} else if e.own.Slug != e.slug {
			moved = append(moved, e)
		}
		if !e.date {
			if swapped["title"] != "" {
				x.done.Exchanged++
			} else if was.Title != "" && e.texts.Lacks() {
				x.done.Kept++
			}
		}
		x.log(e, was, texts)
		changed = append(changed, e)
	}
	if err := x.readdress(ctx, moved); err != nil {
		return err
	}
	for _, e := range changed {
		b.Queue(kind.write, append([]any{x.Site, e.id, x.Version, e.texts.Raw()}, kind.args(e)...)...)
	}
	return x.Send(ctx, b)
}

// log records in the history how an item was before.
func (x *exchanging) log(e *exchanged, was translations.Text, texts translations.Texts) {
	before := pg.Document{"content_language": x.from, "translations": content.TextsDocument(texts, e.title)}
	for _, name := range translations.FieldNames() {
		if was.Get(name) == e.own.Get(name) || e.date && name == "slug" {
			continue
		}
		switch name {
		case "title":
			before[e.title] = was.Title
		case "cost":
			before[name] = append([]string{}, was.Cost...)
		default:
			before[name] = was.Get(name)
		}
	}
	x.Log(e.kind, e.id, "update", before)
}

// readdress gives items the slugs of their translations into the new language. An item's former slug becomes its slug
// in the old language, and redirects to it.
func (x *exchanging) readdress(ctx context.Context, moved []*exchanged) error {
	const others = `
		SELECT DISTINCT l.slug
		FROM translated_slugs l
		WHERE l.site_id = $1
		  AND l.kind = $2
		  AND l.slug = ANY($3)
		  AND NOT l.id = ANY($4)`
	const drop = `
		DELETE FROM translated_slugs
		WHERE site_id = $1
		  AND kind = $2
		  AND language = $3
		  AND id = ANY($4)`
	const give = `
		INSERT INTO translated_slugs (site_id, kind, slug, language, id)
		SELECT $1, $2, m.slug, $3, m.id
		FROM unnest($4::text[], $5::bigint[]) m (slug, id)
		WHERE m.slug <> ''
		ON CONFLICT DO NOTHING`
	const lead = `
		INSERT INTO redirects (site_id, kind, slug, id)
		SELECT $1, $2, m.slug, m.id
		FROM unnest($3::text[], $4::bigint[]) m (slug, id)
		WHERE m.slug <> ''
		ON CONFLICT ON CONSTRAINT redirects_pkey DO UPDATE
		SET id = excluded.id`
	byKind := map[string][]*exchanged{}
	for _, e := range moved {
		if !e.gone {
			byKind[e.kind] = append(byKind[e.kind], e)
		}
	}
	for kind, list := range byKind {
		var ids []int64
		var now, was []string
		for _, e := range list {
			ids, now, was = append(ids, e.id), append(now, e.own.Slug), append(was, e.slug)
		}
		b, taken := &pgx.Batch{}, map[string]bool{}
		b.Queue(drop, x.Site, kind, x.to, ids)
		var slug string
		b.Queue(others, x.Site, kind, now, ids).Query(pg.Each([]any{&slug}, func() error { taken[slug] = true; return nil }))
		if err := x.Send(ctx, b); err != nil {
			return err
		}
		for _, e := range list {
			if taken[e.own.Slug] {
				x.Redirect(kind, e.own.Slug, e.id)
				slug, err := x.FreeSlug(ctx, kind, e.id, e.own.Slug)
				if err != nil {
					return err
				}
				e.own.Slug = slug
			}
		}
		b = &pgx.Batch{}
		b.Queue(give, x.Site, kind, x.from, was, ids)
		b.Queue(lead, x.Site, kind, was, ids)
		if err := x.Send(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// Package places stores venues and organizers, and finds or creates those that events name.
package places

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Kind holds the differences between venues and organizers. The same code and the same statements deal with both.
type Kind[T any] struct {
	Link     linked.Kind   // kind of its records in package linked
	name     string        // in the names of tables and columns: "venue"
	own      pg.Columns[T] // columns that only this kind has
	columns  pg.Columns[T] // all
	words    func(*T) words
	post     func(*T) *calendar.Post
	Document func(*T) pg.Document // returns the fields as the history stores them
	where    string               // columns that say where an item is: town, postcode, street, latitude and longitude
	statements
}

// words points to the name, description and excerpt of a venue or organizer.
type words struct{ name, description, excerpt *string }

// statements are the statements of one kind, see SQL.
type statements struct {
	get, named, inLanguages, marks, part, linked, counts string
	byIDs, namedAny                                      string
	Offered                                              string // IDs and names of the newest items that a viewer may choose from
	list, listIn                                         string // list is for sites with one language, listIn for sites with several
	insert, remove                                       string
	note, unlink, relink, removeMany                     string
	followReports, followApart, leaveApart               string
}

// newKind returns k with its columns and statements.
func newKind[T any](k *Kind[T]) *Kind[T] {
	k.columns = k.allColumns()
	k.statements = statements{
		byIDs: k.ByIDs("$2"), namedAny: k.SQL(placesNamedAny), get: k.SQL(getPlace), named: k.SQL(placesNamed),
		inLanguages: k.SQL(placesCalled), list: k.SQL(listPlaces), Offered: k.SQL(placesOffered),
		listIn: k.SQL(strings.ReplaceAll(listPlaces, "p.search", "texts_in(p.search, @languages)")),
		marks:  k.SQL(placeMarks), part: k.SQL(partPlaces), linked: k.SQL(placesLinked), counts: k.SQL(placeCounts),
		insert: k.columns.Insert(k.name+"s", 1), remove: k.SQL(removePlace),
		note: k.SQL(noteNoPlace), unlink: k.SQL(unlinkPlace), relink: k.SQL(relinkPlaces), removeMany: k.SQL(removePlaces),
		followReports: k.SQL(followReports), followApart: k.SQL(followApart), leaveApart: k.SQL(leaveApart),
	}
	return k
}

// SQL fills in the template of a statement for this kind: `event_{place}s` becomes `event_venues`, `{place}_id`
// becomes `venue_id`, and {record} becomes the value that Decode reads, from a row p with its image i.
func (k *Kind[T]) SQL(text string) string {
	return strings.NewReplacer("{record}", "ROW("+k.columns.Select("p", nil)+")", "{where}", k.where, "{place}", k.name).Replace(text)
}

// Decode reads the fields of a {record}.
func (k *Kind[T]) Decode(f *pg.Fields) (item T) {
	k.columns.Read(f, &item)
	return item
}

// Read reads a {record}.
func (k *Kind[T]) Read(f *pg.Fields) *T {
	item := new(T)
	f.Record(func(f *pg.Fields) { *item = k.Decode(f) })
	return item
}

// store implements calendar.PlaceStore.
type store[T any] struct {
	db   *content.DB
	kind *Kind[T]
}

// Of returns the store of a kind.
func Of[T any](db *content.DB, kind *Kind[T]) calendar.PlaceStore[T] { return store[T]{db, kind} }

const getPlace = `
	SELECT {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = @site AND i.id = p.image_id
	WHERE p.site_id = @site
	  AND p.id = COALESCE(NULLIF(@id::bigint, 0), (
		SELECT l.id
		FROM translated_slugs l
		WHERE l.site_id = @site
		  AND l.kind = '{place}'
		  AND l.slug = @slug
		  AND l.language = ANY(string_to_array(@languages, ','))
		ORDER BY array_position(string_to_array(@languages, ','), l.language)
		LIMIT 1), (
		SELECT same.id
		FROM {place}s same
		WHERE same.site_id = @site
		  AND same.slug = @slug))`

func (k *Kind[T]) queue(b *pgx.Batch, site int64, key calendar.Key, into **T) {
	b.Queue(k.get, pgx.NamedArgs{"site": site, "id": key.ID, "slug": key.Slug, "languages": key.In}).Query(content.ReadOne(into, k.Read))
}

// within returns one item as the transaction sees it.
func (k *Kind[T]) within(ctx context.Context, t *content.Tx, key calendar.Key) (*T, error) {
	var item *T
	b := &pgx.Batch{}
	k.queue(b, t.Site, content.InLanguages(ctx, key), &item)
	return item, t.Send(ctx, b)
}

// Get implements calendar.PlaceStore.
func (s store[T]) Get(ctx context.Context, key calendar.Key) (*T, error) {
	return content.GetOrFormer(ctx, s.db, s.kind.name, content.InLanguages(ctx, key), func(key calendar.Key) (item *T, err error) {
		err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) { s.kind.queue(b, site, key, &item) })
		return item, err
	})
}

// Create implements calendar.PlaceStore.
func (s store[T]) Create(ctx context.Context, link calendar.Link[T]) (*T, error) {
	var item *T
	var made bool
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		item, made, err = s.kind.resolve(ctx, t, link)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case made:
		*link.New = *item
		return link.New, nil
	}
	return item, nil
}

const placesNamed = `
	SELECT {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = $1 AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND md5(p.name_key) = md5($2)
	  AND p.name_key = $2
	ORDER BY p.id`

// placesCalled reads the items with translations of which one may contain a name.
const placesCalled = `
	SELECT {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = $1 AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND p.translations IS NOT NULL
	  AND p.search LIKE $2
	ORDER BY p.id
	LIMIT 50`

// called returns the item that has the name of a link in another language and that link.Same accepts. It returns
// nil if there is none, and a problem if there are several. It reads all translated items of the site, and is
// called only before a new item would be created.
func (k *Kind[T]) called(ctx context.Context, t *content.Tx, link calendar.Link[T]) (*T, error) {
	other := content.Other[T]{Field: k.name, SQL: k.inLanguages, Read: k.Read, Fits: link.Same,
		Names: func(one *T) calendar.Naming { return calendar.NamesOf(*k.words(one).name, &k.post(one).Translated) }}
	return other.Called(ctx, t, *k.words(link.New).name, t.Site)
}

// resolve returns the first item with the link's name that link.Same accepts, otherwise the item with this name in
// another language, and otherwise creates an item from link.New. made reports whether it created one. link.New
// stays unchanged because the transaction may still fail.
func (k *Kind[T]) resolve(ctx context.Context, t *content.Tx, link calendar.Link[T]) (item *T, made bool, err error) {
	if link.Same != nil {
		rows, err := t.Query(ctx, k.named, t.Site, strings.ToLower(*k.words(link.New).name))
		if err != nil {
			return nil, false, err
		}
		var existing []*T
		if err := content.ReadAll(&existing, k.Read)(rows); err != nil {
			return nil, false, err
		}
		for _, one := range existing {
			if link.Same(one) {
				return one, false, nil
			}
		}
		if item, err = k.called(ctx, t, link); item != nil || err != nil {
			return item, false, err
		}
	}
	item, row, err := k.enter(ctx, t, link)
	if err == nil {
		_, err = t.Exec(ctx, k.insert, row...)
	}
	return item, true, err
}

// Update implements calendar.PlaceStore.
func (s store[T]) Update(ctx context.Context, key calendar.Key, change func(*T) error) (*T, error) {
	var item *T
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if item, err = s.kind.within(ctx, t, key); err != nil {
			return err
		}
		was := *item
		if err := change(item); err != nil {
			return err
		}
		return s.kind.alter(ctx, t, &was, item)
	})
	if err != nil {
		return nil, err
	}
	return item, nil
}

const (
	unlinkPlace = `
		UPDATE events
		SET {place}_ids = array_remove({place}_ids, $2)
		WHERE site_id = $1
		  AND id IN (SELECT x.event_id FROM event_{place}s x WHERE x.site_id = $1 AND x.{place}_id = $2)`
	removePlace = `
		DELETE FROM {place}s
		WHERE site_id = $1
		  AND id = $2`
)

// Delete implements calendar.PlaceStore.
func (s store[T]) Delete(ctx context.Context, key calendar.Key, check func(*T) error) (*T, error) {
	var item *T
	k := s.kind
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if item, err = k.within(ctx, t, key); err != nil {
			return err
		}
		if err := check(item); err != nil {
			return err
		}
		id := k.post(item).ID
		t.LogUnlinked(k.note, id, k.name)
		t.Queue(k.unlink, t.Site, id)
		t.Queue(k.remove, t.Site, id)
		t.ForgetSlugs(k.name, id)
		t.Unschedule(k.name, id)
		t.Log(k.name, id, "delete", k.Document(item))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return item, nil
}

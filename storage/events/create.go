package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/tenancy"
)

// Create implements calendar.EventStore.
//
// A creation that needs look-ups waits for its turn among those of CreateAtOnce. If it overtook them, it would
// raise the version of the links, and the remembered records would be outdated. The waiting creations would then
// need look-ups as well, and so would all later ones.
func (s Store) Create(ctx context.Context, e *calendar.Event, of calendar.EventLinks) error {
	id, err := pg.Site(ctx)
	if err != nil {
		return err
	}
	if made, err := s.CreateAtOnce(ctx, id, e, of); made || err != nil {
		return err
	}
	return s.Creations.Alone(ctx, id, func() error { return s.createAsking(ctx, e, of) })
}

// createAsking creates an event after looking up all items that it links to.
func (s Store) createAsking(ctx context.Context, e *calendar.Event, of calendar.EventLinks) error {
	var made calendar.Event
	var links *links
	var counts map[int64]int
	look := func(t *content.Tx, b *pgx.Batch) {
		made = unlinked(e)
		links = queueLinks(t, b, &made, of)
		if made.Slug != "" {
			t.QueueSlug(b, "event", made.ID, made.Slug, &made.Slug)
		}
	}
	err := s.db.WriteAfter(ctx, look, func(ctx context.Context, t *content.Tx) error {
		made.ID = t.PostID(made.ID)
		if made.Slug == "" {
			b := &pgx.Batch{}
			if queueEventSlug(t, b, &calendar.Event{}, &made); b.Len() > 0 {
				if err := t.Send(ctx, b); err != nil {
					return err
				}
			}
		}
		counts = t.Counts
		return resolveAndStore(ctx, t, &calendar.Event{}, &made, links)
	})
	if err == nil {
		setCounts(&made, counts)
		*e = made
	}
	return err
}

// unlinked returns a copy of an event without its links, so that a rollback leaves the caller's event unchanged.
func unlinked(e *calendar.Event) calendar.Event {
	made := *e
	made.Venues, made.Organizers, made.Categories, made.Tags = nil, nil, nil, nil
	return made
}

// creation is a new event that may be created without look-ups.
type creation struct {
	ctx  context.Context
	e    *calendar.Event
	of   calendar.EventLinks
	made calendar.Event // e as it is stored
	done bool           // false: createAsking must create it
}

// CreateAtOnce creates an event in one round trip if all its links are remembered, and reports whether it did. It
// leaves events to Create if they need look-ups or Postgres refuses them.
//
// Each creation needs the row of the site and the counts that the one before has left. So the creations of a site
// follow one another, and those that wait share the next transaction (ADR 27).
func (s Store) CreateAtOnce(ctx context.Context, site int64, e *calendar.Event, of calendar.EventLinks) (bool, error) {
	if !direct(e) || tenancy.ByProvider(ctx) || content.Accompanied(ctx) || !s.linksRemembered(ctx, site, of) {
		return false, nil
	}
	one := &creation{ctx: ctx, e: e, of: of}
	err := s.Creations.Share(ctx, site, one, func() error {
		err := s.createAll(ctx, site, []*pg.Member[*creation]{{Of: one}})
		if pg.Refused(err) {
			return nil // Create says it
		}
		return err
	}, func(all []*pg.Member[*creation]) error { return s.createAll(ctx, site, all) })
	return one.done, s.db.Failure(err)
}

// linksRemembered reports whether all links of a new event are remembered. If they are named by id, it first reads the missing ones.
// For that it takes a turn among the site's creations, because each of those raises the version of the remembered links.
func (s Store) linksRemembered(ctx context.Context, site int64, of calendar.EventLinks) bool {
	if linksOf(s.db.Links.Of(site), of) != nil {
		return true
	}
	ids := idsLinked(of)
	if ids == nil {
		return false
	}
	err := s.Creations.Alone(ctx, site, func() error {
		if linksOf(s.db.Links.Of(site), of) != nil {
			return nil // another request has read them in the meantime
		}
		return s.db.Read(ctx, func(site int64, b *pgx.Batch) {
			b.Queue(linkedByIDs, site, ids[linked.Venue], ids[linked.Organizer], ids[linked.Term]).Query(func(rows pgx.Rows) error {
				for rows.Next() {
					f, n := pg.RowFields(rows), NewLinked(nil)
					version := f.Int64()
					if n.Learn(f); f.Err() != nil {
						return f.Err()
					}
					s.db.Links.Add(site, version, n.Fresh)
				}
				return rows.Err()
			})
		})
	})
	return err == nil && linksOf(s.db.Links.Of(site), of) != nil
}

// linkedByIDs reads venues, organizers and terms by id, with the version of the site's links.
var linkedByIDs = func() string {
	venues, organizers, terms := LinkedColumns("$2::bigint[]", "$3::bigint[]", "$4::bigint[]")
	return `SELECT ` + linksVersion + `,` + venues + `,` + organizers + `,` + terms
}()

// idsLinked returns the ids of an event's links by kind. It returns nil if a link is not named by its id.
func idsLinked(of calendar.EventLinks) map[linked.Kind][]int64 {
	ids := map[linked.Kind][]int64{linked.Venue: {}, linked.Organizer: {}, linked.Term: {}}
	named := false
	note := func(kind linked.Kind, id int64) {
		named = named || id == 0
		ids[kind] = append(ids[kind], id)
	}
	if of.Venues != nil {
		for _, link := range *of.Venues {
			note(linked.Venue, link.ID)
		}
	}
	if of.Organizers != nil {
		for _, link := range *of.Organizers {
			note(linked.Organizer, link.ID)
		}
	}
	for _, terms := range []*calendar.TermLinks{of.Categories, of.Tags} {
		if terms != nil {
			for _, ref := range terms.Refs {
				note(linked.Term, ref.ID)
			}
		}
	}
	if named {
		return nil
	}
	return ids
}

// make runs a statement that creates the events in asked. If it returns an error, it has created none.
func (s Store) make(ctx context.Context, site, links int64, sql string, arguments []any, asked map[string]*creation) error {
	var last int64            // version of an event
	counts := map[int64]int{} // of terms
	err := s.db.AtOnce(ctx, func(_ int64, b *pgx.Batch) {
		var slug string
		var id, version int64
		var ids []int64
		var sums []int
		b.Queue(sql, arguments...).Query(pg.Each([]any{&slug, &id, &version, &ids, &sums}, func() error {
			one := asked[slug]
			one.made.ID, one.made.Version, one.done = id, version, true
			last = max(last, version)
			for i, id := range ids {
				counts[id] = sums[i]
			}
			return nil
		}))
	})
	if err != nil || last == 0 {
		return err
	}
	for _, one := range asked {
		if one.done {
			tenancy.NoteWrite(one.ctx, one.made.Version)
			setCounts(&one.made, counts)
			*one.e = one.made
		}
	}
	s.db.OnVersion(site, last, true)
	if len(counts) > 0 {
		s.db.Links.Recount(site, links, last, counts)
	}
	return nil
}

// prepare sets c.made to the event as it will be stored, except for id and version. It reports whether all links are
// remembered.
func (c *creation) prepare(t *content.Tx, remembered *linked.Site) bool {
	c.made = unlinked(c.e)
	links := linksOf(remembered, c.of)
	if links == nil || links.resolve(c.ctx, t, &c.made) != nil {
		return false
	}
	stamp(t, &calendar.Event{}, &c.made)
	return true
}

// direct reports whether an event can be written without reading or creating anything else first.
func direct(e *calendar.Event) bool {
	return e.ID == 0 && e.Slug != "" && !e.Recurring() && e.Status != calendar.Future && hasPicture(e) && e.Texts.Raw() == nil
}

// linksOf returns the links named by of, or nil unless all of them are remembered.
func linksOf(s *linked.Site, of calendar.EventLinks) *links {
	if s == nil {
		return nil
	}
	open := s.Open()
	l := &links{of: of, venues: map[int64]calendar.Venue{}, organizers: map[int64]calendar.Organizer{}}
	known := recallPlaces(open, places.Venues, of.Venues, l.venues) &&
		recallPlaces(open, places.Organizers, of.Organizers, l.organizers) &&
		recallTerms(open, calendar.Categories, of.Categories, &l.categories) &&
		recallTerms(open, calendar.Tags, of.Tags, &l.tags)
	if !known {
		return nil
	}
	return l
}

// recallPlaces adds the venues or organizers that links names by ID to into, and reports
// whether all of them are remembered.
func recallPlaces[T any](o *linked.Records, k *places.Kind[T], links *[]calendar.Link[T], into map[int64]T) bool {
	return links == nil || recall(o, k.Link, *links, func(l calendar.Link[T]) int64 { return l.ID },
		func(f *pg.Fields, id int64, _ int) { into[id] = k.Decode(f) })
}

// recallTerms adds the terms that links names by id to into, and reports whether all
// of them are remembered.
func recallTerms(o *linked.Records, taxonomy calendar.Taxonomy, links *calendar.TermLinks, into *[]calendar.Term) bool {
	if links == nil {
		return true
	}
	whole := true
	known := recall(o, linked.Term, links.Refs, func(r args.Ref) int64 { return r.ID }, func(f *pg.Fields, _ int64, events int) {
		term := terms.Read(f)
		term.Count = events
		whole = whole && term.Taxonomy == taxonomy
		*into = append(*into, term)
	})
	return known && whole
}

// recall reads the record of each entry, and reports whether all of them are remembered. It finds only entries that are named
// by id.
func recall[T any](o *linked.Records, kind linked.Kind, list []T, id func(T) int64,
	read func(f *pg.Fields, id int64, events int),
) bool {
	for _, entry := range list {
		record, events := o.Get(kind, id(entry))
		if record == nil {
			return false
		}
		f := &pg.Fields{}
		if f.Inside(record, func(f *pg.Fields) { read(f, id(entry), events) }); f.Err() != nil {
			return false
		}
	}
	return true
}

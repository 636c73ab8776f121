package storage

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Create implements calendar.EventStore.
func (s events) Create(ctx context.Context, e *calendar.Event, of calendar.EventLinks) error {
	if made, err := s.createAtOnce(ctx, e, of); made || err != nil {
		return err
	}
	var made calendar.Event
	var links *links
	look := func(t *tx, b *pgx.Batch) {
		made = unlinked(e)
		links = t.queueLinks(b, &made, of)
		if made.Slug != "" {
			t.queueSlug(b, "event", made.ID, made.Slug, &made.Slug)
		}
	}
	err := s.db.writeAfter(ctx, look, func(ctx context.Context, t *tx) error {
		made.ID = t.postID(made.ID)
		if made.Slug == "" {
			b := &pgx.Batch{}
			if t.queueEventSlug(b, &calendar.Event{}, &made); b.Len() > 0 {
				if err := t.send(ctx, b); err != nil {
					return err
				}
			}
		}
		return t.settleEvent(ctx, &calendar.Event{}, &made, links)
	})
	if err == nil {
		*e = made
	}
	return err
}

// unlinked returns a copy of an event without what it is linked to: what is
// rolled back leaves the caller's as it was.
func unlinked(e *calendar.Event) calendar.Event {
	made := *e
	made.Venues, made.Organizers, made.Categories, made.Tags = nil, nil, nil, nil
	return made
}

// createEvent is a whole transaction: it writes nothing unless the site takes
// writes and has room for an event, its links are those remembered, at version
// $3, and the slug is free.
// The site's row is locked before anything is written, as by every write.
const createEvent = `
	WITH site AS (
		UPDATE sites s
		SET version = version + 1,
		    last_post_id = last_post_id + 1,
		    links_version = CASE WHEN $35 AND $33::bigint[] <> '{}' THEN version + 1 ELSE links_version END,
		    used_events = used_events + 1
		WHERE id = $1
		  AND state = 'active'
		  AND links_version = $3
		  AND COALESCE(used_events < (SELECT ` + mostEvents + ` FROM plans p WHERE p.name = s.plan), true)
		  AND NOT EXISTS (
		      SELECT
		      FROM events e
		      WHERE e.site_id = $1
		        AND e.slug = $6
		        AND e.slug <> '')
		RETURNING version,
		          last_post_id AS id
	), ` + eventInserts + `, logged AS (
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address)
		SELECT $1, site.version, 'event', site.id, 'create', $2::bigint, $36, $37, $38, $39, $40
		FROM site
	)
	SELECT site.id,
	       site.version,
	       ARRAY(SELECT id FROM counted),
	       ARRAY(SELECT count FROM counted)
	FROM site`

// createAtOnce makes an event that links nothing but what is remembered, in one
// round trip, and reports whether it did. It leaves to Create what needs to ask
// first, and what Postgres refuses.
func (s events) createAtOnce(ctx context.Context, e *calendar.Event, of calendar.EventLinks) (bool, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return false, err
	}
	remembered := s.db.links.of(scope.Site.ID)
	if remembered == nil || !direct(e) || tenancy.ByProvider(ctx) || tenancy.FormOf(ctx) != nil {
		return false, nil
	}
	// Those who wait here would wait for the row of the site anyway, and then
	// find that what they remember is of the version before.
	remembered.creating.Lock()
	defer remembered.creating.Unlock()
	remembered = s.db.links.of(scope.Site.ID)
	links := remembered.links(of)
	if links == nil {
		return false, nil
	}
	t := &tx{site: scope.Site.ID, source: tenancy.SourceOf(ctx), now: s.db.now(), links: remembered.version, seen: newFreshLinks()}
	made := unlinked(e)
	if err = links.settle(ctx, t, &made); err != nil {
		return false, nil // Create says it
	}
	t.stamp(&calendar.Event{}, &made)
	done, err := s.insertAtOnce(ctx, t, &made)
	if done {
		s.db.onVersion(t.site, t.version, true)
		s.db.remember(t)
		*e = made
	}
	return done, err
}

// direct reports whether nothing about the event itself has to be asked or made
// before it is written.
func direct(e *calendar.Event) bool {
	return e.ID == 0 && e.Slug != "" && e.Status != calendar.Future && (e.Image == nil || e.Image.ID != 0 && e.Image.Key != "")
}

// insertAtOnce writes the event and reports whether it is there.
func (s events) insertAtOnce(ctx context.Context, t *tx, e *calendar.Event) (done bool, err error) {
	row, err := eventRow(t.site, e)
	if err != nil {
		return false, err
	}
	row[1], row[2] = t.source.UserID, t.links // the statement itself finds id and version
	from := &t.source
	row = append(row, listed(e), published(e), t.now, from.Who, string(from.Via), from.Name, from.Address)
	err = s.db.trips.read(ctx, t.site, func(_ int64, b *pgx.Batch) {
		b.Queue(createEvent, row...).Query(func(rows pgx.Rows) error {
			var ids []int64
			var counts []int
			for rows.Next() {
				if err := rows.Scan(&e.ID, &e.Version, &ids, &counts); err != nil {
					return err
				}
				done = true
			}
			t.take(e, ids, counts)
			return rows.Err()
		})
	})
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return false, nil // Create says it
	}
	return done && err == nil, failure(err)
}

// take notes the version and the counts of a new event's terms.
func (t *tx) take(e *calendar.Event, terms []int64, counts []int) {
	t.version, t.counted = e.Version, len(terms) > 0
	t.counts = make(map[int64]int, len(terms))
	for i, id := range terms {
		t.counts[id] = counts[i]
	}
	for _, list := range [][]calendar.Term{e.Categories, e.Tags} {
		for i := range list {
			if n, counted := t.counts[list[i].ID]; counted {
				list[i].Count = n
			}
		}
	}
}

// links returns what of names, nil unless all of it is remembered.
func (s *siteLinks) links(of calendar.EventLinks) *links {
	if s == nil {
		return nil
	}
	open := s.open()
	l := &links{of: of, venues: map[int64]calendar.Venue{}, organizers: map[int64]calendar.Organizer{}}
	known := (of.Venues == nil || recall(open, linkVenue, *of.Venues, func(v calendar.Link[calendar.Venue]) int64 { return v.ID },
		func(f *fields, _ int) { v := readVenue(f); l.venues[v.ID] = v })) &&
		(of.Organizers == nil || recall(open, linkOrganizer, *of.Organizers, func(o calendar.Link[calendar.Organizer]) int64 { return o.ID },
			func(f *fields, _ int) { o := readOrganizer(f); l.organizers[o.ID] = o })) &&
		open.terms(calendar.Categories, of.Categories, &l.categories) &&
		open.terms(calendar.Tags, of.Tags, &l.tags)
	if !known {
		return nil
	}
	return l
}

// terms adds the terms that links names by id to into, and reports whether all
// of them are remembered.
func (o *openLinks) terms(taxonomy calendar.Taxonomy, links *calendar.TermLinks, into *[]calendar.Term) bool {
	if links == nil {
		return true
	}
	whole := true
	known := recall(o, linkTerm, links.Refs, func(r args.Ref) int64 { return r.ID }, func(f *fields, events int) {
		term := readTerm(f)
		term.Count = events
		whole = whole && term.Taxonomy == taxonomy
		*into = append(*into, term)
	})
	return known && whole
}

// recall reads the record of each entry, and reports whether all of them are
// remembered. What is named otherwise than by id is not.
func recall[T any](o *openLinks, kind linkKind, list []T, id func(T) int64, read func(f *fields, events int)) bool {
	for _, entry := range list {
		record, events := o.get(kind, id(entry))
		if record == nil {
			return false
		}
		f := &fields{}
		if f.inside(record, func(f *fields) { read(f, events) }); f.err != nil {
			return false
		}
	}
	return true
}

package events

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// eventMemory keeps single events in memory as they are in the database; this node has just written most of them.
// An event is changed in one statement only if its row is still the same, so remembered events can be outdated but
// never wrong (ADR 54).
type eventMemory struct {
	events bounded.Cache[eventKey, *rememberedEvent]
}

type eventKey struct{ site, id int64 }

// rememberedEvent is one row of an event. It never changes.
type rememberedEvent struct {
	event                     calendar.Event // without its links
	venues, organizers, terms []int64
	row                       uint32 // transaction that wrote the row
	links                     int64  // version of the site's links when the picture was read
}

// memoryBytes limits the memory for single events of all sites.
const memoryBytes = 8 << 20

func newEventMemory() *eventMemory {
	return &eventMemory{bounded.New(bounded.Options[eventKey, *rememberedEvent]{
		Bytes: memoryBytes,
		Weigh: func(_ eventKey, r *rememberedEvent) uint32 { return r.weight() },
	})}
}

// weight returns roughly how many bytes the event takes in memory.
func (r *rememberedEvent) weight() uint32 {
	const others = 1200 // the struct itself, ids and short texts
	e := &r.event
	return uint32(others + len(e.Title) + len(e.Description) + len(e.Excerpt) + len(e.Website) + len(e.SEO.Title) + len(e.SEO.Description) +
		len(e.Texts.Raw()))
}

func (m *eventMemory) of(site, id int64) *rememberedEvent {
	r, _ := m.events.Get(eventKey{site, id})
	return r
}

func (m *eventMemory) forget(site, id int64) { m.events.Forget(eventKey{site, id}) }

// keep remembers an event together with its row's transaction.
func (m *eventMemory) keep(site int64, e *calendar.Event, row uint32, links int64) *rememberedEvent {
	r := &rememberedEvent{event: apart(e), venues: venueIDs(e), organizers: organizerIDs(e), terms: termIDs(e), row: row, links: links}
	m.events.Set(eventKey{site, e.ID}, r)
	return r
}

// apart returns a copy of an event without its links. Callers may change the copy.
func apart(e *calendar.Event) calendar.Event {
	own := unlinked(e)
	own.Cost, own.Tickets = slices.Clone(e.Cost), slices.Clone(e.Tickets)
	if e.Image != nil {
		image := *e.Image
		own.Image = &image
	}
	return own
}

// linked returns the event with its links, or nil unless all of them are remembered at the version of the site's links.
func (r *rememberedEvent) linked(remembered *linked.Site) *calendar.Event {
	if r.event.Image != nil && r.links != remembered.Version {
		return nil
	}
	e := apart(&r.event)
	n := NewLinked(remembered)
	f := &pg.Fields{}
	n.link(f, &e, r.venues, r.organizers, r.terms)
	if n.missing || f.Err() != nil {
		return nil
	}
	return &e
}

// oneEvent reads an event that happens once and belongs to no series.
var oneEvent = `SELECT e.xmin,` + linksVersion + `,` + Columns(allTexts) + `
	FROM events e
	WHERE e.site_id = $1
	  AND e.id = $2
	  AND e.rules IS NULL
	  AND e.series_id IS NULL`

// recall returns an event from memory, or reads it. It returns nil if a link is not remembered, or if the event
// cannot be changed in one statement.
func (s Store) recall(ctx context.Context, site, id int64, remembered *linked.Site) (*rememberedEvent, *calendar.Event, error) {
	if r := s.memory.of(site, id); r != nil {
		if e := r.linked(remembered); e != nil {
			return r, e, nil
		}
	}
	var r *rememberedEvent
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(oneEvent, site, id).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				f := pg.RowFields(rows)
				row := uint32(f.Int64())
				version := f.Int64()
				n := NewLinked(remembered)
				e := Read(f, n)
				if f.Err() != nil {
					return f.Err()
				}
				if n.Whole(version) {
					r = s.memory.keep(site, e, row, version)
				}
			}
			return rows.Err()
		})
	})
	if r == nil || err != nil {
		return nil, nil, err
	}
	return r, r.linked(remembered), nil
}

// changeAtOnce returns the statement that changes an event. It writes nothing unless the site accepts writes, its
// links still have version $3, and the event's row is the remembered one. If another transaction changes the event
// at the same moment, the site's version rises without a change. As in every write, the site's row is locked first.
// set assigns the changed columns other than the version; its parameters start at atOnceParameters.
func changeAtOnce(set string) string {
	if set != "" {
		set = ", " + set
	}
	return `
	WITH site AS (
		UPDATE sites
		SET version = version + 1,
		    changed_at = GREATEST(changed_at, statement_timestamp())
		WHERE id = $1
		  AND state = 'active'
		  AND links_version = $3
		  AND EXISTS (
		      SELECT
		      FROM events e
		      WHERE e.site_id = $1
		        AND e.id = $2
		        AND e.xmin = $4
		        AND e.version = $5)
		RETURNING version, texts_indexed
	), changed AS (
		UPDATE events
		SET version = site.version,
		    texts_indexed = site.texts_indexed` + set + `
		FROM site
		WHERE site_id = $1
		  AND events.id = $2
		  AND xmin = $4
		RETURNING events.xmin
	), logged AS (
		INSERT INTO changes (site_id, version, kind, id, action, before, user_id, at, who, via, via_name, address)
		SELECT $1, site.version, 'event', $2, 'update', $6::jsonb, $7::bigint, $8, $9, $10, $11, $12
		FROM site, changed
	)
	SELECT site.version,
	       changed.xmin
	FROM site, changed`
}

const atOnceParameters = 13

// UpdateAtOnce changes an event that is remembered, or was just read, in one statement, without locking the site
// first. It reports whether it did. It leaves changes beyond the event's own row, and refused changes, to Update.
func (s Store) UpdateAtOnce(ctx context.Context, site, id int64, change func(*calendar.Event) (calendar.EventLinks, error),
) (*calendar.Event, bool, error) {
	remembered := s.db.Links.Of(site)
	if remembered == nil {
		return nil, false, nil
	}
	r, e, err := s.recall(ctx, site, id, remembered)
	if e == nil || err != nil {
		return nil, false, nil //nolint:nilerr // Update meets it, too
	}
	was := *e
	of, err := change(e)
	if err != nil {
		s.memory.forget(site, id) // it may have changed; Update will find out
		return nil, false, nil    //nolint:nilerr // Update meets it, too
	}
	e.ID = was.ID
	t := s.db.Alone(site)
	links := linksOf(remembered, of)
	if links == nil || !hasPicture(e) || links.resolve(ctx, t, e) != nil || !rowAlone(&was, e) {
		return nil, false, nil //nolint:nilerr // the same
	}
	stamp(t, &was, e)
	if calendar.Rescheduled(&was, e) {
		e.Sequence++
	}
	from := tenancy.SourceOf(ctx)
	set, values := columns[2:].Set(&row{Event: &was}, &row{Event: e}, atOnceParameters)
	parameters := append([]any{site, id, remembered.Version, r.row, was.Version, Document(&was).Unlike(Document(e)).Text(),
		from.UserID, t.Now, from.Who, string(from.Via), from.Name, from.Address}, values...)
	var written uint32
	e.Version = 0
	err = s.db.AtOnce(ctx, func(_ int64, b *pgx.Batch) {
		b.Queue(changeAtOnce(set), parameters...).Query(pg.Each([]any{&e.Version, &written}, func() error { return nil }))
	})
	if err != nil || e.Version == 0 {
		s.memory.forget(site, id)
		if pg.Refused(err) {
			err = nil // Update says it
		}
		return nil, false, s.db.Failure(err)
	}
	tenancy.NoteWrite(ctx, e.Version)
	s.db.OnVersion(site, e.Version, true)
	s.memory.keep(site, e, written, remembered.Version)
	return e, true, nil
}

// hasPicture reports whether the event's picture needs no look-up and no new record.
func hasPicture(e *calendar.Event) bool {
	return e.Image == nil || e.Image.ID != 0 && e.Image.Key != ""
}

// rowAlone reports whether a change affects only the event's own row. Its times, slug, status, links and counts must stay the
// same.
func rowAlone(was, e *calendar.Event) bool {
	return e.Status == was.Status && e.Protected() == was.Protected() && e.Status != calendar.Future &&
		e.Slug == was.Slug && e.Slug != "" && !e.Recurring() && keptOf(was, e) == (keptValues{}) && happensAlike(was, e) &&
		slices.Equal(venueIDs(was), venueIDs(e)) &&
		slices.Equal(organizerIDs(was), organizerIDs(e)) && slices.Equal(termIDs(was), termIDs(e)) && was.Texts.Equal(e.Texts)
}

package imports

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// Counterparts implements imports.Store.
func (s store) Counterparts(ctx context.Context, source []byte) (list []*imports.Counterpart, err error) {
	const counterparts = `
		SELECT b.kind,
		       b.was,
		       b.id,
		       b.said,
		       b.version,
		       COALESCE(v.id, g.id, c.id) IS NULL
		FROM import_brought b
		LEFT JOIN venues v ON b.kind = 'venue' AND v.site_id = $1 AND v.id = b.id AND v.status <> 'trash'
		LEFT JOIN organizers g ON b.kind = 'organizer' AND g.site_id = $1 AND g.id = b.id AND g.status <> 'trash'
		LEFT JOIN terms c ON b.kind IN ('category', 'tag') AND c.site_id = $1 AND c.id = b.id
		WHERE b.site_id = $1
		  AND b.source = $2`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(counterparts, site, source).Query(pg.All(&list, func(row pgx.CollectableRow) (*imports.Counterpart, error) {
			i := &imports.Counterpart{}
			var said []byte
			if err := row.Scan(&i.Kind, &i.OldID, &i.ID, &said, &i.Version, &i.Gone); err != nil {
				return nil, err
			}
			return i, pg.DecodeJSON(said, &i.Values)
		}))
	})
	return list, err
}

// KeptOf implements imports.Store.
func (s store) KeptOf(ctx context.Context, kind string, id, after int64) (list []string, err error) {
	const since = `
		SELECT DISTINCT k.name
		FROM changes c
		CROSS JOIN LATERAL jsonb_object_keys(c.before) k (name)
		WHERE c.site_id = $1
		  AND c.kind = $2
		  AND c.id = $3
		  AND c.version > GREATEST($4, (SELECT r.replaced_version FROM sites r WHERE r.id = $1))
		  AND c.action <> 'create'
		  AND c.via NOT IN ('import', 'schedule')
		ORDER BY k.name`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(since, site, kind, id, after).Query(pg.All(&list, pgx.RowTo[string]))
	})
	return list, err
}

// storeLinked creates the venues, organizers, categories and tags of a copied site, and stores which items of this site
// correspond to those of the copied site.
func storeLinked(ctx context.Context, t *content.Tx, b *imports.Batch) error {
	if len(b.NewCounterparts) == 0 {
		return nil
	}
	t.Slugs = content.NewSlugs()
	posts, named := map[int64]bool{}, map[int64]bool{}
	venues, organizers := places.NewImport(places.Venues), places.NewImport(places.Organizers)
	lookups := &pgx.Batch{}
	for _, one := range b.NewCounterparts {
		switch {
		case one.Venue != nil:
			posts[one.Wanted] = false
			venues.Expect(t, &[]calendar.Link[calendar.Venue]{*one.Venue})
		case one.Organizer != nil:
			posts[one.Wanted] = false
			organizers.Expect(t, &[]calendar.Link[calendar.Organizer]{*one.Organizer})
		case one.Term != nil:
			named[one.Wanted] = false
		}
	}
	t.LookUpTaken(lookups, content.TakenPosts, posts)
	t.LookUpTaken(lookups, content.TakenTerms, named)
	venues.Queue(t, lookups)
	organizers.Queue(t, lookups)
	t.Slugs.Queue(lookups, t.Site)
	if err := t.Send(ctx, lookups); err != nil {
		return err
	}
	wanted := func(one *imports.NewCounterpart, taken map[int64]bool) int64 {
		if one.Wanted == 0 || taken[one.Wanted] {
			return 0
		}
		return one.Wanted
	}
	for _, one := range b.NewCounterparts {
		if err := createLinked(ctx, t, one, wanted(one, posts), wanted(one, named), venues, organizers); err != nil {
			return err
		}
		now := one.Counterpart
		b.Counterparts = append(b.Counterparts, &now)
	}
	return nil
}

// createLinked creates one item, with the given id unless that is 0. Its URLs on the other site redirect to it.
func createLinked(ctx context.Context, t *content.Tx, one *imports.NewCounterpart, post, term int64,
	venues *places.Import[calendar.Venue], organizers *places.Import[calendar.Organizer]) error {
	slug, had := "", ""
	var err error
	switch {
	case one.Venue != nil:
		one.ID, slug, had, err = venues.Copy(ctx, t, *one.Venue, post)
	case one.Organizer != nil:
		one.ID, slug, had, err = organizers.Copy(ctx, t, *one.Organizer, post)
	case one.Term != nil:
		fresh := *one.Term
		fresh.ID, had = term, fresh.Slug
		if one.Parent != nil {
			fresh.Parent = one.Parent.ID
		}
		if err = terms.StoreCopied(ctx, t, &fresh); err == nil {
			one.ID, slug = fresh.ID, fresh.Slug
		}
	default: // the site already had the item
		if text, _ := one.Values["slug"].(string); text != "" {
			t.Redirect(one.Kind, text, one.ID)
		}
	}
	if err != nil {
		return err
	}
	if had != "" && had != slug {
		t.Redirect(one.Kind, had, one.ID)
	}
	if one.ID != one.OldID && (one.Kind == "venue" || one.Kind == "organizer") {
		t.Redirect(one.Kind, calendar.FormerID(one.OldID), one.ID)
	}
	return nil
}

// queueCounterparts stores which items of this site correspond to those of a copied site.
func queueCounterparts(queue queueing, site int64, source []byte, list []*imports.Counterpart, version int64) error {
	const know = `
		INSERT INTO import_brought (site_id, source, kind, was, id, said, version)
		SELECT $1, $2, b.kind, b.was, b.id, b.said::jsonb, CASE WHEN $7::bigint = 0 THEN b.version ELSE $7 END
		FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::text[], $8::bigint[]) b (kind, was, id, said, version)
		ON CONFLICT ON CONSTRAINT import_brought_pkey DO UPDATE
		SET id = excluded.id,
		    said = excluded.said,
		    version = excluded.version`
	if len(list) == 0 {
		return nil
	}
	kinds, saids := texts(len(list)), texts(len(list))
	was, ids, versions := make([]int64, len(list)), make([]int64, len(list)), make([]int64, len(list))
	for i, b := range list {
		text, err := json.Marshal(b.Values)
		if err != nil {
			return err
		}
		kinds[i], was[i], ids[i], saids[i], versions[i] = b.Kind, b.OldID, b.ID, withoutNul(text), b.Version
	}
	queue(know, site, source, kinds, was, ids, saids, version, versions)
	return nil
}

// queueLeads makes URLs of another site redirect to events of this site.
func queueLeads(queue queueing, site int64, list []imports.Lead) {
	const lead = `
		INSERT INTO redirects (site_id, kind, slug, id)
		SELECT DISTINCT ON (l.slug) $1::bigint, 'event', l.slug, COALESCE(o.id, l.id)
		FROM unnest($2::text[], $3::bigint[], $4::timestamp[]) l (slug, id, at)
		JOIN events e ON e.site_id = $1 AND e.id = l.id
		LEFT JOIN occurrences o ON o.site_id = $1 AND o.event_id = l.id AND o.start_local = l.at AND o.n <> 0
		WHERE e.slug <> l.slug
		ON CONFLICT ON CONSTRAINT redirects_pkey DO UPDATE
		SET id = excluded.id`
	if len(list) == 0 {
		return
	}
	slugs, ids, at := texts(len(list)), make([]int64, len(list)), make([]*time.Time, len(list))
	for i, l := range list {
		if slugs[i], ids[i] = l.Slug, l.Event; !l.At.IsZero() {
			at[i] = &list[i].At
		}
	}
	queue(lead, site, slugs, ids, at)
}

package platform

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// gatherings implements platform.GatheringStore.
type gatherings struct{ db *pg.DB }

// Gatherings returns the store of gatherings: which site gathers events from which other site.
func Gatherings(db *pg.DB) platform.GatheringStore { return gatherings{db} }

// listed is the reason for the statements of this file.
const listed = "who gathers from which site, for people"

// partnerColumns are what partnerRow reads of a site s.
const partnerColumns = `
		       s.id,
		       s.slug,
		       s.name,
		       CASE WHEN s.deleted_at IS NOT NULL THEN 'deleted' ELSE s.state END`

func partnerRow(p *platform.Partner) []any { return []any{&p.ID, &p.Slug, &p.Name, &p.State} }

// List implements platform.GatheringStore. Two sites may be on two servers of a cluster, so no statement joins
// them. If a server is down, the details of its sites are missing and it logs an error.
func (s gatherings) List(ctx context.Context, q platform.GatheringQuery) (page tenancy.Page[platform.Gathering], err error) {
	var ids [3]int64
	for i, slug := range []string{q.Site, q.Giver, q.Receiver} {
		if slug == "" {
			continue
		}
		found := s.db.Across("one site by a unique key, for people").QueryRow(ctx, idOf, slug)
		if ids[i], err = (sites{s.db, nil}).idIn(found); err != nil {
			if errors.Is(err, tenancy.ErrNoSite) {
				err = nil // no such site gathers events
			}
			return page, err
		}
	}
	all, err := s.all(ctx, ids)
	if err != nil {
		return page, err
	}
	slices.SortFunc(all, func(a, b *platform.Gathering) int {
		return cmp.Or(
			cmp.Compare(a.Receiver.Slug, b.Receiver.Slug),
			cmp.Compare(a.Receiver.ID, b.Receiver.ID),
			cmp.Compare(a.Source, b.Source),
		)
	})
	page.Total = len(all)
	if first := (q.Page - 1) * q.PerPage; first < len(all) {
		page.Items = all[first:min(first+q.PerPage, len(all))]
	}
	if err := s.givers(ctx, page.Items); err != nil {
		return page, err
	}
	return page, s.sources(ctx, page.Items)
}

// all returns the ids, receivers and givers of gatherings. ids limits the result: to gatherings of one site on
// either side, to one giver, and to one receiver. 0 means any.
func (s gatherings) all(ctx context.Context, ids [3]int64) (list []*platform.Gathering, err error) {
	const all = `
		SELECT g.source_id,
		       g.giver_id,` + partnerColumns + `
		FROM gatherings g
		JOIN sites s ON s.id = g.site_id
		WHERE ($1::bigint = 0 OR g.site_id = $1 OR g.giver_id = $1)
		  AND ($2::bigint = 0 OR g.giver_id = $2)
		  AND ($3::bigint = 0 OR g.site_id = $3)`
	return list, s.db.Available(ctx, listed, all, []any{ids[0], ids[1], ids[2]},
		pg.More(&list, func(row pgx.CollectableRow) (*platform.Gathering, error) {
			g := &platform.Gathering{}
			return g, row.Scan(append([]any{&g.Source, &g.Giver.ID}, partnerRow(&g.Receiver)...)...)
		}))
}

// givers fills in the giving sites.
func (s gatherings) givers(ctx context.Context, list []*platform.Gathering) error {
	const named = `
		SELECT` + partnerColumns + `
		FROM sites s
		WHERE s.id = ANY($1)`
	var ids []int64
	for _, g := range list {
		ids = append(ids, g.Giver.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	return s.db.Available(ctx, listed, named, []any{ids}, func(rows pgx.Rows) error {
		var p platform.Partner
		_, err := pgx.ForEachRow(rows, partnerRow(&p), func() error {
			for _, g := range list {
				if g.Giver.ID == p.ID {
					g.Giver = p
				}
			}
			return nil
		})
		return err
	})
}

// sources reads the sources behind gatherings. A source belongs to its receiver, so it enters each receiving site
// separately.
func (s gatherings) sources(ctx context.Context, list []*platform.Gathering) error {
	const get = `
		SELECT w.id,
		       w.name,
		       w.shown,
		       CASE WHEN w.leaving THEN 'leaving'
		            WHEN NOT w.active THEN 'paused'
		            WHEN w.problem IS NOT NULL THEN 'failing'
		            ELSE 'active' END,
		       w.problem,
		       w.read_at,
		       (SELECT count(*)
		        FROM events e
		        WHERE e.site_id = $1
		          AND e.source_id = w.id
		          AND e.series_id IS NULL
		          AND e.status <> 'trash')
		FROM sources w
		WHERE w.site_id = $1
		  AND w.id = ANY($2)`
	of := map[int64]map[int64]*platform.Gathering{}
	for _, g := range list {
		g.State = platform.GatheringLeaving // kept if the receiver has no row of the source any more
		if of[g.Receiver.ID] == nil {
			of[g.Receiver.ID] = map[int64]*platform.Gathering{}
		}
		of[g.Receiver.ID][g.Source] = g
	}
	for site, those := range of {
		var ids []int64
		for id := range those {
			ids = append(ids, id)
		}
		err := s.db.In(ctx, "the sources of one site that gather, for people", site, func(site int64, b *pgx.Batch) {
			b.Queue(get, site, ids).Query(func(rows pgx.Rows) error { return readGathering(rows, those) })
		})
		if err != nil && !errors.Is(err, tenancy.ErrNoSite) { // removed meanwhile
			return err
		}
	}
	return nil
}

func readGathering(rows pgx.Rows, into map[int64]*platform.Gathering) error {
	var w platform.Gathering
	var shown string
	var problem []byte
	_, err := pgx.ForEachRow(rows, []any{&w.Source, &w.Name, &shown, &w.State, &problem, (*pg.Sometime)(&w.Read), &w.Events}, func() error {
		g := into[w.Source]
		g.Name, g.State, g.Read, g.Events = w.Name, w.State, w.Read, w.Events
		g.Giver.Slug = cmp.Or(g.Giver.Slug, shown)
		if problem == nil {
			return nil
		}
		g.Problem = &platform.Trouble{}
		return pg.DecodeJSON(problem, g.Problem)
	})
	return err
}

package storage

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// opened is the wall behind the services for keys with limits (ADR 140): it returns *tenancy.AccessError when a transaction changed
// something that the key doesn't open, and rolls it back. It goes by what the transaction logged, so nothing that is written is passed
// over, whichever way it came.
func opened(ctx context.Context, t *pg.Tx) error {
	p := tenancy.Current(ctx).Principal
	if p.Limits == nil || tenancy.ByProvider(ctx) {
		return nil
	}
	var events []*pg.Change
	for i := range t.Changes() {
		c := &t.Changes()[i]
		access, err := needed(c.Kind, p.Limits)
		if err == nil {
			err = p.Reach(access)
		}
		if err != nil {
			return err
		}
		if c.Kind == "event" {
			events = append(events, c)
		}
	}
	if len(p.Limits.Categories) == 0 {
		return nil
	}
	return within(ctx, t, p.Limits.Categories, events)
}

// needed returns what a key has to open for a change of an object of a kind.
func needed(kind string, limits *tenancy.KeyLimits) (tenancy.Access, error) {
	access, known := tenancy.AccessTo(kind)
	switch {
	case !known:
		return 0, tenancy.ErrKeyMayNot
	case kind == "category" && len(limits.Categories) > 0: // it could put others below its own
		return 0, &tenancy.AccessError{Lacks: access, Categories: limits.Categories}
	}
	return access, nil
}

// belowCategories are categories, $2, of a site, $1, and those below them.
const belowCategories = `
	WITH RECURSIVE below AS (
		SELECT c.id
		FROM terms c
		WHERE c.site_id = $1
		  AND c.id = ANY($2::bigint[])
		  AND c.taxonomy = 'category'
		UNION
		SELECT c.id
		FROM below
		JOIN terms c ON c.site_id = $1 AND c.parent_id = below.id
	)
	SELECT array(SELECT id FROM below)`

// outside reads whether one of the events, $2, is in none of the categories, $3.
const outside = `
	SELECT EXISTS (
		SELECT
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = ANY($2::bigint[])
		  AND NOT e.term_ids && $3::bigint[])`

// within returns *tenancy.AccessError when an event is in none of the categories, nor of those below them: before the change, or after.
func within(ctx context.Context, t *pg.Tx, categories []int64, changes []*pg.Change) error {
	if len(changes) == 0 {
		return nil
	}
	refused := &tenancy.AccessError{Lacks: tenancy.WriteEvents, Categories: categories}
	var allowed []int64
	if err := t.QueryRow(ctx, belowCategories, t.Site, categories).Scan(&allowed); err != nil {
		return err
	}
	in := map[int64]bool{}
	for _, id := range allowed {
		in[id] = true
	}
	var ids []int64
	for _, c := range changes {
		was, said, err := categoriesBefore(c)
		if err != nil {
			return err
		}
		if said && !anyOf(was, in) {
			return refused
		}
		if c.Action != "delete" {
			ids = append(ids, c.ID)
		}
	}
	if err := t.Flush(ctx); err != nil {
		return err
	}
	var out bool
	if err := t.QueryRow(ctx, outside, t.Site, ids, allowed).Scan(&out); err != nil {
		return err
	}
	if out {
		return refused
	}
	return nil
}

// categoriesBefore returns the categories that an event had before a change of them.
func categoriesBefore(c *pg.Change) (ids []int64, said bool, err error) {
	text := c.Replaced()
	if text == nil {
		return nil, c.Action == "delete", nil
	}
	var before struct {
		Categories *[]struct {
			ID int64 `json:"id"`
		} `json:"categories"`
	}
	if err := json.Unmarshal(text, &before); err != nil {
		return nil, false, fmt.Errorf("read what was replaced: %w", err)
	}
	if before.Categories == nil {
		return nil, c.Action == "delete", nil
	}
	for _, one := range *before.Categories {
		ids = append(ids, one.ID)
	}
	return ids, true, nil
}

func anyOf(ids []int64, in map[int64]bool) bool {
	for _, id := range ids {
		if in[id] {
			return true
		}
	}
	return false
}

package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// opened enforces, behind the services, the limits of keys (ADR 140) and the areas of people (ADR 208). It returns
// an error, which rolls the transaction back, if the transaction changed something that the key does not allow, or
// an event outside the area. It checks the changes that the transaction logged, so no write can bypass it.
func opened(ctx context.Context, t *pg.Tx) error {
	p := tenancy.Current(ctx).Principal
	if !p.Limited() || tenancy.ByProvider(ctx) {
		return nil
	}
	var events []*pg.Change
	for i := range t.Changes() {
		c := &t.Changes()[i]
		if err := reach(p, c.Kind); err != nil {
			return err
		}
		if c.Kind == "event" {
			events = append(events, c)
		}
	}
	if err := shared(ctx, t, p); err != nil {
		return err
	}
	for _, b := range bordersOf(p) {
		if err := b.hold(ctx, t, events); err != nil {
			return err
		}
	}
	return nil
}

// reach returns an error if a principal must not change objects of a kind. A principal limited to categories must not
// change any category, because that could move other categories below the allowed ones.
func reach(p tenancy.Principal, kind string) error {
	if kind == "category" && len(p.Area.Categories) > 0 {
		return tenancy.ErrOutside
	}
	if p.Limits == nil {
		return nil
	}
	access, known := tenancy.AccessTo(kind)
	switch {
	case !known:
		return tenancy.ErrKeyMayNot
	case kind == "category" && len(p.Limits.Categories) > 0:
		return &tenancy.AccessError{Lacks: access, Categories: p.Limits.Categories}
	}
	return p.Reach(access)
}

// shared returns an error if a principal with an area has changed an item that others use as well: a category, a
// tag, or a venue, organizer or image that is neither in the area nor was created by the principal. Creating such items
// for an event is allowed.
func shared(ctx context.Context, t *pg.Tx, p tenancy.Principal) error {
	if !p.EditsPart() {
		return nil // the service has checked principals who may change only their own items
	}
	unsaid := map[string][]int64{} // changed items whose author the history entry does not name, by kind
	for i := range t.Changes() {
		c := &t.Changes()[i]
		switch {
		case c.Action == "create", slices.Contains(p.Area.Places(c.Kind), c.ID):
			continue
		case c.Kind == "category", c.Kind == "tag":
			return tenancy.ErrOutside
		case foreignOf[c.Kind] == "":
			continue
		}
		author, said, err := authorBefore(c)
		switch {
		case err != nil:
			return err
		case said && author != p.UserID:
			return tenancy.ErrOutside
		case !said:
			unsaid[c.Kind] = append(unsaid[c.Kind], c.ID)
		}
	}
	for kind, ids := range unsaid {
		if err := t.Flush(ctx); err != nil {
			return err
		}
		var foreign bool
		if err := t.QueryRow(ctx, foreignOf[kind], t.Site, ids, p.UserID).Scan(&foreign); err != nil {
			return err
		}
		if foreign {
			return tenancy.ErrOutside
		}
	}
	return nil
}

// authorBefore returns the author that a venue, organizer or image had before a change, or 0 if it had none. said
// reports whether the change recorded the author: deletions and changes of the author do.
func authorBefore(c *pg.Change) (author int64, said bool, err error) {
	text := c.Replaced()
	if text == nil {
		return 0, false, nil
	}
	var before map[string]json.RawMessage
	if err := json.Unmarshal(text, &before); err != nil {
		return 0, false, fmt.Errorf("read what was replaced: %w", err)
	}
	if before["author"] == nil {
		return 0, false, nil
	}
	if err := json.Unmarshal(before["author"], &author); err != nil {
		return 0, false, fmt.Errorf("read whose it was: %w", err)
	}
	return author, true, nil
}

// foreignOf are the statements, by kind, that read whether one of the venues, organizers or images $2 does not exist or
// was not entered by user $3.
var foreignOf = map[string]string{
	"venue": `
		SELECT EXISTS (
			SELECT
			FROM unnest($2::bigint[]) i (id)
			WHERE NOT EXISTS (SELECT FROM venues v WHERE v.site_id = $1 AND v.id = i.id AND v.author = $3))`,
	"organizer": `
		SELECT EXISTS (
			SELECT
			FROM unnest($2::bigint[]) i (id)
			WHERE NOT EXISTS (SELECT FROM organizers o WHERE o.site_id = $1 AND o.id = i.id AND o.author = $3))`,
	"image": `
		SELECT EXISTS (
			SELECT
			FROM unnest($2::bigint[]) i (id)
			WHERE NOT EXISTS (SELECT FROM images m WHERE m.site_id = $1 AND m.id = i.id AND m.author = $3))`,
}

// border is a set of items. An event must be linked to at least one of them both before and after a write.
type border struct {
	field   string  // field of the event, as named in the history
	outside string  // reads whether one of the events $2 is linked to none of the items $3
	ids     []int64 // the items within the border
	before  error   // returned if an event was outside before the write
	after   error   // returned if an event is outside after the write
}

// bordersOf returns the borders of a principal: those of its key and those of its area.
func bordersOf(p tenancy.Principal) (list []border) {
	if p.Limits != nil && len(p.Limits.Categories) > 0 {
		refused := &tenancy.AccessError{Lacks: tenancy.WriteEvents, Categories: p.Limits.Categories}
		list = append(list, border{"categories", outsideTerms, p.Limits.Categories, refused, refused})
	}
	for _, one := range []border{
		{field: "categories", outside: outsideTerms, ids: p.Area.Categories},
		{field: "venue", outside: outsideVenues, ids: p.Area.Venues},
		{field: "organizer", outside: outsideOrganizers, ids: p.Area.Organizers},
	} {
		if len(one.ids) > 0 {
			one.before, one.after = tenancy.ErrOutside, args.Invalid(one.field, "problem.area."+one.field, nil)
			list = append(list, one)
		}
	}
	return list
}

// belowCategories selects the categories $2 of a site $1 and those below them.
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

// Statements that read whether one of the events $2 is linked to none of the items $3.
const (
	outsideTerms = `
		SELECT EXISTS (
			SELECT
			FROM events e
			WHERE e.site_id = $1
			  AND e.id = ANY($2::bigint[])
			  AND NOT e.term_ids && $3::bigint[])`
	outsideVenues = `
		SELECT EXISTS (
			SELECT
			FROM events e
			WHERE e.site_id = $1
			  AND e.id = ANY($2::bigint[])
			  AND NOT e.venue_ids && $3::bigint[])`
	outsideOrganizers = `
		SELECT EXISTS (
			SELECT
			FROM events e
			WHERE e.site_id = $1
			  AND e.id = ANY($2::bigint[])
			  AND NOT e.organizer_ids && $3::bigint[])`
)

// hold returns an error if an event was outside the border before its change, or is outside now. Categories include those
// below them.
func (b border) hold(ctx context.Context, t *pg.Tx, changes []*pg.Change) error {
	if len(changes) == 0 {
		return nil
	}
	within := b.ids
	if b.field == "categories" {
		if err := t.QueryRow(ctx, belowCategories, t.Site, b.ids).Scan(&within); err != nil {
			return err
		}
	}
	var ids []int64
	for _, c := range changes {
		was, said, err := linkedBefore(c, b.field)
		if err != nil {
			return err
		}
		if said && !slices.ContainsFunc(was, func(id int64) bool { return slices.Contains(within, id) }) {
			return b.before
		}
		if c.Action != "delete" {
			ids = append(ids, c.ID)
		}
	}
	if err := t.Flush(ctx); err != nil {
		return err
	}
	var out bool
	if err := t.QueryRow(ctx, b.outside, t.Site, ids, within).Scan(&out); err != nil {
		return err
	}
	if out {
		return b.after
	}
	return nil
}

// linkedBefore returns the ids of the items that a field of an event had before a change. said is false if the
// change did not affect the field.
func linkedBefore(c *pg.Change, field string) (ids []int64, said bool, err error) {
	text := c.Replaced()
	if text == nil {
		return nil, c.Action == "delete", nil
	}
	var before map[string]json.RawMessage
	if err := json.Unmarshal(text, &before); err != nil {
		return nil, false, fmt.Errorf("read what was replaced: %w", err)
	}
	if before[field] == nil {
		return nil, c.Action == "delete", nil
	}
	var list []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(before[field], &list); err != nil {
		return nil, false, fmt.Errorf("read what was replaced: %w", err)
	}
	for _, one := range list {
		ids = append(ids, one.ID)
	}
	return ids, true, nil
}

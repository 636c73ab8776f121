// Package terms stores categories and tags, and finds the ones that events name.
package terms

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
)

// Store implements calendar.TermStore.
type Store struct {
	db       *content.DB
	taxonomy calendar.Taxonomy
}

// Of returns the store of the terms of a taxonomy.
func Of(db *content.DB, t calendar.Taxonomy) Store { return Store{db, t} }

// Get returns one term.
func (s Store) Get(ctx context.Context, id int64) (*calendar.Term, error) {
	var term *calendar.Term
	err := s.db.Quick(ctx, func(site int64, b *pgx.Batch) { s.queueTerm(b, site, id, &term) })
	return term, err
}

// in returns one term as the transaction sees it.
func (s Store) in(ctx context.Context, t *content.Tx, id int64) (*calendar.Term, error) {
	var term *calendar.Term
	b := &pgx.Batch{}
	s.queueTerm(b, t.Site, id, &term)
	return term, t.Send(ctx, b)
}

var getTerm = `
	SELECT ` + Record + `
	FROM terms c
	WHERE c.site_id = $1
	  AND c.taxonomy = $2
	  AND c.id = $3`

func (s Store) queueTerm(b *pgx.Batch, site, id int64, term **calendar.Term) {
	b.Queue(getTerm, site, string(s.taxonomy), id).Query(content.ReadOne(term, oneTerm))
}

// Create stores a term; see calendar.TermStore.
func (s Store) Create(ctx context.Context, term *calendar.Term, ownSlug bool) error {
	var made calendar.Term
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		made = *term // a rollback leaves the caller's term unchanged
		made.Taxonomy = s.taxonomy
		return s.create(ctx, t, &made, ownSlug)
	})
	if err == nil {
		*term = made
	}
	return err
}

// CreateMissing implements calendar.TermStore.
func (s Store) CreateMissing(ctx context.Context, list []*calendar.Term) (version int64, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		version = 0
		for _, term := range list {
			made := *term
			made.Taxonomy = s.taxonomy
			err := s.create(ctx, t, &made, false)
			if _, exists := errors.AsType[*calendar.ExistsError](err); exists {
				continue
			}
			if err != nil {
				return err
			}
			version = t.Version
		}
		return nil
	})
	return version, err
}

func (s Store) create(ctx context.Context, t *content.Tx, term *calendar.Term, ownSlug bool) error {
	above, err := s.above(ctx, t, term.Parent)
	if err != nil {
		return err
	}
	if !ownSlug {
		rivals, err := rivals(ctx, t, s.taxonomy, term)
		switch {
		case err != nil:
			return err
		case rivals.Namesake != 0:
			return &calendar.ExistsError{ID: rivals.Namesake}
		}
		longer := term.Slug + "-" + above.Slug // unless that is too long to be a slug
		if rivals.Slug && above.ID != 0 && wording.Slug(longer) == longer {
			term.Slug = longer
		}
	}
	if err := insertTerm(ctx, t, term); err != nil {
		return err
	}
	term.Below(above)
	return nil
}

// above returns the category with this id, or the zero Term for id 0.
func (s Store) above(ctx context.Context, t *content.Tx, id int64) (*calendar.Term, error) {
	if id == 0 {
		return &calendar.Term{}, nil
	}
	term, err := Store{s.db, calendar.Categories}.in(ctx, t, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, args.Invalid("parent", "problem.category.unknown", nil)
	}
	return term, err
}

// Update changes one term and returns it; see calendar.TermStore.
func (s Store) Update(ctx context.Context, id int64, change func(*calendar.Term) error) (*calendar.Term, error) {
	var term *calendar.Term
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if term, err = s.in(ctx, t, id); err != nil {
			return err
		}
		was := *term
		if err := change(term); err != nil {
			return err
		}
		term.ID, term.Taxonomy, term.Count, term.Version = was.ID, was.Taxonomy, was.Count, t.Version
		return s.update(ctx, t, &was, term)
	})
	if err != nil {
		return nil, err
	}
	return term, nil
}

func (s Store) update(ctx context.Context, t *content.Tx, was, term *calendar.Term) error {
	if term.Slug == "" {
		term.Slug = strconv.FormatInt(term.ID, 10)
	}
	above, err := s.above(ctx, t, term.Parent)
	if err != nil {
		return err
	}
	if term.Slug != was.Slug || term.Parent != was.Parent {
		rivals, err := rivals(ctx, t, s.taxonomy, term)
		switch {
		case err != nil:
			return err
		case rivals.Slug && term.Slug != was.Slug:
			return calendar.ErrSlugTaken
		case rivals.Loop && term.Parent != was.Parent:
			return args.Invalid("parent", "problem.parent.loop", nil)
		}
	}
	if term.Slug != was.Slug {
		t.Redirect(string(term.Taxonomy), was.Slug, term.ID)
	}
	term.Below(above)
	before, after := content.Worded{Texts: &was.Texts}, content.Worded{Texts: &term.Texts, Own: term.Slug}
	if err := t.SettleTexts(ctx, string(term.Taxonomy), term.ID, before, after); err != nil {
		return err
	}
	updateTerm(t, was, term)
	return nil
}

// Delete removes one term; its children move up to its parent.
func (s Store) Delete(ctx context.Context, id int64, check func(*calendar.Term) error) (*calendar.Term, error) {
	var term *calendar.Term
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		if term, err = s.in(ctx, t, id); err != nil {
			return err
		}
		if err := check(term); err != nil {
			return err
		}
		return deleteTerm(ctx, t, term)
	})
	if err != nil {
		return nil, err
	}
	return term, nil
}

// Former implements calendar.TermStore.
func (s Store) Former(ctx context.Context, slug string) (*calendar.Term, error) {
	id, err := s.db.LeadsTo(ctx, string(s.taxonomy), slug)
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, id)
}

package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// enter prepares a new venue or organizer: id, version, a unique slug and its
// place in the schedule. It returns the id of its picture.
func (t *tx) enter(ctx context.Context, kind string, p *calendar.Post) (image *int64, err error) {
	p.ID = t.postID(p.ID)
	p.Version = t.version
	if p.Date.IsZero() {
		p.Date = t.now
	}
	if p.Modified.IsZero() {
		p.Modified = t.now
	}
	if p.Slug, err = t.freeSlug(ctx, kind, p.ID, p.Slug); err != nil {
		return nil, err
	}
	if p.Status == calendar.Future {
		t.planPlace(kind, p)
	}
	t.created(kind, p.ID)
	return t.picture(ctx, p)
}

// alter prepares a change of a venue or organizer that stood as was. It returns
// the id of its picture.
func (t *tx) alter(ctx context.Context, kind string, was, p *calendar.Post) (image *int64, err error) {
	p.ID = was.ID
	p.Version = t.version
	if p.Slug != was.Slug {
		if p.Slug, err = t.freeSlug(ctx, kind, p.ID, p.Slug); err != nil {
			return nil, err
		}
	}
	t.leaveSlug(kind, was, p)
	if was.Status == calendar.Future || p.Status == calendar.Future {
		t.planPlace(kind, p)
	}
	return t.picture(ctx, p)
}

// placeAction names what a change of a venue or organizer does, for the history.
func placeAction(was, p *calendar.Post) string {
	switch {
	case p.Trashed() && !was.Trashed():
		return "trash"
	case was.Trashed() && !p.Trashed():
		return "restore"
	}
	return "update"
}

// planPlace notes when a venue or organizer is to be published, or that it
// isn't.
func (t *tx) planPlace(kind string, p *calendar.Post) {
	const plan = `
		INSERT INTO schedule (site_id, kind, id, due_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
		SET due_at = excluded.due_at`
	if p.Status != calendar.Future {
		t.unplanPlace(kind, p.ID)
		return
	}
	t.queue(plan, t.site, kind, p.ID, p.Date)
}

func (t *tx) unplanPlace(kind string, id int64) {
	const unplan = `
		DELETE FROM schedule
		WHERE site_id = $1
		  AND kind = $2
		  AND id = $3`
	t.queue(unplan, t.site, kind, id)
}

// postArgs names the columns that venues and organizers share.
func postArgs(site int64, p *calendar.Post, image *int64) pgx.NamedArgs {
	return pgx.NamedArgs{
		"site":         site,
		"id":           p.ID,
		"version":      p.Version,
		"author":       nullable(p.Author),
		"status":       string(p.Status),
		"slug":         p.Slug,
		"published_at": p.Date,
		"dated":        p.Dated,
		"modified_at":  p.Modified,
		"image_id":     image,
	}
}

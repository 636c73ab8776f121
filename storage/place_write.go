package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// rowColumns are the columns of a row behind site_id and id: those of both kinds, then
// the kind's own.
func (k *placeKind[T]) rowColumns() []string {
	return append([]string{"version", "author", "status", "slug", "published_at", "dated", "modified_at", "image_id",
		"name_key", "search", "name", "description", "excerpt", "translations"}, k.columns...)
}

// row returns site, id and the values of rowColumns.
func (k *placeKind[T]) row(site int64, item *T, image *int64) []any {
	as := *item // a row is sent later, whatever becomes of the item meanwhile
	p, f := k.post(&as), k.fields(&as)
	return append([]any{site, p.ID, p.Version, nullable(p.Author), string(p.Status), p.Slug, p.Date, p.Dated, p.Modified, image,
		strings.ToLower(*f.name), k.searched(&as), *f.name, *f.description, *f.excerpt, p.Texts.Raw()}, f.own...)
}

// searched is what searches look through in an item.
func (k *placeKind[T]) searched(item *T) string {
	f := k.fields(item)
	list := []string{*f.name, calendar.PlainText(*f.description), calendar.PlainText(*f.excerpt)}
	for _, field := range f.own {
		if text, ok := field.(*string); ok {
			list = append(list, *text)
		}
	}
	return withTexts(lines(list...), k.post(item).Texts)
}

// insertion is the statement that writes a new row.
func (k *placeKind[T]) insertion() string {
	columns := k.rowColumns()
	values := make([]string, len(columns))
	for i := range columns {
		values[i] = fmt.Sprintf("$%d", 3+i)
	}
	return "INSERT INTO {place}s (site_id, id, " + strings.Join(columns, ", ") + ") VALUES ($1, $2, " + strings.Join(values, ", ") + ")"
}

// alteration is the statement that changes a row.
func (k *placeKind[T]) alteration() string {
	columns := k.rowColumns()
	for i, column := range columns {
		columns[i] = fmt.Sprintf("%s = $%d", column, 3+i)
	}
	return "UPDATE {place}s SET " + strings.Join(columns, ", ") + " WHERE site_id = $1 AND id = $2"
}

// enter returns what link.New becomes as a new item, and its row: with an id, a
// version, a unique slug, and noted in the schedule and the history.
func (k *placeKind[T]) enter(ctx context.Context, t *tx, link calendar.Link[T]) (item *T, row []any, err error) {
	item = new(T)
	*item = *link.New
	image, err := t.enterPlace(ctx, k.name, k.post(item))
	if err != nil {
		return nil, nil, err
	}
	return item, k.row(t.Site, item, image), nil
}

// enterPlace prepares a new venue or organizer. It returns the id of its picture.
func (t *tx) enterPlace(ctx context.Context, kind string, p *calendar.Post) (image *int64, err error) {
	p.ID = t.postID(p.ID)
	p.Version = t.Version
	if p.Date.IsZero() {
		p.Date = t.Now
	}
	if p.Modified.IsZero() {
		p.Modified = t.Now
	}
	if p.Slug, err = t.freeSlug(ctx, kind, p.ID, p.Slug); err != nil {
		return nil, err
	}
	if err = t.settleTexts(ctx, kind, p.ID, worded{}, wordedPost(p)); err != nil {
		return nil, err
	}
	if p.Status == calendar.Future {
		t.planPlace(kind, p)
	}
	t.Log(kind, p.ID, "create", nil)
	return t.picture(ctx, p)
}

// alter stores a change of an item that stood as was.
func (k *placeKind[T]) alter(ctx context.Context, t *tx, was, now *T) error {
	image, err := t.alterPlace(ctx, k.name, k.post(was), k.post(now))
	if err != nil {
		return err
	}
	t.Queue(k.update, k.row(t.Site, now, image)...)
	t.Log(k.name, k.post(now).ID, placeAction(k.post(was), k.post(now)), k.document(was).Unlike(k.document(now)))
	return nil
}

// alterPlace prepares a change of a venue or organizer that stood as was. It returns
// the id of its picture.
func (t *tx) alterPlace(ctx context.Context, kind string, was, p *calendar.Post) (image *int64, err error) {
	p.ID = was.ID
	p.Version = t.Version
	if p.Slug != was.Slug {
		if p.Slug, err = t.freeSlug(ctx, kind, p.ID, p.Slug); err != nil {
			return nil, err
		}
	}
	if err = t.settleTexts(ctx, kind, p.ID, wordedPost(was), wordedPost(p)); err != nil {
		return nil, err
	}
	t.leaveSlug(kind, was, p)
	if was.Status == calendar.Future || p.Status == calendar.Future {
		t.planPlace(kind, p)
	}
	return t.picture(ctx, p)
}

// picture makes sure that an item's picture is stored, and returns its id.
func (t *tx) picture(ctx context.Context, p *calendar.Post) (*int64, error) {
	switch {
	case p.Image == nil:
		return nil, nil //nolint:nilnil // no picture is no error
	case p.Image.ID == 0:
		image := *p.Image // what is rolled back leaves the caller's as it was
		if err := t.insertImage(ctx, &image); err != nil {
			return nil, err
		}
		p.Image = &image
	case p.Image.Key == "":
		image, err := t.image(ctx, p.Image.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, args.Invalid("image", "problem.image.unknown", nil)
		}
		if err != nil {
			return nil, err
		}
		p.Image = image
	}
	return &p.Image.ID, nil
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
	t.Queue(plan, t.Site, kind, p.ID, p.Date)
}

func (t *tx) unplanPlace(kind string, id int64) {
	const unplan = `
		DELETE FROM schedule
		WHERE site_id = $1
		  AND kind = $2
		  AND id = $3`
	t.Queue(unplan, t.Site, kind, id)
}

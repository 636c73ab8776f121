package places

import (
	"context"
	"fmt"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/content"
)

// rowColumns are the columns of a row behind site_id and id: those of both kinds, then
// the kind's own.
func (k *Kind[T]) rowColumns() []string {
	return append([]string{"version", "author", "status", "slug", "published_at", "dated", "modified_at", "image_id",
		"name_key", "search", "name", "description", "excerpt", "translations"}, k.columns...)
}

// row returns site, id and the values of rowColumns.
func (k *Kind[T]) row(site int64, item *T, image *int64) []any {
	as := *item // a row is sent later, whatever becomes of the item meanwhile
	p, f := k.post(&as), k.fields(&as)
	return append([]any{site, p.ID, p.Version, content.NullID(p.Author), string(p.Status), p.Slug, p.Date, p.Dated, p.Modified, image,
		strings.ToLower(*f.name), k.Searched(&as), *f.name, *f.description, *f.excerpt, p.Texts.Raw()}, f.own...)
}

// Searched is what searches look through in an item.
func (k *Kind[T]) Searched(item *T) string {
	f := k.fields(item)
	list := []string{*f.name, wording.PlainText(*f.description), wording.PlainText(*f.excerpt)}
	for _, field := range f.own {
		if text, ok := field.(*string); ok {
			list = append(list, *text)
		}
	}
	return content.WithTexts(content.SearchLines(list...), k.post(item).Texts)
}

// insertion is the statement that writes a new row.
func (k *Kind[T]) insertion() string {
	columns := k.rowColumns()
	values := make([]string, len(columns))
	for i := range columns {
		values[i] = fmt.Sprintf("$%d", 3+i)
	}
	return "INSERT INTO {place}s (site_id, id, " + strings.Join(columns, ", ") + ") VALUES ($1, $2, " + strings.Join(values, ", ") + ")"
}

// alteration is the statement that changes a row.
func (k *Kind[T]) alteration() string {
	columns := k.rowColumns()
	for i, column := range columns {
		columns[i] = fmt.Sprintf("%s = $%d", column, 3+i)
	}
	return "UPDATE {place}s SET " + strings.Join(columns, ", ") + " WHERE site_id = $1 AND id = $2"
}

// enter returns what link.New becomes as a new item, and its row: with an id, a
// version, a unique slug, and noted in the schedule and the history.
func (k *Kind[T]) enter(ctx context.Context, t *content.Tx, link calendar.Link[T]) (item *T, row []any, err error) {
	item = new(T)
	*item = *link.New
	image, err := enterPlace(ctx, t, k.name, k.post(item))
	if err != nil {
		return nil, nil, err
	}
	return item, k.row(t.Site, item, image), nil
}

// enterPlace prepares a new venue or organizer. It returns the id of its picture.
func enterPlace(ctx context.Context, t *content.Tx, kind string, p *calendar.Post) (image *int64, err error) {
	p.ID = t.PostID(p.ID)
	p.Version = t.Version
	if p.Date.IsZero() {
		p.Date = t.Now
	}
	if p.Modified.IsZero() {
		p.Modified = t.Now
	}
	if p.Slug, err = t.FreeSlug(ctx, kind, p.ID, p.Slug); err != nil {
		return nil, err
	}
	if err = t.SettleTexts(ctx, kind, p.ID, content.Worded{}, content.WordedPost(p)); err != nil {
		return nil, err
	}
	if p.Status == calendar.Future {
		t.Schedule(kind, p)
	}
	t.Log(kind, p.ID, "create", nil)
	return t.KeepPicture(ctx, p)
}

// alter stores a change of an item that stood as was.
func (k *Kind[T]) alter(ctx context.Context, t *content.Tx, was, now *T) error {
	image, err := alterPlace(ctx, t, k.name, k.post(was), k.post(now))
	if err != nil {
		return err
	}
	t.Queue(k.update, k.row(t.Site, now, image)...)
	t.Log(k.name, k.post(now).ID, placeAction(k.post(was), k.post(now)), k.Document(was).Unlike(k.Document(now)))
	return nil
}

// alterPlace prepares a change of a venue or organizer that stood as was. It returns
// the id of its picture.
func alterPlace(ctx context.Context, t *content.Tx, kind string, was, p *calendar.Post) (image *int64, err error) {
	p.ID = was.ID
	p.Version = t.Version
	if p.Slug != was.Slug {
		if p.Slug, err = t.FreeSlug(ctx, kind, p.ID, p.Slug); err != nil {
			return nil, err
		}
	}
	if err = t.SettleTexts(ctx, kind, p.ID, content.WordedPost(was), content.WordedPost(p)); err != nil {
		return nil, err
	}
	t.LeaveSlug(kind, was, p)
	if was.Status == calendar.Future || p.Status == calendar.Future {
		t.Schedule(kind, p)
	}
	return t.KeepPicture(ctx, p)
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

package places

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// allColumns are all columns of a kind: the shared ones, and its own.
func (k *Kind[T]) allColumns() pg.Columns[T] {
	slug := func(item *T) string { return k.post(item).Slug }
	text := func(name string, of func(words) *string) pg.Column[T] {
		return pg.TextColumn(name, func(item *T) *string { return of(k.words(item)) })
	}
	return slices.Concat(content.PostColumns(k.post, slug), pg.Columns[T]{
		content.TextsColumn(func(item *T) *calendar.Translated { return &k.post(item).Translated }),
		text("name", func(w words) *string { return w.name }),
		text("description", func(w words) *string { return w.description }),
		text("excerpt", func(w words) *string { return w.excerpt }),
		{Name: "name_key", Type: "text", Value: func(item *T) any { return strings.ToLower(*k.words(item).name) }},
		{Name: "search", Type: "text", Value: func(item *T) any { return k.Searched(item) }},
	}, k.own, pg.Columns[T]{
		content.PictureColumn("CASE WHEN i.id IS NOT NULL THEN "+content.ImageRecord+" END", k.post),
	})
}

// Searched returns the text of an item that searches look through.
func (k *Kind[T]) Searched(item *T) string {
	w := k.words(item)
	list := []string{*w.name, wording.PlainText(*w.description), wording.PlainText(*w.excerpt)}
	for _, column := range k.own {
		if text, is := column.Value(item).(string); is {
			list = append(list, text)
		}
	}
	return content.WithTexts(content.SearchLines(list...), k.post(item).Texts)
}

// row returns the parameters of k.insert.
func (k *Kind[T]) row(site int64, item *T) []any { return append([]any{site}, k.columns.Row(item)...) }

// enter returns link.New as a new item, and its row. It gives the item an id, a version and a unique slug, and adds
// it to the schedule and the history.
func (k *Kind[T]) enter(ctx context.Context, t *content.Tx, link calendar.Link[T]) (item *T, row []any, err error) {
	item = new(T)
	*item = *link.New
	if err = enterPlace(ctx, t, k.name, k.post(item)); err != nil {
		return nil, nil, err
	}
	return item, k.row(t.Site, item), nil
}

// enterPlace prepares a new venue or organizer.
func enterPlace(ctx context.Context, t *content.Tx, kind string, p *calendar.Post) (err error) {
	p.ID = t.PostID(p.ID)
	p.Version = t.Version
	if p.Date.IsZero() {
		p.Date = t.Now
	}
	if p.Modified.IsZero() {
		p.Modified = t.Now
	}
	if p.Slug, err = t.FreeSlug(ctx, kind, p.ID, p.Slug); err != nil {
		return err
	}
	if err = t.SettleTexts(ctx, kind, p.ID, content.Worded{}, content.WordedPost(p)); err != nil {
		return err
	}
	if p.Status == calendar.Future {
		t.Schedule(kind, p)
	}
	t.Log(kind, p.ID, "create", nil)
	_, err = t.KeepPicture(ctx, p)
	return err
}

// alter stores now in place of was.
func (k *Kind[T]) alter(ctx context.Context, t *content.Tx, was, now *T) error {
	if err := alterPlace(ctx, t, k.name, k.post(was), k.post(now)); err != nil {
		return err
	}
	if sql, parameters := k.columns.Update(k.name+"s", t.Site, was, now); sql != "" {
		t.Queue(sql, parameters...)
	}
	t.Log(k.name, k.post(now).ID, placeAction(k.post(was), k.post(now)), k.Document(was).Unlike(k.Document(now)))
	return nil
}

// alterPlace prepares storing p in place of the venue or organizer was.
func alterPlace(ctx context.Context, t *content.Tx, kind string, was, p *calendar.Post) (err error) {
	p.ID = was.ID
	p.Version = t.Version
	if p.Slug != was.Slug {
		if p.Slug, err = t.FreeSlug(ctx, kind, p.ID, p.Slug); err != nil {
			return err
		}
	}
	if err = t.SettleTexts(ctx, kind, p.ID, content.WordedPost(was), content.WordedPost(p)); err != nil {
		return err
	}
	t.LeaveSlug(kind, was, p)
	if was.Status == calendar.Future || p.Status == calendar.Future {
		t.Schedule(kind, p)
	}
	_, err = t.KeepPicture(ctx, p)
	return err
}

// placeAction names the action of a change to a venue or organizer, for the history.
func placeAction(was, p *calendar.Post) string {
	switch {
	case p.Trashed() && !was.Trashed():
		return "trash"
	case was.Trashed() && !p.Trashed():
		return "restore"
	}
	return "update"
}

package content

import (
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// PostColumns are the columns at the beginning of the tables of events, venues and organizers. slug returns the
// slug to store for an item.
func PostColumns[T any](post func(*T) *calendar.Post, slug func(*T) string) pg.Columns[T] {
	return pg.Columns[T]{
		pg.NumberColumn("id", func(t *T) *int64 { return &post(t).ID }),
		pg.NumberColumn("version", func(t *T) *int64 { return &post(t).Version }),
		pg.IDColumn("author", func(t *T) *int64 { return &post(t).Author }),
		{Name: "status", Type: "text", Value: func(t *T) any { return string(post(t).Status) },
			Read: func(f *pg.Fields, t *T) { post(t).Status = calendar.Status(f.Text()) }},
		{Name: "slug", Type: "text", Value: func(t *T) any { return slug(t) }, Read: func(f *pg.Fields, t *T) { post(t).Slug = f.Text() }},
		pg.TimeColumn("published_at", pg.Instants, func(t *T) *time.Time { return &post(t).Date }),
		pg.BoolColumn("dated", func(t *T) *bool { return &post(t).Dated }),
		pg.TimeColumn("modified_at", pg.Instants, func(t *T) *time.Time { return &post(t).Modified }),
	}
}

// PictureColumn is the column with the id of an item's picture; selected is the SQL of its ImageRecord.
func PictureColumn[T any](selected string, post func(*T) *calendar.Post) pg.Column[T] {
	return pg.Column[T]{Name: "image_id", Type: "bigint", From: selected,
		Value: func(t *T) any {
			if i := post(t).Image; i != nil {
				return NullID(i.ID)
			}
			return (*int64)(nil)
		},
		Read: func(f *pg.Fields, t *T) { post(t).Image = ReadImage(f) }}
}

// TextsColumn is the column with the translations of an item.
func TextsColumn[T any](of func(*T) *calendar.Translated) pg.Column[T] {
	return pg.Column[T]{Name: "translations", Type: "jsonb", Value: func(t *T) any { return of(t).Texts.Raw() },
		Read: func(f *pg.Fields, t *T) { of(t).Texts = ReadTexts(f) },
		Same: func(a, b *T) bool { return of(a).Texts.Equal(of(b).Texts) }}
}

// NullID returns nil for 0, which stands for no id.
func NullID(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// NullText returns nil for an empty text.
func NullText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

package content

import (
	"maps"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// AddedFieldsColumn is the column with what an event or a venue has in the fields that its site has added; null for nothing.
func AddedFieldsColumn[T any](of func(*T) *calendar.AddedFields) pg.Column[T] {
	return pg.Column[T]{Name: "fields", Type: "jsonb",
		Value: func(t *T) any {
			if len(*of(t)) == 0 {
				return nil
			}
			return maps.Clone(*of(t))
		},
		Same: func(a, b *T) bool { return of(a).Same(*of(b)) },
		Read: func(f *pg.Fields, t *T) { f.JSON(of(t)) }}
}

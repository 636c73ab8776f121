package content

import (
	"maps"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// AddedFieldsColumn is the column with the values of the fields that the site has added to events or venues. It is
// null if there are none.
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

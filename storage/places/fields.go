package places

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// fieldColumns are the columns of the fields that only one kind has.
func fieldColumns[T, F any](fields []calendar.PlaceField[T, F]) (list pg.Columns[T]) {
	for i := range fields {
		switch f := &fields[i]; {
		case f.Shared:
		case f.Text != nil:
			list = append(list, pg.TextColumn(f.Name, f.Text))
		case f.Number != nil:
			list = append(list, pg.DegreesColumn(f.Name, f.Number))
		case f.Added != nil:
			list = append(list, content.AddedFieldsColumn(f.Added))
		case f.Words != nil:
			list = append(list, pg.WordsColumn(f.Name, f.Choices(), f.Words))
		default:
			list = append(list, pg.BoolColumn(f.Name, f.Flag))
		}
	}
	return list
}

// document returns the fields of a venue or organizer as the history keeps them. title is the name of the argument for its
// name.
func document[T, F any](title string, post *calendar.Post, fields []calendar.PlaceField[T, F], of *T) pg.Document {
	d := content.PostDocument(post, title)
	for i := range fields {
		d[fields[i].Name] = fields[i].Value(of)
	}
	return d
}

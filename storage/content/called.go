package content

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Other looks for an item by its name in another language than that of the item's own fields.
type Other[T any] struct {
	Field string                   // of the problem with a name that several items have
	SQL   string                   // reads items with texts in other languages; its last argument is a pattern for their search texts
	Read  func(*pg.Fields) *T      // reads a row
	Fits  func(*T) bool            // says which of them count
	Names func(*T) calendar.Naming // returns their names
}

// Called returns the item that a name means in another language, or nil. It returns a problem if there are several. arguments are those
// of the statement before the pattern.
func (o *Other[T]) Called(ctx context.Context, t *Tx, name string, arguments ...any) (*T, error) {
	scope := tenancy.Current(ctx)
	if scope.Site == nil || !scope.Site.Multilingual() || wording.FoldName(name) == "" {
		return nil, nil //nolint:nilnil // no names in other languages
	}
	rows, err := t.Query(ctx, o.SQL, append(arguments, Pattern(wording.FoldName(name)))...)
	if err != nil {
		return nil, err
	}
	var list []*T
	if err := ReadAll(&list, o.Read)(rows); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(one *T) bool { return !o.Fits(one) })
	switch list = calendar.Meant(list, name, calendar.NameLanguages(scope), o.Names); len(list) {
	case 0:
		return nil, nil //nolint:nilnil // the name is new
	case 1:
		return list[0], nil
	}
	return nil, args.Invalid(o.Field, "problem.name.several", map[string]any{"Name": name})
}

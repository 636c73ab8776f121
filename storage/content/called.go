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

// Other finds an item by its name in a language other than that of the item's own fields.
type Other[T any] struct {
	Field string                   // argument to report when several items have the name
	SQL   string                   // reads items with translations; the last parameter is a pattern for their search texts
	Read  func(*pg.Fields) *T      // reads a row
	Fits  func(*T) bool            // reports whether an item may be returned
	Names func(*T) calendar.Naming // returns their names
}

// Called returns the item that has this name in another language, or nil. It returns a problem if several items
// have it. arguments are the parameters of the statement before the pattern.
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

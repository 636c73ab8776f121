package places

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// Known are the venues or organizers that an import names: those of the site,
// and those it has made.
type Known[T any] struct {
	ByID   map[int64]T
	byName map[string][]*T
}

// NewKnown returns none.
func NewKnown[T any]() Known[T] {
	return Known[T]{ByID: map[int64]T{}, byName: map[string][]*T{}}
}

// Keep notes an item under its name.
func (p Known[T]) Keep(name string, item *T) {
	key := strings.ToLower(name)
	p.byName[key] = append(p.byName[key], item)
}

// find returns the first of a name that a link is the same as, or nil.
func (p Known[T]) find(link calendar.Link[T], name string) *T {
	if link.Same == nil {
		return nil
	}
	for _, one := range p.byName[strings.ToLower(name)] {
		if link.Same(one) {
			return one
		}
	}
	return nil
}

// Import returns what finds or makes the item of a link, as Resolve does, and notes
// in made what was.
func Import[T any](k *Kind[T], known Known[T], made *[]calendar.Link[T],
) func(context.Context, *content.Tx, calendar.Link[T]) (*T, bool, error) {
	return func(ctx context.Context, t *content.Tx, link calendar.Link[T]) (*T, bool, error) {
		name := *k.fields(link.New).name
		if found := known.find(link, name); found != nil {
			return found, false, nil
		}
		item, row, err := k.enter(ctx, t, link)
		if err != nil {
			return nil, false, err
		}
		t.Queue(k.insert, row...)
		known.Keep(name, item)
		*made = append(*made, calendar.Link[T]{New: item, Same: link.Same})
		return item, true, nil
	}
}

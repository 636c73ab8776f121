package imports

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Sourced is an event of a source.
type Sourced struct {
	Event  int64 // id of the event; for a date of a series, the date's own id
	Whole  int64 // id of the series of a date; otherwise the same
	Source int64
}

// sourced returns an event as Sourced, and whether its source still exists.
func sourced(ctx context.Context, e *calendar.Event) (Sourced, bool) {
	_, there := tenancy.Current(ctx).Site.Sources[e.Origin]
	of := Sourced{e.ID, e.ID, e.Origin}
	if e.Series != nil {
		of.Whole = e.Series.ID
	}
	return of, there
}

// KeptIn returns, by event, the fields that people changed here and that sources therefore no longer change. It
// skips events that the principal may not edit.
func (s *Service) KeptIn(ctx context.Context, events ...*calendar.Event) (Kept, error) {
	if s == nil { // nothing is imported
		return nil, nil //nolint:nilnil // nothing is kept
	}
	scope, err := tenancy.From(ctx)
	if err != nil || len(scope.Site.Sources) == 0 || scope.Principal.Anonymous() {
		return nil, err
	}
	var list []Sourced
	for _, e := range events {
		if of, there := sourced(ctx, e); there && calendar.MayEdit(scope.Principal, &e.Post) {
			list = append(list, of)
		}
	}
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nothing is kept
	}
	kept, err := s.store.KeptNow(ctx, list)
	return kept, tenancy.Wrap("read what is kept of sources", err)
}

// Saying is the last content of an event in its source.
type Saying struct {
	Said  args.Values
	Kind  string // of the source
	Known []byte // digest under which its entries are recognised
}

// Return is the part of a write that restores fields to the source's values.
type Return struct {
	Sourced
	Fields []string
}

type returnKey struct{}

// ReturnOf returns the fields that the write restores from a source, or nil.
func ReturnOf(ctx context.Context) *Return {
	r, _ := ctx.Value(returnKey{}).(*Return)
	return r
}

// TakingBack adds the source's values of fields that people changed here to an update, except for the fields in
// stay. It returns a context in which the update records that the source may change these fields again.
func (s *Service) TakingBack(ctx context.Context, e *calendar.Event, stay []string, f *calendar.EventFields) (context.Context, error) {
	kept, err := s.KeptIn(ctx, e)
	if err != nil {
		return ctx, err
	}
	back := slices.DeleteFunc(kept[e.ID], func(name string) bool { return slices.Contains(stay, name) })
	if len(back) == 0 {
		return ctx, nil
	}
	of, _ := sourced(ctx, e)
	saying, err := s.store.SaidOf(ctx, of)
	if err != nil {
		return ctx, tenancy.Wrap("read what a source said", err)
	}
	if slices.ContainsFunc(back, func(name string) bool { return slices.Contains(wall, name) }) {
		back = append(back, wall...)
	}
	values := args.Values{}
	for _, name := range back {
		if value, said := saying.Said[name]; said {
			values[name] = value
		}
	}
	said, err := s.spoken(ctx, of, saying, values)
	if err != nil {
		return ctx, err
	}
	eventTable.Merge(said, f)
	return context.WithValue(ctx, returnKey{}, &Return{of, back}), nil
}

// spoken returns values of a source as the fields of an event of this site.
func (s *Service) spoken(ctx context.Context, of Sourced, saying *Saying, values args.Values) (*calendar.EventFields, error) {
	r := &run{Service: s, in: &Import{From: of.Source}, file: &reading.File{Format: reading.Format(saying.Kind)}}
	list, err := s.store.Names(ctx)
	if err != nil {
		return nil, tenancy.Wrap("read the names of a site", err)
	}
	r.names = newNames(tenancy.Current(ctx), list)
	if r.file.Format == reading.TEC {
		if err := r.readCounterparts(ctx, saying.Known); err != nil {
			return nil, tenancy.Wrap("read what a copied site became", err)
		}
	}
	return r.fields(values, args.Updating)
}

// OfWall reports whether a field determines when an event takes place. Such fields are restored together.
func OfWall(name string) bool { return slices.Contains(wall, name) }

// Stay returns the fields that keep their values here, from the argument source: an object with a list in kept. It returns nil
// if the argument does not mention kept.
func Stay(said args.Opt[args.TextOrObject]) ([]string, error) {
	if said.IsNull() || !said.Given() {
		return nil, nil
	}
	value, _ := said.Get()
	object, is := value.Value.(map[string]any)
	if !is {
		return nil, args.Invalid("source", "problem.type.object", nil)
	}
	for name := range object {
		if !slices.Contains([]string{"id", "name", "site", "kept"}, name) {
			return nil, args.Invalid("source", "problem.enum", map[string]any{"Allowed": "kept"})
		}
	}
	list, there := object["kept"]
	if !there {
		return nil, nil
	}
	stay := []string{}
	for _, one := range listOf(list) {
		name, is := one.(string)
		if !is || name != "" && eventTable.Field(name) == nil {
			return nil, args.Invalid("source", "problem.enum", map[string]any{"Allowed": "kept"})
		}
		stay = append(stay, name)
	}
	return stay, nil
}

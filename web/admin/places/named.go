package places

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// ErrSeveral says that a typed name matches several entries.
var ErrSeveral = errors.New("several entries have that name")

// IDOf returns the ID of the entry with a typed name, or "" if there is none. It returns ErrSeveral if the name
// matches several entries.
func IDOf(ctx context.Context, typed string, choices []frame.Pair, find func(context.Context, string) (int64, error)) (string, error) {
	for _, p := range choices {
		if folded := wording.FoldName(typed); wording.FoldName(p.Value) == folded || wording.FoldName(p.Value+" (#"+p.Name+")") == folded {
			return p.Name, nil
		}
	}
	id, err := find(ctx, typed)
	return frame.SomeID(id), err
}

func findPlace[T any, F calendar.PlaceFields[T]](ctx context.Context, kind string, services services.Places[T, F], typed string,
	entry func(*T) (int64, calendar.Naming)) (int64, error) {
	name, id := NameAndID(typed)
	if id != 0 {
		one, err := services.Get(ctx, calendar.Key{ID: id})
		switch {
		case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrNotReadable), errors.Is(err, calendar.ErrWrongType):
			return 0, nil
		case err != nil:
			return 0, err
		}
		if _, names := entry(one); !names.Has(name) && wording.FoldName(offers.Label(ctx, names)) != wording.FoldName(name) {
			return 0, nil
		}
		return id, nil
	}
	found, err := services.Called(ctx, typed, offers.Languages(ctx))
	if err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(one *T) bool {
		id, _ := entry(one)
		return !mayLink(ctx, kind, id)
	})
	switch len(found) {
	case 0:
		return 0, nil
	case 1:
		id, _ = entry(found[0])
		return id, nil
	}
	return 0, ErrSeveral
}

// FindVenue finds a venue by a name in any language, or by name and ID. It returns 0 if there is none, or ErrSeveral.
func (w *Pages) FindVenue(ctx context.Context, typed string) (int64, error) {
	return findPlace(ctx, "venue", w.calendar.Venues(), typed, func(v *calendar.Venue) (int64, calendar.Naming) { return v.ID, v.Names() })
}

// FindOrganizer is FindVenue for organizers.
func (w *Pages) FindOrganizer(ctx context.Context, typed string) (int64, error) {
	return findPlace(ctx, "organizer", w.calendar.Organizers(), typed,
		func(o *calendar.Organizer) (int64, calendar.Naming) { return o.ID, o.Names() })
}

// mayLink reports whether the user may write events at a venue or for an organizer.
func mayLink(ctx context.Context, kind string, id int64) bool {
	return !WithinArea(ctx, kind) || slices.Contains(tenancy.Current(ctx).Principal.Area.Places(kind), id)
}

// mayEdit reports whether the user may change a venue or organizer.
func mayEdit(ctx context.Context, post *calendar.Post) bool {
	return calendar.MayEdit(tenancy.Current(ctx).Principal, post)
}

// changeable returns how many places on the page the user may change.
func (l *placeList) changeable(ctx context.Context) (n int) {
	for _, item := range l.items {
		if mayEdit(ctx, item.Post) {
			n++
		}
	}
	return n
}

// WithinArea reports whether the user may write events only for some venues or organizers.
func WithinArea(ctx context.Context, name string) bool {
	return len(tenancy.Current(ctx).Principal.Area.Places(name)) > 0
}

// NameAndID splits a text into a name and the ID that follows it; the ID is 0 if there is none.
func NameAndID(typed string) (name string, id int64) {
	typed = strings.TrimSpace(typed)
	name, rest, found := cutLast(typed, " (#")
	if digits, closed := strings.CutSuffix(rest, ")"); found && closed {
		if id = frame.IDIn(digits); id != 0 {
			return name, id
		}
	}
	return typed, 0
}

// Named returns a name with its ID, which makes it unique.
func Named(name string, id int64) string { return name + " (#" + frame.IDText(id) + ")" }

func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}

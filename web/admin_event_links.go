package web

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// newPlaceFields are the fields of a venue or organizer made on the spot.
var newPlaceFields = map[string][]string{
	"venue":     {"venue", "address", "zip", "city", "country", "phone", "website"},
	"organizer": {"organizer", "phone", "email", "website"},
}

// mostNew is how many of a kind are made on the spot at once.
var mostNew = map[string]int{"venue": 1, "organizer": 20}

// newName is the name of a field of something made on the spot.
func newName(kind string, row int, field string) string {
	if row == 0 {
		return "new_" + kind + "." + field
	}
	return "new_" + kind + "." + strconv.Itoa(row) + "." + field
}

// newLegend names one of those made on the spot.
func newLegend(ctx context.Context, kind string, row int) string {
	if mostNew[kind] == 1 {
		return tell(ctx, "new."+kind)
	}
	return tell(ctx, "new."+kind) + " " + number(ctx, row+1)
}

// partLabel names a field of something within the form by both, "" for a field
// of the form's own.
func (f *form) partLabel(ctx context.Context, name string) string {
	for kind, fields := range newPlaceFields {
		for row := range mostNew[kind] {
			for _, field := range fields {
				if name == newName(kind, row, field) {
					return newLegend(ctx, kind, row) + tell(ctx, "comma") + " " + newLabel(ctx, kind, field)
				}
			}
		}
	}
	if strings.HasPrefix(name, "passkey-") {
		return f.label(ctx, "passkey_name")
	}
	for row := range mostTickets {
		for _, field := range ticketFields {
			if name == ticketName(row, field) {
				return f.label(ctx, "tickets") + " " + number(ctx, row+1) + tell(ctx, "comma") + " " + tell(ctx, "ticket."+field)
			}
		}
	}
	return ""
}

// newShown is how many of a kind the form has room for.
func (f *form) newShown(kind string) int {
	shown := 1
	for row := range mostNew[kind] {
		if f.has(newName(kind, row, kind)) {
			shown = row + 1
		}
	}
	return shown
}

// newPart is what was typed of something to be made on the spot.
func (f *form) newPart(kind string, row int) map[string]any {
	return f.part(newPlaceFields[kind], func(field string) string { return newName(kind, row, field) })
}

// newNames are the names of what is to be made on the spot.
func (f *form) newNames(kind string) []string {
	var list []string
	for row := range f.newShown(kind) {
		list = append(list, f.all(newName(kind, row, kind))...)
	}
	return list
}

// newUsed reports whether anything was typed into the fields of new ones, or
// asked for.
func (f *form) newUsed(kind string) bool {
	used := f.newShown(kind) > 1
	for row := range f.newShown(kind) {
		used = used || len(f.newPart(kind, row)) > 0
	}
	return used
}

// offerNew puts a name nobody has into the fields of a new one, while there are
// any left.
func (f *form) offerNew(kind, typed string) {
	for row := range mostNew[kind] {
		if f.get(newName(kind, row, kind)) == "" {
			f.set(newName(kind, row, kind), typed)
			f.set(kind, without(f.values[kind], typed)...)
			return
		}
	}
}

// readLinks turns names into ids, and the fields of new entries into them. A name
// nobody has is offered as a new one.
func (w *admin) readLinks(ctx context.Context, f *form, k *placeKind, choices []pair, values args.Values) error {
	if !f.sent(k.kind) {
		return nil
	}
	links := []any{}
	for _, typed := range f.all(k.kind) {
		id, err := idOf(ctx, typed, choices, k.find)
		if err != nil {
			return err
		}
		if id == "" {
			f.wrong(k.kind, tellWith(ctx, k.kind+".unknown", "Name", typed))
			f.offerNew(k.kind, typed)
			continue
		}
		links = append(links, id)
	}
	for row := range f.newShown(k.kind) {
		fresh := f.newPart(k.kind, row)
		if len(fresh) == 0 {
			continue
		}
		err := k.check(ctx, 0, fresh)
		switch {
		case err == nil:
			links = append(links, fresh)
		case !f.refuseAs(ctx, err, func(field string) string { return newName(k.kind, row, field) }):
			return err
		}
	}
	values[k.kind] = links
	return nil
}

func without(list []string, one string) []string {
	var rest []string
	for _, text := range list {
		if strings.TrimSpace(text) != one {
			rest = append(rest, text)
		}
	}
	return rest
}

// idOf finds what a name typed stands for, "" for nothing.
func idOf(ctx context.Context, typed string, choices []pair, find func(context.Context, string) (int64, error)) (string, error) {
	for _, p := range choices {
		if folded := calendar.Fold(typed); calendar.Fold(p.Value) == folded || calendar.Fold(p.Value+" (#"+p.Name+")") == folded {
			return p.Name, nil
		}
	}
	for _, p := range choices {
		if calendar.Fold(strings.TrimSuffix(p.Value, " (#"+p.Name+")")) == calendar.Fold(typed) {
			return p.Name, nil
		}
	}
	if len(choices) < longestChoice {
		return "", nil
	}
	id, err := find(ctx, typed)
	return someID(id), err
}

// findVenue looks for a venue by name, or by name and id, where there are too
// many to offer.
func (w *admin) findVenue(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		v, err := w.calendar.Venues().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return v.Name })
	}
	page, err := w.calendar.Venues().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, v := range page.Items {
		if calendar.Fold(v.Name) == calendar.Fold(name) {
			return v.ID, err
		}
	}
	return 0, err
}

// findOrganizer is findVenue for organizers.
func (w *admin) findOrganizer(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		o, err := w.calendar.Organizers().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return o.Name })
	}
	page, err := w.calendar.Organizers().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, o := range page.Items {
		if calendar.Fold(o.Name) == calendar.Fold(name) {
			return o.ID, err
		}
	}
	return 0, err
}

// sameName is the id when what it belongs to is there and has the name, 0 when
// not.
func sameName(id int64, err error, name string, of func() string) (int64, error) {
	switch {
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrNotReadable), errors.Is(err, calendar.ErrWrongType):
		return 0, nil
	case err != nil:
		return 0, err
	case calendar.Fold(of()) != calendar.Fold(name):
		return 0, nil
	}
	return id, nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, " ") + `"` }

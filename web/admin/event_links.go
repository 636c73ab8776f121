package admin

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/history"
)

// newPlaceFields are the fields of a venue or organizer that is created with the event.
var newPlaceFields = map[string][]string{
	"venue":     {"venue", "address", "zip", "city", "country", "phone", "website"},
	"organizer": {"organizer", "phone", "email", "website"},
}

// mostNew is how many venues or organizers one form can create.
var mostNew = map[string]int{"venue": 1, "organizer": 20}

// newName is the name of a field of a new venue or organizer.
func newName(kind string, row int, field string) string {
	if row == 0 {
		return "new_" + kind + "." + field
	}
	return "new_" + kind + "." + strconv.Itoa(row) + "." + field
}

// newLegend is the legend of the fields of a new venue or organizer.
func newLegend(ctx context.Context, kind string, row int) string {
	if mostNew[kind] == 1 {
		return frame.Tell(ctx, "new."+kind)
	}
	return frame.Tell(ctx, "new."+kind) + " " + frame.Number(ctx, row+1)
}

// labelsOf returns a function with the labels of a form's fields, including those of its parts.
func labelsOf(f *frame.Form) func(ctx context.Context, name string) string {
	return func(ctx context.Context, name string) string {
		return cmp.Or(partLabel(ctx, f, name), added.Label(ctx, name), texts.Label(ctx, f, name), f.Label(ctx, name))
	}
}

// partLabel returns the label of a field in a part of the form, such as a ticket: the names of the part and the
// field. It returns "" for other fields.
func partLabel(ctx context.Context, f *frame.Form, name string) string {
	for kind, fields := range newPlaceFields {
		for row := range mostNew[kind] {
			for _, field := range fields {
				if name == newName(kind, row, field) {
					return newLegend(ctx, kind, row) + frame.Tell(ctx, "comma") + " " + newLabel(ctx, kind, field)
				}
			}
		}
	}
	for row := range mostTickets {
		for _, field := range history.TicketFields {
			if name == ticketName(row, field) {
				return f.Label(ctx, "tickets") + " " + frame.Number(ctx, row+1) + frame.Tell(ctx, "comma") + " " +
					frame.Tell(ctx, "ticket."+field)
			}
		}
	}
	return ""
}

// newShown is how many new entries of a kind the form has fields for.
func newShown(f *frame.Form, kind string) int {
	shown := 1
	for row := range mostNew[kind] {
		if f.Has(newName(kind, row, kind)) {
			shown = row + 1
		}
	}
	return shown
}

// newPart returns what was typed into the fields of a new venue or organizer.
func newPart(f *frame.Form, kind string, row int) map[string]any {
	return partIn(f, newPlaceFields[kind], func(field string) string { return newName(kind, row, field) })
}

// newNames are the names of the new venues or organizers.
func newNames(f *frame.Form, kind string) []string {
	var list []string
	for row := range newShown(f, kind) {
		list = append(list, f.All(newName(kind, row, kind))...)
	}
	return list
}

// newUsed reports whether the fields for new entries have content, or whether more of these fields were added.
func newUsed(f *frame.Form, kind string) bool {
	used := newShown(f, kind) > 1
	for row := range newShown(f, kind) {
		used = used || len(newPart(f, kind, row)) > 0
	}
	return used
}

// offerNew moves an unknown name into the fields of a new entry, if some of them are free.
func offerNew(f *frame.Form, kind, typed string) {
	for row := range mostNew[kind] {
		if f.Get(newName(kind, row, kind)) == "" {
			f.Set(newName(kind, row, kind), typed)
			f.Set(kind, without(f.Values[kind], typed)...)
			return
		}
	}
}

// readLinks reads the venues or organizers of the form: the IDs of the named ones, and the fields of new ones. It
// offers to create an entry for an unknown name.
func (w *Pages) readLinks(ctx context.Context, f *frame.Form, k *placeKind, choices []frame.Pair, values args.Values) error {
	if !eventFields.Sent(f, k.kind) {
		return nil
	}
	links := []any{}
	for _, typed := range f.All(k.kind) {
		id, err := idOf(ctx, typed, choices, k.find)
		if errors.Is(err, errSeveral) {
			f.Wrong(k.kind, frame.TellWith(ctx, "pick.several", "Name", typed))
			continue
		}
		if err != nil {
			return err
		}
		if id == "" {
			f.Wrong(k.kind, frame.TellWith(ctx, k.kind+".unknown", "Name", typed))
			offerNew(f, k.kind, typed)
			continue
		}
		links = append(links, id)
	}
	for row := range newShown(f, k.kind) {
		fresh := newPart(f, k.kind, row)
		if len(fresh) == 0 {
			continue
		}
		err := k.check(ctx, 0, fresh)
		switch {
		case err == nil:
			links = append(links, fresh)
		case !f.RefuseAs(ctx, err, func(field string) string { return newName(k.kind, row, field) }):
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

// errSeveral says that a typed name matches several entries.
var errSeveral = errors.New("several entries have that name")

// idOf returns the ID of the entry with a typed name, or "" if there is none. It returns errSeveral if the name
// matches several entries.
func idOf(ctx context.Context, typed string, choices []frame.Pair, find func(context.Context, string) (int64, error)) (string, error) {
	for _, p := range choices {
		if folded := wording.FoldName(typed); wording.FoldName(p.Value) == folded || wording.FoldName(p.Value+" (#"+p.Name+")") == folded {
			return p.Name, nil
		}
	}
	id, err := find(ctx, typed)
	return frame.SomeID(id), err
}

// findVenue finds a venue by a name in any language, or by name and ID. It returns 0 if there is none, or errSeveral.
func (w *Pages) findVenue(ctx context.Context, typed string) (int64, error) {
	return findPlace(ctx, "venue", w.calendar.Venues(), typed, func(v *calendar.Venue) (int64, calendar.Naming) { return v.ID, v.Names() })
}

// findOrganizer is findVenue for organizers.
func (w *Pages) findOrganizer(ctx context.Context, typed string) (int64, error) {
	return findPlace(ctx, "organizer", w.calendar.Organizers(), typed,
		func(o *calendar.Organizer) (int64, calendar.Naming) { return o.ID, o.Names() })
}

func findPlace[T any, F calendar.PlaceFields[T]](ctx context.Context, kind string, services calendar.Places[T, F], typed string,
	entry func(*T) (int64, calendar.Naming)) (int64, error) {
	name, id := nameAndID(typed)
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
	return 0, errSeveral
}

// mayLink reports whether the user may write events at a venue or for an organizer.
func mayLink(ctx context.Context, kind string, id int64) bool {
	return !withinArea(ctx, kind) || slices.Contains(areaOf(ctx, kind), id)
}

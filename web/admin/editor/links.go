package editor

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/words"
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

// Labels returns a function with the labels of a form's fields, including those of its parts.
func Labels(f *frame.Form) func(ctx context.Context, name string) string {
	return func(ctx context.Context, name string) string {
		return cmp.Or(partLabel(ctx, f, name), words.Labels(f)(ctx, name))
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
func (w *Pages) readLinks(ctx context.Context, f *frame.Form, k *places.Kind, choices []frame.Pair, values args.Values) error {
	if !eventFields.Sent(f, k.Kind) {
		return nil
	}
	links := []any{}
	for _, typed := range f.All(k.Kind) {
		id, err := places.IDOf(ctx, typed, choices, k.Find)
		if errors.Is(err, places.ErrSeveral) {
			f.Wrong(k.Kind, frame.TellWith(ctx, "pick.several", "Name", typed))
			continue
		}
		if err != nil {
			return err
		}
		if id == "" {
			f.Wrong(k.Kind, frame.TellWith(ctx, k.Kind+".unknown", "Name", typed))
			offerNew(f, k.Kind, typed)
			continue
		}
		links = append(links, id)
	}
	for row := range newShown(f, k.Kind) {
		fresh := newPart(f, k.Kind, row)
		if len(fresh) == 0 {
			continue
		}
		err := k.Check(ctx, 0, fresh)
		switch {
		case err == nil:
			links = append(links, fresh)
		case !f.RefuseAs(ctx, err, func(field string) string { return newName(k.Kind, row, field) }):
			return err
		}
	}
	values[k.Kind] = links
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

package places

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Venues returns the description of the pages of venues.
func (w *Pages) Venues() *Kind {
	return placesOf(w.calendar.Venues(), venueEntry, &Kind{Kind: "venue", Section: "venues", table: venueTable, Find: w.FindVenue,
		fields: fieldNames(calendar.AllVenueFields(), "venue", "address", "zip", "city", "state", "province", "stateprovince", "country",
			"phone", "website"),
		of: func(f *calendar.EventFilter, id int64) { f.Venue = args.Some(args.IDs{id}) }})
}

// Organizers returns the description of the pages of organizers.
func (w *Pages) Organizers() *Kind {
	return placesOf(w.calendar.Organizers(), organizerEntry, &Kind{Kind: "organizer", Section: "organizers", table: organizerTable,
		Find: w.FindOrganizer, fields: fieldNames(calendar.AllOrganizerFields(), "organizer", "phone", "email", "website"),
		of: func(f *calendar.EventFilter, id int64) { f.Organizer = args.Some(args.IDs{id}) }})
}

// fieldNames returns the fields of a form without the image, the texts and added fields: the fields in first, then
// the others.
func fieldNames[T, F any](fields []calendar.PlaceField[T, F], first ...string) []string {
	for i := range fields {
		if f := &fields[i]; !f.Shared && f.Added == nil && !slices.Contains(first, f.Name) {
			first = append(first, f.Name)
		}
	}
	return first
}

// placesOf fills in the functions of k, which call the services.
func placesOf[T, W any, F interface {
	*W
	calendar.PlaceFields[T]
}](services services.Places[T, F], entry func(*T) *Entry, k *Kind) *Kind {
	counted := func(ctx context.Context, items []*T) ([]*Entry, error) {
		list := make([]*Entry, 0, len(items))
		ids := make([]int64, 0, len(items))
		for _, item := range items {
			one := entry(item)
			list, ids = append(list, one), append(ids, one.ID)
		}
		counts, err := services.EventCounts(ctx, ids)
		for _, one := range list {
			one.count = counts[one.ID]
		}
		return list, err
	}
	k.List = func(ctx context.Context, f *calendar.PlaceFilter, n int) ([]*Entry, int, error) {
		page, err := services.ListLong(ctx, f, n)
		if err != nil {
			return nil, 0, err
		}
		list, err := counted(ctx, page.Items)
		return list, page.Total, err
	}
	k.several = func(ctx context.Context, ids []int64) ([]*Entry, error) {
		page, err := services.Several(ctx, ids)
		if err != nil {
			return nil, err
		}
		return counted(ctx, page.Items)
	}
	k.twins, k.part = services.Twins, services.Apart
	k.get = func(ctx context.Context, id int64) (*Entry, error) {
		item, err := services.Get(ctx, calendar.Key{ID: id})
		if err != nil {
			return nil, err
		}
		return entry(item), nil
	}
	k.Check = func(ctx context.Context, id int64, values args.Values) error {
		_, err := frame.Checked(k.table, values, modeOf(id), func(f *W) error {
			return services.Check(ctx, calendar.Key{ID: id}, f)
		})
		return err
	}
	k.create = func(ctx context.Context, values args.Values) (int64, error) {
		f, err := frame.Parsed[W](k.table, values, args.Creating)
		if err != nil {
			return 0, err
		}
		item, err := services.Create(ctx, f)
		if err != nil {
			return 0, err
		}
		return entry(item).ID, nil
	}
	k.update = func(ctx context.Context, id int64, values args.Values, cond calendar.Condition) error {
		f, err := frame.Parsed[W](k.table, values, args.Updating)
		if err == nil {
			_, err = services.Update(ctx, calendar.Key{ID: id}, f, cond)
		}
		return err
	}
	k.remove = func(ctx context.Context, id int64, force bool, cond calendar.Condition) error {
		_, err := services.Delete(ctx, calendar.Key{ID: id}, force, cond)
		return err
	}
	return k
}

// modeOf returns the mode for reading the form of an entry. ID 0 means a new entry.
func modeOf(id int64) args.Mode {
	if id == 0 {
		return args.Creating
	}
	return args.Updating
}

func venueEntry(v *calendar.Venue) *Entry {
	return &Entry{Post: &v.Post, Name: v.Name, Note: addressOf(v), Description: v.Description, Map: ui.MapLink(v),
		texts: textsOfPlace(calendar.AllVenueFields(), v), added: v.Fields}
}

// addressOf returns the address of a venue in one line.
func addressOf(v *calendar.Venue) string {
	var list []string
	for _, part := range []string{v.Address, strings.TrimSpace(v.Zip + " " + v.City)} {
		if part != "" {
			list = append(list, part)
		}
	}
	return strings.Join(list, ", ")
}

func organizerEntry(o *calendar.Organizer) *Entry {
	return &Entry{Post: &o.Post, Name: o.Name, Note: o.Email, Description: o.Description,
		texts: textsOfPlace(calendar.AllOrganizerFields(), o)}
}

// textsOfPlace returns the fields of a venue or organizer in the format of its form, without name and description.
func textsOfPlace[T, F any](fields []calendar.PlaceField[T, F], of *T) map[string]string {
	texts := map[string]string{}
	for i := range fields {
		f := &fields[i]
		switch value := f.Value(of).(type) {
		case string:
			if !f.Shared || f.Name == "excerpt" {
				texts[f.Name] = value
			}
		case []string:
			texts[f.Name] = strings.Join(value, ",")
		case bool:
			texts[f.Name] = map[bool]string{true: "1", false: "0"}[value]
		case *float64:
			texts[f.Name] = degrees(value)
		}
	}
	return texts
}

func degrees(d *float64) string {
	if d == nil {
		return ""
	}
	return strconv.FormatFloat(*d, 'f', -1, 64)
}

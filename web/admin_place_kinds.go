package web

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// venueKind is the kind of venues.
func (w *admin) venueKind() *placeKind {
	venues := w.calendar.Venues()
	return &placeKind{kind: "venue", section: "venues", table: venueTable, find: w.findVenue,
		fields: []string{"venue", "address", "zip", "city", "state", "province", "stateprovince", "country", "phone", "website",
			"geo_lat", "geo_lng", "show_map", "show_map_link"},
		list: func(ctx context.Context, f *calendar.PlaceFilter, n int) ([]*placeEntry, int, error) {
			page, err := venues.ListLong(ctx, f, n)
			return entriesOf(page.Items, venueEntry), page.Total, err
		},
		get: func(ctx context.Context, id int64) (*placeEntry, error) {
			v, err := venues.Get(ctx, calendar.Key{ID: id})
			if err != nil {
				return nil, err
			}
			return venueEntry(v), nil
		},
		check: func(ctx context.Context, id int64, values args.Values) error {
			_, err := checked(venueTable, values, modeOf(id), func(f *calendar.VenueFields) error {
				return venues.Check(ctx, calendar.Key{ID: id}, f)
			})
			return err
		},
		create: func(ctx context.Context, values args.Values) (int64, error) {
			f, err := parsed[calendar.VenueFields](venueTable, values, args.Creating)
			if err != nil {
				return 0, err
			}
			v, err := venues.Create(ctx, f)
			if err != nil {
				return 0, err
			}
			return v.ID, nil
		},
		update: func(ctx context.Context, id int64, values args.Values, cond calendar.Condition) error {
			f, err := parsed[calendar.VenueFields](venueTable, values, args.Updating)
			if err == nil {
				_, err = venues.Update(ctx, calendar.Key{ID: id}, f, cond)
			}
			return err
		},
		remove: func(ctx context.Context, id int64, force bool) error {
			_, err := venues.Delete(ctx, calendar.Key{ID: id}, force, nil)
			return err
		},
		of: func(f *calendar.EventFilter, id int64) { f.Venue = args.Some(args.IDs{id}) },
	}
}

// organizerKind is the kind of organizers.
func (w *admin) organizerKind() *placeKind {
	organizers := w.calendar.Organizers()
	return &placeKind{kind: "organizer", section: "organizers", table: organizerTable, find: w.findOrganizer,
		fields: []string{"organizer", "phone", "email", "website"},
		list: func(ctx context.Context, f *calendar.PlaceFilter, n int) ([]*placeEntry, int, error) {
			page, err := organizers.ListLong(ctx, f, n)
			return entriesOf(page.Items, organizerEntry), page.Total, err
		},
		get: func(ctx context.Context, id int64) (*placeEntry, error) {
			o, err := organizers.Get(ctx, calendar.Key{ID: id})
			if err != nil {
				return nil, err
			}
			return organizerEntry(o), nil
		},
		check: func(ctx context.Context, id int64, values args.Values) error {
			_, err := checked(organizerTable, values, modeOf(id), func(f *calendar.OrganizerFields) error {
				return organizers.Check(ctx, calendar.Key{ID: id}, f)
			})
			return err
		},
		create: func(ctx context.Context, values args.Values) (int64, error) {
			f, err := parsed[calendar.OrganizerFields](organizerTable, values, args.Creating)
			if err != nil {
				return 0, err
			}
			o, err := organizers.Create(ctx, f)
			if err != nil {
				return 0, err
			}
			return o.ID, nil
		},
		update: func(ctx context.Context, id int64, values args.Values, cond calendar.Condition) error {
			f, err := parsed[calendar.OrganizerFields](organizerTable, values, args.Updating)
			if err == nil {
				_, err = organizers.Update(ctx, calendar.Key{ID: id}, f, cond)
			}
			return err
		},
		remove: func(ctx context.Context, id int64, force bool) error {
			_, err := organizers.Delete(ctx, calendar.Key{ID: id}, force, nil)
			return err
		},
		of: func(f *calendar.EventFilter, id int64) { f.Organizer = args.Some(args.IDs{id}) },
	}
}

// modeOf says how the form of an entry is read; one without an id is to be made.
func modeOf(id int64) args.Mode {
	if id == 0 {
		return args.Creating
	}
	return args.Updating
}

func entriesOf[T any](items []*T, entry func(*T) *placeEntry) []*placeEntry {
	list := make([]*placeEntry, 0, len(items))
	for _, item := range items {
		list = append(list, entry(item))
	}
	return list
}

func venueEntry(v *calendar.Venue) *placeEntry {
	switches := map[bool]string{true: "1", false: "0"}
	return &placeEntry{Post: &v.Post, Name: v.Name, Note: v.City, Description: v.Description, Map: mapLink(v), texts: map[string]string{
		"address": v.Address, "zip": v.Zip, "city": v.City, "state": v.State, "province": v.Province, "stateprovince": v.StateProvince,
		"country": v.Country, "phone": v.Phone, "website": v.Website, "excerpt": v.Excerpt, "geo_lat": degrees(v.GeoLat),
		"geo_lng": degrees(v.GeoLng), "show_map": switches[v.ShowMap], "show_map_link": switches[v.ShowMapLink]}}
}

func organizerEntry(o *calendar.Organizer) *placeEntry {
	return &placeEntry{Post: &o.Post, Name: o.Name, Note: o.Email, Description: o.Description, texts: map[string]string{
		"phone": o.Phone, "email": o.Email, "website": o.Website, "excerpt": o.Excerpt}}
}

func degrees(d *float64) string {
	if d == nil {
		return ""
	}
	return strconv.FormatFloat(*d, 'f', -1, 64)
}

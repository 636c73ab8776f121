package calendar

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// PlaceField is a field of a venue or organizer. The API's responses, the history and forms use the same Name. They
// handle texts, numbers and flags generically, as this struct describes. F are the arguments of a write.
type PlaceField[T, F any] struct {
	Name   string
	Text   func(*T) *string
	Number func(*T) **float64
	Flag   func(*T) *bool
	Words  func(*T) *[]string    // the words, of those that the argument allows
	Added  func(*T) *AddedFields // the fields that the site has added; a separate rule writes them
	Kind   TextKind
	Shared bool   // both kinds have the field, and a separate rule writes it
	Sheet  string // the heading of the field's column in CSV files; "": it has none, or one for several fields

	sent     func(F) (string, bool)
	measured func(F) args.Opt[float64]
	switched func(F) args.Opt[args.Truthy]
	listed   func(F) args.Opt[args.Texts]
}

// venueFields are the fields of a venue.
var venueFields = []PlaceField[Venue, *VenueFields]{
	{Name: "venue", Text: func(v *Venue) *string { return &v.Name }, Kind: Line, Shared: true,
		sent: func(f *VenueFields) (string, bool) { return said(f.Name) }},
	{Name: "description", Text: func(v *Venue) *string { return &v.Description }, Kind: Markup, Shared: true, Sheet: "Venue Description",
		sent: func(f *VenueFields) (string, bool) { return said(f.Description) }},
	{Name: "excerpt", Text: func(v *Venue) *string { return &v.Excerpt }, Kind: Markup, Shared: true,
		sent: func(f *VenueFields) (string, bool) { return said(f.Excerpt) }},
	{Name: "address", Text: func(v *Venue) *string { return &v.Address }, Kind: Line, Sheet: "Venue Address",
		sent: func(f *VenueFields) (string, bool) { return said(f.Address) }},
	{Name: "city", Text: func(v *Venue) *string { return &v.City }, Kind: Line, Sheet: "Venue City",
		sent: func(f *VenueFields) (string, bool) { return said(f.City) }},
	{Name: "country", Text: func(v *Venue) *string { return &v.Country }, Kind: Line, Sheet: "Venue Country",
		sent: func(f *VenueFields) (string, bool) { return said(f.Country) }},
	{Name: "province", Text: func(v *Venue) *string { return &v.Province }, Kind: Line, Sheet: "Venue Province",
		sent: func(f *VenueFields) (string, bool) { return said(f.Province) }},
	{Name: "state", Text: func(v *Venue) *string { return &v.State }, Kind: Line, Sheet: "Venue State",
		sent: func(f *VenueFields) (string, bool) { return said(f.State) }},
	{Name: "zip", Text: func(v *Venue) *string { return &v.Zip }, Kind: Line, Sheet: "Venue Zip",
		sent: func(f *VenueFields) (string, bool) { return said(f.Zip) }},
	{Name: "phone", Text: func(v *Venue) *string { return &v.Phone }, Kind: Line, Sheet: "Venue Phone",
		sent: func(f *VenueFields) (string, bool) { return said(f.Phone) }},
	{Name: "website", Text: func(v *Venue) *string { return &v.Website }, Kind: Address, Sheet: "Venue Website",
		sent: func(f *VenueFields) (string, bool) { return said(f.Website) }},
	{Name: "stateprovince", Text: func(v *Venue) *string { return &v.StateProvince }, Kind: Line, Sheet: "Venue State/Province",
		sent: func(f *VenueFields) (string, bool) { return said(f.StateProvince) }},
	{Name: "geo_lat", Number: func(v *Venue) **float64 { return &v.GeoLat }, Sheet: "Venue Latitude",
		measured: func(f *VenueFields) args.Opt[float64] { return f.GeoLat }},
	{Name: "geo_lng", Number: func(v *Venue) **float64 { return &v.GeoLng }, Sheet: "Venue Longitude",
		measured: func(f *VenueFields) args.Opt[float64] { return f.GeoLng }},
	{Name: "show_map", Flag: func(v *Venue) *bool { return &v.ShowMap },
		switched: func(f *VenueFields) args.Opt[args.Truthy] { return f.ShowMap }},
	{Name: "show_map_link", Flag: func(v *Venue) *bool { return &v.ShowMapLink },
		switched: func(f *VenueFields) args.Opt[args.Truthy] { return f.ShowMapLink }},
	{Name: "accessibility", Words: func(v *Venue) *[]string { return &v.Accessibility }, Sheet: "Venue Accessibility",
		listed: func(f *VenueFields) args.Opt[args.Texts] { return f.Entry }},
	{Name: "fields", Added: func(v *Venue) *AddedFields { return &v.Fields }},
}

// organizerFields are the fields of an organizer.
var organizerFields = []PlaceField[Organizer, *OrganizerFields]{
	{Name: "organizer", Text: func(o *Organizer) *string { return &o.Name }, Kind: Line, Shared: true,
		sent: func(f *OrganizerFields) (string, bool) { return said(f.Name) }},
	{Name: "description", Text: func(o *Organizer) *string { return &o.Description }, Kind: Markup, Shared: true,
		Sheet: "Organizer Description", sent: func(f *OrganizerFields) (string, bool) { return said(f.Description) }},
	{Name: "excerpt", Text: func(o *Organizer) *string { return &o.Excerpt }, Kind: Markup, Shared: true,
		sent: func(f *OrganizerFields) (string, bool) { return said(f.Excerpt) }},
	{Name: "phone", Text: func(o *Organizer) *string { return &o.Phone }, Kind: Line, Sheet: "Organizer Phone",
		sent: func(f *OrganizerFields) (string, bool) { return said(f.Phone) }},
	{Name: "website", Text: func(o *Organizer) *string { return &o.Website }, Kind: Address, Sheet: "Organizer Website",
		sent: func(f *OrganizerFields) (string, bool) { return said(f.Website) }},
	{Name: "email", Text: func(o *Organizer) *string { return &o.Email }, Kind: Address, Sheet: "Organizer Email",
		sent: func(f *OrganizerFields) (string, bool) { return said(f.Email) }},
}

// AllVenueFields returns the fields of a venue.
func AllVenueFields() []PlaceField[Venue, *VenueFields] { return venueFields }

// AllOrganizerFields returns the fields of an organizer.
func AllOrganizerFields() []PlaceField[Organizer, *OrganizerFields] { return organizerFields }

// OwnText reports whether the field is a text that only venues or only organizers have.
func (p *PlaceField[T, F]) OwnText() bool { return p.Text != nil && !p.Shared }

// Choices returns the words that the argument of the field allows.
func (p *PlaceField[T, F]) Choices() []string {
	return choicesOf(args.TableOf(reflect.TypeFor[F]().Elem()), p.Name)
}

// Value returns the field's value: a text, a number, a flag, words or added fields. Words are never a nil []string, and added
// fields never a nil map[string]any. A missing number is a nil *float64.
func (p *PlaceField[T, F]) Value(of *T) any {
	switch {
	case p.Text != nil:
		return *p.Text(of)
	case p.Number != nil:
		return *p.Number(of)
	case p.Words != nil:
		return append([]string{}, *p.Words(of)...)
	case p.Added != nil:
		return p.Added(of).document()
	}
	return *p.Flag(of)
}

// write sets the field of an item to the value in a write.
func (p *PlaceField[T, F]) write(w F, of *T) {
	switch {
	case p.Shared, p.Added != nil:
	case p.Number != nil:
		if arg := p.measured(w); arg.Given() {
			*p.Number(of) = nil
			if degrees, ok := arg.Get(); ok {
				*p.Number(of) = &degrees
			}
		}
	case p.Flag != nil:
		if arg := p.switched(w); arg.Given() {
			*p.Flag(of) = bool(arg.Or(true))
		}
	case p.Words != nil:
		if arg := p.listed(w); arg.Given() {
			*p.Words(of) = wordsIn(arg.Or(nil), p.Choices())
		}
	default:
		text, given := p.sent(w)
		if given && p.Kind == Line {
			text = wording.CleanLine(text)
		}
		if given {
			*p.Text(of) = text
		}
	}
}

// matches reports whether a write leaves the field out or has the same value as an existing item, ignoring letter case.
func (p *PlaceField[T, F]) matches(w F, existing, wanted *T) bool {
	switch {
	case p.Added != nil:
		return len(*p.Added(wanted)) == 0 || p.Added(existing).Same(*p.Added(wanted))
	case p.Number != nil:
		return !p.measured(w).Given() || sameNumber(*p.Number(existing), *p.Number(wanted))
	case p.Flag != nil:
		return !p.switched(w).Given() || *p.Flag(existing) == *p.Flag(wanted)
	case p.Words != nil:
		return !p.listed(w).Given() || slices.Equal(*p.Words(existing), *p.Words(wanted))
	}
	_, given := p.sent(w)
	return !given || strings.EqualFold(*p.Text(existing), *p.Text(wanted))
}

// writeAll sets all fields of an item to the values in a write.
func writeAll[T, F any](fields []PlaceField[T, F], w F, of *T) {
	for i := range fields {
		fields[i].write(w, of)
	}
}

// matchesAll reports whether no field of a write differs from an existing item. wanted is the item that the write would
// create.
func matchesAll[T, F any](fields []PlaceField[T, F], w F, existing, wanted *T) bool {
	for i := range fields {
		if !fields[i].matches(w, existing, wanted) {
			return false
		}
	}
	return true
}

// takeField copies a field from one item to another, if it is a text, words or added fields.
func takeField[T, F any](fields []PlaceField[T, F], to, from *T, name string) {
	i := slices.IndexFunc(fields, func(p PlaceField[T, F]) bool { return p.Name == name })
	switch {
	case i < 0:
	case fields[i].Text != nil:
		*fields[i].Text(to) = *fields[i].Text(from)
	case fields[i].Words != nil:
		*fields[i].Words(to) = slices.Clone(*fields[i].Words(from))
	case fields[i].Added != nil:
		*fields[i].Added(to) = maps.Clone(*fields[i].Added(from))
	}
}

// choices returns the fields to choose from when items are merged: the fields in first, then the remaining texts, words and
// added fields.
func choices[T, F any](fields []PlaceField[T, F], first ...string) []string {
	for i := range fields {
		if p := &fields[i]; (p.Text != nil || p.Words != nil || p.Added != nil) && !slices.Contains(first, p.Name) {
			first = append(first, p.Name)
		}
	}
	return first
}

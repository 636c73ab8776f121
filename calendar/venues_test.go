package calendar

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// editorOf is the scope of an editor, user 7, at a site in Berlin.
func editorOf(t *testing.T) *tenancy.Scope { return scopeOf(t, 7, tenancy.Editor) }

func scopeOf(t *testing.T, user int64, role tenancy.Role) *tenancy.Scope {
	t.Helper()
	site := &tenancy.Site{Language: "en"}
	site.SetTimezone("Europe/Berlin")
	site.Settings.PerPage = 15
	return &tenancy.Scope{Site: site, Principal: tenancy.Principal{UserID: user, Role: role}, Language: "en"}
}

// noon is the moment at which the tests take place.
var noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// Rule 8.2: stateprovince follows the state in the United States and without a country, the province elsewhere, until
// somebody gives it another text.
func TestStateProvince(t *testing.T) {
	t.Parallel()
	some := args.Some[string]
	for name, c := range map[string]struct {
		writes []VenueFields // the first creates the venue
		want   string
	}{
		"the state in the United States":       {[]VenueFields{{Country: some("United States"), State: some("NY"), Province: some("P")}}, "NY"},
		"the state in the USA":                 {[]VenueFields{{Country: some("USA"), State: some("NY"), Province: some("P")}}, "NY"},
		"the state without a country":          {[]VenueFields{{State: some("NY"), Province: some("P")}}, "NY"},
		"the province elsewhere":               {[]VenueFields{{Country: some("Germany"), State: some("NY"), Province: some("Hessen")}}, "Hessen"},
		"the province where there is no state": {[]VenueFields{{Province: some("Hessen")}}, "Hessen"},
		"what was given counts":                {[]VenueFields{{State: some("NY"), StateProvince: some("Own")}}, "Own"},
		"it changes with the state":            {[]VenueFields{{State: some("NY")}, {State: some("CA")}}, "CA"},
		"it changes with the country": {[]VenueFields{{State: some("NY"), Province: some("Hessen")},
			{Country: some("Germany")}}, "Hessen"},
		"it comes with the first state":           {[]VenueFields{{City: some("Albany")}, {State: some("NY")}}, "NY"},
		"it goes with the state":                  {[]VenueFields{{State: some("NY")}, {State: args.Null[string]()}}, ""},
		"one that was given stays":                {[]VenueFields{{StateProvince: some("Own")}, {State: some("CA")}}, "Own"},
		"one that was removed stays away":         {[]VenueFields{{State: some("NY")}, {StateProvince: some("")}, {City: some("Albany")}}, ""},
		"also when the state changes afterwards":  {[]VenueFields{{State: some("NY")}, {StateProvince: some("")}, {State: some("CA")}}, ""},
		"and one can be given along with a state": {[]VenueFields{{State: some("NY")}, {State: some("CA"), StateProvince: some("NY")}}, "NY"},
	} {
		v := VenueKind.Fresh()
		for i := range c.writes {
			f := c.writes[i]
			if i == 0 {
				f.Name = some("Hall")
			}
			if err := f.Apply(editorOf(t), noon, v, nil, i == 0); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if v.StateProvince != c.want {
			t.Errorf("%s: %q", name, v.StateProvince)
		}
	}
}

// Rule 3.6: a venue that is named with some of its fields is the existing one if all of them are equal.
func TestVenueThatMatches(t *testing.T) {
	t.Parallel()
	some := args.Some[string]
	lat := 50.7
	hall := &Venue{Post: Post{ID: 1, Status: Publish, Author: 9, Slug: "hall"}, Name: "Town Hall", City: "Bonn", Zip: "53111",
		GeoLat: &lat, ShowMap: true, ShowMapLink: true}
	for name, c := range map[string]struct {
		fields VenueFields
		want   bool
	}{
		"its name alone":               {VenueFields{}, true},
		"its name in other letters":    {VenueFields{Name: some("TOWN hall")}, true},
		"another name":                 {VenueFields{Name: some("Town Halls")}, false},
		"its city":                     {VenueFields{City: some("bonn")}, true},
		"another city":                 {VenueFields{City: some("Köln")}, false},
		"no city where it has one":     {VenueFields{City: some("")}, false},
		"a phone where it has none":    {VenueFields{Phone: some("1")}, false},
		"another description":          {VenueFields{Description: some("Large")}, false},
		"its place":                    {VenueFields{GeoLat: args.Some(50.7)}, true},
		"another place":                {VenueFields{GeoLat: args.Some(50.8)}, false},
		"another longitude":            {VenueFields{GeoLng: args.Some(7.1)}, false},
		"without a map":                {VenueFields{ShowMap: args.Some[args.Truthy](false)}, false},
		"without a link to a map":      {VenueFields{ShowMapLink: args.Some[args.Truthy](false)}, false},
		"its author":                   {VenueFields{PostFields: PostFields{Author: args.Some[int64](9)}}, true},
		"another author":               {VenueFields{PostFields: PostFields{Author: args.Some[int64](8)}}, false},
		"another status":               {VenueFields{Status: some("draft")}, false},
		"its slug":                     {VenueFields{Slug: some("hall")}, true},
		"another slug":                 {VenueFields{Slug: some("hall-2")}, false},
		"an address of its website":    {VenueFields{Website: args.Some[args.URL]("https://example.org/")}, false},
		"an image where it has none":   {VenueFields{Image: args.Some(args.Image{ID: 3})}, false},
		"no image, as it has none":     {VenueFields{Image: args.Null[args.Image]()}, true},
		"a text in another language":   {VenueFields{Excerpt: some("Short")}, false},
		"its city, and another street": {VenueFields{City: some("Bonn"), Address: some("Markt 1")}, false},
	} {
		wanted, f := VenueKind.Fresh(), c.fields
		if !f.Name.Given() {
			f.Name = some("Town Hall")
		}
		var image *Image
		if asked, ok := f.Image.Get(); ok {
			image = &Image{ID: asked.ID}
		}
		if err := f.Apply(editorOf(t), noon, wanted, image, true); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := f.Matches(hall, wanted); got != c.want {
			t.Errorf("%s: matches %t", name, got)
		}
	}
}

// Whatever can be chosen when venues or organizers are merged is taken over, and nothing else.
func TestTakingFieldsOfAnother(t *testing.T) {
	t.Parallel()
	lat, lng := 1.0, 2.0
	other := Venue{Name: "N", Description: "D", Excerpt: "E", Address: "A", City: "C", Country: "L", Province: "P", State: "S", StateProvince: "SP",
		Zip: "Z", Phone: "T", Website: "W", GeoLat: &lat, GeoLng: &lng}
	other.Image = &Image{ID: 5}
	var all Venue
	for _, field := range VenueKind.Fields {
		takeOfVenue(&all, &other, field)
	}
	if all.Image != other.Image {
		t.Error("the image is not taken")
	}
	all.Image, other.Image = nil, nil
	if all.Name != "N" || all.Description != "D" || all.Excerpt != "E" || all.GeoLat != &lat || all.GeoLng != &lng || all.Website != "W" ||
		!slices.Equal(all.AddressLines(), other.AddressLines()) || all.Phone != "T" || all.Province != "P" || all.State != "S" {
		t.Errorf("taken is %+v", all)
	}
	one := Venue{Name: "Mine", City: "Here"}
	if takeOfVenue(&one, &other, "phone"); one.Phone != "T" || one.Name != "Mine" || one.City != "Here" || one.Website != "" {
		t.Errorf("with the phone comes %+v", one)
	}
	org, from := Organizer{}, Organizer{Name: "N", Description: "D", Excerpt: "E", Phone: "T", Website: "W", Email: "M"}
	from.Image = &Image{ID: 6}
	for _, field := range OrganizerKind.Fields {
		takeOfOrganizer(&org, &from, field)
	}
	if org.Name != "N" || org.Description != "D" || org.Excerpt != "E" || org.Phone != "T" || org.Website != "W" || org.Email != "M" || org.Image != from.Image {
		t.Errorf("taken is %+v", org)
	}
}

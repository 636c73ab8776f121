package ui

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// VenuePath is the path of the page of a venue, escaped, the language aside.
func VenuePath(v *calendar.Venue) string { return "/venue/" + calendar.EncodedSlug(v.Slug) + "/" }

// OrganizerPath is that of an organizer.
func OrganizerPath(o *calendar.Organizer) string {
	return "/organizer/" + calendar.EncodedSlug(o.Slug) + "/"
}

// TermPath is that of a category or tag.
func TermPath(term *calendar.Term) string {
	if term.Taxonomy == calendar.Tags {
		return "/tag/" + calendar.EncodedSlug(term.Slug) + "/"
	}
	return "/events/category/" + calendar.EncodedSlug(term.Path) + "/"
}

// MapLink is where the place is on the map of OpenStreetMap, "" when nobody
// knows where it is.
func MapLink(v *calendar.Venue) string {
	if v.GeoLat != nil && v.GeoLng != nil {
		lat, lng := strconv.FormatFloat(*v.GeoLat, 'f', -1, 64), strconv.FormatFloat(*v.GeoLng, 'f', -1, 64)
		return "https://www.openstreetmap.org/?mlat=" + lat + "&mlon=" + lng + "#map=17/" + lat + "/" + lng
	}
	if lines := v.AddressLines(); len(lines) > 0 {
		return "https://www.openstreetmap.org/search?query=" + url.QueryEscape(strings.Join(lines, ", "))
	}
	return ""
}

// PlaceLine names a venue and its town.
func PlaceLine(v *calendar.Venue) string {
	if v.City == "" || strings.Contains(v.Name, v.City) {
		return v.Name
	}
	return v.Name + ", " + v.City
}

package ui

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
)

// VenuePath returns the escaped path of a venue's page, without language.
func VenuePath(v *calendar.Venue) string { return "/venue/" + wording.EncodedSlug(v.Slug) + "/" }

// OrganizerPath returns the escaped path of an organizer's page, without language.
func OrganizerPath(o *calendar.Organizer) string {
	return "/organizer/" + wording.EncodedSlug(o.Slug) + "/"
}

// TermPath returns the escaped path of a term's page, without language.
func TermPath(term *calendar.Term) string {
	if term.Taxonomy == calendar.Tags {
		return "/tag/" + wording.EncodedSlug(term.Slug) + "/"
	}
	return "/events/category/" + wording.EncodedSlug(term.Path) + "/"
}

// MapLink returns the OpenStreetMap address of a venue's position, or of a search for its address if the position
// is unknown. It returns "" if both are unknown.
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

// PlaceLine returns the name of a venue with its city, separated by the comma of the page's language.
func PlaceLine(ctx context.Context, v *calendar.Venue) string {
	if v.City == "" || strings.Contains(v.Name, v.City) {
		return v.Name
	}
	return SayTwo(ctx, "place.line", "Name", v.Name, "City", v.City)
}

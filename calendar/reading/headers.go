package reading

import (
	"regexp"
	"strings"
)

// Header is a column of a table.
type Header struct{ Name, Meaning string }

// Headers are the documented columns in the order in which exports write them. A meaning is an argument of an event, or what
// several of them are made of.
var Headers = []Header{
	{"Event Name", "title"},
	{"Event Start Date", "start_date"},
	{"Event Start Time", "start_time"},
	{"Event End Date", "end_date"},
	{"Event End Time", "end_time"},
	{"All Day Event", "all_day"},
	{"Timezone", "timezone"},
	{"Recurrence Rule", "recurrence.rrule"},
	{"Additional Dates", "recurrence.rdate"},
	{"Excluded Dates", "recurrence.exdate"},
	{"Series", "series"},
	{"Original Start", "original_start"},
	{"Event Status", "event_status"},
	{"Event Status Reason", "event_status_reason"},
	{"Attendance Mode", "attendance_mode"},
	{"Virtual URL", "virtual_url"},
	{"Virtual URL Shown", "virtual_url_shown"},
	{"Event Venue Name", "venue"},
	{"Venue Address", "venue.address"},
	{"Venue Zip", "venue.zip"},
	{"Venue City", "venue.city"},
	{"Venue State/Province", "venue.stateprovince"},
	{"Venue State", "venue.state"},
	{"Venue Province", "venue.province"},
	{"Venue Country", "venue.country"},
	{"Venue Latitude", "venue.geo_lat"},
	{"Venue Longitude", "venue.geo_lng"},
	{"Venue Phone", "venue.phone"},
	{"Venue Website", "venue.website"},
	{"Venue Description", "venue.description"},
	{"Further Venues", "venues"},
	{"Event Organizer Name", "organizer"},
	{"Organizer Email", "organizer.email"},
	{"Organizer Phone", "organizer.phone"},
	{"Organizer Website", "organizer.website"},
	{"Organizer Description", "organizer.description"},
	{"Event Organizers", "organizers"},
	{"Event Category", "categories"},
	{"Event Tags", "tags"},
	{"Event Cost", "cost"},
	{"Event Tickets", "tickets"},
	{"Event Website", "website"},
	{"Event Featured Image", "image"},
	{"Event Excerpt", "excerpt"},
	{"Event Description", "description"},
	{"Feature Event", "featured"},
	{"Event Sticky in Month View", "sticky"},
	{"Hide Event From Event Listings", "hide_from_listings"},
	{"Event Show Map", "show_map"},
	{"Event Show Map Link", "show_map_link"},
	{"Publication Status", "status"},
	{"Publication Date", "date"},
	{"Event Slug", "slug"},
	{"Event SEO Title", "seo_title"},
	{"Event SEO Description", "seo_description"},
	{"Event UID", "uid"},
	{"Cleared Fields", "cleared"},
}

// TextHeaders are the columns that exist once for each additional language of the site, such as "Event Name (de)".
var TextHeaders = []Header{
	{"Event Name", "title"},
	{"Event Excerpt", "excerpt"},
	{"Event Description", "description"},
	{"Event Cost", "cost"},
	{"Event Slug", "slug"},
	{"Event SEO Title", "seo_title"},
	{"Event SEO Description", "seo_description"},
	{"Event Venue Name", "venue"},
	{"Venue Description", "venue.description"},
	{"Venue Address", "venue.address"},
	{"Venue City", "venue.city"},
	{"Venue Country", "venue.country"},
	{"Event Organizer Name", "organizer"},
	{"Organizer Description", "organizer.description"},
}

// EventTexts are the translatable arguments of events that have columns.
var EventTexts = []string{"title", "excerpt", "description", "cost", "slug", "seo_title", "seo_description"}

// placeTexts are those of venues and organizers.
var placeTexts = map[string][]string{"venue": {"venue", "description", "address", "city", "country"}, "organizer": {"organizer", "description"}}

// TextMeaning returns the meaning of a column in a language: the argument name as used in problems.
func TextMeaning(meaning, language string) string {
	kind, field, within := strings.Cut(meaning, ".")
	switch {
	case within:
	case placeTexts[kind] != nil:
		field = kind
	default:
		return "translations." + language + "." + meaning
	}
	return kind + ".translations." + language + "." + field
}

var inBrackets = regexp.MustCompile(`^(.*)\(([A-Za-z0-9-]+)\)$`)

// textColumn returns the meaning of a column for one of the languages.
func textColumn(name string, languages []string) (string, bool) {
	parts := inBrackets.FindStringSubmatch(name)
	if parts == nil {
		return "", false
	}
	meaning := columns[columnKey(parts[1])]
	for _, column := range TextHeaders {
		for _, language := range languages {
			if column.Meaning == meaning && strings.EqualFold(parts[2], language) {
				return TextMeaning(meaning, language), true
			}
		}
	}
	return "", false
}

package reading

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// Header is a column of a table.
type Header struct{ Name, Meaning string }

// Headers are the documented columns in the order in which exports write them. A meaning is an argument of an event, or a part
// of one.
var Headers = func() (list []Header) {
	all, headings := strings.Fields(order), maps.Clone(headings)
	add := func(meaning, heading string) {
		if heading == "" {
			return
		}
		headings[meaning] = heading
		if !slices.Contains(all, meaning) {
			all = append(all, meaning)
		}
	}
	for _, f := range calendar.AllEventFields() {
		add(f.Name, f.Sheet)
	}
	for _, f := range calendar.AllVenueFields() {
		add("venue."+f.Name, f.Sheet)
	}
	for _, f := range calendar.AllOrganizerFields() {
		add("organizer."+f.Name, f.Sheet)
	}
	for _, meaning := range append(all, "uid", "cleared", "exported") {
		list = append(list, Header{headings[meaning], meaning})
	}
	return list
}()

// order lists the meanings of columns in writing order. Columns of other fields follow.
const order = `
	title start_date start_time end_date end_time all_day timezone recurrence.rrule recurrence.rdate
	recurrence.exdate series original_start event_status event_status_reason attendance_mode virtual_url
	virtual_url_shown venue venue.address venue.zip venue.city venue.stateprovince venue.state venue.province
	venue.country venue.geo_lat venue.geo_lng venue.accessibility venue.phone venue.website venue.description venues organizer
	organizer.email organizer.phone organizer.website organizer.description organizers categories tags cost
	tickets website image excerpt description featured sticky hide_from_listings show_map show_map_link status
	date slug seo_title seo_description`

// headings are the headings, by meaning, of columns that do not hold one field.
var headings = map[string]string{
	"start_date":        "Event Start Date",
	"start_time":        "Event Start Time",
	"end_date":          "Event End Date",
	"end_time":          "Event End Time",
	"recurrence.rrule":  "Recurrence Rule",
	"recurrence.rdate":  "Additional Dates",
	"recurrence.exdate": "Excluded Dates",
	"series":            "Series",
	"original_start":    "Original Start",
	"venue":             "Event Venue Name",
	"venues":            "Further Venues",
	"organizer":         "Event Organizer Name",
	"organizers":        "Event Organizers",
	"uid":               "Event UID",
	"cleared":           "Cleared Fields",
	"exported":          "Exported Version",
}

// Exported returns the cell that records the site's UID and the version from which a row was exported: "12@calendar.example".
func Exported(site string, version int64) string {
	return strconv.FormatInt(version, 10) + "@" + strings.ToLower(site)
}

// ExportedSince returns the version in a cell written by Exported. It returns false if the cell is of another site or empty.
func ExportedSince(site, cell string) (version int64, ok bool) {
	number, _, _ := strings.Cut(cell, "@")
	version, err := strconv.ParseInt(number, 10, 64)
	return version, err == nil && version > 0 && cell == Exported(site, version)
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

// placeTexts are the translatable arguments of venues and organizers that have columns.
var placeTexts = map[string][]string{
	"venue":     {"venue", "description", "address", "city", "country"},
	"organizer": {"organizer", "description"},
}

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

// AddedColumn returns the heading and meaning of the column of a field that the site has added, by the field's key.
func AddedColumn(key string) string { return "fields." + key }

// VenueColumn is AddedColumn for the fields of venues.
func VenueColumn(key string) string { return "venue." + AddedColumn(key) }

// addedColumn returns the meaning of a column if it is one of a field that the site has added to its events or venues.
func (o *Options) addedColumn(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	ofVenue, venues := strings.CutPrefix(name, VenueColumn(""))
	ofEvent, events := strings.CutPrefix(name, AddedColumn(""))
	_, known := o.Fields[ofEvent]
	if venues {
		_, known = o.VenueFields[ofVenue]
	}
	return name, (events || venues) && known
}

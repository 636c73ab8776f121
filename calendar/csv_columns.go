package calendar

import (
	"strings"
	"unicode"
)

// csvColumns maps columns of a CSV file to their meaning, by columnKey: those of The Events Calendar and those that
// WriteCSV adds. Most meanings are arguments of an event; csvCells combines the others. "" marks columns that are
// recognized but ignored, such as comments.
var csvColumns = map[string]string{
	"eventname":                        "title",
	"eventtitle":                       "title",
	"eventdescription":                 "description",
	"eventexcerpt":                     "excerpt",
	"eventstartdate":                   "start_date",
	"eventstarttime":                   "start_time",
	"eventenddate":                     "end_date",
	"eventendtime":                     "end_time",
	"alldayevent":                      "all_day",
	"eventallday":                      "all_day",
	"timezone":                         "timezone",
	"eventtimezone":                    "timezone",
	"hideeventfromeventlistings":       "hide_from_listings",
	"hidefromeventlistings":            "hide_from_listings",
	"hideeventfromlistings":            "hide_from_listings",
	"eventsticky":                      "sticky",
	"stickyinmonthview":                "sticky",
	"eventstickyinmonthview":           "sticky",
	"featureevent":                     "featured",
	"eventfeatured":                    "featured",
	"featuredevent":                    "featured",
	"eventshowmap":                     "show_map",
	"eventshowmaplink":                 "show_map_link",
	"eventcost":                        "cost",
	"eventcurrencysymbol":              "currency_symbol",
	"eventcurrencyposition":            "currency_position",
	"eventcurrencyisocode":             "currency_code",
	"eventcategory":                    "categories",
	"eventcategories":                  "categories",
	"eventtag":                         "tags",
	"eventtags":                        "tags",
	"eventwebsite":                     "website",
	"eventfeaturedimage":               "image",
	"eventvenue":                       "venue",
	"eventvenuename":                   "venue",
	"venuename":                        "venue",
	"venueaddress":                     "venue.address",
	"venuecity":                        "venue.city",
	"venuecountry":                     "venue.country",
	"venuestate":                       "venue.state",
	"venueprovince":                    "venue.province",
	"venuestateprovince":               "venue.stateprovince",
	"venuezip":                         "venue.zip",
	"venuepostalcode":                  "venue.zip",
	"venuephone":                       "venue.phone",
	"venuewebsite":                     "venue.website",
	"venuedescription":                 "venue.description",
	"venuelatitude":                    "venue.geo_lat",
	"venuelongitude":                   "venue.geo_lng",
	"eventvenues":                      "venues",
	"furthervenues":                    "venues",
	"eventorganizer":                   "organizer",
	"eventorganizername":               "organizer",
	"organizername":                    "organizer",
	"organizerdescription":             "organizer.description",
	"organizeremail":                   "organizer.email",
	"organizerphone":                   "organizer.phone",
	"organizerwebsite":                 "organizer.website",
	"eventorganizers":                  "organizers",
	"eventorganizernames":              "organizers",
	"eventorganizernamesorids":         "organizers",
	"recurrencerule":                   "recurrence.rrule",
	"eventrecurrencerule":              "recurrence.rrule",
	"rrule":                            "recurrence.rrule",
	"additionaldates":                  "recurrence.rdate",
	"rdate":                            "recurrence.rdate",
	"excludeddates":                    "recurrence.exdate",
	"exdate":                           "recurrence.exdate",
	"series":                           "series",
	"eventseries":                      "series",
	"originalstart":                    "original_start",
	"eventoriginalstart":               "original_start",
	"clearedfields":                    "cleared",
	"eventstatus":                      "event_status",
	"eventstatusreason":                "event_status_reason",
	"attendancemode":                   "attendance_mode",
	"eventattendancemode":              "attendance_mode",
	"virtualurl":                       "virtual_url",
	"eventvirtualurl":                  "virtual_url",
	"virtualurlshown":                  "virtual_url_shown",
	"publicationstatus":                "status",
	"publicationdate":                  "date",
	"eventslug":                        "slug",
	"eventuid":                         "uid",
	"uid":                              "uid",
	"eventtickets":                     "tickets",
	"allowcomments":                    "",
	"eventallowcomments":               "",
	"allowtrackbacks":                  "",
	"allowtrackbacksandpingbacks":      "",
	"eventallowtrackbacksandpingbacks": "",
}

// columnKey returns the normalized form of a header for comparison: only letters and digits, in lowercase.
func columnKey(header string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}

package calendar

import (
	"strings"
	"unicode"
)

// csvColumns says what the columns of a CSV file mean, by columnKey. Most are
// arguments of an event; the others are put together by csvCells. "" is known
// and left out: comments are no part of a calendar.
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
	"venuestate":                       "venue.stateprovince",
	"venueprovince":                    "venue.stateprovince",
	"venuestateprovince":               "venue.stateprovince",
	"venuezip":                         "venue.zip",
	"venuepostalcode":                  "venue.zip",
	"venuephone":                       "venue.phone",
	"venuewebsite":                     "venue.website",
	"eventorganizer":                   "organizer",
	"eventorganizername":               "organizer",
	"organizername":                    "organizer",
	"eventorganizers":                  "organizers",
	"eventorganizernames":              "organizers",
	"eventorganizernamesorids":         "organizers",
	"allowcomments":                    "",
	"eventallowcomments":               "",
	"allowtrackbacks":                  "",
	"allowtrackbacksandpingbacks":      "",
	"eventallowtrackbacksandpingbacks": "",
}

// columnKey returns the form under which headers are compared: letters and
// digits alone, in small letters.
func columnKey(header string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}

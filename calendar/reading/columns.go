package reading

import (
	"maps"
	"strings"
	"unicode"

	"github.com/kalends/kalends/calendar/wording"
)

// columns maps columns of a table to their meaning, by columnKey: those of The Events Calendar and those that
// exports add. Most meanings are arguments of an event; cells combines the others. "" marks columns that are
// recognized but ignored, such as comments.
var columns = func() map[string]string {
	all := maps.Clone(synonyms)
	for _, h := range Headers {
		all[columnKey(h.Name)] = h.Meaning
	}
	return all
}()

// synonyms are other headings of the columns, by columnKey.
var synonyms = map[string]string{
	"eventtitle":                       "title",
	"eventallday":                      "all_day",
	"eventtimezone":                    "timezone",
	"hidefromeventlistings":            "hide_from_listings",
	"hideeventfromlistings":            "hide_from_listings",
	"eventsticky":                      "sticky",
	"stickyinmonthview":                "sticky",
	"eventfeatured":                    "featured",
	"featuredevent":                    "featured",
	"eventcurrencysymbol":              "currency_symbol",
	"eventcurrencyposition":            "currency_position",
	"eventcurrencyisocode":             "currency_code",
	"eventcategories":                  "categories",
	"eventtag":                         "tags",
	"eventvenue":                       "venue",
	"venuename":                        "venue",
	"venuepostalcode":                  "venue.zip",
	"eventvenues":                      "venues",
	"eventorganizer":                   "organizer",
	"organizername":                    "organizer",
	"eventorganizernames":              "organizers",
	"eventorganizernamesorids":         "organizers",
	"eventrecurrencerule":              "recurrence.rrule",
	"rrule":                            "recurrence.rrule",
	"rdate":                            "recurrence.rdate",
	"exdate":                           "recurrence.exdate",
	"eventseries":                      "series",
	"eventoriginalstart":               "original_start",
	"eventattendancemode":              "attendance_mode",
	"eventvirtualurl":                  "virtual_url",
	"uid":                              "uid",
	"allowcomments":                    "",
	"eventallowcomments":               "",
	"allowtrackbacks":                  "",
	"allowtrackbacksandpingbacks":      "",
	"eventallowtrackbacksandpingbacks": "",
}

// columnKey returns the normalized form of a header for comparison: only letters and digits, folded.
func columnKey(header string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, wording.Fold(header))
}

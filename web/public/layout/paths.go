package layout

import (
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/web/ui"
)

// PastPath is the path of the page of past events.
const PastPath = "/events/past/"

// ProgrammePath is the path of the programme; the paths of its files add an extension.
const ProgrammePath = "/events/programme/"

// ByMailPath is the path of the form for the events of a query. The query is "" or begins with a question mark.
func ByMailPath(query string) string { return newsletters.Path + query }

// EmbedPath returns the path of a page's embeddable form, or "" if it has none.
func EmbedPath(path string) string {
	first, rest, _ := strings.Cut(strings.Trim(path, "/"), "/")
	view, below, _ := strings.Cut(rest, "/")
	switch {
	case first == "event" && rest != "":
		return "/embed/event/" + rest + "/"
	case first == "events" && (view == "month" || view == "week"):
		return "/embed/" + rest + "/"
	case first == "events" && view == "category" && below != "":
		return "/embed/list/?" + url.Values{"category": {ui.Decoded(below[strings.LastIndexByte(below, '/')+1:])}}.Encode()
	case first == "tag" && rest != "":
		return "/embed/list/?" + url.Values{"tag": {ui.Decoded(rest)}}.Encode()
	case first == "", first == "events" && (view == "" || view == "list" || view == "photo"):
		return "/embed/list/"
	}
	return ""
}

// CountPath is the path at which a script reads how many events a filter would show.
const CountPath = "/events/count"

// choosePath is the prefix of addresses that choose a language. It is followed by the path of the page in that
// language.
const choosePath = "/language"

// MapPath is the path of the map.
const MapPath = "/events/map/"

// PhotoPath is the path of the list with pictures.
const PhotoPath = "/events/photo/"

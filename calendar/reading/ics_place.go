package reading

import (
	"encoding/json"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

// place reads the place of the event.
func (e *icsEvent) place() {
	location, _ := e.first("LOCATION")
	text := location.text()
	text = e.withoutMeeting(text)
	if _, online := webAddress(oneLine(text)); online {
		text = ""
	}
	venue := venueOf(text)
	e.structured(venue)
	if venue["venue"] == nil {
		if _, found := e.first("GEO"); found {
			e.entry.warn("geo-left-out", "venue", e.text("GEO"))
		}
		return
	}
	p, found := e.first("GEO")
	if found && venue["geo_lat"] == nil && !coordinates(venue, strings.Split(strings.ReplaceAll(p.text(), ",", ";"), ";")) {
		e.entry.warn("geo-left-out", "venue", p.value)
	}
	e.values["venue"] = []any{venue}
}

// onlineLabels are the texts, folded, that programs write as the place of an online meeting.
var onlineLabels = map[string]bool{"microsoft teams meeting": true, "microsoft teams-besprechung": true, "microsoft teams": true,
	"reunion microsoft teams": true, "reunion en microsoft teams": true, "riunione di microsoft teams": true,
	"microsoft teams-vergadering": true, "microsoft teams-mote": true, "google meet": true, "zoom": true, "zoom meeting": true,
	"online": true, "skype meeting": true, "skype-besprechung": true, "webex": true}

// withoutMeeting removes the name of a meeting program from a place if the event has an address for the meeting. Microsoft
// programs separate rooms by semicolons.
func (e *icsEvent) withoutMeeting(text string) string {
	if _, found := e.first(meetings...); !found {
		return text
	}
	parts := strings.Split(text, ";")
	kept := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return onlineLabels[wording.Fold(oneLine(part))] })
	if len(kept) == len(parts) {
		return text
	}
	return strings.TrimSpace(strings.Join(kept, ";"))
}

// structured reads Apple's X-APPLE-STRUCTURED-LOCATION.
func (e *icsEvent) structured(venue map[string]any) {
	p, found := e.first("X-APPLE-STRUCTURED-LOCATION")
	if !found {
		return
	}
	title, address := apple(p.params["X-TITLE"]), apple(p.params["X-ADDRESS"])
	name, more, _ := strings.Cut(title, "\n")
	if name = oneLine(name); name != "" {
		known, _ := venue["venue"].(string)
		if known == "" || venue["address"] == nil || wording.Fold(known) != wording.Fold(name) {
			delete(venue, "address")
		}
		venue["venue"] = name
		if address = joined(address); address == "" {
			address = joined(more)
		}
		if address != "" {
			venue["address"] = strings.TrimPrefix(address, name+", ")
		}
	}
	if point, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p.value)), "geo:"); is && venue["venue"] != nil {
		point, _, _ = strings.Cut(point, ";")
		coordinates(venue, strings.Split(point, ","))
	}
}

// apple decodes the escapes in parameters written by Apple.
func apple(text string) string {
	return strings.NewReplacer(`\\n`, "\n", `\n`, "\n", `\\,`, ",", `\,`, ",", `\\;`, ";", `\;`, ";").Replace(text)
}

// joined returns lines as one line, separated by commas.
func joined(lines string) string {
	var list []string
	for line := range strings.Lines(lines) {
		if line = strings.Trim(oneLine(line), ", "); line != "" {
			list = append(list, line)
		}
	}
	return strings.Join(list, ", ")
}

// coordinates sets the latitude and longitude of a venue. It reports false if they are invalid.
func coordinates(venue map[string]any, parts []string) bool {
	if len(parts) != 2 {
		return false
	}
	lat, err := strconv.ParseFloat(strings.TrimSpace(parts[0]), 64)
	lng, err2 := strconv.ParseFloat(strings.TrimSpace(parts[1]), 64)
	if err != nil || err2 != nil || !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) || lat == 0 && lng == 0 {
		return false
	}
	number := func(n float64) json.Number { return json.Number(strconv.FormatFloat(n, 'f', -1, 64)) }
	venue["geo_lat"], venue["geo_lng"] = number(lat), number(lng)
	return true
}

// venueOf returns a venue from a place in one text. The name is the first line, or, if an address follows, the text
// before the first comma.
func venueOf(text string) map[string]any {
	venue := map[string]any{}
	lines := strings.TrimSpace(text)
	name, rest, several := strings.Cut(lines, "\n")
	if parts := bracketed.FindStringSubmatch(lines); !several && parts != nil && isAddress(parts[2]) {
		name, rest, several = parts[1], parts[2], true
	}
	if !several {
		name, rest, several = strings.Cut(lines, ",")
		several = several && isAddress(rest)
	}
	if !several {
		name, rest, several = strings.Cut(lines, " - ")
		several = several && isAddress(rest)
	}
	if name = strings.Trim(oneLine(name), ", "); !several || name == "" {
		if name = joined(lines); name != "" {
			venue["venue"] = name
		}
		return venue
	}
	venue["venue"] = name
	if address := joined(rest); address != "" {
		venue["address"] = address
	}
	return venue
}

// bracketed matches a name followed by an address in brackets.
var bracketed = regexp.MustCompile(`^([^()]+)\(([^()]+)\)$`)

var (
	postcode = regexp.MustCompile(`(?i)(^|[\s,-])(\d{4,6}(-\d{3,4})?|\d{3} \d{2}|[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}|[a-z]\d[a-z] \d[a-z]\d|〒\d{3}-\d{4})($|[\s,])`)
	numbered = regexp.MustCompile(`^(?:\d+[\p{L}]?(?:[-/]\d+[\p{L}]?)?,?\s+\p{L}[\p{L}\s.'’-]{2,}|(\p{L}[\p{L}\s.'’-]{2,})\s+(?:n[.°º]?\s*)?\d+\s?\p{L}?(?:\s?[-/]\s?\d+\s?\p{L}?)?)$`)
	indoors  = regexp.MustCompile(`(?i)^(?:room|rooms|raum|saal|floor|etage|stock|hall|halle|level|stage|salle|zimmer|gate|platform|building|gebäude|haus|block|table|tisch|sala|aula|piso|lokal|sal|zaal|seat|studio|screen|court|platz)\s`)
)

// isAddress reports whether a text looks like an address: it has a postal code, or a street with a number.
func isAddress(text string) bool {
	if postcode.MatchString(text) {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		if part = oneLine(part); numbered.MatchString(part) && !indoors.MatchString(part) {
			return true
		}
	}
	return false
}

// people reads the organizer.
func (e *icsEvent) people() {
	p, found := e.first("ORGANIZER")
	if !found {
		return
	}
	name := percentDecoded(oneLine(p.params["CN"]))
	email := ""
	if address, is := cutFold(strings.TrimSpace(p.value), "mailto:"); is {
		email = percentDecoded(address)
	} else if strings.Contains(p.value, "@") && !strings.Contains(p.value, ":") {
		email = strings.TrimSpace(p.value)
	}
	parsed, err := mail.ParseAddress(email)
	if email != "" && (err != nil || parsed.Address != email || madeUp(email)) {
		email = ""
	}
	if name = unquoted(name); name == "" || strings.EqualFold(name, p.params["EMAIL"]) && email == "" {
		name = email
	}
	if name == "" || madeUp(name) {
		return
	}
	organizer := map[string]any{"organizer": name}
	if email != "" {
		organizer["email"] = email
	}
	e.values["organizer"] = []any{organizer}
}

// unquoted returns a name without the quotation marks around it.
func unquoted(name string) string {
	name = strings.TrimSpace(name)
	for _, mark := range []string{`"`, "'"} {
		if inner, is := strings.CutPrefix(name, mark); is && len(inner) > 0 {
			name = strings.TrimSpace(strings.TrimSuffix(inner, mark))
		}
	}
	return name
}

// madeUp reports whether an address identifies a calendar rather than somebody's mailbox.
func madeUp(email string) bool {
	_, host, _ := strings.Cut(strings.ToLower(email), "@")
	return strings.HasSuffix(host, "calendar.google.com") || strings.HasSuffix(host, ".invalid") || host == "invalid"
}

// percentDecoded decodes percent-encoding if the whole text is valid; otherwise it returns the text as it is.
func percentDecoded(text string) string {
	plain, err := url.PathUnescape(text)
	if err != nil || !utf8.ValidString(plain) || strings.ContainsFunc(plain, unicode.IsControl) {
		return text
	}
	return plain
}

// cutFold is strings.CutPrefix in any letter case.
func cutFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

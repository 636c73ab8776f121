package sheets

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
)

// csvCells are the non-blank texts of one row by meaning.
type csvCells map[string]string

// values returns the arguments of an event.
func (c csvCells) values() (args.Values, error) {
	v := args.Values{}
	for _, name := range []string{"website", "image", "virtual_url", "venue.website", "organizer.website"} {
		if text, ok := c[name]; ok {
			c[name] = address(text)
		}
	}
	for _, name := range []string{"title", "description", "excerpt", "timezone", "website", "image", "event_status", "event_status_reason",
		"attendance_mode", "virtual_url", "virtual_url_shown", "status", "date", "slug", "seo_title", "seo_description"} {
		if text, ok := c[name]; ok {
			v[name] = text
		}
	}
	for _, name := range []string{"all_day", "hide_from_listings", "sticky", "featured", "show_map", "show_map_link"} {
		if text, ok := c[name]; ok {
			v[name] = yesOrNo(text)
		}
	}
	for _, name := range []string{"categories", "tags"} {
		if text, ok := c[name]; ok {
			v[name] = commaList(text)
		}
	}
	c.times(v)
	if texts := c.texts("", eventTexts); texts != nil {
		v["translations"] = texts
	}
	c.recurrence(v)
	c.venue(v)
	c.organizers(v)
	if cost := c.cost(); cost != "" {
		v["cost"] = cost
	}
	if err := c.tickets(v); err != nil {
		return nil, err
	}
	return v, c.clear(v)
}

// recurrence sets how an event repeats: rules, one per line, and dates.
func (c csvCells) recurrence(v args.Values) {
	rule := map[string]any{}
	if text, ok := c["recurrence.rrule"]; ok {
		list := []any{}
		for line := range strings.Lines(text) {
			list = append(list, strings.TrimSpace(line))
		}
		rule["rrule"] = list
	}
	for _, name := range []string{"rdate", "exdate"} {
		if text, ok := c["recurrence."+name]; ok {
			rule[name] = commaList(text)
		}
	}
	if len(rule) > 0 {
		v["recurrence"] = rule
	}
}

// tickets parses ticket offers in the format of the API.
func (c csvCells) tickets(v args.Values) error {
	text, ok := c["tickets"]
	if !ok {
		return nil
	}
	var list []any
	numbers := json.NewDecoder(strings.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&list); err != nil || numbers.More() {
		return args.Invalid("tickets", "problem.import.json", nil)
	}
	v["tickets"] = list
	return nil
}

// clearable are the arguments that an occurrence can clear although its series has them.
var clearable = []string{"description", "excerpt", "image", "cost", "website", "venue", "organizer", "categories", "tags", "tickets",
	"event_status_reason", "virtual_url", "seo_title", "seo_description"}

// clear sets the arguments that an occurrence clears.
func (c csvCells) clear(v args.Values) error {
	for _, entry := range commaList(c["cleared"]) {
		name, _ := entry.(string)
		if strings.HasPrefix(name, "translations.") && c["original_start"] != "" {
			clearText(v, name)
			continue
		}
		if !slices.Contains(clearable, name) || c["original_start"] == "" {
			return args.Invalid("cleared", "problem.import.cleared", map[string]any{"Value": name})
		}
		v[name] = nil
	}
	return nil
}

// address percent-encodes characters that are not allowed in an address but shown to people, such as spaces and
// non-ASCII letters.
func address(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// truths are the words for TRUE and FALSE in upper case that people type and that spreadsheets write: saving a file
// in another language than English translates them.
var truths = map[string]bool{
	"YES": true, "Y": true, "ON": true, "NO": false, "N": false, "OFF": false,
	"PRAVDA": true, "NEPRAVDA": false, // cs
	"SAND": true, "FALSK": false, // da
	"WAHR": true, "FALSCH": false, // de
	"ΑΛΗΘΗΣ": true, "ΑΛΗΘΕΣ": true, "ΨΕΥΔΗΣ": false, "ΨΕΥΔΕΣ": false, // el
	"VERDADERO": true, "VERO": true, "VERDADEIRO": true, "FALSO": false, // es, it, pt
	"TOSI": true, "EPÄTOSI": false, // fi
	"VRAI": true, "FAUX": false, // fr
	"IGAZ": true, "HAMIS": false, // hu
	"WAAR": true, "ONWAAR": false, // nl
	"PRAWDA": true, "FAŁSZ": false, // pl
	"ИСТИНА": true, "ЛОЖЬ": false, // ru
	"SANT": true, "FALSKT": false, // sv
	"DOĞRU": true, "YANLIŞ": false, // tr
	"ІСТИНА": true, "ХИБНІСТЬ": false, // uk
}

// yesOrNo parses a cell that says yes or no. What is none of truths is left to the validation of the argument.
func yesOrNo(text string) any {
	if truth, known := truths[strings.ToUpper(text)]; known {
		return truth
	}
	return text
}

// times sets start and end. A missing end date or time defaults to that of the start. An event without any time is
// all-day unless the row says otherwise. An occurrence only sets what the row contains.
func (c csvCells) times(v args.Values) {
	if c["original_start"] != "" {
		c.ownTimes(v)
		return
	}
	startDay, startTime := c["start_date"], c["start_time"]
	endDay, endTime := c["end_date"], c["end_time"]
	if startDay == "" {
		return // reported as a missing argument
	}
	if endDay == "" {
		endDay = startDay
	}
	if _, said := c["all_day"]; !said && startTime+endTime == "" && isDay(startDay) && isDay(endDay) {
		v["all_day"] = true
	}
	if endTime == "" {
		endTime = startTime
	}
	v["start_date"] = strings.TrimSpace(startDay + " " + startTime)
	v["end_date"] = strings.TrimSpace(endDay + " " + endTime)
}

// ownTimes sets the times of an occurrence as far as the row has them. A time alone refers to the original day, an
// end time to the day of the start.
func (c csvCells) ownTimes(v args.Values) {
	day, _, _ := strings.Cut(strings.Replace(c["original_start"], "T", " ", 1), " ")
	for _, name := range []string{"start", "end"} {
		if c[name+"_date"] != "" {
			day = c[name+"_date"]
		}
		if c[name+"_date"]+c[name+"_time"] != "" {
			v[name+"_date"] = strings.TrimSpace(day + " " + c[name+"_time"])
		}
	}
}

// isDay reports whether a text is a date without a time.
func isDay(text string) bool {
	date, err := args.ParseDate(text)
	return err == nil && !date.HasTime()
}

// The fields of venues and organizers that have columns of their own.
var (
	venueCells = []string{"address", "city", "country", "stateprovince", "state", "province", "zip", "phone", "website", "description",
		"geo_lat", "geo_lng"}
	organizerCells = []string{"email", "phone", "website", "description"}
)

// place returns the fields of a venue or organizer with columns beyond its name.
func (c csvCells) place(kind string, fields []string) map[string]any {
	place := map[string]any{kind: c[kind]}
	for _, field := range fields {
		if text, ok := c[kind+"."+field]; ok {
			place[field] = text
		}
	}
	if texts := c.texts(kind+".", placeTexts[kind]); texts != nil {
		place["translations"] = texts
	}
	return place
}

// venue sets the venues. Other venue cells are ignored without a name.
func (c csvCells) venue(v args.Values) {
	var list []any
	if c["venue"] != "" {
		list = append(list, c.place("venue", venueCells))
	}
	for _, entry := range listEntries(c["venues"]) {
		list = append(list, map[string]any{"venue": entry.text})
	}
	if len(list) > 0 {
		v["venue"] = list
	}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// organizers sets the organizers. The column for a single organizer holds a name that may contain commas; the one for
// several holds a list of names and ids.
func (c csvCells) organizers(v args.Values) {
	var list []any
	if c["organizer"] != "" {
		list = append(list, c.place("organizer", organizerCells))
	}
	for _, entry := range listEntries(c["organizers"]) {
		if digits.MatchString(entry.text) && !entry.quoted {
			list = append(list, entry.text)
		} else {
			list = append(list, map[string]any{"organizer": entry.text})
		}
	}
	if len(list) > 0 {
		v["organizer"] = list
	}
}

var bareAmount = regexp.MustCompile(`^[0-9][0-9., ]*$`)

// cost returns the cost with the currency of the row: a bare amount gets the symbol at the given position, or else
// the code.
func (c csvCells) cost() string {
	cost, symbol := c["cost"], c["currency_symbol"]
	if !bareAmount.MatchString(cost) {
		return cost
	}
	switch position := strings.ToLower(c["currency_position"]); {
	case symbol == "" && c["currency_code"] != "":
		return strings.ToUpper(c["currency_code"]) + " " + cost
	case position == "postfix", position == "suffix", position == "after":
		return cost + symbol
	}
	return symbol + cost
}

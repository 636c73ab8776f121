package calendar

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
)

// csvCells are the texts of one row that are not blank, by what they mean.
type csvCells map[string]string

// values puts the arguments of an event together.
func (c csvCells) values() (args.Values, error) {
	v := args.Values{}
	for _, name := range []string{"website", "image", "virtual_url", "venue.website", "organizer.website"} {
		if text, ok := c[name]; ok {
			c[name] = address(text)
		}
	}
	for _, name := range []string{"title", "description", "excerpt", "timezone", "website", "image", "event_status", "event_status_reason",
		"attendance_mode", "virtual_url", "virtual_url_shown", "status", "date", "slug"} {
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

// recurrence says how an event repeats: rules, each in a line of its own, and dates.
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

// tickets reads offers as the API takes them.
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

// clearable are the arguments that a date of a series may have none of although its
// series has.
var clearable = []string{"description", "excerpt", "image", "cost", "website", "venue", "organizer", "categories", "tags", "tickets",
	"event_status_reason", "virtual_url"}

// clear says what a date of a series has none of.
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

// address escapes what an address may not hold as it is but people see it with,
// such as blanks and letters of their own script.
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

// yesOrNo reads the words people write into such cells; the argument judges all
// others.
func yesOrNo(text string) any {
	switch strings.ToLower(text) {
	case "yes", "y", "on":
		return true
	case "no", "n", "off":
		return false
	}
	return text
}

// times says when. An end that isn't said is the start, each of day and time;
// without any time, and where nobody says otherwise, the event fills its days.
// A date of a series says nothing of what it doesn't say.
func (c csvCells) times(v args.Values) {
	if c["original_start"] != "" {
		c.ownTimes(v)
		return
	}
	startDay, startTime := c["start_date"], c["start_time"]
	endDay, endTime := c["end_date"], c["end_time"]
	if startDay == "" {
		return // the argument is missing
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

// ownTimes says when a date of a series is, where it says so: a time alone is of its
// own day, and an end of the day it starts.
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

// The fields of a venue and of an organizer that have columns of their own.
var (
	venueCells = []string{"address", "city", "country", "stateprovince", "state", "province", "zip", "phone", "website", "description",
		"geo_lat", "geo_lng"}
	organizerCells = []string{"email", "phone", "website", "description"}
)

// place returns the venue or organizer that a row says more of than its name.
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

// venue says where. What a row says of a venue without a name says nothing.
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

// organizers says who. A column of one organizer holds a name, commas and all;
// one of several holds a list of names and ids.
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

// cost returns the cost with the currency the row names: an amount alone gets
// the symbol where it is said to stand, or else the code.
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

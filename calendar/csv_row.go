package calendar

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/kalends/kalends/args"
)

// csvCells are the texts of one row that are not blank, by what they mean.
type csvCells map[string]string

// values puts the arguments of an event together.
func (c csvCells) values() args.Values {
	v := args.Values{}
	for _, name := range []string{"website", "image", "venue.website"} {
		if text, ok := c[name]; ok {
			c[name] = address(text)
		}
	}
	for _, name := range []string{"title", "description", "excerpt", "timezone", "website", "image"} {
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
	c.venue(v)
	c.organizers(v)
	if cost := c.cost(); cost != "" {
		v["cost"] = cost
	}
	return v
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

// commaList parts a text at its commas.
func commaList(text string) []any {
	list := []any{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// times says when. An end that isn't said is the start, each of day and time;
// without any time, and where nobody says otherwise, the event fills its days.
func (c csvCells) times(v args.Values) {
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

// isDay reports whether a text is a date without a time.
func isDay(text string) bool {
	date, err := args.ParseDate(text)
	return err == nil && !date.HasTime()
}

// venue says where. What a row says of a venue without a name says nothing.
func (c csvCells) venue(v args.Values) {
	name := c["venue"]
	if name == "" {
		return
	}
	venue := map[string]any{"venue": name}
	for _, field := range []string{"address", "city", "country", "stateprovince", "zip", "phone", "website"} {
		if text, ok := c["venue."+field]; ok {
			venue[field] = text
		}
	}
	v["venue"] = []any{venue}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// organizers says who. A column of one organizer holds a name, commas and all;
// one of several holds a list of names and ids.
func (c csvCells) organizers(v args.Values) {
	var list []any
	if name := c["organizer"]; name != "" {
		list = append(list, map[string]any{"organizer": name})
	}
	for _, entry := range commaList(c["organizers"]) {
		if name, _ := entry.(string); !digits.MatchString(name) {
			entry = map[string]any{"organizer": name}
		}
		list = append(list, entry)
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

package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/reading/moments"
)

// mostSampled is the maximum number of rows that are examined to find out what columns contain.
const mostSampled = 200

// content says what the cells of a column contain: dates, times of day, or both in one cell.
type content struct {
	dates, times, both int
	bare               int // times that are only a number
}

// day matches a number that may be a day of a month or an hour.
var day = regexp.MustCompile(`^\d{1,2}\.?$`)

// sampled returns what the cells of each column have.
func (t *table) sampled() []content {
	list := make([]content, len(t.columns))
	seen := 0
	for r := range t.rows {
		for n := range list {
			if n < len(r.cells) && strings.TrimSpace(r.cells[n]) != "" {
				list[n].add(r.cells[n])
			}
		}
		if seen++; seen == mostSampled {
			break
		}
	}
	return list
}

func (c *content) add(text string) {
	switch s, _, ok := moments.ReadSpan(strings.TrimSpace(text), ""); {
	case !ok && !s.Unsure:
	case s.Day.IsZero() && s.Timed:
		c.times++
		if day.MatchString(strings.TrimSpace(text)) {
			c.bare++
		}
	case s.Day.IsZero():
	case s.Timed:
		c.both++
	default:
		c.dates++
	}
}

// meaningOf returns the meaning of a column with a start or an end. Its heading does not say whether it has dates, times
// or both; its cells do. headers are the columns that are known, by their meaning.
func (c *content) meaningOf(meaning string, headers map[string]string) string {
	side, _, _ := strings.Cut(meaning, "_")
	if side != "start" && side != "end" {
		return meaning
	}
	switch dated := c.dates + c.both; {
	case headers[side+"_date"] != "" && c.times > 0:
		return side + "_time" // even if some cells are no times: their rows are refused, and not read as if they had none
	case dated > 0 && c.times == 0:
		return side + "_date"
	case c.times > 0 && dated == 0, c.times > 0 && side == "end": // a cell with the time of an end may have its day, too
		return side + "_time"
	}
	return meaning
}

// numbersDays reports whether a column has only numbers, each the day of the month in the column with the dates: they are no hours.
func (t *table) numbersDays(n int, c *content) bool {
	dates := slices.Index(t.columns, "start_date")
	if dates < 0 || c.bare < 2 || c.bare < c.times || c.dates+c.both > 0 {
		return false
	}
	seen := 0
	for r := range t.rows {
		if n >= len(r.cells) || dates >= len(r.cells) {
			continue
		}
		number, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(r.cells[n]), "."))
		at, _, ok := moments.ReadSpan(strings.TrimSpace(r.cells[dates]), "")
		if err == nil && ok && number != at.Day.Day() {
			return false
		}
		if seen++; seen == mostSampled {
			break
		}
	}
	return true
}

// unit is a currency or sign in brackets behind a heading, as in "Price (€)".
var unit = regexp.MustCompile(`\s*[(\[](?:[A-Z]{3}|[^A-Za-z]+)[)\]]$`)

// foreignMeaning returns the meaning of a heading that people write or another program does.
func foreignMeaning(name string) (string, bool) {
	meaning, known := foreign[columnKey(name)]
	if !known {
		meaning, known = foreign[columnKey(unit.ReplaceAllString(name, ""))]
	}
	return meaning, known
}

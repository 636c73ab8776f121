package sheets

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
)

// addedFields sets the cells of the fields that the site has added.
func (c *Table) addedFields(cells map[string]string, e *calendar.Event) {
	if e.Masked {
		return
	}
	for _, f := range c.added {
		if !e.Fields.Has(f) {
			continue
		}
		switch value := e.Fields[f.Key].(type) {
		case string:
			cells[reading.AddedColumn(f.Key)] = lineText(value)
		case float64:
			cells[reading.AddedColumn(f.Key)] = strconv.FormatFloat(value, 'f', -1, 64)
		case bool:
			cells[reading.AddedColumn(f.Key)] = truth(value)
		}
	}
}

// clearedFields returns the columns of fields that the site has added in which a date has nothing; its series may have something there.
func (c *Table) clearedFields(e *calendar.Event) (list []string) {
	for _, f := range c.added {
		if !e.Fields.Has(f) {
			list = append(list, reading.AddedColumn(f.Key))
		}
	}
	return list
}

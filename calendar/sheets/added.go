package sheets

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/tenancy"
)

// addedCells sets the cells of fields that the site has added to its events or venues.
func addedCells(cells map[string]string, list []*tenancy.Field, column func(key string) string, values calendar.AddedFields) {
	for _, f := range list {
		if !values.Has(f) {
			continue
		}
		switch value := values[f.Key].(type) {
		case string:
			cells[column(f.Key)] = lineText(value)
		case float64:
			cells[column(f.Key)] = strconv.FormatFloat(value, 'f', -1, 64)
		case bool:
			cells[column(f.Key)] = truth(value)
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

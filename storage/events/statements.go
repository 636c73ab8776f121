package events

import "fmt"

// Statements has some statements of this package by name, for tests that examine their query plans.
var Statements = func() map[string]string {
	all := map[string]string{"count": addToCount,
		"on a day": eventByIDs + ofSlugOn, "around": datesAround,
		"orphans": orphanEvents, "orphans of dates": orphanDates, "delete": deleteEvent,
		"forget former dates": forgetFormer}
	for n, sql := range createStatements {
		all[fmt.Sprint("create ", n)] = sql
	}
	return all
}()

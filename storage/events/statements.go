package events

import "fmt"

// Statements has some statements of this package by what they do, for tests that look at their plans.
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

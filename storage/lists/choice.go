package lists

// inCities is SQL for the published venues of cities.
func inCities(cities string) string {
	return `ARRAY(
		SELECT v.id
		FROM venues v
		WHERE v.site_id = $1
		  AND v.city = ANY(` + cities + `)
		  AND v.status = 'publish')`
}

// isFree is the condition that an event e costs nothing, as prices.Format reads it.
const isFree = `(e.cost <> '{}'
	AND NOT EXISTS (
		SELECT
		FROM unnest(e.cost) c
		WHERE c !~* '^\s*([^0-9[:alpha:]]{0,3}\s*0+([.,]0+)?\s*([^0-9[:alpha:]]{0,3}|[a-z]{3})|free)\s*$'))`

// takings are the conditions that people can take part in an event e online, or on site.
var takings = map[string]string{"online": "e.attendance IN ('online', 'mixed')", "here": "e.attendance IN ('offline', 'mixed')"}

// chosenBy keeps events that match the choices of a visitor.
func (b *eventQuery) chosenBy() {
	if len(b.Cities) > 0 {
		b.among("event_venues", "venue_id", inCities(b.arg(b.Cities)))
	}
	if b.Free {
		b.sparse = true
		b.andEvent(isFree)
	}
	if condition := takings[b.Taking]; condition != "" {
		b.andEvent(condition)
	}
}

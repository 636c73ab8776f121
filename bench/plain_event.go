package main

import "time"

// api is the path of the collections.
const api = "/calendar/events/v1/"

// event appends one event, with structured data if it is a single one.
func (a *answer) event(c *cursor, single bool) {
	ld := a.own(c)
	if !single {
		ld = nil
	}
	a.terms(c.next())
	a.venue(c, ld)
	a.organizers(c.next(), ld)
	a.lit(`,"custom_fields":[]`)
	if single {
		a.ld(ld)
	}
	a.lit(`}`)
}

// own appends the event's own fields, and returns those that structured data repeat.
func (a *answer) own(c *cursor) *structured {
	id := c.int()
	a.lit(`{"id":`)
	a.int(id)
	a.global(id)
	ld := &structured{published: a.post(c)}
	slug, title, description, excerpt := c.next(), c.next(), c.next(), c.next()
	a.lit(`,"url":"` + a.origin + `/event/`)
	a.b = append(a.b, slug...)
	a.lit(`/","rest_url":"` + a.origin + api + `events/`)
	a.int(id)
	a.str(`","title":`, title)
	a.str(`,"description":`, description)
	a.str(`,"excerpt":`, excerpt)
	a.str(`,"slug":`, slug)
	a.lit(`,"image":false,"all_day":`)
	a.bool(c.next())
	ld.start, ld.end = a.times(c)
	ld.price = a.cost(c.next())
	a.str(`,"website":`, c.next())
	for _, key := range []string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		a.lit(`,"` + key + `":`)
		a.bool(c.next())
	}
	ld.title, ld.description = title, description
	ld.url = a.origin + `/event/` + string(slug) + `/`
	return ld
}

func (a *answer) times(c *cursor) (time.Time, time.Time) {
	startLocal, endLocal, start, end := c.time(), c.time(), c.time(), c.time()
	a.at("start_date", startLocal)
	a.at("end_date", endLocal)
	a.at("utc_start_date", start)
	a.at("utc_end_date", end)
	name := c.next()
	a.str(`,"timezone":`, name)
	place := a.place
	if string(name) != zone {
		if other, err := time.LoadLocation(string(name)); err == nil {
			place = other
		}
	}
	a.lit(`,"timezone_abbr":"`)
	a.b = start.In(place).AppendFormat(a.b, "MST")
	a.lit(`"`)
	return start, end
}

// cost appends a single price in the site's currency.
func (a *answer) cost(b []byte) (price []byte) {
	elements(b, func(b []byte) { price = b })
	a.lit(`,"cost":"$`)
	a.b = append(a.b, price...)
	a.lit(`","cost_details":{"currency_symbol":"","currency_code":"","currency_position":"","values":["`)
	a.b = append(a.b, price...)
	a.lit(`"]}`)
	return price
}

// termKinds are the kinds of terms in order.
var termKinds = []struct{ taxonomy, key, wire, collection string }{
	{"category", `,"categories":[`, "tribe_events_cat", "categories"}, {"tag", `,"tags":[`, "post_tag", "tags"},
}

// terms appends the categories and the tags of one ordered array.
func (a *answer) terms(b []byte) {
	for _, kind := range termKinds {
		a.lit(kind.key)
		records(b, func(c *cursor) {
			id := c.int()
			if string(c.next()) != kind.taxonomy {
				return
			}
			if a.b[len(a.b)-1] != '[' {
				a.lit(",")
			}
			a.term(id, c, kind.wire, kind.collection)
		})
		a.lit(`]`)
	}
}

func (a *answer) term(id int64, c *cursor, wire, collection string) {
	a.str(`{"name":`, c.next())
	a.str(`,"slug":`, c.next())
	a.lit(`,"term_group":0,"term_taxonomy_id":`)
	a.int(id)
	a.lit(`,"taxonomy":"` + wire)
	a.str(`","description":`, c.next())
	a.lit(`,"parent":`)
	a.int(c.int())
	a.lit(`,"count":`)
	a.int(c.int())
	a.lit(`,"filter":"raw","id":`)
	a.int(id)
	a.lit(`,"urls":{"self":"` + a.origin + api + collection + `/`)
	a.int(id)
	a.lit(`","collection":"` + a.origin + api + collection + `"}}`)
}

func (a *answer) venue(c *cursor, ld *structured) {
	if c.values[0] == nil {
		a.lit(`,"venue":[]`)
		c.values = c.values[18:]
		return
	}
	id := c.int()
	a.lit(`,"venue":{"id":`)
	a.int(id)
	a.post(c)
	slug, name, description := c.next(), c.next(), c.next()
	address, city, country, zip, phone, website := c.next(), c.next(), c.next(), c.next(), c.next(), c.next()
	a.lit(`,"url":"` + a.origin + `/venue/`)
	a.b = append(a.b, slug...)
	a.str(`/","venue":`, name)
	a.some(`,"description":`, description)
	a.some(`,"slug":`, slug)
	a.some(`,"address":`, address)
	a.some(`,"city":`, city)
	a.some(`,"country":`, country)
	a.some(`,"zip":`, zip)
	a.some(`,"phone":`, phone)
	a.some(`,"website":`, website)
	located := c.values[0] != nil
	var lat, lng float64
	if located {
		lat, lng = c.float(), c.float()
		a.float(`,"geo_lat":`, lat)
		a.float(`,"geo_lng":`, lng)
	} else {
		c.values = c.values[2:]
	}
	if ld != nil {
		ld.venue = func() { a.placeLD(name, description, address, city, zip, country, phone, website, lat, lng, located) }
		a.lit(`,"json_ld":`)
		ld.venue()
	}
	a.lit(`,"show_map":`)
	a.bool(c.next())
	a.lit(`,"show_map_link":`)
	a.bool(c.next())
	a.global(id)
	a.lit(`}`)
}

func (a *answer) organizers(b []byte, ld *structured) {
	a.lit(`,"organizer":[`)
	records(b, func(c *cursor) {
		if a.b[len(a.b)-1] != '[' {
			a.lit(",")
		}
		a.organizer(c, ld)
	})
	a.lit(`]`)
}

func (a *answer) organizer(c *cursor, ld *structured) {
	id := c.int()
	a.lit(`{"id":`)
	a.int(id)
	a.post(c)
	slug, name, description, phone, website, email := c.next(), c.next(), c.next(), c.next(), c.next(), c.next()
	a.lit(`,"url":"` + a.origin + `/organizer/`)
	a.b = append(a.b, slug...)
	a.str(`/","organizer":`, name)
	a.some(`,"description":`, description)
	a.some(`,"slug":`, slug)
	a.some(`,"phone":`, phone)
	a.some(`,"website":`, website)
	a.some(`,"email":`, email)
	if ld != nil {
		person := func() { a.personLD(name, description, phone, email, website) }
		if ld.organizer == nil {
			ld.organizer = person
		}
		a.lit(`,"json_ld":`)
		person()
	}
	a.global(id)
	a.lit(`}`)
}

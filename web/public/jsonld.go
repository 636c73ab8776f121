package public

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// data is a schema.org object.
type data map[string]any

// some sets a member unless the text is empty.
func (d data) some(key, text string) {
	if text != "" {
		d[key] = text
	}
}

// eventData returns the structured data of an event for search engines, following Google's guidelines for events.
// For an event without an image it uses the card.
func eventData(ctx context.Context, v *eventView, card string) data {
	e := v.Event
	base := tenancy.Current(ctx).Base
	address := e.Address(base.Pages())
	d := data{
		"@context":            "https://schema.org",
		"@type":               e.Schema(),
		"name":                e.Title,
		"url":                 address,
		"startDate":           ui.MachineTime(e, true),
		"eventStatus":         "https://schema.org/" + e.Happening.Schema(),
		"eventAttendanceMode": "https://schema.org/" + e.Attendance.Schema(),
	}
	if !e.Recurring() && !e.Facts.EndUnknown { // a series ends with its last date, if any
		d["endDate"] = ui.MachineTime(e, false)
	}
	if previous := e.Previously(); !previous.IsZero() {
		d["previousStartDate"] = previous.In(ui.ZoneOf(e)).Format("2006-01-02T15:04:05-07:00")
	}
	if words := e.EntryOf(); len(words) > 0 {
		d["accessibilityFeature"] = words
	}
	d.some("typicalAgeRange", e.Facts.AgeRange())
	if words := e.Facts.Languages; len(words) > 0 {
		d["inLanguage"] = words
	}
	if list := e.PerformersOf(); len(list) > 0 {
		d["performer"] = performersData(list)
	}
	if e.Facts.Video != "" { // no VideoObject, because search engines require its upload date and a thumbnail
		d["subjectOf"] = data{"@type": "MediaObject", "url": e.Facts.Video}
	}
	if list := addedData(ctx, e.Fields, tenancy.FieldOfEvents); len(list) > 0 {
		d["additionalProperty"] = list
	}
	d.some("description", layout.Excerpt(e.Excerpt, e.Description))
	if e.Image != nil {
		d["image"] = []string{base.Origin + ui.BlobPath(e.Image, e.Image.Large().File)}
	} else if card != "" {
		d["image"] = []string{card}
	}
	d["location"] = whereData(ctx, v)
	switch {
	case v.around != nil:
		d["superEvent"] = data{"@type": v.around.Whole.Schema(), "name": v.around.Whole.Title, "url": base.Pages() + e.WholePath()}
	case v.dates != nil:
		if schedules := e.Schedules(); len(schedules) > 0 {
			d["eventSchedule"] = schedules
		}
		if !v.dates.Past {
			d["subEvent"] = datesData(base, v.dates, d["location"])
		}
	}
	organizers := make([]data, 0, len(e.Organizers))
	for i := range e.Organizers {
		organizers = append(organizers, organizerData(base, &e.Organizers[i]))
	}
	if len(organizers) > 0 {
		d["organizer"] = organizers
	}
	if offers := offersData(ui.SiteOf(ctx), e, address); len(offers) > 0 {
		d["offers"] = offers
	}
	return d
}

// performersData describes performers by name. The type is PerformingGroup, because a name does not tell whether it
// is a person or a group.
func performersData(names []string) []data {
	list := make([]data, 0, len(names))
	for _, name := range names {
		list = append(list, data{"@type": "PerformingGroup", "name": name})
	}
	return list
}

// whereData describes where an event takes place: at its first venue, online, or both.
func whereData(ctx context.Context, v *eventView) any {
	var list []data
	if len(v.Venues) > 0 {
		list = append(list, placeData(tenancy.Current(ctx).Base, &v.Venues[0]))
	}
	switch base := tenancy.Current(ctx).Base; {
	case v.online != "" && v.Attendance.Mode != "":
		list = append(list, data{"@type": "VirtualLocation", "url": v.online})
	case v.Attendance.Mode == "online" && len(list) == 0: // the page has more information
		list = append(list, data{"@type": "VirtualLocation", "url": base.Pages() + v.Path()})
	}
	switch len(list) {
	case 0:
		return data{"@type": "Place", "name": ui.SiteName(ctx), "address": ui.SiteName(ctx)}
	case 1:
		return list[0]
	}
	return list
}

// datesData describes the dates of a series shown on its page. A date without a venue has the location of the series.
func datesData(base tenancy.Base, dates *seriesDates, where any) []data {
	list := []data{}
	for _, m := range dates.Months {
		for _, e := range m.Events {
			d := data{"@type": "Event", "name": e.Title, "url": base.Pages() + e.Path(), "startDate": ui.MachineTime(e.Event, true),
				"eventStatus": "https://schema.org/" + e.Happening.Schema(), "location": where}
			if !e.Facts.EndUnknown {
				d["endDate"] = ui.MachineTime(e.Event, false)
			}
			if !e.Masked && len(e.Venues) > 0 {
				d["location"] = placeData(base, &e.Venues[0])
			}
			list = append(list, d)
		}
	}
	return list
}

// placeData describes a venue with a structured address.
func placeData(base tenancy.Base, v *calendar.Venue) data {
	d := data{"@type": "Place", "name": v.Name}
	if v.Status == calendar.Publish && v.Slug != "" {
		d["url"] = base.Pages() + ui.VenuePath(v)
	}
	address := data{"@type": "PostalAddress"}
	address.some("streetAddress", v.Address)
	address.some("postalCode", v.Zip)
	address.some("addressLocality", v.City)
	address.some("addressRegion", v.Region())
	address.some("addressCountry", v.Country)
	if len(address) == 1 {
		address["name"] = v.Name
	}
	d["address"] = address
	if v.GeoLat != nil && v.GeoLng != nil {
		d["geo"] = data{"@type": "GeoCoordinates", "latitude": *v.GeoLat, "longitude": *v.GeoLng}
	}
	d.some("telephone", v.Phone)
	d.some("sameAs", v.Website)
	return d
}

func organizerData(base tenancy.Base, o *calendar.Organizer) data {
	d := data{"@type": "Organization", "name": o.Name}
	d.some("url", o.Website)
	if o.Website == "" && o.Status == calendar.Publish && o.Slug != "" {
		d["url"] = base.Pages() + ui.OrganizerPath(o)
	}
	d.some("email", o.Email)
	d.some("telephone", o.Phone)
	return d
}

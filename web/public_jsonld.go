package web

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// data is an object of schema.org.
type data map[string]any

// some leaves out what is empty.
func (d data) some(key, text string) {
	if text != "" {
		d[key] = text
	}
}

// eventData describes an event to search engines, by the rules Google has for
// events.
func eventData(ctx context.Context, e *calendar.Event) data {
	base := tenancy.Current(ctx).Base
	address := base.Pages() + eventPath(e)
	d := data{
		"@context":            "https://schema.org",
		"@type":               "Event",
		"name":                e.Title,
		"url":                 address,
		"startDate":           machineTime(e, true),
		"endDate":             machineTime(e, false),
		"eventStatus":         "https://schema.org/EventScheduled",
		"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
	}
	d.some("description", excerptOf(e.Excerpt, e.Description))
	if e.Image != nil {
		d["image"] = []string{base.Origin + blobPath(e.Image, e.Image.File)}
	}
	if len(e.Venues) > 0 {
		d["location"] = placeData(base, &e.Venues[0])
	} else {
		d["location"] = data{"@type": "Place", "name": siteOf(ctx).Name, "address": siteOf(ctx).Name}
	}
	organizers := make([]data, 0, len(e.Organizers))
	for i := range e.Organizers {
		organizers = append(organizers, organizerData(base, &e.Organizers[i]))
	}
	if len(organizers) > 0 {
		d["organizer"] = organizers
	}
	if offers := offersData(siteOf(ctx), e, address); len(offers) > 0 {
		d["offers"] = offers
	}
	return d
}

// placeData describes a venue, with the address search engines ask for.
func placeData(base tenancy.Base, v *calendar.Venue) data {
	d := data{"@type": "Place", "name": v.Name}
	if v.Status == calendar.Publish && v.Slug != "" {
		d["url"] = base.Pages() + venuePath(v)
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
		d["url"] = base.Pages() + organizerPath(o)
	}
	d.some("email", o.Email)
	d.some("telephone", o.Phone)
	return d
}

// availability are the states Google knows; it has none for what is over, which
// is left to validThrough.
var availability = map[string]string{"available": "InStock", "": "InStock", "sold_out": "SoldOut", "presale": "PreOrder"}

// offersData describes the tickets, else the prices of the cost. A price in a
// currency nobody can name is left out.
func offersData(s *tenancy.Site, e *calendar.Event, address string) []data {
	var offers []data
	for i := range e.Tickets {
		t := &e.Tickets[i]
		code := calendar.ISOCode(firstText(t.Currency, s.Settings.CurrencyCode))
		if t.Price == nil || code == "" {
			continue
		}
		d := data{"@type": "Offer", "name": t.Name, "price": *t.Price, "url": firstText(t.URL, address), "priceCurrency": code}
		if state := availability[t.Status]; state != "" {
			d["availability"] = "https://schema.org/" + state
		}
		if t.Available != nil {
			d["validFrom"] = t.Available.In(s.Location).Format("2006-01-02T15:04:05-07:00")
		}
		if t.Until != nil {
			d["validThrough"] = t.Until.In(s.Location).Format("2006-01-02T15:04:05-07:00")
		}
		offers = append(offers, d)
	}
	if len(e.Tickets) > 0 {
		return offers
	}
	cost := calendar.FormatCost(e.Cost, calendar.CurrencyOf(s))
	code := calendar.CurrencyOf(s).CodeOf(cost.Symbol)
	if cost.Text == calendar.Free {
		cost.Values, code = []string{"0"}, s.Settings.CurrencyCode
	}
	for _, value := range cost.Values {
		if price, err := strconv.ParseFloat(value, 64); err == nil && price >= 0 && code != "" {
			offers = append(offers, data{"@type": "Offer", "price": price, "priceCurrency": code, "url": address,
				"availability": "https://schema.org/InStock"})
		}
	}
	return offers
}

package api

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// eventLD writes the structured data of an event as plain text without entities (rule 8.4).
func (v *View) eventLD(e *calendar.Event, address string, cost prices.Cost) {
	v.Open("json_ld", '{')
	v.Text("@context", "http://schema.org")
	v.Text("@type", e.Schema())
	v.Text("name", e.Title)
	v.Text("description", summary(e.Excerpt, e.Description))
	if e.Image != nil {
		v.Text("image", v.ImageAddress(e.Image, e.Image.Large().File))
	}
	v.Text("url", address)
	v.Text("eventAttendanceMode", "https://schema.org/"+e.Attendance.Schema())
	v.Text("eventStatus", "https://schema.org/"+e.Happening.Schema())
	if previous := e.Previously(); !previous.IsZero() {
		v.Text("previousStartDate", iso(previous, e.Timezone))
	}
	v.Text("startDate", iso(e.StartUTC, e.Timezone))
	if !e.Facts.EndUnknown {
		v.Text("endDate", iso(e.EndUTC, e.Timezone))
	}
	v.words("accessibilityFeature", e.EntryOf())
	v.Some("typicalAgeRange", e.Facts.AgeRange())
	v.words("inLanguage", e.Facts.Languages)
	v.locationLD(e)
	if len(e.Organizers) > 0 { // the first speaks for all (rule 8.4)
		v.Key("organizer")
		v.personLD(&e.Organizers[0])
	}
	v.seriesLD(e)
	v.offersLD(e, address, cost)
	v.performersLD(e)
	v.Close('}')
}

// performersLD writes the performers, of whom only the names are known, and a video about the event. Without
// performers it writes the same as The Events Calendar.
func (v *View) performersLD(e *calendar.Event) {
	list := e.PerformersOf()
	if len(list) == 0 {
		v.Text("performer", "Organization")
	} else {
		v.Open("performer", '[')
		for _, name := range list {
			v.Item()
			v.Text("@type", "PerformingGroup")
			v.Text("name", name)
			v.Close('}')
		}
		v.Close(']')
	}
	if e.Facts.Video != "" {
		v.Open("subjectOf", '{')
		v.Text("@type", "MediaObject")
		v.Text("url", e.Facts.Video)
		v.Close('}')
	}
}

func iso(at time.Time, zone string) string {
	if place, err := args.LocationOf(zone); err == nil {
		at = at.In(place)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// summary returns the excerpt as plain text, or the beginning of the description.
func summary(excerpt, description string) string {
	if text, _ := wording.Beginning(excerpt, math.MaxInt); text != "" {
		return text
	}
	text, more := wording.Beginning(description, 55)
	if more {
		text += " […]"
	}
	return text
}

// placeLD writes a venue as a schema.org Place.
func (v *View) placeLD(p *calendar.Venue) {
	if v.again(v.structured, p.ID) {
		return
	}
	defer v.note(v.structured, p.ID, len(v.Bytes))
	v.Bytes = append(v.Bytes, '{')
	v.Text("@type", "Place")
	v.Text("name", p.Name)
	v.Text("description", summary(p.Excerpt, p.Description))
	if p.Image != nil {
		v.Text("image", v.ImageAddress(p.Image, p.Image.Large().File))
	}
	v.Text("url", "")
	v.Open("address", '{')
	v.Text("@type", "PostalAddress")
	v.Some("streetAddress", p.Address)
	v.Some("addressLocality", p.City)
	v.Some("addressRegion", p.Region())
	v.Some("postalCode", p.Zip)
	v.Some("addressCountry", p.Country)
	v.Close('}')
	if p.GeoLat != nil && p.GeoLng != nil {
		v.Open("geo", '{')
		v.Text("@type", "GeoCoordinates")
		v.Float("latitude", *p.GeoLat)
		v.Float("longitude", *p.GeoLng)
		v.Close('}')
	}
	v.Text("telephone", p.Phone)
	v.Text("sameAs", p.Website)
	v.Close('}')
}

// personLD writes an organizer as a schema.org Person.
func (v *View) personLD(o *calendar.Organizer) {
	if v.again(v.structured, o.ID) {
		return
	}
	defer v.note(v.structured, o.ID, len(v.Bytes))
	v.Bytes = append(v.Bytes, '{')
	v.Text("@type", "Person")
	v.Text("name", o.Name)
	v.Text("description", summary(o.Excerpt, o.Description))
	if o.Image != nil {
		v.Text("image", v.ImageAddress(o.Image, o.Image.Large().File))
	}
	v.Text("url", o.Website)
	v.Text("telephone", o.Phone)
	v.Text("email", o.Email)
	v.Text("sameAs", o.Website)
	v.Close('}')
}

// offersLD writes the offers: one for the cost, or one per ticket.
func (v *View) offersLD(e *calendar.Event, address string, cost prices.Cost) {
	validFrom := e.Date.UTC().Format("2006-01-02") + "T00:00:00+00:00"
	if len(e.Tickets) > 0 {
		v.Open("offers", '[')
		for _, t := range e.Tickets {
			v.Item()
			v.ticketLD(&t, address, validFrom, e.OfferUntil(&t))
			v.Close('}')
		}
		v.Close(']')
		return
	}
	if cost.Text != "" {
		v.costLD(prices.Offers(e.Cost, prices.CurrencyOf(v.Scope.Site)), address, validFrom, e.OfferUntil(nil))
	}
}

// costLD writes the prices of a cost as one offer, or as one offer per currency. A text without prices is not an
// offer.
func (v *View) costLD(offers []prices.Offer, address, validFrom string, until time.Time) {
	byCode, codes := map[string][]string{}, []string{}
	for _, o := range offers {
		if byCode[o.Code] == nil {
			codes = append(codes, o.Code)
		}
		byCode[o.Code] = append(byCode[o.Code], o.Value)
	}
	one := func(code string) {
		v.Text("@type", "Offer")
		v.Text("price", price(byCode[code]))
		v.Text("priceCurrency", code)
		v.Text("url", address)
		v.Text("category", "primary")
		v.Text("availability", "inStock")
		v.Text("validFrom", validFrom)
		v.validThrough(until)
		v.Close('}')
	}
	switch len(codes) {
	case 0:
	case 1:
		v.Open("offers", '{')
		one(codes[0])
	default:
		v.Open("offers", '[')
		for _, code := range codes {
			v.Item()
			one(code)
		}
		v.Close(']')
	}
}

// price returns the lowest and the highest price, which are in ascending order, without symbols.
func price(values []string) string {
	lowest, highest := values[0], values[len(values)-1]
	switch {
	case strings.Trim(highest, "0.") == "":
		return "0"
	case lowest == highest:
		return lowest
	}
	return lowest + " – " + highest
}

var availability = map[string]string{"box_office": "InStoreOnly", "sold_out": "SoldOut", "presale": "PreSale", "closed": "Discontinued"}

// validThrough writes until when an offer is valid, unless that is zero.
func (v *View) validThrough(until time.Time) {
	if !until.IsZero() {
		v.Text("validThrough", until.In(v.Scope.Site.Location).Format(time.RFC3339))
	}
}

// ticketLD writes a ticket, which is valid until a time unless that is zero.
func (v *View) ticketLD(t *calendar.Ticket, address, validFrom string, until time.Time) {
	v.Text("@type", "Offer")
	v.Text("name", t.Name)
	if t.Price != nil {
		v.Float("price", *t.Price)
		v.Text("priceCurrency", cmp.Or(t.Currency, v.Scope.Site.Settings.CurrencyCode, "USD"))
	}
	v.Text("url", cmp.Or(t.URL, address))
	v.Text("category", "primary")
	v.Text("availability", cmp.Or(availability[t.Status], "InStock"))
	if t.Available != nil {
		validFrom = t.Available.In(v.Scope.Site.Location).Format(time.RFC3339)
	}
	v.Text("validFrom", validFrom)
	v.validThrough(until)
}

package api

import (
	"math"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
)

// eventLD writes the structured data of an event as plain text without entities (rule 8.4).
func (v *view) eventLD(e *calendar.Event, address string, cost prices.Cost) {
	v.open("json_ld", '{')
	v.text("@context", "http://schema.org")
	v.text("@type", e.Schema())
	v.text("name", e.Title)
	v.text("description", summary(e.Excerpt, e.Description))
	if e.Image != nil {
		v.text("image", v.blob(e.Image, e.Image.File))
	}
	v.text("url", address)
	v.text("eventAttendanceMode", "https://schema.org/"+e.Attendance.Schema())
	v.text("eventStatus", "https://schema.org/"+e.Happening.Schema())
	if previous := e.Previously(); !previous.IsZero() {
		v.text("previousStartDate", iso(previous, e.Timezone))
	}
	v.text("startDate", iso(e.StartUTC, e.Timezone))
	v.text("endDate", iso(e.EndUTC, e.Timezone))
	v.locationLD(e)
	if len(e.Organizers) > 0 { // the first speaks for all (rule 8.4)
		v.key("organizer")
		v.personLD(&e.Organizers[0])
	}
	v.seriesLD(e)
	v.offersLD(e, address, cost)
	v.text("performer", "Organization")
	v.close('}')
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
func (v *view) placeLD(p *calendar.Venue) {
	if v.again(v.structured, p.ID) {
		return
	}
	defer v.note(v.structured, p.ID, len(v.b))
	v.b = append(v.b, '{')
	v.text("@type", "Place")
	v.text("name", p.Name)
	v.text("description", summary(p.Excerpt, p.Description))
	if p.Image != nil {
		v.text("image", v.blob(p.Image, p.Image.File))
	}
	v.text("url", "")
	v.open("address", '{')
	v.text("@type", "PostalAddress")
	v.some("streetAddress", p.Address)
	v.some("addressLocality", p.City)
	v.some("addressRegion", p.Region())
	v.some("postalCode", p.Zip)
	v.some("addressCountry", p.Country)
	v.close('}')
	if p.GeoLat != nil && p.GeoLng != nil {
		v.open("geo", '{')
		v.text("@type", "GeoCoordinates")
		v.float("latitude", *p.GeoLat)
		v.float("longitude", *p.GeoLng)
		v.close('}')
	}
	v.text("telephone", p.Phone)
	v.text("sameAs", p.Website)
	v.close('}')
}

// personLD writes an organizer as a schema.org Person.
func (v *view) personLD(o *calendar.Organizer) {
	if v.again(v.structured, o.ID) {
		return
	}
	defer v.note(v.structured, o.ID, len(v.b))
	v.b = append(v.b, '{')
	v.text("@type", "Person")
	v.text("name", o.Name)
	v.text("description", summary(o.Excerpt, o.Description))
	if o.Image != nil {
		v.text("image", v.blob(o.Image, o.Image.File))
	}
	v.text("url", o.Website)
	v.text("telephone", o.Phone)
	v.text("email", o.Email)
	v.text("sameAs", o.Website)
	v.close('}')
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// offersLD writes the offers: one for the cost, or one per ticket.
func (v *view) offersLD(e *calendar.Event, address string, cost prices.Cost) {
	validFrom := e.Date.UTC().Format("2006-01-02") + "T00:00:00+00:00"
	if len(e.Tickets) > 0 {
		v.open("offers", '[')
		for _, t := range e.Tickets {
			v.item()
			v.ticketLD(&t, address, validFrom)
			v.close('}')
		}
		v.close(']')
		return
	}
	if cost.Text == "" {
		return
	}
	v.open("offers", '{')
	v.text("@type", "Offer")
	v.text("price", price(cost))
	v.text("priceCurrency", first(prices.CurrencyOf(v.scope.Site).CodeOf(cost.Symbol), v.scope.Site.Settings.CurrencyCode, "USD"))
	v.text("url", address)
	v.text("category", "primary")
	v.text("availability", "inStock")
	v.text("validFrom", validFrom)
	v.close('}')
}

// price returns the lowest and the highest price without symbols.
func price(c prices.Cost) string {
	switch n := len(c.Values); {
	case n == 0 || c.Text == prices.Free:
		return "0"
	case n == 1 || c.Values[0] == c.Values[n-1]:
		return c.Values[0]
	default:
		return c.Values[0] + " – " + c.Values[n-1]
	}
}

var availability = map[string]string{"sold_out": "SoldOut", "presale": "PreSale", "closed": "Discontinued"}

func (v *view) ticketLD(t *calendar.Ticket, address, validFrom string) {
	v.text("@type", "Offer")
	v.text("name", t.Name)
	if t.Price != nil {
		v.float("price", *t.Price)
		v.text("priceCurrency", first(t.Currency, v.scope.Site.Settings.CurrencyCode, "USD"))
	}
	v.text("url", first(t.URL, address))
	v.text("category", "primary")
	v.text("availability", first(availability[t.Status], "InStock"))
	if t.Available != nil {
		validFrom = t.Available.In(v.scope.Site.Location).Format(time.RFC3339)
	}
	v.text("validFrom", validFrom)
	if t.Until != nil {
		v.text("validThrough", t.Until.In(v.scope.Site.Location).Format(time.RFC3339))
	}
}

package public

import (
	"cmp"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/tenancy"
)

// availability maps ticket states to those of schema.org. An ended sale has no state; validThrough expresses it.
var availability = map[string]string{
	"available":  "InStock",
	"":           "InStock",
	"box_office": "InStoreOnly",
	"sold_out":   "SoldOut",
	"presale":    "PreOrder",
}

// offersData describes the tickets or, if there are none, the prices in the cost. It omits prices in an unknown currency, and
// texts that are not prices. No offer is valid after the end of registration.
func offersData(s *tenancy.Site, e *calendar.Event, address string) []data {
	var offers []data
	until := func(d data, at time.Time) data {
		if !at.IsZero() {
			d["validThrough"] = at.In(s.Location).Format("2006-01-02T15:04:05-07:00")
		}
		return d
	}
	for i := range e.Tickets {
		t := &e.Tickets[i]
		code := prices.ISOCode(cmp.Or(t.Currency, s.Settings.CurrencyCode))
		if t.Price == nil || code == "" {
			continue
		}
		d := data{"@type": "Offer", "name": t.Name, "price": *t.Price, "url": cmp.Or(t.URL, address), "priceCurrency": code}
		if state := availability[t.Status]; state != "" {
			d["availability"] = "https://schema.org/" + state
		}
		if t.Available != nil {
			d["validFrom"] = t.Available.In(s.Location).Format("2006-01-02T15:04:05-07:00")
		}
		offers = append(offers, until(d, e.OfferUntil(t)))
	}
	if len(e.Tickets) > 0 {
		return offers
	}
	for _, offer := range prices.Offers(e.Cost, prices.CurrencyOf(s)) {
		if price, err := strconv.ParseFloat(offer.Value, 64); err == nil {
			offers = append(offers, until(data{"@type": "Offer", "price": price, "priceCurrency": offer.Code, "url": address,
				"availability": "https://schema.org/InStock"}, e.OfferUntil(nil)))
		}
	}
	return offers
}

package reading

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/reading/moments"
)

// offers reads the prices of the event. Offers with names also become tickets.
func (e *schemaEvent) offers() {
	v := e.entry.Values
	var prices []string
	tickets := []any{}
	for _, one := range listOf(e.object["offers"]) {
		offer, is := one.(map[string]any)
		if !is {
			continue
		}
		currency := strings.ToUpper(textOf(offer["priceCurrency"]))
		for _, name := range []string{"price", "lowPrice", "highPrice"} {
			price := strings.TrimSpace(currency + " " + textOf(offer[name]))
			if textOf(offer[name]) != "" && !slices.Contains(prices, price) {
				prices = append(prices, price)
			}
		}
		if name := oneLine(textOf(offer["name"])); name != "" {
			tickets = append(tickets, ticketOf(offer, name, currency))
		}
	}
	free := e.object["isAccessibleForFree"]
	switch {
	case len(prices) > 0:
		v["cost"] = strings.Join(prices, ", ")
	case free == true || strings.EqualFold(textOf(free), "true"):
		v["cost"] = "0"
	}
	if len(tickets) > 0 {
		v["tickets"] = tickets
	}
}

// availabilities maps the availability of schema.org offers to the status of tickets.
var availabilities = map[string]string{
	"InStock":             "available",
	"LimitedAvailability": "available",
	"OnlineOnly":          "available",
	"InStoreOnly":         "box_office",
	"SoldOut":             "sold_out",
	"OutOfStock":          "sold_out",
	"PreOrder":            "presale",
	"PreSale":             "presale",
	"Discontinued":        "closed",
}

// ticketOf returns an offer as a ticket.
func ticketOf(offer map[string]any, name, currency string) map[string]any {
	ticket := map[string]any{"name": name}
	if price := textOf(offer["price"]); price != "" {
		ticket["price"] = json.Number(price)
		if _, err := json.Marshal(ticket); err != nil {
			delete(ticket, "price") // such as "12,50"
		}
	}
	if currency != "" {
		ticket["currency"] = currency
	}
	if link, err := url.Parse(textOf(offer["url"])); err == nil && link.IsAbs() {
		ticket["url"] = link.String()
	}
	if status := availabilities[localName(textOf(offer["availability"]))]; status != "" {
		ticket["status"] = status
	}
	for from, to := range map[string]string{"validFrom": "available_from", "validThrough": "available_until"} {
		if _, ok := moments.ParseISO(textOf(offer[from])); ok {
			ticket[to] = textOf(offer[from])
		}
	}
	return ticket
}

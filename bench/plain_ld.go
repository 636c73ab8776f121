package main

import (
	"bytes"
	"time"
)

// structured is the part of a single event that structured data repeat.
type structured struct {
	title, description []byte
	url                string
	published          time.Time
	start, end         time.Time
	venue, organizer   func()
	price              []byte
}

// ld appends the structured data of an event.
func (a *answer) ld(s *structured) {
	a.str(`,"json_ld":{"@context":"http://schema.org","@type":"Event","name":`, s.title)
	a.str(`,"description":`, summary(s.description))
	a.lit(`,"url":"` + s.url + `","eventAttendanceMode":"https://schema.org/OfflineEventAttendanceMode",` +
		`"eventStatus":"https://schema.org/EventScheduled"`)
	a.iso(`,"startDate":"`, s.start)
	a.iso(`,"endDate":"`, s.end)
	if s.venue != nil {
		a.lit(`,"location":`)
		s.venue()
	}
	if s.organizer != nil {
		a.lit(`,"organizer":`)
		s.organizer()
	}
	a.str(`,"offers":{"@type":"Offer","price":`, s.price)
	a.lit(`,"priceCurrency":"USD","url":"` + s.url + `","category":"primary","availability":"inStock","validFrom":"`)
	a.b = s.published.AppendFormat(a.b, time.DateOnly)
	a.lit(`T00:00:00+00:00"},"performer":"Organization"}`)
}

func (a *answer) iso(key string, t time.Time) {
	a.lit(key)
	a.b = t.In(a.place).AppendFormat(a.b, "2006-01-02T15:04:05-07:00")
	a.lit(`"`)
}

// placeLD appends a venue as structured data.
func (a *answer) placeLD(name, description, address, city, zip, country, phone, website []byte, lat, lng float64, located bool) {
	a.str(`{"@type":"Place","name":`, name)
	a.str(`,"description":`, summary(description))
	a.lit(`,"url":"","address":{"@type":"PostalAddress"`)
	a.some(`,"streetAddress":`, address)
	a.some(`,"addressLocality":`, city)
	a.some(`,"postalCode":`, zip)
	a.some(`,"addressCountry":`, country)
	a.lit(`}`)
	if located {
		a.float(`,"geo":{"@type":"GeoCoordinates","latitude":`, lat)
		a.float(`,"longitude":`, lng)
		a.lit(`}`)
	}
	a.str(`,"telephone":`, phone)
	a.str(`,"sameAs":`, website)
	a.lit(`}`)
}

// personLD appends an organizer as structured data.
func (a *answer) personLD(name, description, phone, email, website []byte) {
	a.str(`{"@type":"Person","name":`, name)
	a.str(`,"description":`, summary(description))
	a.str(`,"url":`, website)
	a.str(`,"telephone":`, phone)
	a.str(`,"email":`, email)
	a.str(`,"sameAs":`, website)
	a.lit(`}`)
}

// summary returns the first 55 words of HTML without tags.
func summary(html []byte) []byte {
	text := make([]byte, 0, len(html))
	tag := false
	for _, c := range html {
		switch {
		case c == '<':
			tag = true
		case c == '>':
			tag = false
		case !tag:
			text = append(text, c)
		}
	}
	words := 0
	for i, c := range text {
		if c == ' ' {
			if words++; words == 55 {
				return append(bytes.TrimSpace(text[:i:i]), " […]"...)
			}
		}
	}
	return text
}

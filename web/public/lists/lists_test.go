package lists

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/publictest"
	"github.com/kalends/kalends/web/public/layout"
)

// Nobody is led beyond the years that calendars show.
func TestStepsEndWithTheCalendar(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]string{"2027-03-01 00:00": "/events/day/2027-03-01/", "1900-01-01 00:00": "/events/day/1900-01-01/", "1899-12-31 00:00": "", "2200-12-31 00:00": "/events/day/2200-12-31/", "2201-01-01 00:00": ""} {
		if got := stepTo(DayPath, publictest.ClockAt(day)); got != want {
			t.Errorf("%s: %q", day, got)
		}
	}
	if g := newGrid(publictest.WeeksFrom(1), publictest.ClockAt("1900-01-01 00:00"), publictest.ClockAt("2027-03-01 00:00"), nil); g.previous != "" || g.next != "/events/month/1900-02/" {
		t.Errorf("%q, %q", g.previous, g.next)
	}
	if g := newGrid(publictest.WeeksFrom(1), publictest.ClockAt("2200-12-01 00:00"), publictest.ClockAt("2027-03-01 00:00"), nil); g.next != "" || g.previous != "/events/month/2200-11/" {
		t.Errorf("%q, %q", g.previous, g.next)
	}
}

// A list is by months; what has begun stands under the first day of the list, and a day is named once.
func TestMonthsOfAList(t *testing.T) {
	t.Parallel()
	list := []*calendar.Event{publictest.Event("2027-02-01 10:00", "2027-03-09 11:00", false), publictest.Event("2027-03-06 10:00", "2027-03-06 11:00", false), publictest.Event("2027-03-08 10:00", "2027-03-08 11:00", false), publictest.Event("2027-04-01 00:00", "2027-04-01 23:59", true)}
	draw := func(from time.Time) string {
		var parts []string
		for _, m := range agendaMonths(publictest.WeeksFrom(1), list, from) {
			text := m.First.Format("2006-01")
			for _, e := range m.Events {
				text += " " + e.Day.Format("2") + map[bool]string{true: "+"}[e.again]
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	if got := draw(publictest.ClockAt("2027-03-06 00:00")); got != "2027-03 6 6+ 8, 2027-04 1" {
		t.Error(got)
	}
	if got := draw(time.Time{}); got != "2027-02 1, 2027-03 6 8, 2027-04 1" {
		t.Error(got)
	}
	if agendaMonths(publictest.WeeksFrom(1), nil, time.Time{}) != nil {
		t.Error("nothing has months")
	}
}

// A page of a list has a number from 1; its address leaves out the first.
func TestNumbersOfPages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 1, "1": 1, "20": 20, "0": 0, "-1": 0, "x": 0, "1000000": 1_000_000, "1000001": 0, "1.5": 0, "99999999999999999999": 0} {
		got, err := PageNumber(layout.Asked{Query: func(string) string { return text }})
		if got != want || (err != nil) != (want == 0) || err != nil && !errors.Is(err, calendar.ErrPage) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	l := &Agenda{Page: 2, Pages: 3, search: "a&b", Past: true}
	if l.Link(); l.previous != "?past=1&search=a%26b" || l.next != "?page=3&past=1&search=a%26b" {
		t.Errorf("%s, %s", l.previous, l.next)
	}
	l = &Agenda{Page: 1, Pages: 1}
	if l.Link(); l.previous+l.next != "" {
		t.Errorf("%s, %s", l.previous, l.next)
	}
}

// The nearest place comes first; where nobody said where they are, the one with the most events. Places that nobody located come last.
func TestOrderOfPlaces(t *testing.T) {
	t.Parallel()
	at := func(name string, events int, position ...float64) place {
		v := &calendar.Venue{Name: name}
		if len(position) == 2 {
			v.GeoLat, v.GeoLng = &position[0], &position[1]
		}
		return place{Venue: v, events: events, km: -1}
	}
	order := func(from *layout.Point) string {
		m := &eventPlaces{places: []place{at("Nowhere", 9), at("Bonn", 1, 50.73, 7.1), at("Ulm", 5, 48.4, 9.99), at("Aachen", 1, 50.78, 6.08), at("Alone", 9)}}
		m.order(from)
		var names []string
		for _, p := range m.places {
			names = append(names, p.Name)
		}
		return strings.Join(names, " ")
	}
	if got := order(nil); got != "Alone Nowhere Ulm Aachen Bonn" {
		t.Error(got)
	}
	if got := order(&layout.Point{Lat: 50.94, Lng: 6.96}); got != "Bonn Aachen Ulm Alone Nowhere" { // from Cologne
		t.Error(got)
	}
	here := at("Here", 1, 50.94, 6.96)
	if km := (&layout.Point{Lat: 50.94, Lng: 6.96}).Away(here.Venue); km != 0 {
		t.Errorf("here is %f km away", km)
	}
	far := at("There", 1, -50.94, -173.04)
	if km := (&layout.Point{Lat: 50.94, Lng: 6.96}).Away(far.Venue); km < 19_900 || km > 20_100 {
		t.Errorf("the other side of the earth is %f km away", km)
	}
	ctx := publictest.InLanguage(t, "en")
	for km, want := range map[float64]string{-1: "", 0: "1", 0.4: "1", 1.6: "2", 1234.4: "1,234"} {
		if got := (&place{km: km}).distance(ctx); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%f km: %q", km, got)
		}
	}
	for query, want := range map[string]bool{"50.9,6.9": true, "90,180": true, "-90,-180": true, "91,0": false, "0,181": false, "x,0": false, ",": false, "NaN,0": false, "0,Inf": false} {
		lat, lng, _ := strings.Cut(query, ",")
		got := layout.ReadPoint(func(name string) string { return map[string]string{"geoloc_lat": lat, "geoloc_lng": lng}[name] })
		if (got != nil) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

// Web addresses and telephone numbers are shown and dialled in their plain form.
func TestAddressesAndNumbers(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"https://www.example.org/": "example.org", "https://example.org/a/": "example.org/a", "mailto:a@example.org": "mailto:a@example.org", "no address": "no address", "http://[::1": "http://[::1"} {
		if got := ShortAddress(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
	for phone, want := range map[string]string{"+49 30 / 123-45": "+493012345", "(030) 12 34": "0301234", "": "", "none": "", "٠٣٠ ١٢٣٤": "0301234", "+۴۹ ३०": "+4930"} {
		if got := Dialled(phone); got != want {
			t.Errorf("%s: %s", phone, got)
		}
	}
}

package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// table describes what COPY writes to one table: its columns, and a function that emits the rows of a site.
type table struct {
	name    string
	columns string
	rows    func(d *dataset, s *site, emit func(...any))
}

// tables are all tables to load, in an order that satisfies foreign keys.
var tables = []table{
	{"sites", "id slug name timezone language version last_post_id last_term_id last_user_id created_at", siteRows},
	{"users", "site_id id login login_key email email_key name role created_at", userRows},
	{"credentials", "site_id id user_id kind name hash read_only created_at", keyRows},
	{"venues", `site_id id version author status slug published_at dated modified_at name name_key description address city country
		zip phone website geo_lat geo_lng search`, venueRows},
	{"organizers", `site_id id version author status slug published_at dated modified_at name name_key description phone website email
		search`, organizerRows},
	{"terms", "site_id id version taxonomy name name_key slug description parent_id count search", termRows},
	{"events", `site_id id version author status slug published_at dated modified_at title description excerpt timezone all_day
		start_local end_local start_utc end_utc cost website show_map show_map_link hidden sticky featured search
		venue_ids organizer_ids term_ids`, eventRows},
	{"occurrences", "site_id event_id n start_local end_local start_utc end_utc listed", occurrenceRows},
	{"event_venues", "site_id event_id venue_id position", eventVenueRows},
	{"event_organizers", "site_id event_id organizer_id position", eventOrganizerRows},
	{"event_terms", "site_id event_id term_id", eventTermRows},
}

const published = "publish"

func (d *dataset) made() time.Time { return d.today.AddDate(0, -1, 0).Add(10 * time.Hour) }

func siteRows(d *dataset, s *site, emit func(...any)) {
	emit(s.id, s.slug, "Calendar of "+s.slug, zone, "en", int64(1), s.lastPost(), int64(categories+tags), int64(1), d.made())
}

func userRows(d *dataset, s *site, emit func(...any)) {
	emit(s.id, int64(1), "admin", "admin", "admin@"+s.host(), "admin@"+s.host(), "Admin", "administrator", d.made())
}

func keyRows(d *dataset, s *site, emit func(...any)) {
	hash := sha256.Sum256([]byte(s.key()))
	emit(s.id, int64(1), int64(1), "api_key", "bench", hash[:], false, d.made())
}

func venueRows(d *dataset, s *site, emit func(...any)) {
	for n := range s.places() {
		name := fmt.Sprintf("Hall %d on the River", n+1)
		about := "A hall with a stage, a bar and steps into the garden; trams stop in front of it."
		emit(s.id, s.venue(n), int64(1), int64(1), published, address(name), d.made(), true, d.made(), name,
			strings.ToLower(name), "<p>"+about+"</p>", fmt.Sprintf("%d River Street", n+1), "Berlin", "Germany",
			fmt.Sprint(10115+n), fmt.Sprintf("030 5550%03d", n),
			"https://venue.example/"+address(name), 52.5+float64(n)/1000, 13.4+float64(n)/1000, strings.ToLower(name+"\n"+about))
	}
}

func organizerRows(d *dataset, s *site, emit func(...any)) {
	for n := range s.places() {
		name := fmt.Sprintf("Society %d of Friends of Music", n+1)
		about := "We have brought people together since the winter of the long nights."
		emit(s.id, s.organizer(n), int64(1), int64(1), published, address(name), d.made(), true, d.made(), name, strings.ToLower(name),
			"<p>"+about+"</p>", fmt.Sprintf("030 6660%03d", n), "https://society.example/"+address(name),
			fmt.Sprintf("office%d@society.example", n+1), strings.ToLower(name+"\n"+about))
	}
}

func termRows(_ *dataset, s *site, emit func(...any)) {
	count := make([]int, 1+categories+tags)
	for n := range s.events {
		for _, t := range s.links(n).terms {
			count[t]++
		}
	}
	for id := 1; id <= categories+tags; id++ {
		taxonomy, name, about := "category", fmt.Sprintf("Category %d", id), "What belongs together."
		if id > categories {
			taxonomy, name, about = "tag", fmt.Sprintf("tag %d", id-categories), ""
		}
		emit(s.id, int64(id), int64(1), taxonomy, name, strings.ToLower(name), address(name), about, nil, int32(count[id]),
			strings.ToLower(name)+"\n"+address(name))
	}
}

func eventRows(d *dataset, s *site, emit func(...any)) {
	place, _ := time.LoadLocation(zone)
	for n := range s.events {
		emit(d.eventRow(s, n, place)...)
	}
}

// eventRow returns the columns of one event.
func (d *dataset) eventRow(s *site, n int, place *time.Location) []any {
	title, about := s.text(n)
	at, length := d.starts(s, n)
	utc := inZone(at, place)
	l := s.links(n)
	return []any{s.id, s.event(n), int64(1), int64(1), published, address(title), d.made(), true, d.made(), title, "<p>" + about + "</p>",
		"", zone, false, at, at.Add(length), utc, utc.Add(length),
		[]string{fmt.Sprint(5 + n%20)}, "https://tickets.example/" + fmt.Sprint(n+1),
		true, true, false, false, n%10 == 0, strings.ToLower(title) + "\n" + about,
		[]int64{l.venue}, l.organizers, l.terms}
}

// inZone returns the instant of a wall-clock time.
func inZone(at time.Time, place *time.Location) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, place).UTC()
}

func occurrenceRows(d *dataset, s *site, emit func(...any)) {
	place, _ := time.LoadLocation(zone)
	for n := range s.events {
		at, length := d.starts(s, n)
		utc := inZone(at, place)
		emit(s.id, s.event(n), int32(0), at, at.Add(length), utc, utc.Add(length), true)
	}
}

func eventVenueRows(_ *dataset, s *site, emit func(...any)) {
	for n := range s.events {
		emit(s.id, s.event(n), s.links(n).venue, int32(1))
	}
}

func eventOrganizerRows(_ *dataset, s *site, emit func(...any)) {
	for n := range s.events {
		for i, o := range s.links(n).organizers {
			emit(s.id, s.event(n), o, int32(i+1))
		}
	}
}

func eventTermRows(_ *dataset, s *site, emit func(...any)) {
	for n := range s.events {
		for _, t := range s.links(n).terms {
			emit(s.id, s.event(n), t)
		}
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// site is one site of a data set. Its ids follow from its size: venues, organizers, events; and separately
// categories, tags.
type site struct {
	id     int64
	slug   string
	events int

	series int // number of events, from the first, that are series
	times  int // number of occurrences of each
}

// domain is the suffix of all site hosts.
const domain = "bench.test"

func (s *site) host() string { return s.slug + "." + domain }

const (
	categories = 12
	tags       = 30
	zone       = "Europe/Berlin"
)

// places returns the number of venues, which equals that of organizers.
func (s *site) places() int { return min(max(s.events/20, 5), 200) }

func (s *site) venue(n int) int64     { return int64(1 + n) }
func (s *site) organizer(n int) int64 { return int64(1 + s.places() + n) }
func (s *site) event(n int) int64     { return int64(1 + 2*s.places() + n) }
func (s *site) lastPost() int64       { return s.event(s.events - 1) }

// key returns the API key of the site's administrator.
func (s *site) key() string { return fmt.Sprintf("kal_%040d", s.id) }

// dataset is the sites of one database.
type dataset struct {
	today  time.Time
	sites  []*site
	bySlug map[string]*site
}

func newDataset(today time.Time) *dataset { return &dataset{today: today, bySlug: map[string]*site{}} }

func (d *dataset) add(slug string, events int) {
	s := &site{id: int64(len(d.sites) + 1), slug: slug, events: events}
	d.sites = append(d.sites, s)
	d.bySlug[slug] = s
}

// random returns the reproducible random numbers of an event. Each use has its own sequence.
func random(use uint64, s *site, n int) *rand.Rand {
	return rand.New(rand.NewPCG(use<<32|uint64(s.id), uint64(n)))
}

// The uses of random.
const (
	forTime = iota + 1
	forText
	forLinks
)

// starts returns the wall-clock start and the duration of an event: within two years around the day of the run,
// mostly in the evening, on a quarter of an hour.
func (d *dataset) starts(s *site, n int) (at time.Time, length time.Duration) {
	r := random(forTime, s, n)
	at = d.today.AddDate(0, 0, r.IntN(730)-365).Add(time.Duration(9*4+r.IntN(13*4)) * 15 * time.Minute)
	return at, time.Duration(4+r.IntN(12)) * 15 * time.Minute
}

// links are the links of an event.
type links struct {
	venue      int64
	organizers []int64
	terms      []int64
}

func (s *site) links(n int) links {
	r := random(forLinks, s, n)
	l := links{venue: s.venue(r.IntN(s.places()))}
	for _, o := range some(r, 1+r.IntN(2), s.places()) {
		l.organizers = append(l.organizers, s.organizer(o))
	}
	for _, c := range some(r, 1+r.IntN(3), categories) {
		l.terms = append(l.terms, int64(1+c))
	}
	for _, t := range some(r, r.IntN(4), tags) {
		l.terms = append(l.terms, int64(1+categories+t))
	}
	return l
}

// some returns n different numbers below limit.
func some(r *rand.Rand, n, limit int) []int {
	list := make([]int, 0, n)
	for len(list) < n {
		next, known := r.IntN(limit), false
		for _, have := range list {
			known = known || have == next
		}
		if !known {
			list = append(list, next)
		}
	}
	return list
}

var (
	kinds = strings.Fields(`Jazz Chamber Choir Film Poetry Theatre Dance Garden Science Chess Cooking Pottery Harvest Market
		Lantern Winter`)
	forms = strings.Fields("evening concert workshop festival walk lecture night matinee circle tour")
	words = strings.Fields(`the a of and with for from near into over every quiet open early late bright old new small long river
		square library garden bridge station harbour meadow tower gallery kitchen street music voices stories songs pictures
		friends neighbours children families visitors students players writers begins continues brings shows tells invites
		welcomes follows opens closes tickets coffee bread wine lanterns boats bicycles trees letters maps`)
)

// text returns an event's title and a description of 400 to 800 letters as plain text in one paragraph.
func (s *site) text(n int) (title, description string) {
	r := random(forText, s, n)
	title = kinds[r.IntN(len(kinds))] + " " + forms[r.IntN(len(forms))] + fmt.Sprintf(" No. %d", n+1)
	length := 400 + r.IntN(400)
	b := make([]byte, 0, length+16)
	for len(b) < length {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, words[r.IntN(len(words))]...)
	}
	return title, string(b)
}

// address derives a slug from a title.
func address(title string) string {
	return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(title, ".", ""), " ", "-"))
}

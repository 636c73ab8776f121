package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// events is the path of the collection.
const events = "/calendar/events/v1/events"

// listOf requests a page of a site's upcoming events.
func listOf(s *site, page int) request {
	r := request{host: s.host(), path: events}
	if page > 1 {
		r.path += fmt.Sprint("?page=", page)
	}
	return r
}

func packedList(s *site) request {
	r := listOf(s, 1)
	r.header = http.Header{"Accept-Encoding": {"gzip"}}
	return r
}

// eventOf requests the nth event of a site.
func eventOf(s *site, n int) request {
	return request{host: s.host(), path: fmt.Sprint(events, "/", s.event(n))}
}

// unasked requests a window that was not requested before: its start and end differ in seconds each time, but it
// contains the same events.
func unasked(d *dataset, s *site, n int) request {
	window := url.Values{"strict_dates": {"true"}, "start_date": {d.today.Add(time.Duration(n%86_400) * time.Second).Format(stamp)},
		"end_date": {d.today.AddDate(2, 0, n/86_400).Format(stamp)}}
	return request{host: s.host(), path: events + "?" + window.Encode()}
}

// unaskedDays requests a range of days that was not requested before.
func unaskedDays(d *dataset, s *site, n int) request {
	window := url.Values{"start_date": {d.today.AddDate(0, 0, n/900).Format(time.DateOnly)}, "end_date": {d.today.AddDate(0, 1, n%900).Format(time.DateOnly)}}
	return request{host: s.host(), path: events + "?" + window.Encode()}
}

// found requests the events of a category with a word in their text, which one event in sixteen matches.
func found(s *site, n int) request {
	return request{host: s.host(), path: fmt.Sprintf("%s?categories=%d&search=%s", events, 1+n%categories, kinds[n%len(kinds)])}
}

// of returns n requests.
func of(n int, one func(i int) request) []request {
	list := make([]request, 0, n)
	for i := range n {
		list = append(list, one(i))
	}
	return list
}

// anywhere returns n requests for lists of random sites.
func anywhere(sites []*site, n, pages int) []request {
	r := rand.New(rand.NewPCG(7, 7))
	return of(n, func(int) request { return listOf(sites[r.IntN(len(sites))], 1+r.IntN(pages)) })
}

// anyEvent returns n requests for random events of a site.
func anyEvent(s *site, n int) []request {
	r := rand.New(rand.NewPCG(7, 8))
	return of(n, func(int) request { return eventOf(s, r.IntN(s.events)) })
}

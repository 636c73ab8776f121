// Package services has the services over the events, venues, organizers, categories, tags and images of a site. Each
// call checks the permission first, then applies the rules of package calendar, then calls the store.
package services

import (
	"time"

	"github.com/kalends/kalends/calendar"
)

// Calendar is the service layer over a Store.
type Calendar struct {
	store    calendar.Store
	pictures calendar.Pictures
	clock    func() time.Time
	guesses  *guesses // of event passwords
}

// New returns the services. A nil clock means time.Now.
func New(store calendar.Store, pictures calendar.Pictures, clock func() time.Time) *Calendar {
	if clock == nil {
		clock = time.Now
	}
	return &Calendar{store: store, pictures: pictures, clock: clock, guesses: &guesses{}}
}

// Now returns the current instant, truncated to the second.
func (c *Calendar) Now() time.Time { return c.clock().UTC().Truncate(time.Second) }

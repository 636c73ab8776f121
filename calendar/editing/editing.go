// Package editing has what people need while they edit a site, and nobody else: their unsaved drafts, earlier versions
// and how to get back to them, taking back what was just written, what else takes place at a venue, and what needs
// attention. It changes items by calendar's own writes.
package editing

import "github.com/kalends/kalends/calendar"

// Service is the service for people who edit a site.
type Service struct {
	*calendar.Calendar

	store Stores
}

// New returns the service over what c stores in store.
func New(c *calendar.Calendar, store Stores) *Service { return &Service{c, store} }

// Stores are what the service asks of storage.
type Stores interface {
	calendar.Store
	Drafts() DraftStore
}

// Package editing has the services that only people who edit a site need: unsaved drafts, earlier versions and how
// to restore them, undoing writes, other events at a venue, and what needs attention. It changes items through the
// writes of package calendar.
package editing

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
)

// Service is the service for people who edit a site.
type Service struct {
	*services.Calendar

	store Stores
}

// New returns the service for c, with its storage.
func New(c *services.Calendar, store Stores) *Service { return &Service{c, store} }

// Stores are the stores that the service needs.
type Stores interface {
	calendar.Store
	Drafts() DraftStore
}

package platform

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// The states of a gathering.
const (
	GatheringActive  = "active"
	GatheringFailing = "failing" // the last read failed, for example because the giver no longer shares its events
	GatheringPaused  = "paused"
	GatheringLeaving = "leaving" // the source is deleted, and its events are being removed
)

// Partner is a site that shares its events with another one, or receives them.
type Partner struct {
	ID         int64
	Slug, Name string        // of a deleted giver: its former slug and no name
	State      tenancy.State // "": the site no longer exists, or is on a server of a cluster that does not respond
}

// Trouble is why a source could not be read.
type Trouble struct {
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Data   map[string]any `json:"data"`
}

// Gathering is a source through which a site receives the events of another site (rule 17.8).
type Gathering struct {
	Giver, Receiver Partner
	Source          int64 // ID of the source on the receiver
	Name, State     string
	Problem         *Trouble  // problem of the last read; nil: none
	Read            time.Time // time of the last read; zero: there was none
	Events          int64     // events of the receiver from this source, except in the trash; a series counts as one
}

// GatheringFilter are the query arguments of GET /platform/v1/gatherings.
type GatheringFilter struct {
	args.Paging
	Site args.Opt[string] `arg:"site,max=63"`
}

// GatheringQuery says which gatherings to list. Empty slugs don't filter.
type GatheringQuery struct {
	Page, PerPage         int
	Site, Giver, Receiver string // slugs; Site matches on either side
}

// GatheringStore knows which sites gather events from which other sites. Its calls need no Scope.
type GatheringStore interface {
	// List returns one page of the gatherings by the receiver's slug, older sources first.
	List(ctx context.Context, q GatheringQuery) (tenancy.Page[Gathering], error)
}

// Gatherings is the service for gatherings. It is for the provider: others get ErrUnauthenticated or ErrForbidden.
type Gatherings struct{ store GatheringStore }

// List returns one page of the gatherings by the receiver's slug.
func (s *Gatherings) List(ctx context.Context, f *GatheringFilter) (tenancy.Page[Gathering], error) {
	return s.find(ctx, GatheringQuery{Page: f.Number(), PerPage: f.Length(), Site: f.Site.Or("")})
}

// Of returns the gatherings in which a site gives its events, and those in which it receives events. most is the
// maximum number of each.
func (s *Gatherings) Of(ctx context.Context, slug string, most int) (gives, has tenancy.Page[Gathering], err error) {
	if gives, err = s.find(ctx, GatheringQuery{Page: 1, PerPage: most, Giver: slug}); err == nil {
		has, err = s.find(ctx, GatheringQuery{Page: 1, PerPage: most, Receiver: slug})
	}
	return gives, has, err
}

func (s *Gatherings) find(ctx context.Context, q GatheringQuery) (tenancy.Page[Gathering], error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return tenancy.Page[Gathering]{}, err
	}
	page, err := s.store.List(ctx, q)
	return page, tenancy.Wrap("list gatherings", err)
}

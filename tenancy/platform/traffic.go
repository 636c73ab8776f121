package platform

import (
	"context"
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// Traffic is how many requests a site got within a period, and how many of them were refused or failed.
type Traffic struct {
	Requests int64
	Limited  int64 // refused because there were too many in a minute (429)
	Full     int64 // refused because the site has reached a limit of its plan
	Busy     int64 // refused because the installation was busy (503)
	Errors   int64 // failed (500 and above, without Busy)
}

// Plus returns the sum of t and o.
func (t Traffic) Plus(o Traffic) Traffic {
	return Traffic{t.Requests + o.Requests, t.Limited + o.Limited, t.Full + o.Full, t.Busy + o.Busy, t.Errors + o.Errors}
}

// SiteTraffic is the traffic of one site.
type SiteTraffic struct {
	Slug, Name string
	Traffic
}

// TrafficSorts are the orders of a list of traffic, each from the largest amount.
var TrafficSorts = []string{"requests", "limited", "full", "busy", "errors"}

// Traffic returns one page of the sites that match the filter with their traffic in the last 24 hours, or 30 days
// if month is set. by is one of TrafficSorts; any other value sorts by name. It is for the provider.
func (s *Sites) Traffic(ctx context.Context, f *SiteFilter, by string, month bool) (tenancy.Page[SiteTraffic], error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return tenancy.Page[SiteTraffic]{}, err
	}
	q := f.query()
	if q.Sort = "name"; slices.Contains(TrafficSorts, by) {
		q.Sort = by
	}
	page, err := s.store.Traffic(ctx, q, month)
	return page, tenancy.Wrap("list traffic", err)
}

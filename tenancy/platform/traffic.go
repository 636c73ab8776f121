package platform

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
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

// The spans of which traffic is told.
const (
	HourSpan  = "hour"
	DaySpan   = "day"
	WholeSpan = "whole" // the whole requested period as one span
)

// SpanTraffic is the traffic of one site within a span.
type SpanTraffic struct {
	Slug   string
	Begins time.Time // UTC; for WholeSpan, the first day with a request
	Traffic
}

// TrafficFilter are the query arguments of GET /platform/v1/requests.
type TrafficFilter struct {
	args.Paging
	Site args.Opt[string]    `arg:"site,max=63"`
	Span args.Opt[string]    `arg:"span,default=day,enum=hour|day|whole,nonull"`
	From args.Opt[args.Date] `arg:"from"`
	To   args.Opt[args.Date] `arg:"to"`
}

// TrafficQuery says which traffic to list. Zero conditions don't filter.
type TrafficQuery struct {
	Page, PerPage int
	Site          string // slug
	Span          string
	From, Before  time.Time // spans begin at From or later, and earlier than Before
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

// Spans returns one page of the traffic of sites by hours or days, which are those of UTC, in their order, or the sum of each site. What
// had no request is left out. It needs the provider. A range that ends before it begins is *args.Problems.
func (s *Sites) Spans(ctx context.Context, f *TrafficFilter) (tenancy.Page[SpanTraffic], error) {
	none := tenancy.Page[SpanTraffic]{}
	if err := tenancy.RequireProvider(ctx); err != nil {
		return none, err
	}
	q := TrafficQuery{Page: f.Number(), PerPage: f.Length(), Site: f.Site.Or(""), Span: f.Span.Or(DaySpan)}
	q.From, q.Before = tenancy.Stretch(f.From, f.To, time.UTC, s.clock())
	if !q.From.IsZero() && !q.Before.IsZero() && !q.Before.After(q.From) {
		return none, args.Invalid("to", "problem.numbers.order", nil)
	}
	page, err := s.store.Spans(ctx, q)
	return page, tenancy.Wrap("list traffic by spans", err)
}

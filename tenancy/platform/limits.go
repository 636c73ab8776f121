package platform

import (
	"maps"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// LimitFields are the arguments for limits; null means no limit.
type LimitFields struct {
	Events            args.Opt[int64] `arg:"events,min=0"`
	Occurrences       args.Opt[int64] `arg:"occurrences,min=0"`
	Users             args.Opt[int64] `arg:"users,min=0"`
	MediaBytes        args.Opt[int64] `arg:"media_bytes,min=0"`
	Webhooks          args.Opt[int64] `arg:"webhooks,min=0"`
	Letters           args.Opt[int64] `arg:"letters,min=0"`
	RequestsPerMinute args.Opt[int64] `arg:"requests_per_minute,min=1,max=1000000000"`
}

// patch sets the sent limits in a plan.
func (f *LimitFields) patch(p *tenancy.Plan) {
	for limit, arg := range map[**int64]args.Opt[int64]{&p.Events: f.Events, &p.Occurrences: f.Occurrences, &p.Users: f.Users,
		&p.MediaBytes: f.MediaBytes, &p.Webhooks: f.Webhooks, &p.Letters: f.Letters} {
		if arg.Given() {
			*limit = number(arg)
		}
	}
	if f.RequestsPerMinute.Given() {
		p.RequestsPerMinute = int(f.RequestsPerMinute.Or(0))
	}
}

// overrides sets the sent limits in the site's overrides. If limits is null, it removes all overrides first, so that
// the plan's values apply again.
func (f *SiteFields) overrides(site *tenancy.Site) {
	list := maps.Clone(site.Overrides)
	if list == nil || f.Limits.IsNull() {
		list = tenancy.Overrides{}
	}
	site.Overrides = list
	limits, _ := f.Limits.Get()
	limit(site, &limits.Fields, f.Geo)
}

// number returns the value that was sent, or nil for null.
func number(arg args.Opt[int64]) *int64 {
	if n, ok := arg.Get(); ok {
		return &n
	}
	return nil
}

// limit sets the sent limits in a site's plan and overrides.
func limit(s *tenancy.Site, f *LimitFields, geo args.Opt[bool]) {
	f.patch(&s.Plan)
	for name, arg := range map[string]args.Opt[int64]{tenancy.LimitEvents: f.Events, tenancy.LimitOccurrences: f.Occurrences,
		tenancy.LimitUsers: f.Users, tenancy.LimitMedia: f.MediaBytes, tenancy.LimitWebhooks: f.Webhooks, tenancy.LimitLetters: f.Letters,
		tenancy.LimitRequests: f.RequestsPerMinute} {
		if arg.Given() {
			s.Overrides[name] = number(arg)
		}
	}
	if on, ok := geo.Get(); ok {
		n := int64(0)
		if on {
			n = 1
		}
		s.Overrides[tenancy.LimitGeo] = &n
		s.Plan.Geo = on
	}
}

package platform

import (
	"context"
	"errors"
	"net"
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// Direction says where a domain points.
type Direction string

// The directions.
const (
	PointsHere      Direction = "here"
	PointsElsewhere Direction = "elsewhere" // at least one of its addresses belongs to another server
	PointsNowhere   Direction = "absent"    // it has no address
	PointsUnknown   Direction = "failed"    // the DNS did not respond, or not in time
)

// Pointing is the result of looking up where a domain points.
type Pointing struct {
	Domain      string
	Direction   Direction
	Found, Ours []string // the addresses of the domain, and of the site's name on the platform
}

// Target returns the name on the platform to which the domains of a site should point.
func (s *Domains) Target(site *tenancy.Site) string { return site.Slug + "." + s.platform }

// Point looks up in the DNS whether a domain of the site points to the same addresses as the site's name on the
// platform. It does not connect to these addresses. It returns ErrNoDomain if the site has no such domain.
func (s *Domains) Point(ctx context.Context, name string) (*Pointing, error) {
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	p := &Pointing{Domain: found.Name}
	var missing *net.DNSError
	p.Ours, err = s.names.LookupHost(ctx, s.Target(tenancy.Current(ctx).Site)+".")
	if err == nil {
		p.Found, err = s.names.LookupHost(ctx, found.Name+".")
		if errors.As(err, &missing) && missing.IsNotFound || err == nil && len(p.Found) == 0 {
			p.Direction = PointsNowhere
			return p, nil
		}
	}
	slices.Sort(p.Ours)
	slices.Sort(p.Found)
	switch foreign := func(a string) bool { return !slices.Contains(p.Ours, a) }; {
	case err != nil || len(p.Ours) == 0:
		p.Direction = PointsUnknown
	case slices.ContainsFunc(p.Found, foreign):
		p.Direction = PointsElsewhere
	default:
		p.Direction = PointsHere
	}
	return p, nil
}

package platform

import "sync"

// mostSites is how many sites can have stretches.
const mostSites = 4096

// stretches keeps, for each site, the latest range of versions between which only its content changed, not the site
// itself. Versions rise one by one, so a stretch without gaps covers every version in it. The zero value is ready.
type stretches struct {
	mu    sync.RWMutex
	sites map[int64]stretch
}

// stretch is a range of versions, both ends included.
type stretch struct{ from, to int64 }

// add records that the step to a version changed only content. Steps that end at the same time may be added in any
// order.
func (s *stretches) add(site, version int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.sites[site]
	switch {
	case known.to == version-1:
		known.to = version
	case known.from == version:
		known.from = version - 1
	case known.to < version:
		known = stretch{version - 1, version}
	}
	if s.sites == nil {
		s.sites = map[int64]stretch{}
	}
	if _, here := s.sites[site]; !here && len(s.sites) >= mostSites {
		clear(s.sites) // costs one look-up per site
	}
	s.sites[site] = known
}

// covers reports whether the site itself is known to be unchanged between two versions.
func (s *stretches) covers(site, from, to int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	known := s.sites[site]
	return known.from <= from && to <= known.to
}

package platform

import "sync"

// mostSites is how many sites have stretches.
const mostSites = 4096

// stretches are of each site the last versions between which the site itself did
// not change, for only its content did. Versions rise one by one, so a stretch
// without a gap says so of every version in it. The zero value is ready.
type stretches struct {
	mu    sync.RWMutex
	sites map[int64]stretch
}

// stretch reaches from a version to another, both within.
type stretch struct{ from, to int64 }

// add notes that the step to a version changed content alone. Steps that end
// together may come in any order.
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
		clear(s.sites) // which costs each of them a look-up
	}
	s.sites[site] = known
}

// covers reports whether the site is known to be the same at two versions.
func (s *stretches) covers(site, from, to int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	known := s.sites[site]
	return known.from <= from && to <= known.to
}

// Package linked remembers what events are linked to: venues, organizers, categories and
// tags, as records of Postgres, by site and version.
package linked

import "github.com/kalends/kalends/internal/bounded"

// Memory remembers the venues, organizers and terms that events nest, as
// Postgres sent them, by site. An event's row names what it is linked to, so a
// list whose links are remembered reads events alone, and an event that links
// what is remembered is made without looking it up. The statement says at which
// version the site's linked things last changed: what is remembered is used only
// at that version, so it can be useless, never wrong.
type Memory struct {
	sites bounded.Cache[int64, *Site]
}

// Bytes is the usual limit of a Memory. It does for ten thousand sites.
const Bytes = 24 << 20

// NewMemory returns an empty memory for so many bytes.
func NewMemory(most int) *Memory {
	return &Memory{bounded.New(bounded.Options[int64, *Site]{
		Bytes: most,
		Weigh: func(_ int64, s *Site) uint32 { return uint32(s.Weight()) },
	})}
}

// Of returns what is remembered of a site, or nil.
func (m *Memory) Of(site int64) *Site {
	s, _ := m.sites.Get(site)
	return s
}

// Forget drops what a write just made useless, so that the next list doesn't
// try it.
func (m *Memory) Forget(site int64) { m.sites.Forget(site) }

// Add remembers records read at a version of the site's links.
func (m *Memory) Add(site, version int64, fresh *Fresh) {
	m.sites.Change(site, func(s *Site, _ bool) (*Site, bounded.Outcome) {
		switch {
		case s == nil || s.Version < version:
			return newSite(version).with(fresh), bounded.Keep
		case s.Version == version:
			if more := s.with(fresh); more != s {
				return more, bounded.Keep
			}
		}
		return s, bounded.Leave
	})
}

// Recount takes a site's memory from one version to another between which only
// these counts changed.
func (m *Memory) Recount(site, from, to int64, counts map[int64]int) {
	m.sites.Change(site, func(s *Site, _ bool) (*Site, bounded.Outcome) {
		switch {
		case s == nil:
			return nil, bounded.Leave
		case s.Version != from:
			return nil, bounded.Forget
		}
		return s.recounted(to, counts), bounded.Keep
	})
}

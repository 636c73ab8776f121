// Package linked keeps the items that events are linked to in memory: venues, organizers, categories and tags, as
// records of Postgres, by site and version.
package linked

import "github.com/kalends/kalends/internal/bounded"

// Memory keeps the venues, organizers and terms that events are linked to, by site, as Postgres sent them. An
// event's row has the ids of its links. If all of them are remembered, a list reads only events, and an event is
// created without look-ups. Each statement returns the version at which the site's linked items last changed.
// Records are used only at that version, so they can be outdated but never wrong.
type Memory struct {
	sites bounded.Cache[int64, *Site]
}

// Bytes is the usual limit of a Memory, in bytes. It is enough for ten thousand sites.
const Bytes = 24 << 20

// NewMemory returns an empty memory with a limit in bytes.
func NewMemory(most int) *Memory {
	return &Memory{bounded.New(bounded.Options[int64, *Site]{
		Bytes: most,
		Weigh: func(_ int64, s *Site) uint32 { return uint32(s.Weight()) },
	})}
}

// Of returns the remembered records of a site, or nil.
func (m *Memory) Of(site int64) *Site {
	s, _ := m.sites.Get(site)
	return s
}

// Forget drops a site's records after a write has made them outdated, so that the next list does not try them.
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

// Recount takes a site's memory from one version to another if only these counts changed in between.
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

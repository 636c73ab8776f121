package server

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// mostHot is how many sites are counted at once, and hotShown how many of them are told.
const (
	mostHot  = 2000
	hotShown = 20
)

// Load is what a site has asked of a node within some time.
type Load struct {
	Site     string        `json:"site"`
	Requests int64         `json:"requests"`
	Errors   int64         `json:"errors"` // answers of 500 and above
	Busy     time.Duration `json:"busy"`   // how long its requests took together
}

// Hot counts which sites keep a node busy. Its memory is bounded: where more sites send requests than it counts, those with the least are
// forgotten. A nil Hot counts nothing.
type Hot struct {
	mu    sync.Mutex
	sites map[string]*Load
}

// Add counts a request of a site.
func (h *Hot) Add(site string, took time.Duration, status int) {
	if h == nil || site == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.sites[site]
	if one == nil {
		if len(h.sites) >= mostHot {
			h.thin()
		}
		if h.sites == nil {
			h.sites = map[string]*Load{}
		}
		one = &Load{Site: site}
		h.sites[site] = one
	}
	one.Requests++
	one.Busy += took
	if status >= 500 {
		one.Errors++
	}
}

// thin forgets the half of the sites that was busy least.
func (h *Hot) thin() {
	all := make([]*Load, 0, len(h.sites))
	for _, one := range h.sites {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *Load) int { return cmp.Compare(a.Busy, b.Busy) })
	for _, one := range all[:len(all)/2] {
		delete(h.sites, one.Site)
	}
}

// Take returns the sites that were busiest since the last call, and begins anew.
func (h *Hot) Take() []Load {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]Load, 0, len(h.sites))
	for _, one := range h.sites {
		all = append(all, *one)
	}
	h.sites = nil
	return Hottest(all)
}

// Hottest returns the busiest of some sites, of which each is there once or several times, as from several nodes.
func Hottest(list []Load) []Load {
	of := map[string]Load{}
	for _, one := range list {
		sum := of[one.Site]
		of[one.Site] = Load{one.Site, sum.Requests + one.Requests, sum.Errors + one.Errors, sum.Busy + one.Busy}
	}
	all := make([]Load, 0, len(of))
	for _, one := range of {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Load) int { return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(a.Site, b.Site)) })
	return all[:min(len(all), hotShown)]
}

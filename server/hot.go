package server

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy/platform"
)

// mostHot is how many sites are counted at a time, and hotShown how many of them are reported.
const (
	mostHot  = 2000
	hotShown = 20
)

// Load is the load that a site has caused on a node within a period.
type Load struct {
	Site     string        `json:"site"`
	Requests int64         `json:"requests"`
	Errors   int64         `json:"errors"` // answers of 500 and above
	Busy     time.Duration `json:"busy"`   // how long its requests took together
}

// Hot counts which sites keep a node busy. Its memory is limited: if more sites have requests than it can count, it
// forgets those with the fewest. A nil Hot does not count.
type Hot struct {
	mu      sync.Mutex
	sites   map[string]*siteLoad
	traffic map[string]platform.Traffic // traffic of the sites that were reported or forgotten since Traffic
}

// siteLoad holds the counters of one site.
type siteLoad struct {
	Load
	platform.Traffic
}

// Add counts a request of a site. full: it was refused because the site has as much as its plan allows.
func (h *Hot) Add(site string, took time.Duration, status int, full bool) {
	if h == nil || site == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.sites[site]
	if one == nil {
		if len(h.sites) >= mostHot {
			h.forgetHalf()
		}
		if h.sites == nil {
			h.sites = map[string]*siteLoad{}
		}
		one = &siteLoad{Load: Load{Site: site}}
		h.sites[site] = one
	}
	one.Load.Requests++
	one.Load.Busy += took
	if status < 400 {
		return
	}
	switch {
	case full:
		one.Full++
	case status == http.StatusTooManyRequests:
		one.Limited++
	case status == http.StatusServiceUnavailable:
		one.Traffic.Busy++
	case status >= 500:
		one.Traffic.Errors++
	}
	if status >= 500 {
		one.Load.Errors++
	}
}

// addTraffic adds the requests counted for a site to its traffic, before the site is forgotten.
func (h *Hot) addTraffic(one *siteLoad) {
	if h.traffic == nil {
		h.traffic = map[string]platform.Traffic{}
	}
	one.Traffic.Requests = one.Load.Requests
	h.traffic[one.Site] = h.traffic[one.Site].Plus(one.Traffic)
}

// Traffic returns the traffic of all sites until the last call of Take, and starts again from zero.
func (h *Hot) Traffic() map[string]platform.Traffic {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.traffic
	h.traffic = nil
	return all
}

// Back adds traffic that could not be written, so that it is not lost.
func (h *Hot) Back(all map[string]platform.Traffic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for site, t := range all {
		if h.traffic == nil {
			h.traffic = map[string]platform.Traffic{}
		}
		h.traffic[site] = h.traffic[site].Plus(t)
	}
}

// forgetHalf forgets the half of the sites that was busy least.
func (h *Hot) forgetHalf() {
	all := make([]*siteLoad, 0, len(h.sites))
	for _, one := range h.sites {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *siteLoad) int { return cmp.Compare(a.Load.Busy, b.Load.Busy) })
	for _, one := range all[:len(all)/2] {
		h.addTraffic(one)
		delete(h.sites, one.Site)
	}
}

// Take returns the sites that were busiest since the last call, and starts again from zero.
func (h *Hot) Take() []Load {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]Load, 0, len(h.sites))
	for _, one := range h.sites {
		h.addTraffic(one)
		all = append(all, one.Load)
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

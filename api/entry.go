package api

import (
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// entryKey contains everything that a public event in a list depends on.
type entryKey struct {
	site    int64
	version int64 // of the site when the event was read
	looks   int64 // of the site when the site itself was read
	id      int64 // of the event or occurrence
	start   int64 // of the occurrence
	geo     bool  // a feature of the plan, which changes independently of its sites
	base    tenancy.Base
	spoken  string
	texts   string // requested language of the texts
}

// entry writes one event of a list, read at a version of its site. New lists share events with others: for anonymous
// readers each event is rendered once per version, unless time alone changes it.
func (a *API) entry(v *View, e *calendar.Event, version int64) {
	s := v.Scope
	if !s.Principal.Anonymous() || e.Protected() || e.Masked || v.whole {
		v.event(e, false)
		return
	}
	key := entryKey{s.Site.ID, version, s.Site.Version, e.ID, e.StartUTC.Unix(), s.Site.Plan.Geo, s.Base, s.Language, s.Asked()}
	if piece := a.entries.Get(key); piece != nil {
		v.Comma()
		v.Bytes = append(v.Bytes, piece...)
		return
	}
	from, until := len(v.Bytes), v.until
	v.until = time.Time{}
	v.event(e, false)
	changes := v.until
	v.until = until
	if v.changes(changes); !changes.IsZero() {
		return
	}
	if v.Bytes[from] == ',' {
		from++
	}
	a.entries.Made(key, v.Bytes[from:])
}

package api

import (
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// entryKey names an event of a list as anybody reads it: all that the entry depends on.
type entryKey struct {
	site    int64
	version int64 // of the site, when the event was read
	looks   int64 // of the site, when it was read itself
	id      int64 // of the event or the occurrence
	start   int64 // of the occurrence
	geo     bool  // what a plan may switch off, for a plan changes without its sites
	base    tenancy.Base
	spoken  string
	texts   string // the language they are wanted in
}

// entry writes one event of a list, read at a version of its site. Lists that nobody
// asked for before have events in common with others: an entry that was written
// for anybody is written once for each version, unless time alone changes it.
func (a *API) entry(v *view, e *calendar.Event, version int64) {
	s := v.scope
	if s.Principal != (tenancy.Principal{}) || version == 0 || e.Protected() || e.Masked || v.whole {
		v.event(e, false)
		return
	}
	key := entryKey{s.Site.ID, version, s.Site.Version, e.ID, e.StartUTC.Unix(), s.Site.Plan.Geo, s.Base, s.Language, s.Asked()}
	if piece := a.entries.Get(key); piece != nil {
		v.comma()
		v.b = append(v.b, piece...)
		return
	}
	from, until := len(v.b), v.until
	v.until = time.Time{}
	v.event(e, false)
	changes := v.until
	v.until = until
	if v.changes(changes); !changes.IsZero() {
		return
	}
	if v.b[from] == ',' {
		from++
	}
	a.entries.Made(key, v.b[from:])
}

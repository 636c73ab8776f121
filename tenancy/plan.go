package tenancy

import (
	"fmt"
	"math"
	"strconv"
)

// DefaultPlan is the plan of a site for which none is requested. It has no limits until the provider sets some.
const DefaultPlan = "unlimited"

// Plan is what the provider grants to sites. In Site.Plan it holds the values in effect: those of the plan, except
// where the site has overrides.
type Plan struct {
	Name              string
	Geo               bool // location filters (rule 5.9)
	RequestsPerMinute int  // 0: no limit
	Limits
}

// Mark returns a hash of everything that the plan grants. It serves as a version, which plans don't have.
func (p *Plan) Mark() int64 { return mark(p) }

// Limits are the limits on the contents of a site; nil means no limit.
type Limits struct {
	Events      *int64 // in any status, including the trash; a series counts as one
	Occurrences *int64 // stored occurrences of series
	Users       *int64
	MediaBytes  *int64 // pictures in all their sizes
	Webhooks    *int64
	Letters     *int64 // e-mails to visitors per month; 0 turns them off
}

// Usage is the number and size of a site's contents.
type Usage struct {
	Events      int64
	Occurrences int64
	Users       int64
	MediaBytes  int64
}

// Overrides are the limits that a site has instead of those of its plan, by the name of the argument; nil means no
// limit.
type Overrides map[string]*int64

// The names of overrides.
const (
	LimitEvents      = "events"
	LimitOccurrences = "occurrences"
	LimitUsers       = "users"
	LimitMedia       = "media_bytes"
	LimitWebhooks    = "webhooks"
	LimitLetters     = "letters"
	LimitSources     = "sources" // the same in every plan
	LimitRequests    = "requests_per_minute"
	LimitGeo         = "geo" // 0 or 1
)

// UsualOccurrences is the limit of occurrences in a plan that limits events but not occurrences (ADR 49).
const UsualOccurrences = 2_000_000

// LimitError says that a write would exceed a limit of the site's plan.
type LimitError struct {
	What string // one of the constants above, such as LimitEvents
	Max  int64
	Have int64 // in use before the write
	Want int64 // what the write adds
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("limit reached: %d of %d %s in use, %d more wanted", e.Have, e.Max, e.What, e.Want)
}

// Key returns the key of the error's text.
func (e *LimitError) Key() string { return "error.limit_reached." + e.What }

// Data returns the values for the error's text; sizes are in megabytes.
func (e *LimitError) Data() map[string]any {
	if e.What == LimitMedia {
		return map[string]any{"Max": megabytes(e.Max), "Have": megabytes(e.Have)}
	}
	return map[string]any{"Max": e.Max, "Have": e.Have}
}

func megabytes(bytes int64) string {
	return strconv.FormatFloat(math.Round(float64(bytes)/1e5)/10, 'f', -1, 64)
}

// Allow returns nil if the limits allow more in addition to used, otherwise a *LimitError for the first limit that
// is exceeded. It checks only the limits on what more adds, so a site that got a smaller plan keeps its contents.
func (l *Limits) Allow(used, more Usage) error {
	for _, one := range []struct {
		what       string
		max        *int64
		have, want int64
	}{
		{LimitEvents, l.Events, used.Events, more.Events},
		{LimitOccurrences, l.Occurrences, used.Occurrences, more.Occurrences},
		{LimitUsers, l.Users, used.Users, more.Users},
		{LimitMedia, l.MediaBytes, used.MediaBytes, more.MediaBytes},
	} {
		if one.want > 0 && one.max != nil && one.have+one.want > *one.max {
			return &LimitError{What: one.what, Max: *one.max, Have: one.have, Want: one.want}
		}
	}
	return nil
}

// Room returns how many occurrences may be added to the ones in used.
func (l *Limits) Room(used Usage) int64 {
	if l.Occurrences == nil {
		return math.MaxInt64
	}
	return max(*l.Occurrences-used.Occurrences, 0)
}

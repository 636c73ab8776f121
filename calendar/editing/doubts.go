package editing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// Publishing is an event that is about to become public, or to change while it is public.
type Publishing struct {
	Was   *calendar.Event // the stored event; nil: a new event
	Event *calendar.Event // as it would be
}

// Doubts are possible mistakes in events that are about to become public. Pages show them, and accept the events
// when the form is sent again.
type Doubts struct {
	Over []*calendar.Event // events that are already over
	Like []Twin            // events that visitors could confuse with another one
}

// Twin is an event, and another one with the same title, time and venues.
type Twin struct{ Event, Other *calendar.Event }

// Error says that nothing was stored.
func (*Doubts) Error() string { return "there are doubts about events" }

// Sure returns a digest of the doubts and the times of their events. If a time changes, so does the digest, and the
// doubts are shown again. It returns "" if there are no doubts.
func (d *Doubts) Sure() string {
	if len(d.Over)+len(d.Like) == 0 {
		return ""
	}
	hash := sha256.New()
	for _, e := range d.Over {
		hash.Write([]byte("over " + strconv.FormatInt(e.ID, 10) + e.EndUTC.Format(time.RFC3339) + "\n"))
	}
	for _, t := range d.Like {
		hash.Write([]byte("like " + strconv.FormatInt(t.Other.ID, 10) + t.Other.StartUTC.Format(time.RFC3339) + "\n"))
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// Doubt returns the doubts about events as an error of type *Doubts, unless sure names them. It leaves out doubts
// that already applied to the stored events. If there are doubts, it requires the right to edit.
func (s *Service) Doubt(ctx context.Context, sure string, list ...Publishing) error {
	d, at := &Doubts{}, map[time.Time][]*calendar.Event{}
	for _, p := range list {
		was, e := p.Was, p.Event
		if !Shown(e) {
			continue
		}
		moved := was == nil || !Shown(was) || !was.EndUTC.Equal(e.EndUTC)
		if moved && !e.Recurring() && e.EndUTC.Before(s.Now()) {
			d.Over = append(d.Over, e)
		}
		if !moved && alike(was, e) {
			continue
		}
		others, there := at[e.StartUTC]
		if !there {
			var err error
			if others, err = s.starting(ctx, e.StartUTC); err != nil {
				return err
			}
			at[e.StartUTC] = others
		}
		if i := slices.IndexFunc(others, func(other *calendar.Event) bool { return whole(other) != whole(e) && alike(other, e) }); i >= 0 {
			d.Like = append(d.Like, Twin{e, others[i]})
		}
	}
	if found := d.Sure(); found == "" || found == sure {
		return nil
	}
	return d
}

// starting returns the events that start at a time and are neither in the trash nor protected by a password.
func (s *Service) starting(ctx context.Context, at time.Time) ([]*calendar.Event, error) {
	var statuses args.Texts
	for _, status := range calendar.Statuses() {
		if status != calendar.Trash {
			statuses = append(statuses, string(status))
		}
	}
	after, err := args.ParseDate(at.Add(-time.Second).UTC().Format(time.RFC3339))
	if err != nil {
		return nil, nil //nolint:nilerr // no event is so far away
	}
	before, err := args.ParseDate(at.Add(time.Second).UTC().Format(time.RFC3339))
	if err != nil {
		return nil, nil //nolint:nilerr // no event is so far away
	}
	page, err := s.Events().Board(ctx, &calendar.EventFilter{StartsAfter: args.Some(after), StartsBefore: args.Some(before),
		StrictDates: args.Some(args.Truthy(true)), Status: args.Some(statuses)}, services.MostTogether)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(page.Items, (*calendar.Event).Protected), nil
}

// Shown reports whether visitors see an event, now or from its date of publication on.
func Shown(e *calendar.Event) bool {
	return e.Status == calendar.Publish || e.Status == calendar.Future
}

// whole returns the ID of the series that an event belongs to, or its own.
func whole(e *calendar.Event) int64 {
	if e.Series != nil {
		return e.Series.ID
	}
	return e.ID
}

// alike reports whether two events have the same title, start and venues.
func alike(a, b *calendar.Event) bool {
	return wording.Fold(a.Title) == wording.Fold(b.Title) && a.StartUTC.Equal(b.StartUTC) && a.AllDay == b.AllDay &&
		slices.Equal(venueNames(a), venueNames(b))
}

func venueNames(e *calendar.Event) []string {
	names := make([]string, 0, len(e.Venues))
	for i := range e.Venues {
		names = append(names, wording.Fold(e.Venues[i].Name))
	}
	slices.Sort(names)
	return names
}

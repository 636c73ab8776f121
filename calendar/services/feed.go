package services

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// FeedPast is the number of days that a feed goes back if it has no dates.
const FeedPast = 90

// feedGone is the number of days for which a feed reports events that no longer exist.
const feedGone = 30

// feedPage is the number of events read at once for a feed.
const feedPage = 100

// Feed reads the events that match a filter, as a reader may see them. It reads them in portions, so that memory use does not
// grow with the texts of all events.
type Feed struct {
	Version int64     // version of the site, never later than that of the contents
	Until   time.Time // when time alone changes the feed; zero: never

	scope   *tenancy.Scope
	store   calendar.EventStore
	trial   *trial
	ids     []int64 // still to be read, in this order
	all     []int64 // ascending
	gone    []int64 // to be read together with ids
	deleted []*calendar.Event
}

// FeedEvent is an entry of a feed: a single event, a series with the occurrences that differ from it, or such an occurrence if
// its series is not in the feed.
type FeedEvent struct {
	*calendar.Event
	Exceptions []*calendar.Event
	Gone       bool // the event no longer exists for the reader
}

// Changed returns the time of the last change of the site. Reads after the call are at least as recent.
func (s Events) Changed(ctx context.Context) (time.Time, error) {
	at, err := s.store.Events().Changed(ctx)
	if err != nil {
		return at, fmt.Errorf("read the last change of a site: %w", err)
	}
	return at, nil
}

// Feed begins to read the events of a filter. A feed without dates goes 90 days back and has no end. It returns ErrGuesses
// after too many wrong passwords.
func (s Events) Feed(ctx context.Context, f *calendar.FeedFilter) (*Feed, error) {
	scope, q, err := s.feedQuery(ctx, f)
	if err != nil {
		return nil, err
	}
	feed := &Feed{Until: q.Until, scope: scope, store: s.store.Events()}
	if feed.trial, err = s.try(scope, &q, f.Password.Or("")); err != nil {
		return nil, err
	}
	if feed.ids, feed.Version, err = feed.store.Matching(ctx, q); err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	feed.all = slices.Sorted(slices.Values(feed.ids))
	if q.Viewer != (calendar.Viewer{}) {
		return feed, nil
	}
	gone := q
	gone.GoneSince = s.Now().AddDate(0, 0, -feedGone)
	if feed.gone, _, err = feed.store.Matching(ctx, gone); err == nil && q.Everything() {
		feed.deleted, err = feed.store.Deleted(ctx, gone.GoneSince)
	}
	if len(feed.gone)+len(feed.deleted) > 0 && feed.Until.IsZero() {
		feed.Until = calendar.Midnight(s.Now(), scope.Site.Location)
	}
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	return feed, nil
}

// feedQuery returns the query of a feed.
func (s Events) feedQuery(ctx context.Context, f *calendar.FeedFilter) (*tenancy.Scope, calendar.EventQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, calendar.EventQuery{}, err
	}
	q, err := f.Query(scope, s.Now())
	if err != nil {
		return nil, q, err
	}
	f.Chosen.Apply(ctx, &q, f.Password.Or(""))
	if !f.Dated() {
		today := args.DayOf(args.WallTime(s.Now(), scope.Site.Location))
		q.Edges = []calendar.Edge{{End: true, Compare: calendar.From, At: today.AddDate(0, 0, -FeedPast)}}
		q.Until = calendar.Midnight(s.Now(), scope.Site.Location)
	}
	return scope, q, nil
}

// Next returns the next events, or none at the end.
func (f *Feed) Next(ctx context.Context) ([]FeedEvent, error) {
	for len(f.ids) > 0 {
		some := f.ids[:min(feedPage, len(f.ids))]
		f.ids = f.ids[len(some):]
		list, err := f.read(ctx, some)
		if len(list) > 0 || err != nil {
			return list, err
		}
	}
	f.trial.end()
	for len(f.gone) > 0 {
		some := f.gone[:min(feedPage, len(f.gone))]
		f.gone = f.gone[len(some):]
		events, _, err := f.store.Several(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("feed: %w", err)
		}
		if list := f.past(events); len(list) > 0 {
			return list, nil
		}
	}
	events := f.deleted
	f.deleted = nil
	return f.past(events), nil
}

// read returns events by id with their links and exceptions.
func (f *Feed) read(ctx context.Context, ids []int64) ([]FeedEvent, error) {
	events, exceptions, err := f.store.Several(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	of := map[int64][]*calendar.Event{}
	for _, e := range exceptions {
		f.show(e)
		of[e.Series.ID] = append(of[e.Series.ID], e)
	}
	list := make([]FeedEvent, 0, len(events))
	for _, e := range events {
		if e.Series != nil && f.has(e.Series.ID) || !calendar.MayRead(f.scope.Principal, &e.Post) ||
			f.scope.Principal.Anonymous() && e.Hidden {
			continue // included in its series, or changed since
		}
		f.show(e)
		list = append(list, FeedEvent{Event: e, Exceptions: of[e.ID]})
	}
	return list, nil
}

// show hides the parts of an event that the reader may not see.
func (f *Feed) show(e *calendar.Event) {
	f.trial.mask(e)
	hideUnreadable(f.scope.Principal, e)
	e.Speak(f.scope)
}

func (f *Feed) has(id int64) bool {
	_, found := slices.BinarySearch(f.all, id)
	return found
}

// past reduces events that no longer exist to their times and iCalendar UID.
func (f *Feed) past(events []*calendar.Event) []FeedEvent {
	var list []FeedEvent
	for _, e := range events {
		if e.Series != nil || f.has(e.ID) || e.Status == calendar.Publish && !e.Hidden && e.Version != 0 {
			continue
		}
		list = append(list, FeedEvent{Gone: true, Event: &calendar.Event{Post: calendar.Post{ID: e.ID, Modified: e.Modified}, UID: e.UID,
			Sequence: e.Sequence, Timezone: e.Timezone, AllDay: e.AllDay,
			Start: e.Start, End: e.End, StartUTC: e.StartUTC, EndUTC: e.EndUTC}})
	}
	return list
}

// WithExceptions returns an event and, if it is a series, the occurrences that differ from it. Everyone who may see
// the series may see them.
func (s Events) WithExceptions(ctx context.Context, e *calendar.Event) (FeedEvent, error) {
	if !e.Recurring() {
		return FeedEvent{Event: e}, nil
	}
	scope, err := tenancy.From(ctx)
	if err != nil {
		return FeedEvent{}, err
	}
	list, err := s.store.Events().Exceptions(ctx, e.ID)
	if err != nil {
		return FeedEvent{}, fmt.Errorf("exceptions: %w", err)
	}
	for _, exception := range list {
		hideUnreadable(scope.Principal, exception)
		exception.Speak(scope)
	}
	return FeedEvent{Event: e, Exceptions: list}, nil
}

// Newest returns the most recently published events of a filter, the last first. A series has its first occurrence in the
// period of the feed. It returns ErrGuesses after too many wrong passwords.
func (s Events) Newest(ctx context.Context, f *calendar.FeedFilter, most int) (calendar.Page[calendar.Event], time.Time, error) {
	scope, q, err := s.feedQuery(ctx, f)
	if err != nil {
		return calendar.Page[calendar.Event]{}, time.Time{}, err
	}
	t, err := s.try(scope, &q, f.Password.Or(""))
	if err != nil {
		return calendar.Page[calendar.Event]{}, q.Until, err
	}
	q.Page, q.PerPage, q.OrderBy, q.Descending, q.First = 1, most, "date", true, true
	page, err := s.store.Events().List(ctx, q)
	if err != nil {
		return page, q.Until, fmt.Errorf("newest events: %w", err)
	}
	for _, e := range page.Items {
		t.mask(e)
		hideUnreadable(scope.Principal, e)
		e.Speak(scope)
	}
	t.end()
	return page, q.Until, nil
}

// UIDOf returns the permanent iCalendar UID of an event of a site. Occurrences share the UID of their series.
func UIDOf(site *tenancy.Site, e *calendar.Event) string {
	if e.UID != "" {
		return e.UID
	}
	id := e.ID
	if e.Series != nil {
		id = e.Series.ID
	}
	return fmt.Sprintf("%d@%s", id, strings.ToLower(site.UID))
}

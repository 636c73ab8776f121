package services

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ErrFromSource is returned for a change of fields that only the site to which the event belongs may change.
var ErrFromSource = errors.New("the event belongs to another site, which alone changes it")

type givenKey struct{}

// Giving returns a context in which written events belong to another site, described by g.
func Giving(ctx context.Context, g *calendar.Elsewhere) context.Context {
	return context.WithValue(ctx, givenKey{}, g)
}

// giving returns the origin of events that are written in this context, or nil if they belong to this site.
func giving(ctx context.Context) *calendar.Elsewhere {
	g, _ := ctx.Value(givenKey{}).(*calendar.Elsewhere)
	return g
}

// ownOfGiven are the fields of another site's events that this site sets itself.
var ownOfGiven = []string{"status", "date", "author", "slug", "categories", "tags", "featured", "sticky", "hide_from_listings", "show_map",
	"show_map_link", "post_parent"}

// OwnOfGiven returns the names of the fields of another site's events that this site sets itself.
func OwnOfGiven() []string { return slices.Clone(ownOfGiven) }

// theirs returns ErrFromSource for a change of fields that only the site to which the event belongs may change.
func (w *EventWrite) theirs(ctx context.Context, was, e *calendar.Event) error {
	if given := giving(ctx); given != nil {
		e.Elsewhere = given
		return nil
	}
	if was.Elsewhere == nil {
		return nil
	}
	differs := slices.ContainsFunc(calendar.AllEventFields(), func(f calendar.EventField) bool {
		return !slices.Contains(ownOfGiven, f.Name) && !f.Same(was, e)
	})
	if differs || !was.Start.Equal(e.Start) || !was.End.Equal(e.End) || !reflect.DeepEqual(was.Recurrence, e.Recurrence) ||
		!was.Texts.Equal(e.Texts) || w.AppliesTo.Or("") == AppliesToFollowing ||
		w.Venue.Given() && !linksTo(w.Venue.Or(nil), was.Venues, func(v *calendar.Venue) int64 { return v.ID }) ||
		w.Organizer.Given() && !linksTo(w.Organizer.Or(nil), was.Organizers, func(o *calendar.Organizer) int64 { return o.ID }) {
		return ErrFromSource
	}
	return nil
}

// linksTo reports whether a write has the same links as the event.
func linksTo[F, T any](links args.Links[F], now []T, id func(*T) int64) bool {
	return slices.EqualFunc(links, now, func(l args.Link[F], n T) bool { return l.ID != 0 && l.ID == id(&n) })
}

// Gift begins to read the events that a filter selects, past and future ones, as visitors see them. Unless only is nil,
// it reads only the events with these IDs.
func (s Events) Gift(ctx context.Context, f *calendar.EventFilter, only []int64) (*Feed, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q, err := f.Following(scope, s.Now())
	if err != nil {
		return nil, err
	}
	switch {
	case only != nil && q.Include != nil:
		q.Include = slices.DeleteFunc(q.Include, func(id int64) bool { return !slices.Contains(only, id) })
	case only != nil:
		q.Include = only
	}
	feed := &Feed{scope: scope, store: s.store.Events()}
	if feed.trial, err = s.try(scope, &q, ""); err != nil {
		return nil, err
	}
	if feed.ids, feed.Version, err = feed.store.Matching(ctx, q); err != nil {
		return nil, fmt.Errorf("give events: %w", err)
	}
	feed.all = slices.Sorted(slices.Values(feed.ids))
	return feed, nil
}

// GivesTo returns the origin of an event that the scope's site may give to another site. It returns nil if the site
// may not give it: the event is not in public lists, it came from a source and the site does not pass on such
// events, or it came through the other site.
func GivesTo(ctx context.Context, e *calendar.Event, home string, to *tenancy.Site) *calendar.Elsewhere {
	site := tenancy.Current(ctx).Site
	_, gathered := site.Sources[e.Origin]
	switch {
	case e.Protected(), e.Hidden, e.Status != calendar.Publish:
		return nil
	case (gathered || e.Elsewhere != nil) && !site.Settings.Share.On:
		return nil
	case strings.HasSuffix(strings.ToLower(UIDOf(site, e)), "@"+strings.ToLower(to.UID)):
		return nil
	case e.Elsewhere == nil:
		return &calendar.Elsewhere{Home: home, Slug: e.Slug, Via: []int64{site.ID}}
	case slices.Contains(e.Elsewhere.Via, to.ID):
		return nil
	}
	return &calendar.Elsewhere{Home: e.Elsewhere.Home, Slug: e.Elsewhere.Slug, Via: append(slices.Clone(e.Elsewhere.Via), site.ID)}
}

// Withdraw deletes events that this site received from other sites, with all traces of them.
func (s Events) Withdraw(ctx context.Context, ids []int64) error {
	const together = 200
	for len(ids) > 0 {
		some := ids[:min(together, len(ids))]
		ids = ids[len(some):]
		left, err := s.store.Events().Withdraw(ctx, some)
		if err == nil {
			err = s.clear(ctx, left)
		}
		if err != nil {
			return fmt.Errorf("withdraw events: %w", err)
		}
	}
	return nil
}

// clear removes what came with withdrawn events.
func (s Events) clear(ctx context.Context, left calendar.Orphans) error {
	for _, id := range left.Venues {
		_, err := s.store.Venues().Delete(ctx, calendar.Key{ID: id}, func(*calendar.Venue) error { return nil })
		if err != nil && !errors.Is(err, calendar.ErrNotFound) {
			return err
		}
	}
	for _, id := range left.Organizers {
		_, err := s.store.Organizers().Delete(ctx, calendar.Key{ID: id}, func(*calendar.Organizer) error { return nil })
		if err != nil && !errors.Is(err, calendar.ErrNotFound) {
			return err
		}
	}
	for _, id := range left.Images {
		uses, err := s.store.Images().Uses(ctx, id)
		if err != nil || len(uses) > 0 {
			continue
		}
		image, err := s.store.Images().Delete(ctx, id, func(*calendar.Image) error { return nil })
		if err == nil {
			err = s.pictures.Remove(ctx, image)
		}
		if err != nil && !errors.Is(err, calendar.ErrNotFound) {
			return err
		}
	}
	all := slices.Concat(left.Venues, left.Organizers, left.Images)
	if len(all) == 0 {
		return nil
	}
	return s.store.Events().Erase(ctx, all)
}

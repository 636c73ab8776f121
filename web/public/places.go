package public

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// venue shows a venue and its upcoming events.
func (w *Pages) venue(ctx context.Context, a asked) (*shown, error) {
	v, err := w.venueOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := moved(ctx, a, ui.VenuePath(v)); to != nil {
		return to, nil
	}
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: v.Name, Path: ui.VenuePath(v), File: v.Slug},
			func(f *calendar.FeedFilter) { f.Venue = args.Some(args.IDs{v.ID}) })
	}
	l, found, err := w.comingTo(ctx, a, &calendar.EventFilter{Venue: args.Some(args.IDs{v.ID})}, "")
	if err != nil {
		return nil, err
	}
	l.venue = v.ID
	p := &page{
		title:       v.Name,
		path:        ui.VenuePath(v),
		edit:        "/admin/venues/" + idText(v.ID),
		query:       l.query(l.page),
		rest:        "/events/?venue=" + strconv.FormatInt(v.ID, 10),
		description: cmp.Or(excerptOf(v.Excerpt, v.Description), strings.Join(v.AddressLines(), ", "), describe(ctx, v.Name)),
		image:       v.Image,
		feeds:       subscriptionTo("venue", v.Slug, v.Name, "venue", v.ID, "venue", idText(v.ID)),
	}
	p.in = func(language string) string { return ui.VenuePath(v.In(ui.SiteOf(ctx), language)) }
	w.hear(ctx, p)
	return w.listed(ctx, p, venuePage(p, v, l), found.Version, l), nil
}

// organizer shows an organizer and their upcoming events.
func (w *Pages) organizer(ctx context.Context, a asked) (*shown, error) {
	o, err := w.organizerOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := moved(ctx, a, ui.OrganizerPath(o)); to != nil {
		return to, nil
	}
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: o.Name, Path: ui.OrganizerPath(o), File: o.Slug},
			func(f *calendar.FeedFilter) { f.Organizer = args.Some(args.IDs{o.ID}) })
	}
	l, found, err := w.comingTo(ctx, a, &calendar.EventFilter{Organizer: args.Some(args.IDs{o.ID})}, "")
	if err != nil {
		return nil, err
	}
	p := &page{
		title:       o.Name,
		path:        ui.OrganizerPath(o),
		edit:        "/admin/organizers/" + idText(o.ID),
		query:       l.query(l.page),
		rest:        "/events/?organizer=" + strconv.FormatInt(o.ID, 10),
		description: cmp.Or(excerptOf(o.Excerpt, o.Description), describe(ctx, o.Name)),
		image:       o.Image,
		feeds:       subscriptionTo("organizer", o.Slug, o.Name, "organizer", o.ID, "organizer", idText(o.ID)),
	}
	p.in = func(language string) string { return ui.OrganizerPath(o.In(ui.SiteOf(ctx), language)) }
	w.hear(ctx, p)
	return w.listed(ctx, p, organizerPage(p, o, l), found.Version, l), nil
}

// venueOf finds the public venue of an address.
func (w *Pages) venueOf(ctx context.Context, a asked) (*calendar.Venue, error) {
	return published(ctx, a, w.calendar.Venues(), func(v *calendar.Venue) *calendar.Post { return &v.Post })
}

// organizerOf finds the public organizer of an address.
func (w *Pages) organizerOf(ctx context.Context, a asked) (*calendar.Organizer, error) {
	return published(ctx, a, w.calendar.Organizers(), func(o *calendar.Organizer) *calendar.Post { return &o.Post })
}

func published[T any, F calendar.PlaceFields[T]](
	ctx context.Context,
	a asked,
	places services.Places[T, F],
	post func(*T) *calendar.Post,
) (*T, error) {
	key, err := keyOf(ctx, a)
	if err != nil {
		return nil, err
	}
	item, err := places.Get(ctx, key)
	if err == nil && post(item).Status != calendar.Publish {
		return nil, calendar.ErrNotFound
	}
	return item, err
}

// keyOf parses the slug of an address.
func keyOf(_ context.Context, a asked) (calendar.Key, error) {
	slug := wording.SoughtSlug(a.param("slug"))
	if slug == "" {
		return calendar.Key{}, calendar.ErrNotFound
	}
	return calendar.Key{Slug: slug, Former: true}, nil
}

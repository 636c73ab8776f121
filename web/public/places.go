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
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// venue shows a venue and its upcoming events.
func (w *Pages) venue(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	v, err := w.venueOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, ui.VenuePath(v)); to != nil {
		return to, nil
	}
	if a.Calendar {
		return w.lists.CalendarOf(ctx, a, feeds.About{Title: v.Name, Path: ui.VenuePath(v), File: v.Slug},
			func(f *calendar.FeedFilter) { f.Venue = args.Some(args.IDs{v.ID}) })
	}
	l, found, err := w.lists.ComingTo(ctx, a, &calendar.EventFilter{Venue: args.Some(args.IDs{v.ID})}, "")
	if err != nil {
		return nil, err
	}
	l.Venue = v.ID
	p := &layout.Page{
		Title:       v.Name,
		Path:        ui.VenuePath(v),
		Edit:        "/admin/venues/" + layout.IDText(v.ID),
		Query:       l.Query(l.Page),
		Rest:        "/events/?venue=" + strconv.FormatInt(v.ID, 10),
		Description: cmp.Or(layout.Excerpt(v.Excerpt, v.Description), strings.Join(v.AddressLines(), ", "), layout.Describe(ctx, v.Name)),
		Image:       v.Image,
		Card:        cardAddress(ctx, ui.VenuePath(v)+placeCardFile, w.placeCard(ctx, v.Name, whereIs(v), v.Image)),
		Feeds:       layout.SubscriptionTo("venue", v.Slug, v.Name, "venue", v.ID, "venue", layout.IDText(v.ID)),
	}
	p.In = func(language string) string { return ui.VenuePath(v.In(ui.SiteOf(ctx), language)) }
	w.forms.Hear(ctx, p)
	return w.lists.Listed(ctx, p, venuePage(p, v, l), found.Version, l), nil
}

// organizer shows an organizer and their upcoming events.
func (w *Pages) organizer(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	o, err := w.organizerOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, ui.OrganizerPath(o)); to != nil {
		return to, nil
	}
	if a.Calendar {
		return w.lists.CalendarOf(ctx, a, feeds.About{Title: o.Name, Path: ui.OrganizerPath(o), File: o.Slug},
			func(f *calendar.FeedFilter) { f.Organizer = args.Some(args.IDs{o.ID}) })
	}
	l, found, err := w.lists.ComingTo(ctx, a, &calendar.EventFilter{Organizer: args.Some(args.IDs{o.ID})}, "")
	if err != nil {
		return nil, err
	}
	p := &layout.Page{
		Title:       o.Name,
		Path:        ui.OrganizerPath(o),
		Edit:        "/admin/organizers/" + layout.IDText(o.ID),
		Query:       l.Query(l.Page),
		Rest:        "/events/?organizer=" + strconv.FormatInt(o.ID, 10),
		Description: cmp.Or(layout.Excerpt(o.Excerpt, o.Description), layout.Describe(ctx, o.Name)),
		Image:       o.Image,
		Card:        cardAddress(ctx, ui.OrganizerPath(o)+placeCardFile, w.placeCard(ctx, o.Name, "", o.Image)),
		Feeds:       layout.SubscriptionTo("organizer", o.Slug, o.Name, "organizer", o.ID, "organizer", layout.IDText(o.ID)),
	}
	p.In = func(language string) string { return ui.OrganizerPath(o.In(ui.SiteOf(ctx), language)) }
	w.forms.Hear(ctx, p)
	return w.lists.Listed(ctx, p, organizerPage(p, o, l), found.Version, l), nil
}

// venueOf finds the public venue of an address.
func (w *Pages) venueOf(ctx context.Context, a layout.Asked) (*calendar.Venue, error) {
	return published(ctx, a, w.calendar.Venues(), func(v *calendar.Venue) *calendar.Post { return &v.Post })
}

// organizerOf finds the public organizer of an address.
func (w *Pages) organizerOf(ctx context.Context, a layout.Asked) (*calendar.Organizer, error) {
	return published(ctx, a, w.calendar.Organizers(), func(o *calendar.Organizer) *calendar.Post { return &o.Post })
}

func published[T any, F calendar.PlaceFields[T]](
	ctx context.Context,
	a layout.Asked,
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
func keyOf(_ context.Context, a layout.Asked) (calendar.Key, error) {
	slug := wording.SoughtSlug(a.Param("slug"))
	if slug == "" {
		return calendar.Key{}, calendar.ErrNotFound
	}
	return calendar.Key{Slug: slug, Former: true}, nil
}

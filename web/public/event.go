package public

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// event shows an event, or asks for its password.
func (w *Pages) event(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, err := w.find(ctx, a)
	if errors.Is(err, calendar.ErrPassword) && !a.Calendar {
		return w.lock(ctx, a, fiber.StatusOK, "")
	}
	if gone, removed := errors.AsType[*calendar.RemovedError](err); removed && !a.Calendar {
		return w.removed(ctx, gone)
	}
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, e.Path()); to != nil {
		to.Passing = movedTo(a, e)
		return to, nil
	}
	if a.Calendar {
		return w.lists.EventCalendar(ctx, e)
	}
	return w.showEvent(ctx, a, e)
}

// movedTo reports whether the address has the day that a date was moved to. Because the date may be moved again,
// such addresses are not permanent.
func movedTo(a layout.Asked, e *calendar.Event) bool {
	on, ok := calendar.ParseDay(a.Param("day"))
	within := func(t time.Time) bool { return !t.Before(on.From) && t.Before(on.To) }
	return ok && e.Series != nil && within(e.Start) && !within(e.Series.OriginalStart)
}

// removed reports that a date no longer exists, and links to its series if that is public.
func (w *Pages) removed(ctx context.Context, gone *calendar.RemovedError) (*layout.Shown, error) {
	series, err := w.calendar.Events().Get(ctx, calendar.Key{ID: gone.Series}, "")
	if err != nil {
		return nil, calendar.ErrNotFound
	}
	p := &layout.Page{Title: ui.Say(ctx, "gone.title"), Robots: "noindex"}
	return &layout.Shown{Page: p, Body: removedPage(series), Status: fiber.StatusGone, Secret: true}, nil
}

// unlock shows a protected event if the form has its password. The password is not remembered, so the next visit
// asks for it again.
func (w *Pages) unlock(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, err := w.find(ctx, a)
	switch {
	case errors.Is(err, calendar.ErrGuesses):
		return w.lock(ctx, a, fiber.StatusTooManyRequests, "password.many")
	case errors.Is(err, calendar.ErrPassword):
		return w.lock(ctx, a, fiber.StatusForbidden, "password.wrong")
	case err != nil:
		return nil, err
	}
	answer, err := w.showEvent(ctx, a, e)
	if err != nil {
		return nil, err
	}
	answer.Secret = true
	return answer, nil
}

// find returns the event of an address if the public may see it.
func (w *Pages) find(ctx context.Context, a layout.Asked) (*calendar.Event, error) {
	key, err := keyOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if text := a.Param("day"); text != "" {
		var ok bool
		if key.On, ok = calendar.ParseDay(text); !ok {
			return nil, calendar.ErrNotFound
		}
	}
	return w.calendar.Events().Get(ctx, key, a.Password)
}

// lock asks for the password of an event without revealing anything about it.
func (w *Pages) lock(ctx context.Context, a layout.Asked, status int, problem string) (*layout.Shown, error) {
	path := "/event/" + wording.EncodedSlug(wording.SoughtSlug(a.Param("slug"))) + "/"
	if day := a.Param("day"); day != "" {
		path += ui.PathEscape(day) + "/"
	}
	p := &layout.Page{Title: ui.Say(ctx, "protected"), Path: path, Robots: "noindex"}
	return &layout.Shown{Page: p, Body: lockPage(ui.Href(ctx, path), problem), Status: status, Secret: true}, nil
}

// eventView is an event as shown on its page.
type eventView struct {
	*calendar.Event
	over    bool
	now     time.Time
	online  string               // where to attend online, if that is shown
	around  *calendar.Neighbours // of an occurrence; otherwise nil
	dates   *seriesDates         // of a series; otherwise nil
	more    []moreOf             // related public events
	tickets templ.Attributes     // of links to tickets

	previous, next *calendar.Event // adjacent public events, or nil
}

// showEvent returns the page of a single event, a series or an occurrence.
func (w *Pages) showEvent(ctx context.Context, a layout.Asked, e *calendar.Event) (*layout.Shown, error) {
	v := &eventView{Event: e, now: w.calendar.Now(), tickets: w.clicked(ctx, numbers.About(e), "tickets")}
	head := e.Head(tenancy.Current(ctx))
	p := &layout.Page{Title: ui.Titled(ctx, e, cmp.Or(head.Title, e.Title)), Path: e.Path(), Rest: "/events/" + strconv.FormatInt(e.ID, 10),
		Article:     true,
		Description: cmp.Or(head.Description, layout.Excerpt(e.Excerpt, e.Description)), Image: e.Image}
	if p.Elsewhere = e.Canonical(); p.Elsewhere == "" {
		p.Edit = "/admin/events/" + layout.IDText(e.ID)
	}
	p.In = func(language string) string { return e.In(ui.SiteOf(ctx), language).Path() }
	answer := &layout.Shown{Page: p, Version: e.Version, Counted: numbers.Of{Event: numbers.About(e), Kind: numbers.Views}}
	v.over = !v.now.Before(e.EndUTC)
	if !v.over {
		answer.Changes(e.EndUTC)
	}
	if err := w.surround(ctx, a, v, answer); err != nil {
		return nil, err
	}
	var opens time.Time
	v.online, opens = e.OnlineAt(v.now, false)
	answer.Changes(opens)
	for i := range e.Tickets {
		for _, at := range []*time.Time{e.Tickets[i].Available, e.Tickets[i].Until} {
			if at != nil && v.now.Before(*at) {
				answer.Changes(*at)
			}
		}
	}
	if _, closes := e.RegisterBy(); v.now.Before(closes) {
		answer.Changes(closes)
	}
	if !e.Protected() && !e.Hidden {
		if err := w.others(ctx, v, answer); err != nil {
			return nil, err
		}
	}
	p.Card = cardAddress(ctx, cardFile(e), w.cardOf(ctx, v))
	p.Data = eventData(ctx, v, p.Card)
	if p.Description == "" {
		p.Description = v.when(ctx)
	}
	if e.Protected() || e.Hidden { // only for people who were given the address
		p.Robots = "noindex"
	}
	if !e.Protected() {
		p.Feeds = layout.SubscriptionToOne(e)
		if e.Status == calendar.Publish {
			w.forms.Hear(ctx, p)
		}
	}
	if head.Title == "" { // otherwise an editor has said what it is called elsewhere
		p.Shared = ui.Joined(v.shortly(ctx), p.Title, v.place(ctx))
	}
	if e.Series != nil {
		p.Dated = ui.DatesIn(ctx).Short(e.Start)
	}
	answer.Body = eventPage(p, v)
	return answer, nil
}

// shortly returns when an event begins, with the weekday. For a series, it returns the rule.
func (v *eventView) shortly(ctx context.Context) string {
	if v.dates != nil {
		return ui.Capital(v.dates.rule)
	}
	return lists.Shortly(ctx, v.Event, v.now)
}

// registration returns a sentence about until when visitors must register, or that it is too late. It returns "" if
// no registration is needed, or if the event is over or does not take place.
func (v *eventView) registration(ctx context.Context) string {
	wall, at := v.RegisterBy()
	switch d := ui.DatesIn(ctx); {
	case at.IsZero() || v.over || v.Happening.Off():
		return ""
	case !v.now.Before(at):
		return ui.Say(ctx, "registration.closed")
	default:
		return ui.SayWith(ctx, "registration.until", "Date", lists.Deadline(d, wall))
	}
}

// when describes when an event takes place; for a series, it returns the rule.
func (v *eventView) when(ctx context.Context) string {
	if v.dates != nil {
		return v.dates.rule
	}
	return ui.DatesIn(ctx).Event(v.Event, 0)
}

// plain redirects from the address with an item's id to its page (rule 9.2).
func (w *Pages) plain(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	id, err := strconv.ParseInt(a.Query("p"), 10, 64)
	if err != nil || id < 1 {
		return nil, calendar.ErrNotFound
	}
	path := ""
	switch a.Query("post_type") {
	case "tribe_events", "":
		var e *calendar.Event
		if e, err = w.calendar.Events().Get(ctx, calendar.Key{ID: id, Former: true}, ""); err == nil {
			path = e.Path()
		}
	case "tribe_venue":
		var v *calendar.Venue
		if v, err = w.calendar.Venues().Get(ctx, calendar.Key{ID: id, Former: true}); err == nil {
			path = ui.VenuePath(v)
		}
	case "tribe_organizer":
		var o *calendar.Organizer
		if o, err = w.calendar.Organizers().Get(ctx, calendar.Key{ID: id, Former: true}); err == nil {
			path = ui.OrganizerPath(o)
		}
	}
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, calendar.ErrNotFound
	}
	return a.Forward(ctx, path), nil
}

// ticketNote describes the availability of a ticket.
func ticketNote(ctx context.Context, t *calendar.Ticket, now time.Time) string {
	zone := ui.SiteOf(ctx).Location
	switch {
	case t.Status == "box_office" || t.Status == "sold_out" || t.Status == "presale" || t.Status == "closed":
		return ui.Say(ctx, "ticket."+t.Status)
	case t.Available != nil && t.Available.After(now):
		return ui.SayWith(ctx, "ticket.from", "Date", ui.DatesIn(ctx).Short(t.Available.In(zone)))
	case t.Until != nil && t.Until.After(now):
		return ui.SayWith(ctx, "ticket.until", "Date", ui.DatesIn(ctx).Short(t.Until.In(zone)))
	case t.Until != nil:
		return ui.Say(ctx, "ticket.closed")
	}
	return ""
}

// offer returns the first ticket that is now on sale at a URL. It returns nil if there is none, or if the event is
// over or does not take place.
func (v *eventView) offer() *calendar.Ticket {
	if v.over || v.Happening.Off() {
		return nil
	}
	for i := range v.Tickets {
		t := &v.Tickets[i]
		gone := slices.Contains([]string{"box_office", "sold_out", "closed"}, t.Status) || t.Until != nil && !t.Until.After(v.now)
		if t.URL != "" && !gone && (t.Available == nil || !t.Available.After(v.now)) {
			return t
		}
	}
	return nil
}

// sale returns a sentence if all tickets are sold out, or if the remaining ones are sold only at the box office.
// Otherwise it returns "".
func (v *eventView) sale(ctx context.Context) string {
	states := map[string]int{}
	for i := range v.Tickets {
		states[v.Tickets[i].Status]++
	}
	switch {
	case v.over || len(v.Tickets) == 0:
		return ""
	case states["sold_out"] == len(v.Tickets):
		return ui.Say(ctx, "ticket.sold_out")
	case states["box_office"] > 0 && states["box_office"]+states["sold_out"]+states["closed"] == len(v.Tickets):
		return ui.Say(ctx, "ticket.box_office")
	}
	return ""
}

// sourceOf returns the source of an event. Its Site is the URL of the event there, if that is known.
func sourceOf(ctx context.Context, e *calendar.Event) tenancy.Origin {
	from := tenancy.Current(ctx).Site.Sources[e.Origin]
	from.Site = cmp.Or(e.Canonical(), from.Site)
	return from
}

// addable reports whether visitors can add an event to their calendar. They cannot add an event that is over, or a
// single event that does not take place. For an occurrence, they can always add the series.
func (v *eventView) addable(s *layout.Subscription) bool {
	if s != nil && s.Single && !s.Series && v.Happening.Off() {
		return false
	}
	return !v.over || v.around != nil
}

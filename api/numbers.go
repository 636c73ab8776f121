package api

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// numberRoutes are the routes of numbers.
func (a *API) numberRoutes() []Route {
	const get, read, event = "GET", args.Reading, "event"
	return []Route{
		On[ByID](get, "/events/{id}/numbers", "events.numbers", read, a.eventNumbers).Of(event, "EventNumbers").
			By(tenancy.ReadEvents).more(),
		On[Nothing](get, "/numbers", "numbers", read, a.siteNumbers).Of("", "SiteNumbers").By(tenancy.ReadEvents).more(),
	}
}

func (a *API) eventNumbers(ctx context.Context, c Call, in *numbers.Range) (*Answer, error) {
	if a.Numbers == nil {
		return nil, ErrNoRoute
	}
	r, err := a.Numbers.Event(ctx, c.Key, in)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.eventNumbers(c.Key.ID, r)
	return unkept(v.Answer(0)), nil
}

func (a *API) siteNumbers(ctx context.Context, _ Call, in *numbers.Range) (*Answer, error) {
	if a.Numbers == nil {
		return nil, ErrNoRoute
	}
	r, err := a.Numbers.Site(ctx, in)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.siteNumbers(r)
	return unkept(v.Answer(0)), nil
}

// eventNumbers writes the numbers of an event.
func (v *View) eventNumbers(id int64, r *numbers.Report) {
	v.Item()
	v.Int("event", id)
	v.reported(r)
	v.Close('}')
}

// siteNumbers writes the numbers of a site.
func (v *View) siteNumbers(r *numbers.Report) {
	v.Item()
	v.reported(r)
	v.Int("subscriptions", r.Site.Calendars)
	v.Int("letters_sent", r.Site.Letters)
	v.Open("events", '[')
	for i := range r.Events {
		e := &r.Events[i]
		v.Item()
		v.Int("id", e.ID)
		v.HTML("title", e.Title)
		v.Text("rest_url", v.Root+"/events/"+idText(e.ID))
		v.countsOf(e.Counts)
		v.Close('}')
	}
	v.Close(']')
	v.Close('}')
}

// reported writes the days of a report and their sum.
func (v *View) reported(r *numbers.Report) {
	v.Text("from", r.First.Format(time.DateOnly))
	v.Text("to", r.Last.Format(time.DateOnly))
	v.Open("total", '{')
	v.countsOf(r.Sum)
	v.Close('}')
	v.Open("days", '[')
	for i := range r.Days {
		v.Item()
		v.Text("day", r.Days[i].Day.Format(time.DateOnly))
		v.countsOf(r.Days[i].Counts)
		v.Close('}')
	}
	v.Close(']')
}

// countsOf writes what was counted.
func (v *View) countsOf(n numbers.Counts) {
	v.Int("views", n.Views)
	v.Int("calendars", n.Calendars)
	v.Int("tickets", n.Tickets)
	v.Int("letters", n.Letters)
}

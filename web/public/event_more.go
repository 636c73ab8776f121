package public

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// moreOf are events that have something of one.
type moreOf struct {
	by     string // venue, organizer or like
	events []*calendar.Event
}

// mostMore is how many there are of each kind, at most.
const mostMore = 3

// others fills in the events before and after, and those that are at the same venue, by
// the same organizer or in the same category. Each is shown once, each series once.
func (w *Pages) others(ctx context.Context, v *eventView, answer *shown) error {
	shown := map[int64]bool{wholeID(v.Event): true}
	for _, one := range w.kindsOfMore(ctx, v.Event) {
		one.filter.PerPage = args.Some(mostMore + len(shown))
		page, _, err := w.calendar.Events().Once(ctx, one.filter)
		if err != nil {
			return err
		}
		fresh := slices.DeleteFunc(page.Items, func(e *calendar.Event) bool { return e.Masked || shown[wholeID(e)] })
		fresh = fresh[:min(mostMore, len(fresh))]
		for _, e := range fresh {
			shown[wholeID(e)] = true
		}
		if len(fresh) > 0 {
			v.more = append(v.more, moreOf{one.by, fresh})
		}
		answer.version = min(answer.version, page.Version)
	}
	answer.changes(w.midnight(ctx))
	return w.neighbours(ctx, v)
}

type kindOfMore struct {
	by     string
	filter *calendar.EventFilter
}

// kindsOfMore are what others are looked for by.
func (w *Pages) kindsOfMore(ctx context.Context, e *calendar.Event) (list []kindOfMore) {
	coming := func() *calendar.EventFilter { return &calendar.EventFilter{EndsAfter: w.yesterday(ctx)} }
	if len(e.Venues) > 0 && e.Venues[0].Status == calendar.Publish {
		f := coming()
		f.Venue = args.Some(args.IDs{e.Venues[0].ID})
		list = append(list, kindOfMore{"venue", f})
	}
	if len(e.Organizers) > 0 && e.Organizers[0].Status == calendar.Publish {
		f := coming()
		f.Organizer = args.Some(args.IDs{e.Organizers[0].ID})
		list = append(list, kindOfMore{"organizer", f})
	}
	if c := ui.CategoryOf(e); c != nil {
		f := coming()
		f.Categories = args.Some(args.Refs{{ID: c.ID}})
		list = append(list, kindOfMore{"like", f})
	}
	return list
}

// wholeID is the id of a series, or of what happens once.
func wholeID(e *calendar.Event) int64 {
	if e.Series != nil {
		return e.Series.ID
	}
	return e.ID
}

// neighbours fills in what comes before and after in public lists, by start. A series and
// its occurrences have neighbours of their own.
func (w *Pages) neighbours(ctx context.Context, v *eventView) error {
	if v.Series != nil || v.Recurring() {
		return nil
	}
	at := calendar.Place{Start: v.Start, ID: v.ID}.String()
	for order, into := range map[string]**calendar.Event{"asc": &v.next, "desc": &v.previous} {
		f := &calendar.EventFilter{Order: args.Some(order), After: args.Some(at)}
		f.PerPage = args.Some(1)
		if order == "asc" {
			f.EndsAfter = ui.DateArg(v.Start.AddDate(0, 0, -1))
		} else {
			f.StartsBefore = ui.DateArg(v.Start)
		}
		page, _, err := w.calendar.Events().List(ctx, f)
		if err != nil {
			return err
		}
		if len(page.Items) > 0 && !page.Items[0].Masked {
			*into = page.Items[0]
		}
	}
	return nil
}

// littleText is how long a description, in bytes, leaves a column next to empty.
const littleText = 400

// bare reports whether there is so little to say of an event that it needs no column
// beside what is known at a glance.
func (v *eventView) bare() bool {
	return v.Image == nil && len(calendar.PlainText(v.Description)) < littleText && len(v.Tickets) == 0 && v.dates == nil
}

// address is where the page of an event is, whole.
func (v *eventView) address(ctx context.Context) string { return ui.Whole(ctx, v.Path()) }

// place is where an event is, in a line.
func (v *eventView) place() string {
	if len(v.Venues) == 0 {
		return ""
	}
	return ui.PlaceLine(&v.Venues[0])
}

// google is where Google adds an event to a calendar.
func (v *eventView) google(ctx context.Context) string {
	form, start, end := "20060102T150405Z", v.StartUTC.UTC(), v.EndUTC.UTC()
	if v.AllDay {
		form, start, end = "20060102", v.Start, v.End.Add(time.Second).Truncate(24*time.Hour)
		if !end.After(start) {
			end = start.AddDate(0, 0, 1)
		}
	}
	return "https://calendar.google.com/calendar/render?" + url.Values{"action": {"TEMPLATE"}, "text": {v.Title}, "location": {v.place()},
		"dates": {start.Format(form) + "/" + end.Format(form)}, "details": {v.address(ctx)}}.Encode()
}

// outlook is where Outlook adds an event to a calendar.
func (v *eventView) outlook(ctx context.Context) string {
	values := url.Values{"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {v.Title}, "location": {v.place()},
		"body": {v.address(ctx)}}
	if v.AllDay {
		values.Set("startdt", v.Start.Format(time.DateOnly))
		values.Set("enddt", v.End.Add(time.Second).Format(time.DateOnly))
		values.Set("allday", "true")
	} else {
		values.Set("startdt", v.StartUTC.UTC().Format(time.RFC3339))
		values.Set("enddt", v.EndUTC.UTC().Format(time.RFC3339))
	}
	return "https://outlook.live.com/calendar/0/deeplink/compose?" + values.Encode()
}

// letter is the beginning of a letter about an event.
func (v *eventView) letter(ctx context.Context) string {
	return "mailto:?subject=" + url.PathEscape(v.Title) + "&body=" + url.PathEscape(v.address(ctx))
}

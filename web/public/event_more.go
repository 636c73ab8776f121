package public

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// moreOf are related events of one kind.
type moreOf struct {
	by     string // venue, organizer or similar
	events []*calendar.Event
}

// mostMore is the maximum number per kind: as many as a row has.
const mostMore = 4

// others adds the events before and after, and those at the same venue, by the same organizer or in the same
// category, each event and series once.
func (w *Pages) others(ctx context.Context, v *eventView, answer *layout.Shown) error {
	kin := calendar.Kin{}
	if len(v.Venues) > 0 && v.Venues[0].Status == calendar.Publish {
		kin.Venue = v.Venues[0].ID
	}
	if len(v.Organizers) > 0 && v.Organizers[0].Status == calendar.Publish {
		kin.Organizer = v.Organizers[0].ID
	}
	if c := ui.CategoryOf(v.Event); c != nil {
		kin.Category = c.ID
	}
	found, err := w.calendar.Events().Others(ctx, v.Event, kin, mostMore)
	if err != nil {
		return err
	}
	for _, one := range []moreOf{{"venue", found.Venue}, {"organizer", found.Organizer}, {"like", found.Category}} {
		if len(one.events) > 0 {
			v.more = append(v.more, one)
			answer.Changes(lists.Ends(one.events, w.layout.Midnight(ctx)))
			answer.Version = min(answer.Version, found.Version)
		}
	}
	answer.Changes(w.layout.Midnight(ctx))
	return w.neighbours(ctx, v)
}

// neighbours adds the previous and next public events by start. A series and its occurrences have different
// neighbors.
func (w *Pages) neighbours(ctx context.Context, v *eventView) error {
	if v.Series != nil || v.Recurring() {
		return nil
	}
	at := calendar.Place{Start: v.Start, ID: v.ID}.String()
	for order, into := range map[string]**calendar.Event{"asc": &v.next, "desc": &v.previous} {
		f := &calendar.EventFilter{Order: args.Some(order), After: args.Some(at)}
		f.PerPage = args.Some(1)
		if order == "asc" {
			f.EndsAfter = args.DayArg(v.Start.AddDate(0, 0, -1))
		} else {
			f.StartsBefore = args.DayArg(v.Start)
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

// littleText is the length of a description, in bytes, below which a second column would look empty.
const littleText = 400

// bare reports whether there is so little to show that the key facts need no separate column.
func (v *eventView) bare() bool {
	return v.Image == nil && len(wording.PlainText(v.Description)) < littleText && len(v.Tickets) == 0 && v.dates == nil
}

// address returns the full address of the event's page.
func (v *eventView) address(ctx context.Context) string { return ui.Whole(ctx, v.Path()) }

// place returns where the event takes place on one line.
func (v *eventView) place(ctx context.Context) string {
	if len(v.Venues) == 0 {
		return ""
	}
	return ui.PlaceLine(ctx, &v.Venues[0])
}

// google returns the address that adds the event to Google Calendar.
func (v *eventView) google(ctx context.Context) string {
	form, start, end := "20060102T150405Z", v.StartUTC.UTC(), v.EndUTC.UTC()
	if v.AllDay {
		form, start, end = "20060102", v.Start, v.End.Add(time.Second).Truncate(24*time.Hour)
		if !end.After(start) {
			end = start.AddDate(0, 0, 1)
		}
	}
	return "https://calendar.google.com/calendar/render?" + url.Values{
		"action":   {"TEMPLATE"},
		"text":     {v.Title},
		"location": {v.place(ctx)},
		"dates":    {start.Format(form) + "/" + end.Format(form)},
		"details":  {v.address(ctx)},
	}.Encode()
}

// outlook returns the address that adds the event to Outlook.
func (v *eventView) outlook(ctx context.Context) string {
	values := url.Values{"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {v.Title}, "location": {v.place(ctx)},
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

// contactLink is a telephone number or an e-mail address as a link.
type contactLink struct{ text, address string }

// contacts returns how to reach the published organizers of an event, each number and address once.
func (v *eventView) contacts() (list []contactLink) {
	add := func(text, address string) {
		if text != "" && !slices.ContainsFunc(list, func(one contactLink) bool { return one.text == text }) {
			list = append(list, contactLink{text, address})
		}
	}
	for i := range v.Organizers {
		if o := &v.Organizers[i]; o.Status == calendar.Publish {
			add(o.Phone, "tel:"+lists.Dialled(o.Phone))
			add(o.Email, "mailto:"+ui.PathEscape(o.Email))
		}
	}
	return list
}

// letter returns a mailto address with an email about the event.
func (v *eventView) letter(ctx context.Context) string {
	escape := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
	return "mailto:?subject=" + escape(v.Title) + "&body=" + escape(v.address(ctx))
}

// leastLong is the number of characters from which a paragraph has at least as many lines as a large first letter is high.
const leastLong = 200

// beginsLong reports whether a description may have a large first letter: its first paragraph is long, and letters of its script stand
// by themselves.
func beginsLong(description string) bool {
	first, _, _ := strings.Cut(description, "</p>")
	text := wording.PlainText(first)
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at < 0 || !strings.HasPrefix(first, "<p") || utf8.RuneCountInString(text) < leastLong {
		return false
	}
	letter, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.In(letter, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

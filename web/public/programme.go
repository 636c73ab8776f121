package public

import (
	"context"
	"maps"
	"net/url"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/programme"
	"github.com/kalends/kalends/web/ui"
)

// programmePath is the path of the programme; the paths of its files add an extension.
const programmePath = "/events/programme/"

// The number of days of a programme: the default, and the maximum.
const (
	programmeDays     = 28
	mostProgrammeDays = 366
)

// listing is the data of the programme page.
type listing struct {
	*programme.Programme
	days   calendar.Days
	choice *choice
	cut    bool // there are more days than it shows
}

// file returns the path of a file with the same events.
func (l *listing) file(ending, layout string) string {
	query := url.Values{}
	maps.Copy(query, l.choice.values)
	if layout != "" {
		query.Set("layout", layout)
	}
	path := "/events/programme." + ending
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// programmeOf returns the path of the programme of these days with what the visitor selected.
func (c *choice) programmeOf(days calendar.Days) string {
	query := url.Values{}
	maps.Copy(query, c.values)
	query.Set("from", days.First.Format(time.DateOnly))
	query.Set("to", days.Last.Format(time.DateOnly))
	return programmePath + "?" + query.Encode()
}

// programme shows the events of a period, for printing or copying.
func (w *Pages) programme(ctx context.Context, a asked) (*shown, error) {
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.redirect != "" {
		return answer, err
	}
	p := &page{
		title:       ui.Say(ctx, "programme"),
		path:        programmePath,
		query:       l.choice.query(1),
		rest:        "/events",
		section:     "list",
		robots:      "noindex",
		description: describe(ctx, l.Period),
	}
	answer.page, answer.body = p, programmePage(p, l)
	return answer, nil
}

// programmeText returns the programme as plain text.
func (w *Pages) programmeText(ctx context.Context, a asked) (*shown, error) {
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.redirect != "" {
		return answer, err
	}
	answer.file, answer.kind, answer.name = []byte(l.Text()), programme.TextType, "programme.txt"
	return answer, nil
}

// programmeDocument returns the programme as a document for word processors, in the layout of the query.
func (w *Pages) programmeDocument(ctx context.Context, a asked) (*shown, error) {
	layout := programme.Layout(a.query("layout"))
	switch layout {
	case "":
		layout = programme.Columns
	case programme.Columns, programme.Table:
	default:
		return nil, calendar.ErrNotFound
	}
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.redirect != "" {
		return answer, err
	}
	answer.kind, answer.name = programme.DocumentType, "programme.docx"
	answer.file, err = l.Document(layout)
	return answer, err
}

// programmeOf reads the selected events of the selected days.
func (w *Pages) programmeOf(ctx context.Context, a asked) (*listing, *shown, error) {
	c, err := w.readChoice(ctx, a, programmePath)
	if err != nil {
		return nil, nil, err
	}
	if to := c.tidy(ctx, a); to != nil {
		return nil, to, nil
	}
	days, cut := programmeOn(w.daysOf(ctx, c), w.today(ctx))
	c.Days = nil
	c.EndsAfter, c.StartsBefore = args.DayArg(days.First.AddDate(0, 0, -1)), args.DayArg(days.Last)
	found, err := w.calendar.Events().Long(ctx, &c.Choice, mostInMonth)
	if err != nil {
		return nil, nil, err
	}
	if n := len(found.Items); n < found.Total {
		cut = true
		if last := args.DayOf(found.Items[n-1].Start); last.After(days.First) {
			days.Last = last
		}
	}
	l := &listing{days: days, choice: c, cut: cut}
	l.Programme = programme.Of(ctx, ui.Happening(found.Items, days.First, days.Last), days, onShowAfter)
	return l, &shown{version: found.Version, until: w.midnight(ctx)}, nil
}

// programmeOn returns the days of a programme for the requested days, and whether more were requested than a
// programme can have.
func programmeOn(asked calendar.Days, today time.Time) (days calendar.Days, cut bool) {
	if days = asked; days.First.IsZero() {
		days.First = today
		if !days.Last.IsZero() && days.Last.Before(today) {
			days.First = days.Last
		}
	}
	if days.Last.IsZero() {
		days.Last = days.First.AddDate(0, 0, programmeDays-1)
	}
	if days.Last.Before(days.First) {
		days.First, days.Last = days.Last, days.First
	}
	if last := days.First.AddDate(0, 0, mostProgrammeDays-1); days.Last.After(last) {
		days.Last, cut = last, true
	}
	return days, cut
}

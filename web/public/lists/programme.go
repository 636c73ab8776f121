package lists

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/programme"
	"github.com/kalends/kalends/web/ui"
)

// A programme ends with the month by default, or with the next one if it would have fewer days than fewProgrammeDays. It has no more days
// than mostProgrammeDays.
const (
	fewProgrammeDays  = 10
	mostProgrammeDays = 366
)

// listing is the data of the programme page.
type listing struct {
	*programme.Programme
	days   calendar.Days
	choice *layout.Choice
	cut    bool // there are more days than it shows
}

// file returns the path of a file with the same events.
func (l *listing) file(ending, layout string) string {
	query := url.Values{}
	maps.Copy(query, l.choice.Values)
	if layout != "" {
		query.Set("layout", layout)
	}
	path := "/events/programme." + ending
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// name returns the name of its files, without the ending: the site and the days.
func (l *listing) name(ctx context.Context) string {
	site := strings.NewReplacer("/", "-", "\\", "-").Replace(ui.SiteName(ctx))
	return site + " " + l.days.First.Format(time.DateOnly) + " – " + l.days.Last.Format(time.DateOnly)
}

// programme shows the events of a period, for printing or copying.
func (w *Pages) programme(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.Redirect != "" {
		return answer, err
	}
	p := &layout.Page{
		Title:       ui.Say(ctx, "programme"),
		Path:        layout.ProgrammePath,
		Query:       l.choice.Query(1),
		Rest:        "/events",
		Section:     "list",
		Robots:      "noindex",
		Description: layout.Describe(ctx, l.Period),
	}
	answer.Page, answer.Body = p, programmePage(p, l)
	return answer, nil
}

// programmeText returns the programme as plain text.
func (w *Pages) programmeText(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.Redirect != "" {
		return answer, err
	}
	answer.File, answer.Kind, answer.Name = []byte(l.Text()), programme.TextType, l.name(ctx)+".txt"
	return answer, nil
}

// programmeDocument returns the programme as a document for word processors, in the layout of the query.
func (w *Pages) programmeDocument(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	layout := programme.Layout(a.Query("layout"))
	switch layout {
	case "":
		layout = programme.Columns
	case programme.Columns, programme.Table:
	default:
		return nil, calendar.ErrNotFound
	}
	l, answer, err := w.programmeOf(ctx, a)
	if err != nil || answer.Redirect != "" {
		return answer, err
	}
	answer.Kind, answer.Name = programme.DocumentType, l.name(ctx)+".docx"
	answer.File, err = l.Document(layout)
	return answer, err
}

// ProgrammeOf reads the selected events of the selected days.
func (w *Pages) programmeOf(ctx context.Context, a layout.Asked) (*listing, *layout.Shown, error) {
	c, err := w.layout.ReadChoice(ctx, a, layout.ProgrammePath)
	if err != nil {
		return nil, nil, err
	}
	if to := c.Tidy(ctx, a); to != nil {
		return nil, to, nil
	}
	days, cut := programmeOn(ctx, w.daysOf(ctx, c), w.layout.Today(ctx))
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
	l.Programme = programme.Of(ctx, ui.Happening(found.Items, days.First, days.Last), days, layout.OnShowAfter)
	return l, &layout.Shown{Version: found.Version, Until: w.layout.Midnight(ctx)}, nil
}

// programmeOn returns the days of a programme for the requested days, and whether more were requested than a
// programme can have.
func programmeOn(ctx context.Context, asked calendar.Days, today time.Time) (days calendar.Days, cut bool) {
	if days = asked; days.First.IsZero() {
		days.First = today
		if !days.Last.IsZero() && days.Last.Before(today) {
			days.First = days.Last
		}
	}
	if days.Last.IsZero() {
		l, few := ui.DatesIn(ctx), days.First.AddDate(0, 0, fewProgrammeDays-1)
		if days.Last = l.MonthEnd(days.First); days.Last.Before(few) {
			days.Last = l.MonthEnd(days.Last.AddDate(0, 0, 1))
		}
	}
	if days.Last.Before(days.First) {
		days.First, days.Last = days.Last, days.First
	}
	if last := days.First.AddDate(0, 0, mostProgrammeDays-1); days.Last.After(last) {
		days.Last, cut = last, true
	}
	return days, cut
}

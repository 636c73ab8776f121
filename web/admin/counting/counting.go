// Package counting has the page with the numbers of a site, and the section with the numbers of an event on the
// event's page.
package counting

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the pages about numbers.
type Pages struct{ numbers *numbers.Service }

// New returns the pages.
func New(s *numbers.Service) *Pages { return &Pages{s} }

// path is the path of the page, below the administration.
const path = "/numbers"

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	return []frame.Route{frame.GetPage(path, tenancy.EditOthers, w.show), frame.GetPage(path+"/export", tenancy.EditOthers, w.export)}
}

var rangeTable = args.TableOf(reflect.TypeFor[numbers.Range]())

// overview is the page.
type overview struct {
	*numbers.Report

	form *frame.Form
}

// read returns the numbers of the days that the address names. If they are invalid, it adds the problems and returns the
// default days.
func (w *Pages) read(v *frame.Visit) (*overview, error) {
	o := &overview{form: &frame.Form{Kind: "numbers", Values: url.Values{}}}
	values := args.Values{}
	for _, name := range []string{"from", "to"} {
		if text := strings.TrimSpace(v.Query.Get(name)); text != "" {
			values[name] = text
			o.form.Set(name, text)
		}
	}
	asked := &numbers.Range{}
	err := rangeTable.ParseAll(values, args.Reading, asked)
	if err == nil {
		o.Report, err = w.numbers.Site(v.Ctx, asked)
	}
	if _, refused := errors.AsType[*args.Problems](err); refused {
		o.form.Refuse(v.Ctx, err)
		o.Report, err = w.numbers.Site(v.Ctx, &numbers.Range{})
	}
	return o, err
}

// show shows the numbers of some days.
func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	if !w.numbers.Counts(v.Ctx) {
		return nil, calendar.ErrNotFound
	}
	o, err := w.read(v)
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.numbers"), Section: "numbers", Body: page(o)}, nil
}

// export sends the numbers as CSV, with a row for each day or for each event.
func (w *Pages) export(v *frame.Visit) (*frame.Reply, error) {
	if !w.numbers.Counts(v.Ctx) {
		return nil, calendar.ErrNotFound
	}
	o, err := w.read(v)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"day", "views", "calendars", "tickets", "letters"}}
	for i := range o.Days {
		rows = append(rows, append([]string{o.Days[i].Day.Format(time.DateOnly)}, cells(o.Days[i].Counts)...))
	}
	if v.Query.Get("by") == "event" {
		rows = [][]string{{"event", "title", "views", "calendars", "tickets", "letters"}}
		for i := range o.Events {
			e := &o.Events[i]
			rows = append(rows, append([]string{strconv.FormatInt(e.ID, 10), wording.EscapeFormula(e.Title)}, cells(e.Counts)...))
		}
	}
	return frame.StreamReply("text/csv; charset=utf-8", "numbers.csv", func(out *bufio.Writer) error {
		return csv.NewWriter(out).WriteAll(rows)
	}), nil
}

// cells are counts as cells of the CSV.
func cells(n numbers.Counts) []string {
	var list []string
	for _, one := range []int64{n.Views, n.Calendars, n.Tickets, n.Letters} {
		list = append(list, strconv.FormatInt(one, 10))
	}
	return list
}

// label returns the label of a filter field.
func (o *overview) label(ctx context.Context, name string) string {
	return frame.Tell(ctx, "history."+name)
}

// address is the address of the export of the days shown.
func (o *overview) address(by string) string {
	return frame.AdminRoot + path + "/export?" + url.Values{
		"by":   {by},
		"from": {o.First.Format(time.DateOnly)},
		"to":   {o.Last.Format(time.DateOnly)},
	}.Encode()
}

// span returns the days of a report as people read them.
func span(ctx context.Context, r *numbers.Report) string {
	return ui.DatesIn(ctx).Span(r.First, args.LastSecond(r.Last), true, 0)
}

// Event returns the numbers of an event in the last days. It returns nil if the site does not count views or the
// user may not read the numbers.
func (w *Pages) Event(ctx context.Context, e *calendar.Event) (*numbers.Report, error) {
	if !w.numbers.Counts(ctx) || e == nil {
		return nil, nil //nolint:nilnil // nothing is counted
	}
	r, err := w.numbers.Event(ctx, calendar.Key{ID: e.ID}, &numbers.Range{})
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, tenancy.ErrForbidden) {
		return nil, nil //nolint:nilnil // nobody may read them
	}
	return r, err
}

// The size of the image of the daily views.
const (
	lineWidth  = 300
	lineHeight = 40
)

// line returns the points of a line through the daily views, in an image of lineWidth by lineHeight.
func line(r *numbers.Report) string {
	most := int64(1)
	for i := range r.Days {
		most = max(most, r.Days[i].Views)
	}
	var b strings.Builder
	for i := range r.Days {
		x := float64(i) * lineWidth / float64(max(len(r.Days)-1, 1))
		y := lineHeight - 2 - float64(r.Days[i].Views)*(lineHeight-4)/float64(most)
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	return strings.TrimSpace(b.String())
}

var viewBox = fmt.Sprintf("0 0 %d %d", lineWidth, lineHeight)

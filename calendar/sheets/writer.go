// Package sheets writes events as tables that can be imported, as CSV and as Excel workbooks.
package sheets

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// Form configures a table.
type Form struct {
	Workbook bool                         // write an Excel workbook; otherwise CSV
	Excel    bool                         // of CSV: write a byte order mark
	Picture  func(*calendar.Image) string // returns the address of an image

	// Semicolons, of CSV for Excel: separate cells by semicolons, as it expects where the decimal separator is a comma.
	Semicolons bool
	// Version of the site, not later than what is written; an import knows by it what people changed since. 0: not written.
	Version int64
}

// WriteCSV writes the events that match a filter as a table that can be imported: a row for each event and series, followed
// by one for each occurrence that differs from its series. It returns how many events were omitted because they have
// a password. Texts that a spreadsheet would interpret as a formula are escaped (see wording.EscapeFormula).
func WriteCSV(ctx context.Context, s services.Events, w io.Writer, f *calendar.EventFilter, form Form) (protected int, err error) {
	x, err := s.Export(ctx, f)
	if err != nil {
		return 0, err
	}
	form.Version = x.Version
	table, err := NewTable(ctx, w, form, s.Now())
	if err != nil {
		return 0, err
	}
	for {
		list, err := x.Next(ctx)
		if err != nil || len(list) == 0 {
			return x.Protected, errors.Join(err, table.Close())
		}
		for i := range list {
			if err := table.Write(&list[i]); err != nil {
				return x.Protected, err
			}
		}
	}
}

// Table writes events as rows.
type Table struct {
	Form
	site      *tenancy.Site     // that owns the events
	principal tenancy.Principal // on whose behalf they are read
	now       time.Time
	rows      rowWriter
	meanings  []string         // of the columns
	added     []*tenancy.Field // that the site has added to its events, as far as the principal sees them
	placed    []*tenancy.Field // the same for venues
}

// rowWriter writes rows in one of the formats.
type rowWriter interface {
	Write(row []string) error
	Flush() error
	Close() error
}

// NewTable begins a table of events of the site, as its principal sees them at a moment.
func NewTable(ctx context.Context, w io.Writer, form Form, now time.Time) (*Table, error) {
	scope := tenancy.Current(ctx)
	c, err := newTable(w, form, scope.Site, scope.Fields(tenancy.FieldOfEvents), scope.Fields(tenancy.FieldOfVenues))
	c.principal, c.now = scope.Principal, now
	return c, err
}

// newTable writes the header line.
func newTable(w io.Writer, form Form, site *tenancy.Site, added, placed []*tenancy.Field) (*Table, error) {
	c := &Table{Form: form, site: site, added: added, placed: placed}
	names := make([]string, 0, len(reading.Headers))
	for _, column := range reading.Headers {
		names, c.meanings = append(names, column.Name), append(c.meanings, column.Meaning)
	}
	for _, language := range site.Others() {
		for _, column := range reading.TextHeaders {
			names = append(names, column.Name+" ("+language+")")
			c.meanings = append(c.meanings, reading.TextMeaning(column.Meaning, language))
		}
	}
	for _, f := range added {
		names, c.meanings = append(names, reading.AddedColumn(f.Key)), append(c.meanings, reading.AddedColumn(f.Key))
	}
	for _, f := range placed {
		names, c.meanings = append(names, reading.VenueColumn(f.Key)), append(c.meanings, reading.VenueColumn(f.Key))
	}
	if form.Workbook {
		c.rows = newWorkbook(w, c.meanings)
		return c, c.rows.Write(names)
	}
	rows := csvRows{csv.NewWriter(w)}
	if c.rows = rows; form.Excel {
		if _, err := io.WriteString(w, "\uFEFF"); err != nil {
			return c, err
		}
		if form.Semicolons {
			rows.Comma = ';'
		}
	}
	return c, c.rows.Write(names)
}

// csvRows writes rows as CSV.
type csvRows struct{ *csv.Writer }

// Flush writes what is buffered, and returns the first error since the beginning.
func (r csvRows) Flush() error {
	r.Writer.Flush()
	return r.Error()
}

// Close is Flush.
func (r csvRows) Close() error { return r.Flush() }

// Write writes an event, or a series and the occurrences that differ from it.
func (c *Table) Write(e *services.FeedEvent) error {
	event := e.Event
	if event.Series != nil { // a date whose series is not in the table
		alone := *event
		alone.Series, alone.UID = nil, ""
		event = &alone
	}
	if err := c.row(c.whole(event)); err != nil {
		return err
	}
	for _, x := range e.Exceptions {
		if err := c.row(c.exception(x)); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is buffered.
func (c *Table) Flush() error { return c.rows.Flush() }

// Close ends the table.
func (c *Table) Close() error { return c.rows.Close() }

func (c *Table) row(cells map[string]string) error {
	if c.Version > 0 {
		cells["exported"] = reading.Exported(c.site.UID, c.Version)
	}
	row := make([]string, 0, len(c.meanings))
	for _, meaning := range c.meanings {
		row = append(row, wording.EscapeFormula(cells[meaning]))
	}
	return c.rows.Write(row)
}

// whole returns the cells of an event or series.
func (c *Table) whole(e *calendar.Event) map[string]string {
	cells := map[string]string{"status": string(e.Status), "slug": e.Slug, "uid": services.UIDOf(c.site, e)}
	if e.Dated {
		cells["date"] = e.Date.UTC().Format(time.RFC3339)
	}
	fields := calendar.AllEventFields()
	for i := range fields {
		c.field(cells, &fields[i], e)
	}
	c.texts(cells, "", "title", e.Texts)
	c.times(cells, e)
	if e.Recurrence == nil {
		return cells
	}
	cells["series"] = strconv.FormatInt(e.ID, 10)
	rules := make([]string, 0, len(e.Recurrence.Rules))
	for _, rule := range e.Recurrence.Rules {
		rules = append(rules, rule.Text(e.Clock()))
	}
	cells["recurrence.rrule"] = strings.Join(rules, "\n")
	cells["recurrence.rdate"], cells["recurrence.exdate"] = datesText(e.Recurrence.Dates, e.AllDay),
		datesText(e.Recurrence.Except, e.AllDay)
	return cells
}

// exception returns the cells in which an occurrence differs from its series, and its times.
func (c *Table) exception(e *calendar.Event) map[string]string {
	cells := map[string]string{"series": strconv.FormatInt(e.Series.ID, 10),
		"original_start": datesText([]time.Time{e.Series.OriginalStart}, e.AllDay)}
	var cleared []string
	own := slices.ContainsFunc(e.Series.Changed, func(name string) bool { return strings.HasPrefix(name, "translations.") })
	for _, name := range e.Series.Changed {
		if name == "translations" && own {
			continue
		}
		if c.ownText(cells, name, e) {
			if cells[name] == "" {
				cleared = append(cleared, name)
			}
			continue
		}
		if name == "translations" {
			c.texts(cells, "", "title", e.Texts)
			cleared = append(cleared, c.clearedTexts(e)...)
		}
		fields := calendar.AllEventFields()
		for i := range fields {
			f := &fields[i]
			if f.Name != name && f.With != name {
				continue
			}
			c.field(cells, f, e)
			switch {
			case f.Added != nil:
				cleared = append(cleared, c.clearedFields(e)...)
			case cells[f.Name] == "" && f.Clearable():
				cleared = append(cleared, f.Name)
			}
		}
	}
	c.times(cells, e)
	cells["cleared"] = strings.Join(cleared, ", ")
	return cells
}

// times sets the cells for start and end in the event's time zone.
func (c *Table) times(cells map[string]string, e *calendar.Event) {
	cells["start_date"], cells["end_date"] = e.Start.Format(time.DateOnly), e.End.Format(time.DateOnly)
	if !e.AllDay {
		cells["start_time"], cells["end_time"] = clockText(e.Start), clockText(e.End)
	}
}

// field sets the cells of a field.
func (c *Table) field(cells map[string]string, f *calendar.EventField, e *calendar.Event) {
	switch value := f.Value(e).(type) {
	case bool:
		if value || !f.Said {
			cells[f.Name] = truth(value)
		}
	case []string:
		if len(value) > 0 {
			cells[f.Name] = strings.Join(value, ",")
		}
	case string:
		if f.Kind == calendar.Line {
			value = titleText(value)
		}
		cells[f.Name] = value
	}
	switch f.Name {
	case "virtual_url":
		cells[f.Name], _ = e.OnlineAt(c.now, calendar.MayEdit(c.principal, &e.Post))
	case "image":
		if e.Image != nil {
			cells[f.Name] = c.Picture(e.Image)
		}
	case "fields":
		if !e.Masked {
			addedCells(cells, c.added, reading.AddedColumn, e.Fields)
		}
	case "cost":
		cells[f.Name] = termText(strings.Join(e.Cost, ", "))
	case "tickets":
		cells[f.Name] = ticketsText(e.Tickets)
	case "venue":
		c.venues(cells, e.Venues)
	case "organizer":
		c.organizers(cells, e.Organizers)
	case "categories":
		cells[f.Name] = termsText(e.Categories)
	case "tags":
		cells[f.Name] = termsText(e.Tags)
	}
}

// venues sets all cells of the first venue and the names of the others. Unpublished ones are omitted.
func (c *Table) venues(cells map[string]string, list []calendar.Venue) {
	var names []string
	for i := range list {
		v := &list[i]
		if v.Status != calendar.Publish {
			continue
		}
		names = append(names, titleText(v.Name))
		if len(names) > 1 {
			continue
		}
		cells["venue"] = names[0]
		placeCells(cells, "venue.", calendar.AllVenueFields(), v)
		if v.StateProvince == v.StateOrProvince() {
			delete(cells, "venue.stateprovince")
		}
		c.texts(cells, "venue.", "venue", v.Texts)
		addedCells(cells, c.placed, reading.VenueColumn, v.Fields)
	}
	cells["venues"] = reading.InList(names[min(1, len(names)):])
}

// organizers is venues for organizers.
func (c *Table) organizers(cells map[string]string, list []calendar.Organizer) {
	var names []string
	for i := range list {
		o := &list[i]
		if o.Status != calendar.Publish {
			continue
		}
		names = append(names, titleText(o.Name))
		if len(names) > 1 {
			continue
		}
		cells["organizer"] = names[0]
		placeCells(cells, "organizer.", calendar.AllOrganizerFields(), o)
		c.texts(cells, "organizer.", "organizer", o.Texts)
	}
	cells["organizers"] = reading.InList(names[min(1, len(names)):])
}

// placeCells sets the cells of the fields of a venue or organizer that have columns.
func placeCells[T, F any](cells map[string]string, before string, fields []calendar.PlaceField[T, F], of *T) {
	for i := range fields {
		f := &fields[i]
		if f.Sheet == "" {
			continue
		}
		switch value := f.Value(of).(type) {
		case *float64:
			cells[before+f.Name] = degreesText(value)
		case []string:
			cells[before+f.Name] = strings.Join(value, ",")
		case string:
			if f.Kind == calendar.Line {
				value = lineText(value)
			}
			cells[before+f.Name] = value
		}
	}
}

func truth(b bool) string { return strings.ToUpper(strconv.FormatBool(b)) }

// titleText escapes a plain text so that CleanTitle reads it back, termText so that CleanTerm does, lineText so that
// CleanLine does.
func titleText(text string) string { return readBack(text, wording.CleanTitle) }
func termText(text string) string  { return readBack(text, wording.CleanTerm) }
func lineText(text string) string  { return readBack(text, wording.CleanLine) }

func readBack(text string, clean func(string) string) string {
	if clean(text) != text {
		return html.EscapeString(text)
	}
	return text
}

func clockText(t time.Time) string {
	if t.Second() == 0 {
		return t.Format("15:04")
	}
	return t.Format(time.TimeOnly)
}

func datesText(dates []time.Time, allDay bool) string {
	form := time.DateTime
	if allDay {
		form = time.DateOnly
	}
	list := make([]string, 0, len(dates))
	for _, date := range dates {
		list = append(list, date.Format(form))
	}
	return strings.Join(list, ", ")
}

func degreesText(degrees *float64) string {
	if degrees == nil {
		return ""
	}
	return strconv.FormatFloat(*degrees, 'f', -1, 64)
}

func termsText(terms []calendar.Term) string {
	names := make([]string, 0, len(terms))
	for i := range terms {
		names = append(names, termText(terms[i].Name))
	}
	return reading.InList(names)
}

func ticketsText(tickets []calendar.Ticket) string {
	if len(tickets) == 0 {
		return ""
	}
	tickets = slices.Clone(tickets)
	for i := range tickets {
		tickets[i].Name = titleText(tickets[i].Name)
	}
	text, _ := json.Marshal(tickets) //nolint:errchkjson // texts, numbers and times
	return string(text)
}

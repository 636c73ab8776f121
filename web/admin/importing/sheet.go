package importing

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/ui"
)

// sheet holds the entries of a dry run as cells that people can edit.
type sheet struct {
	rows       map[int]*imports.Row
	categories []offers.Branch // of the site
}

// cells are the columns of the table, in order, with the keys of their headings.
var cells = []frame.Pair{
	{Name: "title", Value: "admin.field.event.title"},
	{Name: "start_date", Value: "admin.import.cell.date"},
	{Name: "start_time", Value: "admin.import.cell.time"},
	{Name: "end_date", Value: "admin.import.cell.end_date"},
	{Name: "end_time", Value: "admin.import.cell.end_time"},
	{Name: "venue", Value: "admin.column.where"},
	{Name: "cost", Value: "admin.field.event.cost"},
	{Name: "categories", Value: "admin.field.event.categories"},
}

// fill reads the parts of an import's page besides its entries: cells to edit, similar events of the site, and
// columns.
func (w *Pages) fill(ctx context.Context, r *report) error {
	numbers := map[int]bool{}
	for _, e := range r.entries.Items {
		numbers[e.Number] = true
	}
	preview, err := w.imports.Preview(ctx, r.Import, numbers)
	if err != nil {
		return err
	}
	r.preview = preview
	if len(preview.Rows) > 0 {
		o, err := offers.Of(ctx, w.calendar, calendar.OfferQuery{Categories: offers.MostTerms, Writing: true})
		if err != nil {
			return err
		}
		r.sheet = &sheet{preview.Rows, offers.Tree(o.Categories)}
	}
	if r.DryRun {
		r.beside, err = w.imports.Beside(ctx, r.entries.Items)
	} else {
		r.written, err = w.imports.Written(ctx, r.entries.Items)
	}
	if err != nil {
		return err
	}
	r.columns = columnsOf(ctx, r.Import)
	return nil
}

// columns returns the cells of the table: without categories if neither the site nor the file has any.
func (s *sheet) columns() []frame.Pair {
	if len(s.categories) > 0 {
		return cells
	}
	for _, row := range s.rows {
		if row.Cells["categories"] != "" {
			return cells
		}
	}
	return cells[:len(cells)-1]
}

// uncategorized reports whether a category can be given to events that have none.
func (r *report) uncategorized() bool {
	return r.preview.Uncategorized > 0 && r.sheet != nil && len(r.sheet.categories) > 0
}

// name is the name of the input of a cell.
func (s *sheet) name(e *imports.Entry, cell string) string {
	return "c." + strconv.Itoa(e.Number) + "." + cell
}

// cell returns the text of a cell.
func (s *sheet) cell(e *imports.Entry, cell string) string {
	if row := s.rows[e.Number]; row != nil {
		return row.Cells[cell]
	}
	return ""
}

// kind returns the type of a cell's input: date or time if the text is empty or valid, otherwise text.
func (s *sheet) kind(e *imports.Entry, cell string) string {
	text := s.cell(e, cell)
	form, kind := time.DateOnly, "date"
	if strings.HasSuffix(cell, "_time") {
		form, kind = "15:04", "time"
	}
	if !strings.Contains(cell, "_") {
		return "text"
	}
	if _, err := time.Parse(form, text); err != nil && text != "" {
		return "text"
	}
	return kind
}

// wrong reports whether a cell causes a problem of its entry.
func (s *sheet) wrong(e *imports.Entry, cell string) bool {
	return slices.ContainsFunc(e.Problems, func(f imports.Finding) bool {
		switch {
		case f.Param != "start_date" || !strings.HasPrefix(cell, "start_") && cell != "end_time":
			return f.Param == cell || f.Param == "recurrence" && cell == "start_date"
		case f.Code == "time-second":
			return cell == "end_time"
		case f.Code == "time-unsure",
			f.Code == "time-missing",
			f.Code == "date-unreadable" && s.kind(e, "start_date") == "date" && s.cell(e, "start_date") != "":
			return cell == "start_time"
		}
		return cell == "start_date"
	})
}

// doubtful reports whether a cell of an entry that can be imported is asked about.
func (s *sheet) doubtful(e *imports.Entry, cell string) bool {
	return slices.ContainsFunc(e.Warnings, func(f imports.Finding) bool { return f.Code == "venue-perhaps" && f.Param == cell })
}

// outcomeText says what happens to an entry.
func outcomeText(ctx context.Context, i *imports.Import, e *imports.Entry) string {
	if e.ByHand() {
		return frame.Tell(ctx, "import.left_out")
	}
	return resultText(ctx, i, e.Result)
}

// cellSaid is what a cell is called, and what is wrong with it.
func cellSaid(ctx context.Context, r *report, e *imports.Entry, c frame.Pair) templ.Attributes {
	a := templ.Attributes{"aria-label": i18n.T(ctx, c.Value, nil) + " – " + r.lineLabel(ctx) + " " + frame.Plain(ctx, r.lineOf(e))}
	if r.sheet.wrong(e, c.Name) {
		a["aria-invalid"], a["aria-describedby"] = "true", r.sheet.name(e, "notes")
	} else if r.sheet.doubtful(e, c.Name) {
		a["data-doubt"], a["aria-describedby"] = true, r.sheet.name(e, "notes")
	}
	return a
}

// longestShown is the highest number of characters that the page shows of a description.
const longestShown = 120

// others returns what an entry has besides its cells, with its labels: organizers, tags and texts.
func (r *report) others(ctx context.Context, e *imports.Entry) (list []frame.Pair) {
	if r.sheet == nil || r.sheet.rows[e.Number] == nil {
		return nil
	}
	values := r.sheet.rows[e.Number].Values
	for _, m := range meanings {
		var text string
		switch m.Name {
		case "organizer", "tags":
			text = strings.Join(reading.NamesIn(values[m.Name]), ", ")
		case "description", "excerpt":
			text, _ = values[m.Name].(string)
			text = strings.Join(strings.Fields(wording.PlainText(text)), " ")
		case "website":
			text, _ = values[m.Name].(string)
		}
		if letters := []rune(text); len(letters) > longestShown {
			text = string(letters[:longestShown]) + "…"
		}
		if text != "" {
			list = append(list, frame.Pair{Name: i18n.T(ctx, m.Value, nil), Value: text})
		}
	}
	return list
}

// mostChoices is how many categories each row lists. Of more, a row has the name to type, and all rows share one list.
const mostChoices = 100

// choices returns the categories to choose from for an entry, and which of them it has. Several categories, and those that the site
// does not have, are one more choice.
func (s *sheet) choices(ctx context.Context, e *imports.Entry) (list []frame.Pair, chosen string) {
	chosen = s.cell(e, "categories")
	known := chosen == ""
	for _, c := range s.categories {
		one := frame.Pair{Name: reading.InList([]string{c.Name}), Value: c.Label(ctx)}
		if !known && slices.ContainsFunc(c.Names().All(), func(name string) bool {
			return wording.FoldName(reading.InList([]string{name})) == wording.FoldName(chosen)
		}) {
			one.Name, known = chosen, true
		}
		list = append(list, one)
	}
	if !known {
		list = append(list, frame.Pair{Name: chosen, Value: chosen})
	}
	return list, chosen
}

// newVenue reports whether an entry would create its venue.
func (s *sheet) newVenue(e *imports.Entry) bool {
	return s != nil && s.rows[e.Number] != nil && s.rows[e.Number].NewVenue
}

// repeats says in words how an entry repeats. It returns "" if it does not.
func (r *report) repeats(ctx context.Context, e *imports.Entry) string {
	if r.sheet == nil || r.sheet.rows[e.Number] == nil || r.sheet.rows[e.Number].Repeats == nil {
		return ""
	}
	row := r.sheet.rows[e.Number]
	return ui.DatesIn(ctx).Recurrence(*row.Repeats, row.Clock, "")
}

// revise runs the file of a dry run with the changes in the form, either as another dry run or as the real import.
func (w *Pages) revise(v *frame.Visit, i *imports.Import) (*imports.Import, error) {
	by := &imports.Revision{
		Look:     v.Form.Get("do") == "look",
		Edits:    imports.Edits{},
		Status:   v.Form.Get("status"),
		Category: frame.Cut(v.Form.Get("category"), longestCell),
	}
	if !slices.ContainsFunc(statuses(v.Ctx), func(p frame.Pair) bool { return p.Name == by.Status }) {
		by.Status = ""
	}
	for name := range v.Form.Values {
		number, cell, ok := strings.Cut(strings.TrimPrefix(name, "c."), ".")
		n, err := strconv.Atoi(number)
		if !strings.HasPrefix(name, "c.") || !ok || err != nil || !slices.Contains(reading.EditedCells, cell) {
			continue
		}
		if by.Edits[n] == nil {
			by.Edits[n] = map[string]string{}
		}
		by.Edits[n][cell] = frame.Cut(strings.ReplaceAll(v.Form.Get(name), "\r\n", " "), longestCell)
	}
	if !i.Editable() {
		by.Edits, by.Category = nil, ""
	}
	for n, c := range i.Columns {
		meaning := v.Form.Get("column." + strconv.Itoa(n))
		if _, sent := v.Form.Values["column."+strconv.Itoa(n)]; !sent {
			continue
		}
		if by.Columns == nil {
			by.Columns = map[string]string{}
		}
		by.Columns[c.Header] = meaning
	}
	var made *imports.Import
	id, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), section, func(ctx context.Context) (int64, error) {
		var err error
		if made, err = w.imports.Revise(ctx, i.ID, by); err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	if err != nil || made != nil {
		return made, err
	}
	return w.imports.Get(v.Ctx, id)
}

// longestCell is the maximum length of a cell in characters.
const longestCell = 1000

// column is a column of a table with the meanings that people can choose.
type column struct {
	reading.Column
	options []frame.Pair
}

// meanings are the usual meanings of columns, with the keys of their labels.
var meanings = []frame.Pair{
	{Name: "title", Value: "admin.field.event.title"},
	{Name: "start_date", Value: "admin.import.cell.date"},
	{Name: "start_time", Value: "admin.import.cell.time"},
	{Name: "end_date", Value: "admin.import.cell.end_date"},
	{Name: "end_time", Value: "admin.import.cell.end_time"},
	{Name: "all_day", Value: "admin.field.event.all_day"},
	{Name: "venue", Value: "admin.column.where"},
	{Name: "venue.address", Value: "admin.field.address"},
	{Name: "venue.zip", Value: "admin.field.zip"},
	{Name: "venue.city", Value: "admin.field.city"},
	{Name: "organizer", Value: "admin.field.event.organizer"},
	{Name: "categories", Value: "admin.field.event.categories"},
	{Name: "tags", Value: "admin.field.event.tags"},
	{Name: "cost", Value: "admin.field.event.cost"},
	{Name: "website", Value: "admin.field.event.website"},
	{Name: "image", Value: "admin.field.image"},
	{Name: "description", Value: "admin.field.description"},
	{Name: "excerpt", Value: "admin.field.excerpt"},
}

// columnsOf returns the columns of a dry run of a table. It returns nil if their meanings cannot be chosen.
func columnsOf(ctx context.Context, i *imports.Import) (list []column) {
	if !i.DryRun || !i.Ended() || i.State == imports.Cancelled {
		return nil
	}
	for _, c := range i.Columns {
		one := column{Column: c}
		known := c.Meaning == ""
		for _, m := range meanings {
			for _, h := range reading.Headers {
				if h.Meaning == m.Name {
					one.options = append(one.options, frame.Pair{Name: h.Name, Value: i18n.T(ctx, m.Value, nil)})
					known = known || h.Name == c.Meaning
				}
			}
		}
		if !known {
			one.options = append(one.options, frame.Pair{Name: c.Meaning, Value: c.Meaning})
		}
		list = append(list, one)
	}
	return list
}

// missing returns the keys of the questions for columns that a table must have. It returns nil if the import ended otherwise.
func missing(i *imports.Import) (list []string) {
	if !i.DryRun || i.Problem == nil || i.Problem.Code != "import-columns-missing" || len(i.Columns) == 0 {
		return nil
	}
	for meaning, question := range map[string]string{"title": "import.which.title", "start_date": "import.which.date"} {
		if !slices.ContainsFunc(i.Columns, func(c reading.Column) bool {
			return slices.ContainsFunc(reading.Headers, func(h reading.Header) bool { return h.Meaning == meaning && h.Name == c.Meaning })
		}) {
			list = append(list, question)
		}
	}
	slices.Sort(list)
	slices.Reverse(list) // the title first
	return list
}

// asks reports whether the meaning of a column is unknown, or the import has failed.
func (r *report) asks() bool {
	return r.State == imports.Failed || slices.ContainsFunc(r.columns, func(c column) bool { return !c.Known && c.Header != "" })
}

// when returns the time of an entry's event as people read it: of an event that the import has not written, the start.
func (r *report) when(ctx context.Context, e *imports.Entry) string {
	if written := r.written[e.Event]; written != nil && e.Recurrence == "" {
		return ui.DatesIn(ctx).Event(written, 0)
	}
	at, err := time.Parse(time.DateTime, e.Start)
	if err != nil {
		return e.Start
	}
	return ui.DatesIn(ctx).Span(at, at, at.Equal(at.Truncate(24*time.Hour)), 0)
}

// span returns the time of an event as people read it.
func span(ctx context.Context, e *calendar.Event) string {
	return ui.DatesIn(ctx).Span(e.Start, e.End, e.AllDay, 0)
}

// statusField returns the statuses that the events of a dry run can get.
func statusField(ctx context.Context) []frame.Pair {
	if !frame.May(ctx, tenancy.EditOthers|tenancy.Publish) {
		return nil
	}
	return statuses(ctx)
}

// inLines reports whether the lines of the file mean something to people: the rows of a table, or the lines of a
// list.
func (r *report) inLines() bool {
	return slices.Contains([]reading.Format{reading.CSV, reading.XLSX, reading.Lines}, reading.Format(r.format))
}

// lineOf returns the line of an entry in its file if inLines, and otherwise the number of the entry.
func (r *report) lineOf(e *imports.Entry) int {
	if r.inLines() {
		return cmp.Or(e.Line, e.Number)
	}
	return e.Number
}

// lineLabel is the label of lineOf.
func (r *report) lineLabel(ctx context.Context) string {
	if r.inLines() {
		return frame.Tell(ctx, "import.line")
	}
	return frame.Tell(ctx, "import.number")
}

// first returns the initial status of imported events: publish for users who may publish, because they see the events first and can
// choose another status.
func first(ctx context.Context) string {
	if frame.May(ctx, tenancy.EditOthers|tenancy.Publish) {
		return string(calendar.Publish)
	}
	return string(calendar.Draft)
}

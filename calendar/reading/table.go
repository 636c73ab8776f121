package reading

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/internal/args"
)

// table is a table with known columns.
type table struct {
	options Options
	rows    iter.Seq[record] // after the header
	columns []string         // meaning of each; "" if it has none
	order   string           // of day and month, as package moments names it
	known   bool             // the header is that of The Events Calendar
}

// readTable reads a table.
func readTable(format Format, records iter.Seq[record], o Options) (*File, error) {
	t := &table{options: o}
	file := &File{Format: format}
	header := record{}
	for r := range records {
		if !r.blank() {
			header = r
			break
		}
	}
	t.rows = func(yield func(record) bool) {
		for r := range records {
			if r.line > header.line && !r.blank() && !yield(r) {
				return
			}
		}
	}
	if err := t.header(header, file); err != nil {
		return file, err // the file includes its columns, so that people can say what they mean
	}
	n := 0
	for range t.rows {
		if n++; n > MaxEntries {
			return nil, ErrMany
		}
	}
	t.order = t.dayMonthOrder()
	file.Entries = t.entries()
	return file, nil
}

// blank reports whether a row has no text.
func (r record) blank() bool {
	return r.fault == "" && !slices.ContainsFunc(r.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// header determines the meaning of each column.
func (t *table) header(header record, file *File) error {
	headers := map[string]string{} // of each meaning
	t.columns = make([]string, len(header.cells))
	file.Columns = make([]Column, len(header.cells))
	place := func(n int, name, meaning string) error {
		file.Columns[n].Known = true
		if meaning == "" {
			return nil
		}
		if headers[meaning] != "" {
			return ErrTwice
		}
		headers[meaning], t.columns[n] = name, meaning
		file.Columns[n].Meaning = documented(meaning)
		return nil
	}
	var others []int
	for n, text := range header.cells {
		name := strings.TrimSpace(text)
		file.Columns[n].Header = name
		meaning, known := t.meaning(name)
		if !known {
			others = append(others, n)
			continue
		}
		if err := place(n, name, meaning); err != nil {
			return err
		}
	}
	t.known = headers["title"] != "" && headers["start_date"] != "" && len(t.options.Columns) == 0
	t.guessMeanings(others, headers, file, place)
	if headers["title"] == "" || headers["start_date"] == "" {
		return ErrColumns
	}
	t.region(headers)
	return nil
}

// guessMeanings finds the meaning of columns with headings from people and other programs. A column with dates and times
// in one cell has priority over a column with only dates.
func (t *table) guessMeanings(others []int, headers map[string]string, file *File, place func(n int, name, meaning string) error) {
	cells := t.sampled()
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(min(cells[b].both, 1), min(cells[a].both, 1)) })
	for _, n := range others {
		name := file.Columns[n].Header
		meaning, known := foreignMeaning(name)
		if known && t.numbersDays(n, &cells[n]) {
			continue
		}
		if meaning = cells[n].meaningOf(meaning, headers); known && headers[meaning] == "" {
			_ = place(n, name, meaning) // a meaning that no other column has
		}
	}
}

// meaning returns the meaning of a column, as chosen by a user or as documented.
func (t *table) meaning(name string) (string, bool) {
	if chosen, given := t.options.Columns[name]; given {
		return chosenMeaning(chosen, t.options.Languages)
	}
	if name == "" {
		return "", true
	}
	if meaning, known := t.options.addedColumn(name); known {
		return meaning, true
	}
	if meaning, known := columns[columnKey(name)]; known {
		return meaning, true
	}
	return textColumn(name, t.options.Languages)
}

// chosenMeaning returns the meaning that a user chose for a column: a documented column, or the argument that it
// fills. "" skips the column.
func chosenMeaning(name string, languages []string) (meaning string, known bool) {
	if strings.TrimSpace(name) == "" {
		return "", true
	}
	for _, h := range more {
		if columnKey(h.Name) == columnKey(name) {
			return h.Meaning, true
		}
	}
	if documented(name) != "" {
		return name, true
	}
	if meaning, known = columns[columnKey(name)]; known {
		return meaning, true
	}
	return textColumn(name, languages)
}

// IsColumn reports whether a user can choose this meaning for a column: the name of a documented column
// (docs/csv.md), which may be of texts in any language, the argument that it fills, or "" to skip it.
func IsColumn(name string) bool {
	var languages []string
	if parts := inBrackets.FindStringSubmatch(name); parts != nil {
		languages = parts[2:]
	}
	_, known := chosenMeaning(name, languages)
	return known
}

// documented returns the documented column with a meaning.
func documented(meaning string) string {
	for _, h := range slices.Concat(Headers, more) {
		if h.Meaning == meaning {
			return h.Name
		}
	}
	for _, h := range TextHeaders {
		_, rest, is := strings.Cut(meaning, "translations.")
		language, _, _ := strings.Cut(rest, ".")
		if is && TextMeaning(h.Meaning, language) == meaning {
			return h.Name + " (" + language + ")"
		}
	}
	return ""
}

// instead holds the columns that supply an argument without a column of its own name.
var instead = map[string][]string{
	"start_date": {"start_time"},
	"end_date":   {"end_time", "start_date"},
	"venue":      {"location", "venues"},
	"organizer":  {"organizers"},
	"recurrence": {"recurrence.rrule", "recurrence.rdate", "recurrence.exdate"},
	"series":     {"original_start"},
	"status":     {"private", "sensitivity"},
}

// Column returns the header of the column that supplies an argument, or "" if the file has none.
func (f *File) Column(arg string) string {
	for _, meaning := range append([]string{arg}, instead[arg]...) {
		for _, column := range f.Columns {
			if name := documented(meaning); name != "" && column.Meaning == name {
				return column.Header
			}
		}
	}
	return ""
}

// more are the columns that are documented but never written.
var more = []Header{
	{"Location", "location"},
	{"Private", "private"},
	{"Sensitivity", "sensitivity"},
	{"Event Currency Symbol", "currency_symbol"},
	{"Event Currency Position", "currency_position"},
	{"Event Currency ISO Code", "currency_code"},
}

// region resolves a column for states or provinces. If a table has only one of the two, it may mean either.
func (t *table) region(headers map[string]string) {
	const either = "venue.stateprovince"
	if (headers["venue.state"] == "") == (headers["venue.province"] == "") || headers[either] != "" {
		return
	}
	for n, meaning := range t.columns {
		if meaning == "venue.state" || meaning == "venue.province" {
			t.columns[n] = either
		}
	}
}

// dated are the columns with dates.
var dated = []string{"start_date", "end_date", "original_start", "registration_until"}

// dayMonthOrder returns the order of day and month in the table's dates: the chosen one, else the one that a date proves, else that
// of The Events Calendar.
func (t *table) dayMonthOrder() string {
	if t.options.DateOrder != "" {
		return t.options.DateOrder
	}
	days, months := false, false
	for r := range t.rows {
		for n, text := range r.cells {
			if n >= len(t.columns) || !slices.Contains(dated, t.columns[n]) || !strings.ContainsAny(text, "/-") {
				continue
			}
			if a, b, ok := moments.Ordered(text); ok {
				days, months = days || a > 12, months || b > 12
			}
		}
	}
	switch {
	case days && !months:
		return "dmy"
	case months && !days:
		return "mdy"
	case t.known && !days:
		return moments.Mixed
	}
	return ""
}

// entries returns the rows as entries.
func (t *table) entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		series := map[string]*tableSeries{}
		n := 0
		for r := range t.rows {
			n++
			if !yield(t.entry(n, r, series)) {
				return
			}
		}
	}
}

// entry reads a row. If it is a series, it adds it to series.
func (t *table) entry(n int, r record, series map[string]*tableSeries) Entry {
	e := Entry{Number: n, Line: r.line, Values: args.Values{}}
	row := &row{table: t, entry: &e, cells: cells{}}
	if r.fault != "" {
		e.refuse(r.fault, "", strings.Join(r.cells, " "))
	}
	for n, text := range r.cells {
		text = strings.TrimSpace(text)
		switch {
		case text == "":
		case n >= len(t.columns):
			e.refuse("cells-extra", "", text)
		case t.columns[n] != "":
			row.cells[t.columns[n]] = unescaped(text)
		}
	}
	if edit, given := t.options.Edits[n]; given {
		row.edit(edit)
	}
	row.read(series)
	e.Cells = row.cells
	if len(e.Problems) > 0 {
		e.Values = nil
	}
	return e
}

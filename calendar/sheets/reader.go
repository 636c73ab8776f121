// Package sheets imports and exports events as CSV, for spreadsheets and for moving from The Events Calendar. It reads and
// writes cells; each row becomes an event by the rules of calendar.
package sheets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
)

// Reasons why reading a CSV file fails at the start or midway.
var (
	ErrCSVHeader = errors.New("the first line does not name the columns Event Name and Event Start Date as text in UTF-8")
	ErrCSVTwice  = errors.New("two columns have the same meaning")
	ErrCSVLong   = errors.New("more than 1 MiB without an end; a quotation mark may not be closed")
)

// ErrCSVCells is returned for a row with text beyond the last column.
var ErrCSVCells = errors.New("more cells than columns")

const (
	maxRecord = 1 << 20 // maximum bytes of one row
	csvAhead  = 1 << 16 // bytes examined to detect the delimiter
)

// CSV reads events from a file with the columns of The Events Calendar's import (see csvColumns). Cells are separated
// by commas or semicolons, depending on the first line; quoted cells may contain line breaks. Blank cells are ignored
// and blank rows skipped. It implements ImportSource.
type CSV struct {
	Unknown []string // columns without a meaning here
	reader  *csv.Reader
	budget  *budget
	line    int               // line where the last row began
	columns []string          // meaning of each column; "" if it has none
	headers map[string]string // header of each meaning

	languages []string // languages that have columns for texts
}

// NewCSV reads the first line of a file. languages are those that the site is written in besides its own; columns for
// their texts are recognized. It returns ErrCSVHeader if the line lacks the columns of events, and ErrCSVTwice if two
// columns mean the same.
func NewCSV(r io.Reader, languages ...string) (*CSV, error) {
	c := &CSV{budget: &budget{from: r}, headers: map[string]string{}, languages: languages}
	c.budget.left = maxRecord
	buffer := bufio.NewReaderSize(c.budget, csvAhead)
	start, _ := buffer.Peek(3) // fewer bytes cannot be a byte order mark
	if bytes.Equal(start, []byte("\uFEFF")) {
		_, _ = buffer.Discard(len(start))
	}
	start, _ = buffer.Peek(csvAhead) // an error occurs again when reading
	if endsInReturn(start) {
		buffer = bufio.NewReaderSize(lineFeeds{buffer}, csvAhead)
		start, _ = buffer.Peek(csvAhead)
	}
	c.reader = csv.NewReader(buffer)
	c.reader.Comma = delimiter(start)
	c.reader.FieldsPerRecord = -1
	c.reader.ReuseRecord = true
	header, err := c.reader.Read()
	var malformed *csv.ParseError
	switch {
	case errors.Is(err, io.EOF), errors.As(err, &malformed):
		return nil, ErrCSVHeader
	case err != nil:
		return nil, err
	}
	c.line = 1
	return c, c.header(header)
}

// endsInReturn reports whether lines end with a carriage return alone. Cells of such a file may have line feeds.
func endsInReturn(text []byte) bool {
	quoted := false
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\n' && !quoted:
			return false
		case b == '\r' && !quoted:
			return !bytes.HasPrefix(text[i+1:], []byte("\n"))
		}
	}
	return false
}

// delimiter returns the delimiter of the first line.
func delimiter(text []byte) rune {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	commas, semicolons, quoted := 0, 0, false
	for _, b := range line {
		switch {
		case b == '"':
			quoted = !quoted
		case b == ',' && !quoted:
			commas++
		case b == ';' && !quoted:
			semicolons++
		}
	}
	if semicolons > commas {
		return ';'
	}
	return ','
}

// header determines the meaning of each column.
func (c *CSV) header(names []string) error {
	unknown := map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if !args.Readable(name) {
			return ErrCSVHeader
		}
		key := columnKey(name)
		meaning, known := csvColumns[key]
		if !known {
			meaning, known = c.textColumn(name)
		}
		switch {
		case name == "", known && meaning == "":
		case known && c.headers[meaning] != "":
			return fmt.Errorf("%w: %q and %q", ErrCSVTwice, c.headers[meaning], name)
		case known:
			c.headers[meaning] = name
		case unknown[key]:
			return fmt.Errorf("%w: %q", ErrCSVTwice, name)
		default:
			unknown[key] = true
			c.Unknown = append(c.Unknown, name)
		}
		c.columns = append(c.columns, meaning)
	}
	if c.headers["title"] == "" || c.headers["start_date"] == "" {
		return ErrCSVHeader
	}
	return c.region()
}

// region resolves a column for states or provinces: one without the other can mean either.
func (c *CSV) region() error {
	const either = "venue.stateprovince"
	state, province := c.headers["venue.state"], c.headers["venue.province"]
	if (state == "") == (province == "") {
		return nil
	}
	name, meaning := state, "venue.state"
	if state == "" {
		name, meaning = province, "venue.province"
	}
	if c.headers[either] != "" {
		return fmt.Errorf("%w: %q and %q", ErrCSVTwice, c.headers[either], name)
	}
	delete(c.headers, meaning)
	c.headers[either] = name
	c.columns[slices.Index(c.columns, meaning)] = either
	return nil
}

// csvInstead are the columns that supply arguments without a column of their own name.
var csvInstead = map[string][]string{
	"end_date":   {"start_date"},
	"venue":      {"venues"},
	"organizer":  {"organizers"},
	"recurrence": {"recurrence.rrule", "recurrence.rdate", "recurrence.exdate"},
}

// Column returns the header of the column that supplies an argument, or "".
func (c *CSV) Column(arg string) string {
	for _, meaning := range append([]string{arg}, csvInstead[arg]...) {
		if c.headers[meaning] != "" {
			return c.headers[meaning]
		}
	}
	return ""
}

// Next implements ImportSource.
func (c *CSV) Next() (Row, error) {
	for {
		c.budget.left = maxRecord
		record, err := c.reader.Read()
		var malformed *csv.ParseError
		switch {
		case errors.As(err, &malformed):
			return Row{Line: malformed.StartLine, Err: malformed.Err}, nil
		case errors.Is(err, io.EOF):
			return Row{}, io.EOF
		case err != nil:
			return Row{}, fmt.Errorf("after line %d: %w", c.line, err)
		}
		c.line, _ = c.reader.FieldPos(0)
		cells, err := c.cells(record)
		if err == nil && len(cells) == 0 {
			continue
		}
		row := Row{Line: c.line, Err: err, Series: cells["series"], Original: cells["original_start"], UID: cells["uid"]}
		if err == nil {
			row.Values, row.Err = cells.values()
		}
		return row, nil
	}
}

// cells returns the texts of a row by meaning.
func (c *CSV) cells(record []string) (csvCells, error) {
	cells := csvCells{}
	for n, text := range record {
		text = strings.TrimSpace(text)
		switch {
		case text == "":
		case n >= len(c.columns):
			return nil, ErrCSVCells
		case c.columns[n] == "":
		case !args.Readable(text):
			return nil, args.Invalid(c.columns[n], "problem.characters", nil)
		default:
			cells[c.columns[n]] = unescapeFormula(text)
		}
	}
	return cells, nil
}

// lineFeeds reads a text whose lines end with a carriage return alone as if they ended with a line feed.
type lineFeeds struct{ from io.Reader }

func (l lineFeeds) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// budget is a reader that fails when a row exceeds its size limit.
type budget struct {
	from io.Reader
	left int
}

func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrCSVLong
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

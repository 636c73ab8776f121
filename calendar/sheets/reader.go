// Package sheets imports and exports events as CSV, for spreadsheets and for moving from The Events Calendar. Package reading
// reads the cells; each row becomes an event by the rules of calendar.
package sheets

import (
	"io"
	"iter"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/reading"
)

// CSV reads events from a table, as text or in a workbook. It implements Source.
type CSV struct {
	Unknown []string                // columns without a meaning here
	Column  func(arg string) string // the header of the column that supplies an argument, or ""
	next    func() (reading.Entry, bool)
}

// NewCSV reads a file. languages are those that the site is written in besides its own; columns for their texts are
// recognized. It returns the errors of reading.Read.
func NewCSV(r io.Reader, languages ...string) (*CSV, error) {
	data, err := io.ReadAll(io.LimitReader(r, reading.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	file, err := reading.Read(data, reading.Options{Zone: time.UTC, Languages: languages})
	switch {
	case err != nil:
		return nil, err
	case file.Format != reading.CSV && file.Format != reading.XLSX:
		return nil, reading.ErrFormat
	}
	c := &CSV{Column: file.Column}
	c.next, _ = iter.Pull(file.Entries)
	for _, column := range file.Columns {
		if !column.Known {
			c.Unknown = append(c.Unknown, column.Header)
		}
	}
	return c, nil
}

// Next implements Source.
func (c *CSV) Next() (Row, error) {
	e, ok := c.next()
	if !ok {
		return Row{}, io.EOF
	}
	found := &args.Problems{}
	for _, p := range e.Problems {
		found.Invalid(p.Param, "import.finding."+p.Code, map[string]any{"Value": p.Value})
	}
	return Row{Line: e.Line, Values: e.Values, Series: e.Series, Original: e.Recurrence, UID: e.UID, Err: found.Err()}, nil
}

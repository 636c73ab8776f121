package reading

import (
	"errors"
	"iter"

	"github.com/kalends/kalends/calendar/reading/workbooks"
)

// readWorkbook reads the first table of a workbook that has the columns of events.
func readWorkbook(data []byte, o Options) (*File, error) {
	w, err := workbooks.Open(data, workbooks.Limits{Bytes: MaxBytes, Row: MaxEntry})
	if err != nil {
		return nil, err
	}
	failed, first := ErrSheet, (*File)(nil)
	for _, sheet := range w.Sheets {
		if err := w.Check(sheet); err != nil {
			return nil, err
		}
		file, err := readTable(XLSX, sheetRecords(w, sheet), o)
		if !errors.Is(err, ErrColumns) {
			return file, err
		}
		if failed = err; first == nil {
			first = file
		}
	}
	return first, failed
}

// sheetRecords returns the rows of a table. w must have checked it.
func sheetRecords(w *workbooks.Workbook, sheet string) iter.Seq[record] {
	return func(yield func(record) bool) {
		for row := range w.Rows(sheet) {
			r := record{line: row.Number, cells: row.Cells}
			if row.Long {
				r.fault = "entry-long"
			}
			if !yield(r) {
				return
			}
		}
	}
}

package reading

import (
	"bytes"
	"errors"

	"github.com/kalends/kalends/calendar/reading/workbooks"
)

// Errors about a file as a whole. Nothing of it can be read then. Those of workbooks are those of other files, too.
var (
	ErrEmpty    = errors.New("the file is empty")
	ErrLarge    = workbooks.ErrLarge
	ErrMany     = errors.New("the file has more entries than MaxEntries")
	ErrUnknown  = workbooks.ErrUnknown
	ErrFormat   = errors.New("the file is not of the format it is said to be of")
	ErrPage     = errors.New("the file is a web page, which has no events")
	ErrPacked   = errors.New("the file is packed")
	ErrDamaged  = workbooks.ErrDamaged
	ErrColumns  = errors.New("the table has no columns for title and start")
	ErrTwice    = errors.New("two columns of the table mean the same")
	ErrSheet    = errors.New("the workbook has no table")
	ErrProtects = workbooks.ErrProtects
)

// Read recognizes the format of a file and returns its content. Entries are read while they are ranged over; until
// then, data must not change. It returns one of the errors above. An unreadable entry does not affect the others.
func Read(data []byte, o Options) (*File, error) {
	if len(data) > MaxBytes {
		return nil, ErrLarge
	}
	switch o.Format {
	case TEC:
		return readSite(data, o)
	case Gift, Kalends:
		return readGift(data, o.Format)
	}
	format := recognise(data)
	if format != XLSX {
		var err error
		if data, err = asUTF8(data); err != nil {
			return nil, err
		}
		format = recognise(data)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, ErrEmpty
	}
	if o.Format == Lines {
		if format == XLSX || format == "" {
			return nil, ErrFormat
		}
		return readLines(data, o)
	}
	if o.Format != "" && o.Format != format {
		if err := wrongFormat(data, format, o.Format); err != nil {
			return nil, err
		}
		format = o.Format
	}
	switch format {
	case Calendar:
		return edited(o)(doubting(data)(readCalendar(data, o)))
	case CSV:
		return readCSV(data, o)
	case XLSX:
		return readWorkbook(data, o)
	case JSON:
		return edited(o)(readPage(data, o, readJSON))
	case Schema:
		return edited(o)(readPage(data, o, readSchema))
	}
	return nil, unreadable(data)
}

// edited applies edits to the entries of a file. Tables apply them themselves.
func edited(o Options) func(*File, error) (*File, error) {
	return func(file *File, err error) (*File, error) {
		if err != nil || len(o.Edits) == 0 {
			return file, err
		}
		all := file.Entries
		file.Entries = func(yield func(Entry) bool) {
			for e := range all {
				if edit, given := o.Edits[e.Number]; given {
					e.amend(edit, o)
				}
				if !yield(e) {
					return
				}
			}
		}
		return file, nil
	}
}

// sniffed is the number of bytes at the beginning of a file that determine its format.
const sniffed = 64 << 10

// recognise returns the probable format of a file, or "" if it is none of them.
func recognise(data []byte) Format {
	head := bytes.TrimLeft(data[:min(len(data), sniffed)], "\ufeff \t\r\n\v\f")
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return XLSX
	case workbooks.IsProtected(data):
		return XLSX
	case len(head) == 0, isPacked(data):
		return ""
	case beginsCalendar(head):
		return Calendar
	case bytes.IndexByte(head, 0) >= 0:
		return ""
	case head[0] == '<':
		return Schema
	case head[0] == '{', head[0] == '[':
		if bytes.Contains(head, []byte(`"@type"`)) && !bytes.Contains(head, []byte(`"start_date"`)) {
			return Schema
		}
		return JSON
	}
	return CSV
}

// beginsCalendar reports whether a text contains a calendar, possibly after other lines.
func beginsCalendar(head []byte) bool {
	upper := bytes.ToUpper(head)
	if bytes.HasPrefix(upper, []byte("<!DOCTYPE")) || bytes.HasPrefix(upper, []byte("<HTML")) {
		return false
	}
	for _, begin := range []string{"BEGIN:VCALENDAR", "BEGIN:VEVENT"} {
		at := bytes.Index(upper, []byte(begin))
		if at == 0 || at > 0 && (upper[at-1] == '\n' || upper[at-1] == '\r') {
			return true
		}
	}
	return false
}

// wrongFormat returns the reason why a file that seems to be of one format cannot be read as another, or nil if it may work.
func wrongFormat(data []byte, is, said Format) error {
	switch {
	case isPacked(data):
		return ErrPacked
	case is == Schema && said == Calendar, is == Schema && said == CSV:
		return ErrPage
	case said == Schema && is == JSON, said == JSON && is == Schema:
		return nil
	}
	return ErrFormat
}

// unreadable returns the error for a file of unknown format.
func unreadable(data []byte) error {
	if isPacked(data) {
		return ErrPacked
	}
	return ErrUnknown
}

// isPacked reports whether a file is an archive or compressed, other than a workbook.
func isPacked(data []byte) bool {
	for _, magic := range []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return false
}

// Package reading reads events from files in every format that imports accept: calendar files, tables, JSON, and
// pages with events of schema.org. It knows files and their dialects, but nothing about sites: each entry becomes
// the arguments of POST /events. Everything that a reader does not understand becomes a finding; it never guesses.
// Package imports decides what happens to the entries.
package reading

import (
	"iter"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	Calendar Format = "ics"    // iCalendar, RFC 5545
	CSV      Format = "csv"    // a table as text
	XLSX     Format = "xlsx"   // a table as a workbook
	JSON     Format = "json"   // events as POST /events accepts them or GET /events returns them
	Schema   Format = "schema" // a page with events of schema.org
	Lines    Format = "lines"  // a list as people write it, one event per line; only if requested
)

// File is a file of known format whose entries can be read.
type File struct {
	Format  Format
	Name    string // the name that the file gives its calendar, such as X-WR-CALNAME; "" if none
	Product string // the program that wrote it, such as PRODID; "" if unknown
	Zone    string // the time zone that the file names for floating times, as in the IANA database; "" if none
	Cut     bool   // the file ends in the middle, as after a broken connection
	Unended bool   // a calendar file ends without END:VCALENDAR, in the middle or not
	Columns []Column
	LeftOut []LeftOut       // what it has beside events
	Linked  []Linked        // of a copied site
	Partial bool            // it has only what has changed
	Giver   int64           // id of the site that gives the entries; 0 for files
	Entries iter.Seq[Entry] // in the order of the file; may be ranged over several times
}

// LeftOut says how often a file has something that is no event, or that events do not have here.
type LeftOut struct {
	Kind  string // one of LeftOutKinds
	Count int
}

// LeftOutKinds lists what calendar files have that is left out: components beside and within events, and properties of events.
func LeftOutKinds() []string {
	return []string{"VTODO", "VJOURNAL", "VFREEBUSY", "VALARM", "ATTENDEE"}
}

// Column is a column of a table.
type Column struct {
	Header  string // as the file writes it
	Meaning string // the documented column, as in docs/csv.md; "" if the column is left out
	Known   bool   // the heading or the user has said what the column means
}

// Entry is one event of a file: a VEVENT, a row, or an object. A changed date of a series is a separate entry.
type Entry struct {
	Number int // from 1, in the order of the file
	Line   int // where the entry begins, from 1; 0 in formats without lines

	ID     int64  // for an event of a copied site: its id there; 0 if it has no permanent one
	UID    string // "" if the file has none
	Series string // in tables: the file's own name for the series of the row or of the date; otherwise ""
	// Recurrence is the start that the series gives this date, "2006-01-02 15:04:05" in the zone of the series; as written if it
	// cannot be read; "" otherwise.
	Recurrence string
	Within     bool      // it is a date of the series with its UID, and differs in nothing
	Following  bool      // all following dates differ in the same way (RANGE=THISANDFUTURE)
	Sequence   int64     // SEQUENCE; the highest one counts
	Exported   string    // in tables: the site and the version from which the row was exported, as written by Exported; otherwise ""
	Modified   time.Time // LAST-MODIFIED, else DTSTAMP; zero if the file has none
	Superseded bool      // the file has a later version of the same entry
	Cancelled  bool      // STATUS:CANCELLED: an existing event is cancelled; a new one is created as cancelled
	Void       bool      // METHOD:CANCEL: an existing event is cancelled; none is created

	Title string // as it is shown in reports; "" if the entry has none
	Start string // likewise, "2006-01-02 15:04:05"

	Cells    map[string]string // cells of a row or line, as written; nil in other formats
	Values   args.Values       // arguments of POST /events; nil if Problems say why there are none
	Problems []Finding         // why the entry can't be imported
	Warnings []Finding         // what was left out or changed
}

// Finding is a part of the file that a reader did not understand, or had to guess.
type Finding struct {
	Code  string // such as "date-ambiguous"; the key of its text is "import.finding." and the code
	Param string // the argument that the part belongs to; "" if none
	Value string // what the file says, shortened; "" if nothing
}

// Options supply what the file itself does not say.
type Options struct {
	Format      Format                    // "" recognises it
	Zone        *time.Location            // of floating times, unless the file names one; never nil
	Fixed       bool                      // Zone applies even if the file names another one for floating times
	Languages   []string                  // languages of the site's texts; words are looked up in all languages of the interface anyway
	Fields      map[string]bool           // keys of the fields that the site has added to its events; true for yes/no fields
	VenueFields map[string]bool           // the same of its venues
	Columns     map[string]string         // column of the file → documented column; "" skips it
	Now         time.Time                 // wall clock of the site; lines are relative to it
	Edits       map[int]map[string]string // what somebody wrote into EditedCells of entries, by number
	DateOrder   string                    // "dmy", "mdy", or "" where the file must prove it
	Venue       func(name string) bool    // reports whether the site has a venue with a name; nil if nobody knows
}

// Limits of a file.
const (
	MaxBytes   = 64 << 20  // of a file, unpacked
	MaxEntries = 100_000   // of a file
	MaxEntry   = 256 << 10 // bytes of one entry
)

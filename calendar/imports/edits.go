package imports

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// Arguments of an import that no client sends: the edited cells of its entries, and the time when the file was
// first sent, which words such as "tomorrow" refer to.
const (
	editsArg = "edits"
	sentArg  = "sent"
)

// MostEdited is the maximum number of entries of a file whose cells can be edited.
const MostEdited = 2000

// ErrManyEdits is returned for edits of a file with more than MostEdited entries.
var ErrManyEdits = errors.New("the file has too many entries to change them here")

// Edits are edited cells (reading.EditedCells) by the number of their entry.
type Edits map[int]map[string]string

// Row is an entry of a file with its cells, with all edits so far.
type Row struct {
	Number   int
	Cells    map[string]string
	Repeats  *recur.Set  // nil: it does not repeat
	Clock    recur.Clock // of Repeats
	NewVenue bool        // its event would be at a venue that the site does not have yet
	Values   args.Values // its arguments; nil if it is refused
}

// Revision says how to read a file another time.
type Revision struct {
	Series  args.Opt[bool]    // single events of a copied site become series
	Look    bool              // as another dry run
	Edits   Edits             // in addition to earlier ones
	Columns map[string]string // meanings of the columns of a table; nil: as before
	Status  string            // of new events; "": as before
	// Category is the name of a category for new events that have none; "": they get none.
	Category string
}

// edits returns the edited cells of the file.
func (i *Import) edits() Edits {
	list := Edits{}
	all, _ := i.Asked[editsArg].(map[string]any)
	for number, cells := range all {
		n, err := strconv.Atoi(number)
		fields, ok := cells.(map[string]any)
		if err != nil || !ok {
			continue
		}
		list[n] = map[string]string{}
		for name, text := range fields {
			list[n][name], _ = text.(string)
		}
	}
	return list
}

// ByHand returns how many entries somebody has left out.
func (i *Import) ByHand() (n int) {
	for _, cells := range i.edits() {
		if cells[reading.LeaveOut] != "" {
			n++
		}
	}
	return min(n, i.Counts.Refused)
}

// ByHand reports whether somebody has left out the entry.
func (e *Entry) ByHand() bool {
	return slices.ContainsFunc(e.Problems, func(f Finding) bool { return f.Code == "left-out" })
}

// with returns the edits together with those of a revision, as an argument.
func (e Edits) with(more Edits) map[string]any {
	all := map[string]any{}
	for _, list := range []Edits{e, more} {
		for n, cells := range list {
			fields, _ := all[strconv.Itoa(n)].(map[string]any)
			if fields == nil {
				fields = map[string]any{}
			}
			for name, text := range cells {
				fields[name] = text
			}
			all[strconv.Itoa(n)] = fields
		}
	}
	return all
}

// sent returns when the file was first sent.
func (i *Import) sent() time.Time {
	text, _ := i.Asked[sentArg].(string)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at
	}
	return i.Created
}

// wallAt returns the wall-clock time in a zone, carried in UTC.
func wallAt(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

// Editable reports whether the cells of the file can be changed before it is run.
func (i *Import) Editable() bool {
	return i.DryRun && i.Undoes == 0 && i.State == Done && i.Total <= MostEdited
}

// rowOf returns an entry as a Row.
func (s *Service) rowOf(e *reading.Entry, site *tenancy.Site) *Row {
	row := &Row{Number: e.Number, Cells: reading.CellsOf(e), Values: e.Values}
	start, err := time.Parse(time.DateTime, e.Start)
	if e.Values == nil || e.Values["recurrence"] == nil || err != nil {
		return row
	}
	row.Clock = recur.Clock{Zone: site.Location, Start: start}
	row.Clock.AllDay, _ = e.Values["all_day"].(bool)
	if name, _ := e.Values["timezone"].(string); name != "" {
		if zone, err := args.LocationOf(name); err == nil {
			row.Clock.Zone = zone
		}
	}
	if set, err := recurrence.Parse(e.Values["recurrence"], row.Clock, s.Clock()); err == nil { // what is wrong with it, the report says
		row.Repeats = set
	}
	return row
}

// changes returns the cells that a revision changes.
func (s *Service) changes(ctx context.Context, i *Import, by *Revision) (Edits, error) {
	if len(by.Edits) == 0 && by.Category == "" {
		return nil, nil //nolint:nilnil // nothing was changed
	}
	if !i.Editable() {
		return nil, ErrManyEdits
	}
	numbers, fresh := map[int]bool{}, map[int]bool{}
	if by.Category != "" {
		var err error
		if fresh, err = s.fresh(ctx, i); err != nil {
			return nil, err
		}
	}
	for n := range by.Edits {
		numbers[n] = true
	}
	maps.Copy(numbers, fresh)
	r, err := s.reread(ctx, i)
	if r == nil || err != nil {
		return nil, err
	}
	changed := Edits{}
	for n, row := range r.rows(ctx, numbers) {
		fields := row.changed(by.Edits[n])
		if named, edited := fields["categories"]; fresh[n] && named == "" && (edited || row.Cells["categories"] == "") {
			fields["categories"] = reading.InList([]string{by.Category})
		}
		if len(fields) > 0 {
			changed[n] = fields
		}
	}
	return changed, nil
}

// changed returns the edited cells that differ from the row. If one that says when the event takes place does, all such cells count.
func (row *Row) changed(cells map[string]string) map[string]string {
	fields, moved := map[string]string{}, false
	for name, text := range cells {
		if text = strings.TrimSpace(text); text != row.Cells[name] {
			fields[name], moved = text, moved || slices.Contains(when, name)
		}
	}
	for _, name := range when {
		if text, given := cells[name]; given && moved {
			fields[name] = strings.TrimSpace(text)
		}
	}
	return fields
}

// fresh returns the numbers of the entries that may become new events: those that a dry run would create or refuses.
func (s *Service) fresh(ctx context.Context, i *Import) (map[int]bool, error) {
	list := map[int]bool{}
	return list, s.each(ctx, i, map[Result]int{Created: i.Counts.Created, Refused: i.Counts.Refused}, func(e *Entry) {
		list[e.Number] = e.Recurrence == ""
	})
}

// when are the cells for when an event takes place.
var when = []string{"start_date", "start_time", "end_date", "end_time"}

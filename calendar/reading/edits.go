package reading

import (
	"maps"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/internal/args"
)

// LeaveOut is the cell that leaves an entry out of the import.
const LeaveOut = "leave_out"

// EditedCells are the cells of an entry that can be edited before an import, in the order in which pages show them. All but
// the last are arguments or parts of arguments.
var EditedCells = []string{"title", "start_date", "start_time", "end_date", "end_time", "venue", "cost", "categories", LeaveOut}

// edit replaces cells of a row by edited ones. Cells that were not edited stay.
func (r *row) edit(edit map[string]string) {
	if edit[LeaveOut] != "" {
		r.entry.refuse("left-out", "", "")
		r.cells[LeaveOut] = edit[LeaveOut]
	}
	_, timed := edit["start_time"]
	for name, text := range edit {
		if name == LeaveOut {
			continue
		}
		if delete(r.cells, name); strings.TrimSpace(text) != "" {
			r.cells[name] = strings.TrimSpace(text)
		}
	}
	if timed {
		delete(r.cells, "all_day")
	}
	if _, moved := edit["venue"]; moved {
		delete(r.cells, "location")
	}
	for _, name := range []string{"start_date", "end_date"} {
		if _, given := edit[name]; given {
			r.spoken(name)
		}
	}
}

// spoken replaces a day in words, such as "tomorrow", by its date.
func (r *row) spoken(name string) {
	text := r.cells[name]
	if _, _, ok := moments.ReadSpan(text, r.table.order); ok || text == "" {
		return
	}
	v := words.In(r.table.options.Languages...)
	if l := v.Read(text, words.Now{Wall: r.table.options.Now}); l.Heading() {
		r.cells[name] = l.Start.Format(time.DateOnly)
	}
}

// amend applies edited cells to an entry that is not a row of a table.
func (e *Entry) amend(edit map[string]string, o Options) {
	shown := CellsOf(e)
	t := &table{options: o, order: "dmy"}
	fresh := Entry{Number: e.Number, Line: e.Line, UID: e.UID, Recurrence: e.Recurrence, Values: args.Values{}}
	r := &row{table: t, entry: &fresh, cells: maps.Clone(cells(shown))}
	r.edit(edit)
	if len(fresh.Problems) == 0 {
		switch fresh.Title = wording.CleanTitle(r.cells["title"]); {
		case fresh.Title == "" && e.Recurrence == "":
			fresh.refuse("title-missing", "title", "")
		case r.cells["start_date"] == "" && e.Recurrence == "":
			fresh.refuse("start-missing", "start_date", "")
		default:
			r.values()
		}
	}
	e.Cells, e.Problems = r.cells, fresh.Problems
	if len(e.Problems) > 0 {
		e.Values = nil
		return
	}
	if e.Values == nil {
		e.Values = args.Values{}
	}
	e.Values = maps.Clone(e.Values)
	changed := func(names ...string) bool {
		for _, name := range names {
			if text, given := edit[name]; given && strings.TrimSpace(text) != shown[name] {
				return true
			}
		}
		return false
	}
	take := func(names ...string) {
		for _, name := range names {
			if delete(e.Values, name); fresh.Values[name] != nil {
				e.Values[name] = fresh.Values[name]
			}
		}
	}
	if changed("title") {
		e.Title = fresh.Title
		take("title")
	}
	if changed("start_date", "start_time", "end_date", "end_time") {
		e.Start = fresh.Start
		take("start_date", "end_date", "all_day")
	}
	for _, name := range []string{"venue", "cost", "categories"} {
		if changed(name) {
			take(name)
		}
	}
}

// CellsOf returns the editable cells of an entry: as they were understood, otherwise as they are in the file.
func CellsOf(e *Entry) map[string]string {
	if e.Values == nil {
		c := map[string]string{"title": e.Title}
		for _, name := range EditedCells {
			if text, there := e.Cells[name]; there {
				c[name] = text
			}
		}
		if where := e.Cells["location"]; where != "" && c["venue"] == "" { // a name with an address
			c["venue"] = where
		}
		return c
	}
	text := func(name string) string { s, _ := e.Values[name].(string); return s }
	c := map[string]string{"title": text("title"), "cost": text("cost"), "categories": InList(NamesIn(e.Values["categories"]))}
	if c["title"] == "" {
		c["title"] = e.Title
	}
	for _, end := range []string{"start", "end"} {
		date, at, timed := strings.Cut(strings.Replace(text(end+"_date"), "T", " ", 1), " ")
		if c[end+"_date"] = date; timed && e.Values["all_day"] != true && len(at) >= 5 {
			c[end+"_time"] = at[:5]
		}
	}
	if c["end_date"] == c["start_date"] {
		if delete(c, "end_date"); c["end_time"] == c["start_time"] {
			delete(c, "end_time")
		}
	}
	list, _ := e.Values["venue"].([]any)
	for _, one := range list {
		if object, ok := one.(map[string]any); ok && c["venue"] == "" {
			c["venue"], _ = object["venue"].(string)
		}
	}
	return c
}

// NamesIn returns the names in an argument that is a list of texts and of objects with a name.
func NamesIn(value any) (names []string) {
	list, _ := value.([]any)
	for _, one := range list {
		switch one := one.(type) {
		case string:
			names = append(names, one)
		case map[string]any:
			for _, key := range []string{"organizer", "name"} {
				if name, _ := one[key].(string); name != "" {
					names = append(names, name)
					break
				}
			}
		}
	}
	return names
}

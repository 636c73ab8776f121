package reading

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/internal/args"
)

// listLine is one entry of a list: a line, or the joined lines of a block. day is the day of the heading above it.
type listLine struct {
	line int
	text string
	day  time.Time
}

// readLines reads a list as people write it: one event per line, or in blocks separated by blank lines. A line with only a day
// is the heading of the lines below. Lines with tabs are read as a table if the first one is a header.
func readLines(data []byte, o Options) (*File, error) {
	if first, _, _ := bytes.Cut(data, []byte("\n")); bytes.IndexByte(first, '\t') >= 0 {
		if file, err := readTable(CSV, csvRecords(data), o); err == nil {
			return file, nil
		}
	}
	v := words.In(o.Languages...)
	if o.DateOrder == "mdy" {
		v.MonthFirst = "/"
	}
	list, n := entriesOf(string(data), &v, o)
	if n > MaxEntries {
		return nil, ErrMany
	}
	if n == 0 {
		return nil, ErrEmpty
	}
	t := &table{options: o, order: "dmy"}
	return &File{Format: Lines, Entries: func(yield func(Entry) bool) {
		n := 0
		for l := range list {
			n++
			if !yield(t.line(n, l, &v)) {
				return
			}
		}
	}}, nil
}

// longestLine is the maximum length of a line of a list, in bytes.
const longestLine = 4 << 10

// entriesOf returns the entries of a list, and their number.
func entriesOf(text string, v *words.Vocabulary, o Options) (iter.Seq[listLine], int) {
	var all []listLine
	var block []listLine
	day, dated := time.Time{}, false // dated: the block has a line with a day and more
	end := func() {
		all = append(all, blockOf(block, v, o)...)
		block, dated = nil, false
	}
	n := 0
	for raw := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		n++
		line := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(raw), "-–•*·▪"))
		if line == "" {
			end()
			continue
		}
		if len(line) > longestLine {
			line = args.Shortened(line[:longestLine])
		}
		l := v.Read(line, words.Now{Wall: o.Now})
		if l.Heading() && (len(block) == 0 || !day.IsZero() || dated) {
			end()
			day = l.Start
			continue
		}
		dated = dated || !l.Heading() && hasPart(l, words.Day, words.Repeats, words.Unclear)
		block = append(block, listLine{n, line, day})
	}
	end()
	return func(yield func(listLine) bool) {
		for _, l := range all {
			if !yield(l) {
				return
			}
		}
	}, len(all)
}

// hasPart reports whether a line has a part with one of these fields.
func hasPart(l *words.Line, fields ...words.Field) bool {
	return slices.ContainsFunc(l.Parts, func(p words.Part) bool { return slices.Contains(fields, p.Field) })
}

// blockOf returns the entries of lines without a blank line between them. They are one entry if only one of the lines has a
// day, at most one has a time, and there is no heading. Otherwise each line is an entry.
func blockOf(block []listLine, v *words.Vocabulary, o Options) []listLine {
	if len(block) < 2 || !block[0].day.IsZero() {
		return block
	}
	dated, timed, texts := 0, 0, make([]string, 0, len(block))
	for _, l := range block {
		read := v.Read(l.text, words.Now{Wall: o.Now})
		if hasPart(read, words.Day, words.Repeats, words.Unclear) {
			dated++
		}
		if hasPart(read, words.Time) {
			timed++
		}
		texts = append(texts, l.text)
	}
	if dated != 1 || timed > 1 {
		return block
	}
	return []listLine{{block[0].line, strings.Join(texts, ", "), time.Time{}}}
}

// line reads an entry of a list.
func (t *table) line(n int, l listLine, v *words.Vocabulary) Entry {
	e := Entry{Number: n, Line: l.line, Values: args.Values{}}
	read := v.Read(l.text, words.Now{Wall: t.options.Now, Day: l.day})
	if t.options.Venue != nil {
		read.FindPlace(t.options.Venue)
	}
	row := &row{table: t, entry: &e, cells: cellsOfLine(read)}
	edit, edited := t.options.Edits[n]
	for _, q := range read.Questions {
		if answered(q, edit) {
			continue
		}
		row.cells.unclear(q)
		if edit[LeaveOut] == "" {
			e.refuse(reasonOf(q), fieldOf(q.Why), q.Text)
		}
	}
	if edited {
		row.edit(edit)
	}
	row.read(nil)
	row.endKnown()
	if name := cmp.Or(words.MaybePlace(row.cells["title"]), read.Beside); name != "" && row.cells["venue"] == "" && !read.Online {
		e.warn("venue-perhaps", "venue", name)
	}
	e.Cells = row.cells
	if !edited && len(e.Problems) > 0 && e.Title == "" {
		e.Title = args.Shortened(l.text)
	}
	if len(e.Problems) > 0 {
		e.Values = nil
	}
	return e
}

// answered reports whether somebody has edited a cell that a question is about.
func answered(q words.Question, edit map[string]string) bool {
	about := []string{fieldOf(q.Why)}
	switch {
	case q.Why == "line-long":
		about = EditedCells[:len(EditedCells)-1]
	case about[0] == "start_date", about[0] == "recurrence":
		about = []string{"start_date", "start_time", "end_date", "end_time"}
	}
	return slices.ContainsFunc(about, func(name string) bool { _, given := edit[name]; return given })
}

// endKnown has the end of a line known that has got one since it was read.
func (r *row) endKnown() {
	if r.cells["end_time"] != "" || r.cells["end_date"] != "" {
		delete(r.entry.Values, "end_unknown")
	}
}

// fieldOf returns the argument that a question concerns.
func fieldOf(why string) string {
	switch why {
	case "title-missing":
		return "title"
	case "repeats-unclear":
		return "recurrence"
	case "cost-unclear":
		return "cost"
	}
	return "start_date"
}

// reasonOf returns why a part of a line is refused. A day that does not exist has a reason of its own.
func reasonOf(q words.Question) string {
	if q.Why == "date-unreadable" && moments.Impossible(q.Text, "") {
		return "date-none"
	}
	return q.Why
}

// unclear puts a part of a line that was not understood into the cell that it seems to belong to.
func (c cells) unclear(q words.Question) {
	if q.Text == "" {
		return
	}
	name := "start_date"
	switch {
	case q.Why == "cost-unclear":
		name = "cost"
	case q.Why == "time-second":
		name = "end_time"
	case q.Why == "time-unsure", q.Why == "date-unreadable" && c["start_date"] != "":
		name = "start_time"
	}
	c[name] = q.Text
	delete(c, "all_day")
}

// cellsOfLine returns the content of a line as the cells of a row.
func cellsOfLine(l *words.Line) cells {
	c := cells{}
	set := func(name, text string) {
		if text != "" {
			c[name] = text
		}
	}
	set("title", l.Title)
	set("venue", l.Place)
	set("cost", l.Cost)
	set("website", l.Website)
	set("description", wording.EscapeText(l.Notes))
	set("recurrence.rrule", l.Rule)
	if l.Online {
		c["attendance_mode"] = "online"
	}
	for n, at := range l.Times[:min(len(l.Times), 2)] {
		c[[]string{"start_time", "end_time"}[n]] = time.Time{}.Add(at).Format("15:04")
	}
	if l.Start.IsZero() {
		return c
	}
	c["start_date"] = l.Start.Format(time.DateOnly)
	if l.AllDay {
		c["all_day"] = "yes"
	}
	if l.EndUnknown() {
		c["end_unknown"] = "yes"
	}
	if args.DayOf(l.End) != args.DayOf(l.Start) {
		c["end_date"] = l.End.Format(time.DateOnly)
	}
	return c
}

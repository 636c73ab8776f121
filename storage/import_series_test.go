package storage

import (
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/tenancy"
)

// courses has series, dates that differ from them, and what is wrong with either.
const courses = `Event Name,Event Start Date,Event Start Time,Event End Time,Recurrence Rule,Additional Dates,Excluded Dates,Series,Original Start,Event Status,Event Status Reason,Attendance Mode,Virtual URL,Cleared Fields,Timezone,Event Description
Choir,2027-03-02,19:30,21:30,FREQ=WEEKLY;BYDAY=TU;COUNT=6,2027-03-04 10:00,2027-03-09,choir,,,,online,https://x.example/live,,,Sing
,,20:00,,,,,choir,2027-03-16 19:30,,,,,,,
,2027-03-24,18:00,19:00,,,,choir,2027-03-23,cancelled,Flu,,,"description, virtual_url",,
Wrong rule,2027-03-02,19:30,21:30,FREQ=SOMETIMES,,,bad,,,,,,,,
,,,,,,,bad,2027-03-16 19:30,cancelled,,,,,,
Wrong twice,2027-03-03,19:30,21:30,RRULE:FREQ=WEEKLY;BYDAY=TU;BYDAY=WE,,2027-03-10,,,,,,,,,
Bad date,2027-03-02,19:30,21:30,FREQ=DAILY;COUNT=3,2027-02-30,,,,,,,,,,
,,,,,,,later,2027-05-01,cancelled,,,,,,
Later,2027-05-01,10:00,11:00,FREQ=DAILY;COUNT=3,,,later,,,,,,,,
,,,,,,,,2027-05-01,cancelled,,,,,,
,,,,,,,later,2027-05-09,cancelled,,,,,,
,,,,,,,later,someday,cancelled,,,,,,
Later again,2027-05-01,10:00,11:00,,,,later,,,,,,,,
Once,2027-05-01,10:00,11:00,,,,once,,,,,,,,
,,,,,,,once,2027-05-01,cancelled,,,,,,
,,,,,,,later,2027-05-02,cancelled,,,,,Asia/Tokyo,
,,,,,,,later,2027-05-02,perhaps,,,,,,
,,,,,,,later,2027-05-02,,,,,title,,
Two rules,2027-03-05,09:00,10:00,"FREQ=WEEKLY;COUNT=3
FREQ=MONTHLY;COUNT=2",,,,,postponed,Ice,mixed,,,,
Choir,2027-03-02,19:30,21:30,,,,,,,,,,,,The first date by itself
`

var coursesRefused = []string{
	"5 arguments: recurrence: problem.recurrence.syntax",
	"6 arguments: series: problem.import.series.refused",
	"7 arguments: recurrence: problem.recurrence.duplicate",
	"8 arguments: recurrence: problem.recurrence.date",
	"9 arguments: series: import.finding.series-unknown",
	"11 arguments: series: import.finding.series-missing",
	"12 arguments: original_start: problem.import.original",
	"13 arguments: original_start: import.finding.date-unreadable",
	"14 arguments: series: problem.import.series.twice",
	"16 arguments: series: problem.import.series.single",
	"18 arguments: event_status: problem.enum",
	"19 arguments: cleared: import.finding.cleared-unknown",
	"17 arguments: timezone: problem.series.whole",
}

// TestImportSeries: series come with their rules, and dates that differ with what they
// have of their own; what is wrong is refused by its row, and an import that is run
// again changes nothing.
func TestImportSeries(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	empty := k.total()
	want := sheets.Report{Read: 20, Created: 4, Dates: 2, Unchanged: 1, Refused: 13}
	k.load("dry run", courses, true, want)
	k.equal("after the dry run", k.total(), empty)
	k.equal("refused by the dry run", k.refused, coursesRefused)
	k.load("first run", courses, false, want)
	k.equal("refused", k.refused, coursesRefused)
	k.equal("dates", k.column(`
		SELECT concat_ws('|', e.title, o.start_local, o.end_local, e.event_status, e.status_reason, e.attendance, e.virtual_url, e.description,
		       array_to_string(e.overrides, '+'))
		FROM occurrences o
		JOIN events e ON e.id = o.event_id
		ORDER BY o.start_local, e.title`), []string{
		"Choir|2027-03-02 19:30:00|2027-03-02 21:30:00|scheduled||online|https://x.example/live|<p>Sing</p>|",
		"Choir|2027-03-04 10:00:00|2027-03-04 12:00:00|scheduled||online|https://x.example/live|<p>Sing</p>|",
		"Two rules|2027-03-05 09:00:00|2027-03-05 10:00:00|postponed|Ice|mixed|||",
		"Two rules|2027-03-12 09:00:00|2027-03-12 10:00:00|postponed|Ice|mixed|||",
		"Choir|2027-03-16 20:00:00|2027-03-16 22:00:00|scheduled||online|https://x.example/live|<p>Sing</p>|start_date",
		"Two rules|2027-03-19 09:00:00|2027-03-19 10:00:00|postponed|Ice|mixed|||",
		"Choir|2027-03-24 18:00:00|2027-03-24 19:00:00|cancelled|Flu|online|||attendance_mode+description+event_status+start_date",
		"Choir|2027-03-30 19:30:00|2027-03-30 21:30:00|scheduled||online|https://x.example/live|<p>Sing</p>|",
		"Two rules|2027-04-05 09:00:00|2027-04-05 10:00:00|postponed|Ice|mixed|||",
		"Choir|2027-04-06 19:30:00|2027-04-06 21:30:00|scheduled||online|https://x.example/live|<p>Sing</p>|",
		"Later|2027-05-01 10:00:00|2027-05-01 11:00:00|scheduled||offline|||",
		"Once|2027-05-01 10:00:00|2027-05-01 11:00:00|scheduled||offline|||",
		"Later|2027-05-02 10:00:00|2027-05-02 11:00:00|scheduled||offline|||",
		"Later|2027-05-03 10:00:00|2027-05-03 11:00:00|scheduled||offline|||",
	})
	k.equal("by an import", k.column(`SELECT DISTINCT via FROM changes WHERE kind = 'event'`), []string{"import"})
	filled := k.total()
	again := sheets.Report{Read: 20, Unchanged: 7, Refused: 13}
	k.load("second run", courses, false, again)
	k.load("dry run over it", courses, true, again)
	k.equal("after the second run", k.total(), filled)
	mended := strings.Replace(courses, ",later,2027-05-02,perhaps,", ",later,2027-05-02,postponed,", 1)
	k.load("mended", mended, false, sheets.Report{Read: 20, Dates: 1, Unchanged: 7, Refused: 12})
	k.equal("mended date", k.column(`SELECT title || ' ' || event_status FROM events WHERE series_id IS NOT NULL AND start_local > '2027-05-01'`),
		[]string{"Later postponed"})
}

// missed are series that begin on a day beside their rule.
const missed = `Event Name,Event Start Date,Event Start Time,Recurrence Rule,Excluded Dates,Series,Original Start,Event Status
Counted,2027-03-03,19:30,FREQ=WEEKLY;BYDAY=TU;COUNT=3,,counted,,
,,,,,counted,2027-03-03 19:30,cancelled
Alone,2027-03-03,08:00,FREQ=WEEKLY;BYDAY=TU;COUNT=1,,,,
Left out,2027-03-03,09:00,FREQ=WEEKLY;BYDAY=TU;COUNT=2,2027-03-03 09:00,,,
`

// TestImportMissedStart: a start that the rule misses is kept as the first date and
// told, once; the series can be written as every other.
func TestImportMissedStart(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	want := sheets.Report{Read: 4, Created: 3, Dates: 1}
	notes := []string{"2 arguments: start_date: problem.import.start", "4 arguments: start_date: problem.import.start"}
	k.load("dry run", missed, true, want)
	k.equal("noted by the dry run", k.noted, notes)
	k.load("run", missed, false, want)
	k.equal("noted", k.noted, notes)
	k.equal("dates", k.column(`
		SELECT concat_ws('|', e.title, o.start_local, e.event_status)
		FROM occurrences o
		JOIN events e ON e.id = o.event_id
		ORDER BY e.title, o.start_local`), []string{
		"Alone|2027-03-03 08:00:00|scheduled",
		"Counted|2027-03-03 19:30:00|cancelled",
		"Counted|2027-03-09 19:30:00|scheduled",
		"Counted|2027-03-16 19:30:00|scheduled",
		"Left out|2027-03-09 09:00:00|scheduled",
	})
	k.load("again", missed, false, sheets.Report{Read: 4, Unchanged: 4})
	k.equal("noted again", len(k.noted), 0)
	for title, start := range map[string]string{"Counted": "2027-03-04 19:30", "Alone": "2027-03-04 08:00"} {
		date, err := args.ParseDate(start)
		k.must(err)
		series, err := strconv.ParseInt(k.column(`SELECT id::text FROM events WHERE rules IS NOT NULL AND title = '` + title + `'`)[0], 10, 64)
		k.must(err)
		_, err = k.calendar.Events().Update(k.ctx, calendar.Key{ID: series},
			&calendar.EventFields{Start: args.Some(date), End: args.Some(date)}, nil)
		k.must(err)
	}
}

// TestImportUID: calendars know an imported event by the name that they had for it,
// each name once; what this site makes itself is none, and bad ones are refused.
func TestImportUID(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	tenancy.Current(k.ctx).Site.UID = "AB-1"
	file := "Event Name,Event Start Date,UID,Recurrence Rule\n" +
		"One,2027-03-01,one@x.example,\nSeries,2027-03-01,series@x.example,FREQ=DAILY;COUNT=2\n" +
		"Same,2027-03-01,one@x.example,\nOurs,2027-03-01,7@ab-1,\nNone,2027-03-01,,\n" +
		"Long,2027-03-01," + strings.Repeat("x", 256) + ",\n\"Broken\",2027-03-01,\"a\nb\",\n"
	k.load("run", file, false, sheets.Report{Read: 7, Created: 5, Refused: 2})
	k.equal("refused", k.refused, []string{"7 arguments: uid: problem.import.uid", "8 arguments: uid: problem.import.uid"})
	k.load("later", "Event Name,Event Start Date,UID\nRenamed,2027-03-01,one@x.example\n", false, sheets.Report{Read: 1, Created: 1})
	k.equal("uids", k.column(`SELECT title || ' ' || uid FROM events ORDER BY id`),
		[]string{"One one@x.example", "Series series@x.example", "Same ", "Ours ", "None ", "Renamed "})
}

// TestImportSeriesBesideOnce: a series isn't there already because something that
// happens once has its title, start and venue.
func TestImportSeriesBesideOnce(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	const once = "Event Name,Event Start Date\nChoir,2027-03-02\n"
	const series = "Event Name,Event Start Date,Recurrence Rule,Excluded Dates\nChoir,2027-03-02,FREQ=DAILY;COUNT=3,2027-03-02\n"
	k.load("once", once, false, sheets.Report{Read: 1, Created: 1})
	k.load("series", series, false, sheets.Report{Read: 1, Created: 1})
	k.load("series again", series, false, sheets.Report{Read: 1, Unchanged: 1})
	k.equal("dates", k.column(`SELECT count(*)::text FROM occurrences`), []string{"3"})
}

// TestImportLongSeries: series whose dates are very many are stored some at a time.
func TestImportLongSeries(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	file := &strings.Builder{}
	file.WriteString("Event Name,Event Start Date,Event Start Time,Event End Time,Recurrence Rule\n")
	for n := range 12 {
		file.WriteString("Daily " + string(rune('a'+n)) + ",2027-03-01,10:00,11:00,FREQ=DAILY\n")
	}
	k.load("run", file.String(), false, sheets.Report{Read: 12, Created: 12})
	k.equal("transactions", k.column(`SELECT count(DISTINCT version)::text FROM events`), []string{"2"})
	k.equal("stored", k.column(`SELECT DISTINCT (count(*) > 3600)::text FROM occurrences GROUP BY event_id`), []string{"true"})
}

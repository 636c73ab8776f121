package reading

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// rowsOf reads a table.
func rowsOf(t *testing.T, text string, o Options) (*File, []Entry) {
	t.Helper()
	o.Zone, o.Format = zone(t, "Europe/Berlin"), CSV
	file, err := Read([]byte(text), o)
	if err != nil {
		t.Fatalf("%.80q: %v", text, err)
	}
	return file, slices.Collect(file.Entries)
}

func TestFormsOfTables(t *testing.T) {
	t.Parallel()
	const want = "Fête, d'été"
	for name, text := range map[string]string{
		"commas":           "Event Name,Event Start Date\n\"Fête, d'été\",2027-03-01\n",
		"semicolons":       "Event Name;Event Start Date\nFête, d'été;2027-03-01\n",
		"tabs":             "Event Name\tEvent Start Date\nFête, d'été\t2027-03-01\n",
		"said by Excel":    "sep=;\r\nEvent Name;Event Start Date\r\nFête, d'été;2027-03-01\r\n",
		"said by a tab":    "\"sep=\t\"\nEvent Name\tEvent Start Date\nFête, d'été\t2027-03-01\n",
		"CRLF":             "Event Name,Event Start Date\r\n\"Fête, d'été\",2027-03-01\r\n",
		"CR":               "\uFEFFEvent Start Date;Event Name;Event Start Time\r2027-03-01;\"Fête, d'été\";\r",
		"CR, LF in a cell": "Event Name,\"Event Start\nDate\",Event Excerpt\r\"Fête, d'été\",2027-03-01,\"a\nb\"\r",
		"byte order mark":  "\uFEFFEvent Name;Event Start Date\nFête, d'été;2027-03-01",
		"Windows-1252":     "Event Name;Event Start Date\nF\xeate, d'\xe9t\xe9;2027-03-01",
		"case and blanks":  "\" EVENT  name \",event_start_date\n\"  Fête, d'été \",2027-03-01\n",
		"comma in header":  "\"Comments, open\";Event Name;Event Start Date\nno;Fête, d'été;2027-03-01\n",
		"blank rows":       "\n\nEvent Name,Event Start Date\n\n,,,\n\"Fête, d'été\",2027-03-01,,,\n , \n",
		"order":            "Event Start Date,Allow Comments,Event Name\n2027-03-01,TRUE,\"Fête, d'été\"\n",
	} {
		_, rows := rowsOf(t, text, Options{})
		if len(rows) != 1 || len(rows[0].Problems) > 0 || rows[0].Values["title"] != want || rows[0].Values["start_date"] != "2027-03-01" {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

func TestUnusableTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"Event Name\nx":      ErrColumns,
		"Event Start Date\n": ErrColumns,
		"a b c":              ErrColumns,
		"\"Event Name,Event": ErrColumns,
		"Event Name,Event Start Date,event name\n":                                       ErrTwice,
		"Event Name,Event Start Date,Event Venue,Event Venue Name\n":                     ErrTwice,
		strings.Repeat("x", 2*MaxEntry):                                                  ErrColumns,
		"Event Name,Event Start Date\n" + strings.Repeat("x,2027-03-01\n", MaxEntries+1): ErrMany,
	} {
		if _, err := Read([]byte(text), Options{Zone: zone(t, "UTC"), Format: CSV}); !errors.Is(err, want) {
			t.Errorf("%.60q: %v, want %v", text, err, want)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Event Name,Colour,Event Start Date,Event Venue,,Shoe Size,Allow Comments": "Event Name, ?, Event Start Date, Event Venue Name, , ?, ",
		"Event Name,Event Start Date,event name (DE),EVENT DESCRIPTION (pt-br),Event Name (it),Venue City (de),Event Excerpt ( de ),Venue Description(de)": "Event Name, Event Start Date, " +
			"Event Name (de), Event Description (pt-BR), ?, Venue City (de), ?, Venue Description (de)",
		"Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off,Meeting Organizer,Categories,Description,Location,Private,Sensitivity,Show time as": "Event Name, " +
			"Event Start Date, Event Start Time, Event End Date, Event End Time, All Day Event, , Event Organizer Name, Event Category, Event Description, Location, Private, Sensitivity, ",
		"Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ganztägiges Ereignis;Beschreibung;Ort;Privat": "Event Name, Event Start Date, Event Start Time, Event End Date, Event End Time, " +
			"All Day Event, Event Description, Location, Private",
		"Event ID,Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Status,Venue Name,Event URL": "Event UID, Event Name, Event Start Date, Event Start Time, " +
			"Event End Date, Event End Time, Event Status, Event Venue Name, Event Website",
		"Titel,Datum,Uhrzeit,Ort,Preis":          "Event Name, Event Start Date, Event Start Time, Location, Event Cost",
		"Event Name,Title,Event Start Date,Date": "Event Name, ?, Event Start Date, ?",
	} {
		file, _ := rowsOf(t, header+"\n", Options{Languages: []string{"de", "pt-BR"}})
		var got []string
		for _, c := range file.Columns {
			if c.Known {
				got = append(got, c.Meaning)
			} else {
				got = append(got, "?")
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s:\n%s, want\n%s", header, text, want)
		}
	}
	for key := range columns {
		if columnKey(key) != key {
			t.Errorf("no header has the key %q", key)
		}
	}
	for key, meaning := range foreign {
		if columnKey(key) != key {
			t.Errorf("no header has the key %q", key)
		}
		if meaning != "" && documented(meaning) == "" {
			t.Errorf("%q means %q, which is documented nowhere", key, meaning)
		}
	}
	for _, meaning := range slices.Sorted(maps.Values(columns)) {
		if meaning != "" && documented(meaning) == "" {
			t.Errorf("%q is documented nowhere", meaning)
		}
	}
}

// Somebody can say what columns mean.
func TestChosenColumns(t *testing.T) {
	t.Parallel()
	file, rows := rowsOf(t, "Was,Wann,Wo,Description\nChor,1.3.2027 19:30,Rathaus,x\n",
		Options{Columns: map[string]string{"Was": "Event Name", "Wann": "event start date", "Wo": "Location", "Description": ""}})
	want := args.Values{"title": "Chor", "start_date": "2027-03-01 19:30:00", "end_date": "2027-03-01 19:30:00", "venue": []any{map[string]any{"venue": "Rathaus"}}}
	if diff := cmp.Diff(want, rows[0].Values); diff != "" {
		t.Error(diff)
	}
	if file.Column("venue") != "Wo" || file.Column("title") != "Was" || file.Column("end_date") != "Wann" || file.Column("cost") != "" {
		t.Errorf("columns %+v", file.Columns)
	}
	if c := file.Columns[3]; !c.Known || c.Meaning != "" {
		t.Errorf("%+v", c)
	}
}

// TestRows reads the rest of a line after the name.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, cells string
		want           args.Values
	}{
		{"Event Start Date", "2027-03-01", args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true}},
		{"Event Start Date", "2027-03-01 19:00", args.Values{"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 19:00:00"}},
		{"Event Start Date,All Day Event", "2027-03-01,FALSE", args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": "FALSE"}},
		{"Event Start Date,Event Start Time,Event End Date,Event End Time", "3/1/2027,7:00 PM,3/2/2027,1 am",
			args.Values{"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-02 01:00:00"}},
		{"Event Start Date,Event Start Time,Event End Time", "2027-03-01,19:00,21:00",
			args.Values{"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}},
		{"Event Start Date,Event Start Time", "1. März 2027,19.30 Uhr", args.Values{"start_date": "2027-03-01 19:30:00", "end_date": "2027-03-01 19:30:00"}},
		{"Event Start Date,Event Start Time", "1. März 2027,19.30 – 21 Uhr", args.Values{"start_date": "2027-03-01 19:30:00", "end_date": "2027-03-01 21:00:00"}},
		{"Event Start Date,Event Start Time", "1.3.2027,ganztägig", args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true}},
		{"Event Start Date,Timezone", "2027-03-01T18:30:00Z,America/New_York",
			args.Values{"start_date": "2027-03-01 13:30:00", "end_date": "2027-03-01 13:30:00", "timezone": "America/New_York"}},
		{"Event Start Date,All Day Event,Feature Event,Event Sticky,Hide From Event Listings,Event Show Map,Event Show Map Link",
			"2027-03-01,yes,Y,no,maybe,1,false",
			args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true, "featured": true, "sticky": false,
				"hide_from_listings": "maybe", "show_map": "1", "show_map_link": "false"}},
		{"Event Start Date,All Day Event,Feature Event,Event Sticky,Hide From Event Listings,Event Show Map",
			"2027-03-01,WAHR,Faux,yanlış,epätosi,ИСТИНА",
			args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true, "featured": false, "sticky": false,
				"hide_from_listings": false, "show_map": true}},
	} {
		_, rows := rowsOf(t, "Event Name,"+c.columns+"\nx,"+c.cells+"\n", Options{})
		c.want["title"] = "x"
		if diff := cmp.Diff(c.want, rows[0].Values); diff != "" || len(rows) != 1 {
			t.Errorf("%s: %v (-want +got):\n%s", c.cells, rows[0].Problems, diff)
		}
	}
}

// The words that pages show for yes and no, and those that Outlook writes, are known in every language of the interface.
func TestYesOrNo(t *testing.T) {
	t.Parallel()
	words := map[string]bool{"Ein": true, "Aus": false, "WAHR": true, "Falsch": false}
	for _, lang := range i18n.Languages() {
		words[i18n.Text(lang, "public.yes", nil)] = true
		words[i18n.Text(lang, "public.no", nil)] = false
	}
	for word, want := range words {
		_, rows := rowsOf(t, "Event Name,Event Start Date,All Day Event\nx,2027-03-01,"+word+"\n", Options{})
		if got := rows[0].Values["all_day"]; got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// TestCells reads the rest of a line after name and start.
func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, cells string
		want           args.Values
	}{
		{"Event Category,Event Tags", `"Music, 2027,, Jazz ","007"`, args.Values{"categories": []any{"Music", "2027", "Jazz"}, "tags": []any{"007"}}},
		{"Categories", `Music;Jazz`, args.Values{"categories": []any{"Music", "Jazz"}}},
		{"Event Venue Name,Venue City,Venue State/Province,Venue Website", "Hall,Wien,W,http://x.example/a b",
			args.Values{"venue": []any{map[string]any{"venue": "Hall", "city": "Wien", "stateprovince": "W", "website": "http://x.example/a%20b"}}}},
		{"Event Venue Name,Venue City", ",Wien", args.Values{}},
		{"Event Organizer Name", `"Smith, Jones & Co"`, args.Values{"organizer": []any{map[string]any{"organizer": "Smith, Jones & Co"}}}},
		{"Event Organizer Name(s) or ID(s)", `"Ann, 12, Ben"`,
			args.Values{"organizer": []any{map[string]any{"organizer": "Ann"}, "12", map[string]any{"organizer": "Ben"}}}},
		{"Event Cost,Event Currency Symbol,Event Currency Position", `"12,50",€,suffix`, args.Values{"cost": "12,50€"}},
		{"Event Cost,Event Currency Symbol", `12,$`, args.Values{"cost": "$12"}},
		{"Event Cost,Event Currency ISO Code", `12,eur`, args.Values{"cost": "EUR 12"}},
		{"Event Cost,Event Currency Symbol", `Free,$`, args.Values{"cost": "Free"}},
		{"Event Website,Event Featured Image,Timezone", "http://x.example/é,12,Europe/Berlin",
			args.Values{"website": "http://x.example/%C3%A9", "image": "12", "timezone": "Europe/Berlin"}},
		{"Venue Name,Venue State,Venue Province,Further Venues", `Hall,CA,,"""A, B"", C"`,
			args.Values{"venue": []any{map[string]any{"venue": "Hall", "state": "CA"}, map[string]any{"venue": "A, B"}, map[string]any{"venue": "C"}}}},
		{"Venue Name,Venue Province", `Hall,NRW`, args.Values{"venue": []any{map[string]any{"venue": "Hall", "stateprovince": "NRW"}}}},
		{"Organizer Name,Organizer Email,Event Organizers", `Ann,a@x.example,"""12"", 12, ""open"`,
			args.Values{"organizer": []any{map[string]any{"organizer": "Ann", "email": "a@x.example"}, map[string]any{"organizer": "12"}, "12",
				map[string]any{"organizer": `"open`}}}},
		{"Recurrence Rule,Additional Dates,EXDATE", "\"FREQ=DAILY;COUNT=2\r\nRRULE:FREQ=WEEKLY\",\"2027-03-04 10:00, 5.3.2027\",3/6/2027",
			args.Values{"recurrence": map[string]any{"rrule": []any{"FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY"},
				"rdate": []any{"2027-03-04 10:00:00", "2027-03-05"}, "exdate": []any{"2027-03-06"}}}},
		{"Event Status,Attendance Mode,Virtual URL,Publication Status,Event Slug", "cancelled,mixed,http://x.example/a b,draft,x-y",
			args.Values{"event_status": "cancelled", "attendance_mode": "mixed", "virtual_url": "http://x.example/a%20b", "status": "draft", "slug": "x-y"}},
		{"Event Status", "Live", args.Values{}},
		{"Event Status", "Draft", args.Values{"status": "draft"}},
		{"Private,Sensitivity", "True,", args.Values{"status": "private"}},
		{"Private,Sensitivity", "False,Confidential", args.Values{"status": "private"}},
		{"Private,Sensitivity", "False,Normal", args.Values{}},
		{"Location", `"Town hall, Market Square 1, 53111 Bonn"`, args.Values{"venue": []any{map[string]any{"venue": "Town hall", "address": "Market Square 1, 53111 Bonn"}}}},
		{"Location", "https://zoom.us/j/1", args.Values{"virtual_url": "https://zoom.us/j/1", "attendance_mode": "online"}},
		{"Event Excerpt,Event Tickets", `''=1,"[{""name"":""Seat"",""price"":5}]"`,
			args.Values{"excerpt": "'=1", "tickets": []any{map[string]any{"name": "Seat", "price": json.Number("5")}}}},
		{"Event Description,Event Excerpt", "\"<p>a\nb</p>\",=1+1", args.Values{"description": "<p>a\nb</p>", "excerpt": "=1+1"}},
		{"Event Description", `12" Vinyl`, args.Values{"description": `12" Vinyl`}},
		{"Event Name (de),Event Excerpt (de)", "Chor,Kurz", args.Values{"translations": map[string]any{"de": map[string]any{"title": "Chor", "excerpt": "Kurz"}}}},
	} {
		_, rows := rowsOf(t, "Event Name,Event Start Date,"+c.columns+"\nx,2027-03-01 19:30,"+c.cells+"\n", Options{Languages: []string{"de"}})
		c.want["title"], c.want["start_date"], c.want["end_date"] = "x", "2027-03-01 19:30:00", "2027-03-01 19:30:00"
		if diff := cmp.Diff(c.want, rows[0].Values); diff != "" || len(rows) != 1 {
			t.Errorf("%s: %v (-want +got):\n%s", c.cells, rows[0].Problems, diff)
		}
	}
}

// A row that cannot be read does not affect the next.
func TestBrokenRows(t *testing.T) {
	t.Parallel()
	_, rows := rowsOf(t, "Event Name,Event Start Date,Event End Time,Cleared Fields,Event Tickets\n"+
		"\"two\nlines\",2027-03-01\n"+
		"too,2027-03-01,,,,many\n"+
		"\"after\" a mark,2027-03-01\n"+
		"soon,soon\n"+
		"last month,31.2.2027\n"+
		",2027-03-01\n"+
		"no start,\n"+
		"tickets,2027-03-01,,,{}\n"+
		"cleared,2027-03-01,,venue,\n"+
		"night,2027-03-01 23:00,1:00\n"+
		"Monday,\"Tue, 2027-03-01\"\n"+
		"\"never closed,2027-03-01\n"+
		"last,2027-03-01\n", Options{})
	var got []string
	for _, row := range rows {
		got = append(got, fmt.Sprint(row.Line, findings(row.Problems), findings(row.Warnings)))
	}
	want := []string{"2 [] []", "4 [cells-extra |  | many] []", "5 [row-unreadable] []", "6 [date-unreadable | start_date | soon] []",
		"7 [date-none | start_date | 31.2.2027] []", "8 [title-missing | title] []", "9 [start-missing | start_date] []",
		"10 [json-unreadable | tickets | {}] []", "11 [cleared-unknown | cleared | venue] []", "12 [] [end-next-day | end_date | 1:00]",
		"13 [] [weekday-differs | start_date | Tue, 2027-03-01]", "14 [row-unreadable] []", "15 [] []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A column beside one with dates has times if some of its cells are times: what else is in it refuses its row, which is not read as
// if it had no time.
func TestTimesBesideDates(t *testing.T) {
	t.Parallel()
	_, rows := rowsOf(t, "Titel;Datum;Beginn;Endzeit\nA;6.3.2027;19:30;21:00\nB;6.3.2027;7.3.2027;\nC;6.3.2027;abends;\nD;6.3.2027;;\nE;6.3.2027;22:00;7.3.2027 1:00\n", Options{})
	var got []string
	for _, row := range rows {
		got = append(got, fmt.Sprint(row.Values["start_date"], " ", row.Values["end_date"], " ", findings(row.Problems)))
	}
	want := []string{"2027-03-06 19:30:00 2027-03-06 21:00:00 []", "<nil> <nil> [date-unreadable | start_date | 7.3.2027]",
		"<nil> <nil> [date-unreadable | start_date | abends]", "2027-03-06 2027-03-06 []", "2027-03-06 22:00:00 2027-03-07 01:00:00 []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The order of day and month is that which somebody says, else that which the table proves, else that of The Events Calendar.
func TestOrderOfDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, header, dates, want string }{
		{"", "Event Name,Event Start Date", "3/1/2027", "2027-03-01"},
		{"dmy", "Event Name,Event Start Date", "3/1/2027", "2027-01-03"},
		{"", "Event Name,Event Start Date", "3/1/2027 13/1/2027", "2027-01-03 2027-01-13"},
		{"", "Event Name,Event Start Date", "3/1/2027 1/13/2027", "2027-03-01 2027-01-13"},
		{"", "Event Name,Event Start Date", "3/1/2027 1/13/2027 13/1/2027", "date-ambiguous 2027-01-13 2027-01-13"},
		{"", "Subject,Start Date", "3/1/2027 3/3/2027 1.3.2027", "date-ambiguous 2027-03-03 2027-03-01"},
		{"", "Subject,Start Date", "3/1/2027 3/25/2027", "2027-03-01 2027-03-25"},
		{"mdy", "Subject,Start Date", "3/1/2027", "2027-03-01"},
		{"", "Event Name,Event Start Date", "1/3/27 13/1/27", "2027-03-01 2027-01-13"},
		// dates with dashes are as ambiguous, and with two digits the year may come first
		{"", "Subject,Start Date", "3-1-2027 3-3-2027 2027-3-4", "date-ambiguous 2027-03-03 2027-03-04"},
		{"", "Subject,Start Date", "3-1-2027 13-1-2027", "2027-01-03 2027-01-13"},
		{"", "Subject,Start Date", "3-1-2027 3-25-2027", "2027-03-01 2027-03-25"},
		{"mdy", "Subject,Start Date", "3-1-2027", "2027-03-01"},
		{"", "Event Name,Event Start Date", "3-1-2027 3/1/2027", "2027-01-03 2027-03-01"},
		{"", "Subject,Start Date", "27-03-05 27-03-27", "date-ambiguous date-ambiguous"},
		{"dmy", "Subject,Start Date", "27-03-05", "2005-03-27"},
	} {
		text := c.header + "\n"
		for date := range strings.FieldsSeq(c.dates) {
			text += "x," + date + "\n"
		}
		_, rows := rowsOf(t, text, Options{DateOrder: c.said})
		var got []string
		for _, row := range rows {
			if len(row.Problems) > 0 {
				got = append(got, row.Problems[0].Code)
			} else {
				got = append(got, row.Values["start_date"].(string))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s %s: %s, want %s", c.header, c.dates, text, c.want)
		}
	}
}

// A row of a date that differs says only what its cells say: a time alone is on the date's own day, an end is on the day of
// the start, and without an end the date is as long as the others.
func TestDatesOfTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, cells, start, end string }{
		{"nothing", ",,,", "", ""},
		{"a start", ",20:00,,", "2027-03-16 20:00:00", "2027-03-16 22:00:00"},
		{"start and end", ",20:00,,23:00", "2027-03-16 20:00:00", "2027-03-16 23:00:00"},
		{"an end", ",,,23:00", "", "2027-03-16 23:00:00"},
		{"another day", "2027-03-17,,,", "2027-03-17 19:30:00", "2027-03-17 21:30:00"},
		{"another day and time", "2027-03-17,20:00,,", "2027-03-17 20:00:00", "2027-03-17 22:00:00"},
		{"an end after another day", "2027-03-17,,,22:00", "2027-03-17 19:30:00", "2027-03-17 22:00:00"},
		{"an end on a day of its own", ",20:00,2027-03-18,", "2027-03-16 20:00:00", "2027-03-18 22:00:00"},
		{"an end at night", ",,2027-03-17,01:00", "", "2027-03-17 01:00:00"},
	} {
		for _, original := range []string{"2027-03-16 19:30", "2027-03-16T19:30", "16.3.2027"} {
			_, rows := rowsOf(t, "Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Recurrence Rule,Series,Original Start,UID\n"+
				"Choir,2027-03-02,19:30,,21:30,FREQ=WEEKLY,choir,,u@x\n,"+c.cells+",,choir,"+original+",\n", Options{})
			start, _ := rows[1].Values["start_date"].(string)
			end, _ := rows[1].Values["end_date"].(string)
			if start != c.start || end != c.end || rows[1].Recurrence != "2027-03-16 19:30:00" || rows[1].UID != "u@x" || rows[1].Series != "choir" {
				t.Errorf("%s of %s: %+v", c.name, original, rows[1])
			}
		}
	}
}

// Dates name a series of the table that was read.
func TestSeriesOfTables(t *testing.T) {
	t.Parallel()
	_, rows := rowsOf(t, "Event Name,Event Start Date,Recurrence Rule,Series,Original Start,Cleared Fields\n"+
		"Choir,2027-03-02 19:30,FREQ=WEEKLY,choir,,\n"+
		",,,choir,2027-03-09,\"venue, translations.de\"\n"+
		",,,choir,soon,\n"+
		",,,,2027-03-09,\n"+
		",,,band,2027-03-09,\n"+
		"Again,2027-03-02,FREQ=WEEKLY,choir,,\n"+
		"Bad,soon,FREQ=WEEKLY,bad,,\n"+
		",,,bad,2027-03-09,\n", Options{})
	var got []string
	for _, row := range rows {
		got = append(got, strings.TrimSpace(row.Recurrence+" "+strings.Join(findings(row.Problems), ", ")))
	}
	want := []string{"", "2027-03-09 19:30:00", "soon date-unreadable | original_start | soon", "2027-03-09 series-missing | series",
		"2027-03-09 series-unknown | series | band", "series-twice | series | choir", "date-unreadable | start_date | soon", "2027-03-09 series-refused | series | bad"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(args.Values{"venue": nil, "translations": map[string]any{"de": nil}}, rows[1].Values); diff != "" {
		t.Error(diff)
	}
}

// Amounts alone get the currency of their row; what says more is left as it is.
func TestCurrencyOfRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cost, symbol, code, position, want string }{
		{"", "€", "EUR", "", ""},
		{"12", "", "", "", "12"},
		{"12", "€", "EUR", "", "€12"},
		{"12", "€", "EUR", "Prefix", "€12"},
		{"12", "€", "EUR", "POSTFIX", "12€"},
		{"12", "", "chf", "suffix", "CHF 12"},
		{"1 200,50", "€", "", "suffix", "1 200,50€"},
		{"5, 10", "$", "", "", "$5, 10"},
		{"$5", "€", "", "", "$5"},
		{"5 to 10", "€", "", "", "5 to 10"},
		{"0", "€", "", "", "€0"},
	} {
		cells := cells{"cost": c.cost, "currency_symbol": c.symbol, "currency_code": c.code, "currency_position": c.position}
		if got := cells.cost(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Reading any file ends, and its texts can be stored.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Event Name,Event Start Date\nx,2027-03-01\n"))
	f.Add([]byte("\uFEFFEvent Name;Event Start Date;Event Tags\r\n\"a\nb\";tomorrow;1,2\r\n\xff;\x00;"))
	f.Add([]byte("Event Name,Event Start Date,Event Cost\n\"x,2027-03-01\n"))
	f.Add(inCalendar(inEvent("1", "RRULE:FREQ=DAILY", "EXDATE:20270301", "DESCRIPTION:a", " b", "c")))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, format := range []Format{"", Calendar, CSV, JSON, Schema, XLSX} {
			file, err := Read(text, Options{Zone: zone(t, "Europe/Berlin"), Format: format})
			if err != nil {
				continue
			}
			n := 0
			for e := range file.Entries {
				if n++; n > len(text)+1 {
					t.Fatal("more entries than bytes")
				}
				for name, v := range e.Values {
					if s, ok := v.(string); ok && !args.Readable(s) {
						t.Errorf("%s is %q", name, s)
					}
				}
			}
		}
	})
}

// A column with the numbers of the days beside the dates has no hours, and an end may be a time in one row and a date with a time in
// another.
func TestDaysAndEndsOfTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Titel;Datum;Tag\nChor;5.12.2030;5\nBall;17.12.2030;17\n":                                       "2030-12-05 2030-12-05, 2030-12-17 2030-12-17",
		"Titel;Datum;Tag;Beginn\nChor;5.12.2030;5;19:30\nBall;17.12.2030;17.;20:00\n":                   "2030-12-05 19:30:00 2030-12-05 19:30:00, 2030-12-17 20:00:00 2030-12-17 20:00:00",
		"Titel;Datum;Beginn\nChor;5.12.2030;19\nBall;17.12.2030;20\n":                                   "2030-12-05 19:00:00 2030-12-05 19:00:00, 2030-12-17 20:00:00 2030-12-17 20:00:00",
		"Titel;Datum;Beginn;Ende\nChor;5.12.2030;19:30;21:00\nBall;17.12.2030;20:00;18.12.2030 02:00\n": "2030-12-05 19:30:00 2030-12-05 21:00:00, 2030-12-17 20:00:00 2030-12-18 02:00:00",
	} {
		file, err := Read([]byte(text), Options{Zone: zone(t, "UTC"), Languages: []string{"de"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range file.Entries {
			got = append(got, fmt.Sprintf("%v %v", e.Values["start_date"], e.Values["end_date"]))
			for _, p := range e.Problems {
				got = append(got, p.Code)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q\n gives %s\n  want %s", text, strings.Join(got, ", "), want)
		}
	}
}

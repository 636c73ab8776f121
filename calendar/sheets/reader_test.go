package sheets

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// rowsOf reads a file to the end.
func rowsOf(t *testing.T, text string) (*CSV, []Row) {
	t.Helper()
	c, err := NewCSV(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for {
		row, err := c.Next()
		if errors.Is(err, io.EOF) {
			return c, rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

func TestCSVForms(t *testing.T) {
	t.Parallel()
	const want = "Fête, d'été"
	for name, text := range map[string]string{
		"commas":           "Event Name,Event Start Date\n\"Fête, d'été\",2027-03-01\n",
		"semicolons":       "Event Name;Event Start Date\nFête, d'été;2027-03-01\n",
		"CRLF":             "Event Name,Event Start Date\r\n\"Fête, d'été\",2027-03-01\r\n",
		"CR":               "\uFEFFEvent Start Date;Event Name;Event Start Time\r2027-03-01;\"Fête, d'été\";\r",
		"CR, LF in a cell": "Event Name,\"Event Start\nDate\",Event Excerpt\r\"Fête, d'été\",2027-03-01,\"a\nb\"\r",
		"byte order mark":  "\uFEFFEvent Name;Event Start Date\nFête, d'été;2027-03-01",
		"case and blanks":  "\" EVENT  name \",event_start_date\n\"  Fête, d'été \",2027-03-01\n",
		"comma in header":  "\"Comments, open\";Event Name;Event Start Date\nno;Fête, d'été;2027-03-01\n",
		"blank rows":       "Event Name,Event Start Date\n\n,,,\n\"Fête, d'été\",2027-03-01,,,\n , \n",
		"order":            "Event Start Date,Allow Comments,Event Name\n2027-03-01,TRUE,\"Fête, d'été\"\n",
	} {
		_, rows := rowsOf(t, text)
		if len(rows) != 1 || rows[0].Err != nil || rows[0].Values["title"] != want || rows[0].Values["start_date"] != "2027-03-01" {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

func TestCSVUnusable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"":                                  ErrCSVHeader,
		"\n\n":                              ErrCSVHeader,
		"Event Name\nx":                     ErrCSVHeader,
		"Event Start Date\n":                ErrCSVHeader,
		"a b c":                             ErrCSVHeader,
		"\"Event Name,Event":                ErrCSVHeader,
		"Event Name,Event Start Date\x00\n": ErrCSVHeader,
		"\xff\xfeE\x00v\x00e\x00n\x00t\x00": ErrCSVHeader,
		"Event Name,Event Start Date,event name\n":                   ErrCSVTwice,
		"Event Name,Event Start Date,Other,other\n":                  ErrCSVTwice,
		"Event Name,Event Start Date,Event Venue,Event Venue Name\n": ErrCSVTwice,
		strings.Repeat("x", maxRecord+1):                             ErrCSVLong,
	} {
		if _, err := NewCSV(strings.NewReader(text)); !errors.Is(err, want) {
			t.Errorf("%.60q: %v, want %v", text, err, want)
		}
	}
}

func TestCSVColumns(t *testing.T) {
	t.Parallel()
	c, _ := rowsOf(t, "Event Name,Colour,Event Start Date,Event Venue,,Shoe Size,Allow Comments\n")
	if want := []string{"Colour", "Shoe Size"}; !slices.Equal(c.Unknown, want) {
		t.Errorf("unknown %q, want %q", c.Unknown, want)
	}
	if c.Column("venue") != "Event Venue" || c.Column("title") != "Event Name" || c.Column("cost") != "" {
		t.Errorf("columns %v", c.headers)
	}
	table := args.TableOf(eventFields)
	for _, meaning := range slices.Sorted(maps.Values(csvColumns)) {
		name, _, _ := strings.Cut(meaning, ".")
		switch name {
		case "", "start_time", "end_time", "organizers", "venues", "currency_symbol", "currency_position", "currency_code",
			"series", "original_start", "uid", "cleared":
			continue
		}
		if table.Field(name) == nil {
			t.Errorf("%q is no argument of an event", name)
		}
	}
	for key := range csvColumns {
		if columnKey(key) != key {
			t.Errorf("no header has the key %q", key)
		}
	}
}

// TestCSVRows reads the rest of a line after the name.
func TestCSVRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, cells string
		want           args.Values
	}{
		{"Event Start Date", "2027-03-01", args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true}},
		{"Event Start Date", "2027-03-01 19:00", args.Values{"start_date": "2027-03-01 19:00", "end_date": "2027-03-01 19:00"}},
		{"Event Start Date,All Day Event", "2027-03-01,FALSE",
			args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": "FALSE"}},
		{"Event Start Date,Event Start Time,Event End Date,Event End Time", "3/1/2027,7:00 PM,3/2/2027,1 am",
			args.Values{"start_date": "3/1/2027 7:00 PM", "end_date": "3/2/2027 1 am"}},
		{"Event Start Date,Event Start Time,Event End Time", "2027-03-01,19:00,21:00",
			args.Values{"start_date": "2027-03-01 19:00", "end_date": "2027-03-01 21:00"}},
		{"Event Start Date,Event End Date", ",2027-03-01", args.Values{}},
		{"Event Start Date,All Day Event,Feature Event,Event Sticky,Hide From Event Listings,Event Show Map,Event Show Map Link",
			"2027-03-01,yes,Y,no,maybe,1,false",
			args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true, "featured": true, "sticky": false,
				"hide_from_listings": "maybe", "show_map": "1", "show_map_link": "false"}},
		{"Event Start Date,All Day Event,Feature Event,Event Sticky,Hide From Event Listings,Event Show Map",
			"2027-03-01,WAHR,Faux,yanlış,epätosi,ИСТИНА",
			args.Values{"start_date": "2027-03-01", "end_date": "2027-03-01", "all_day": true, "featured": false, "sticky": false,
				"hide_from_listings": false, "show_map": true}},
		{"Event Start Date,Event Category,Event Tags", `,"Music, 2027,, Jazz ","007"`,
			args.Values{"categories": []any{"Music", "2027", "Jazz"}, "tags": []any{"007"}}},
		{"Event Start Date,Event Venue Name,Venue City,Venue State/Province,Venue Website", ",Hall,Wien,W,http://x.example/a b",
			args.Values{"venue": []any{map[string]any{"venue": "Hall", "city": "Wien", "stateprovince": "W",
				"website": "http://x.example/a%20b"}}}},
		{"Event Start Date,Event Venue Name,Venue City", ",,Wien", args.Values{}},
		{"Event Start Date,Event Organizer Name", `,"Smith, Jones & Co"`,
			args.Values{"organizer": []any{map[string]any{"organizer": "Smith, Jones & Co"}}}},
		{"Event Start Date,Event Organizer Name(s) or ID(s)", `,"Ann, 12, Ben"`,
			args.Values{"organizer": []any{map[string]any{"organizer": "Ann"}, "12", map[string]any{"organizer": "Ben"}}}},
		{"Event Start Date,Event Cost,Event Currency Symbol,Event Currency Position", `,"12,50",€,suffix`, args.Values{"cost": "12,50€"}},
		{"Event Start Date,Event Cost,Event Currency Symbol", `,12,$`, args.Values{"cost": "$12"}},
		{"Event Start Date,Event Cost,Event Currency ISO Code", `,12,eur`, args.Values{"cost": "EUR 12"}},
		{"Event Start Date,Event Cost,Event Currency Symbol", `,Free,$`, args.Values{"cost": "Free"}},
		{"Event Start Date,Event Website,Event Featured Image,Timezone", ",http://x.example/é,12,Europe/Berlin",
			args.Values{"website": "http://x.example/%C3%A9", "image": "12", "timezone": "Europe/Berlin"}},
		{"Event Start Date,Venue Name,Venue State,Venue Province,Further Venues", `,Hall,CA,,"""A, B"", C"`,
			args.Values{"venue": []any{map[string]any{"venue": "Hall", "state": "CA"}, map[string]any{"venue": "A, B"}, map[string]any{"venue": "C"}}}},
		{"Event Start Date,Venue Name,Venue Province", `,Hall,NRW`, args.Values{"venue": []any{map[string]any{"venue": "Hall", "stateprovince": "NRW"}}}},
		{"Event Start Date,Organizer Name,Organizer Email,Event Organizers", `,Ann,a@x.example,"""12"", 12, ""open"`,
			args.Values{"organizer": []any{map[string]any{"organizer": "Ann", "email": "a@x.example"}, map[string]any{"organizer": "12"}, "12",
				map[string]any{"organizer": `"open`}}}},
		{"Event Start Date,Recurrence Rule,Additional Dates,EXDATE", ",\"FREQ=DAILY;COUNT=2\r\nRRULE:FREQ=WEEKLY\",\"2027-03-04 10:00, 2027-03-05\",2027-03-06",
			args.Values{"recurrence": map[string]any{"rrule": []any{"FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY"},
				"rdate": []any{"2027-03-04 10:00", "2027-03-05"}, "exdate": []any{"2027-03-06"}}}},
		{"Event Start Date,Event Status,Attendance Mode,Virtual URL,Publication Status,Event Slug", ",cancelled,mixed,http://x.example/a b,draft,x-y",
			args.Values{"event_status": "cancelled", "attendance_mode": "mixed", "virtual_url": "http://x.example/a%20b", "status": "draft", "slug": "x-y"}},
		{"Event Start Date,Event Start Time,Series,Original Start,Cleared Fields", `2027-03-01,19:00,s,2027-03-02,"venue, cost"`,
			args.Values{"start_date": "2027-03-01 19:00", "venue": nil, "cost": nil}},
		{"Event Start Date,Event Excerpt,Event Tickets", `,''=1,"[{""name"":""Seat"",""price"":5}]"`,
			args.Values{"excerpt": "'=1", "tickets": []any{map[string]any{"name": "Seat", "price": json.Number("5")}}}},
		{"Event Start Date,Event Description,Event Excerpt", ",\"<p>a\nb</p>\",=1+1",
			args.Values{"description": "<p>a\nb</p>", "excerpt": "=1+1"}},
	} {
		_, rows := rowsOf(t, "Event Name,"+c.columns+"\nx,"+c.cells+"\n")
		if len(rows) != 1 || rows[0].Err != nil {
			t.Errorf("%s: %+v", c.cells, rows)
			continue
		}
		c.want["title"] = "x"
		if diff := cmp.Diff(c.want, rows[0].Values); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.cells, diff)
		}
	}
}

// A row that cannot be parsed does not affect the next.
func TestCSVBrokenRows(t *testing.T) {
	t.Parallel()
	_, rows := rowsOf(t, "Event Name,Event Start Date\n"+
		"\"two\nlines\",2027-03-01\n"+
		"bad \xff,2027-03-01\n"+
		"nul \x00,2027-03-01\n"+
		"too,many,cells\n"+
		"bare \" quote,2027-03-01\n"+
		"last,2027-03-01\n")
	var got []string
	for _, row := range rows {
		text := "fine"
		if row.Err != nil {
			text = row.Err.Error()
		}
		got = append(got, string(rune('0'+row.Line))+" "+text)
	}
	want := []string{"2 fine", "4 arguments: title: problem.characters", "5 arguments: title: problem.characters",
		"6 " + ErrCSVCells.Error(), `7 bare " in non-quoted-field`, "8 fine"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCSVEndlessRow(t *testing.T) {
	t.Parallel()
	c, err := NewCSV(strings.NewReader("Event Name,Event Start Date\nx,2027-03-01\n\"" + strings.Repeat("y\n", 2*maxRecord)))
	if err != nil {
		t.Fatal(err)
	}
	if row, err := c.Next(); err != nil || row.Line != 2 {
		t.Errorf("first row %+v, %v", row, err)
	}
	if _, err := c.Next(); !errors.Is(err, ErrCSVLong) || !strings.Contains(err.Error(), "after line 2") {
		t.Errorf("error %v, want %v", err, ErrCSVLong)
	}
	if c, err = NewCSV(strings.NewReader("Event Name,Event Start Date\n\"" + strings.Repeat("y", 2*maxRecord))); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(); !errors.Is(err, ErrCSVLong) || !strings.Contains(err.Error(), "after line 1") {
		t.Errorf("the first row: %v, want %v", err, ErrCSVLong)
	}
}

// Reading any file terminates and yields valid texts.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("Event Name,Event Start Date\nx,2027-03-01\n"))
	f.Add([]byte("\uFEFFEvent Name;Event Start Date;Event Tags\r\n\"a\nb\";tomorrow;1,2\r\n\xff;\x00;"))
	f.Add([]byte("Event Name,Event Start Date,Event Cost\n\"x,2027-03-01\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := NewCSV(strings.NewReader(string(text)))
		if err != nil {
			return
		}
		table := args.TableOf(eventFields)
		for rows := 0; ; rows++ {
			row, err := c.Next()
			if err != nil {
				return
			}
			if rows > len(text) {
				t.Fatal("more rows than bytes")
			}
			if row.Err == nil {
				for name, v := range row.Values {
					if s, ok := v.(string); ok && (s == "" || !args.Readable(s)) {
						t.Errorf("%s is %q", name, s)
					}
				}
				_ = table.Parse(row.Values, args.Creating, &calendar.EventFields{})
			}
		}
	})
}

// Texts that a spreadsheet would interpret as formulas are escaped, and unescaped when read.
func TestEscapeFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"=1": "'=1", "+49": "'+49", "-1": "'-1", "@x": "'@x", "＝1": "'＝1", "'=1": "''=1", "'x": "'x", "x=1": "x=1"} {
		if got := EscapeFormula(text); got != want || unescapeFormula(got) != text {
			t.Errorf("%q became %q and %q, want %q", text, got, unescapeFormula(got), want)
		}
	}
}

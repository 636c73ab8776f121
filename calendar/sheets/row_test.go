package sheets

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/recur"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/argstest"
)

// A row of a date that differs says only what its cells say: a time alone is on the date's own day, and an end is on
// the day of the start.
func TestTimesOfDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		cells      csvCells
		start, end any
	}{
		{"nothing", csvCells{}, nil, nil},
		{"a start", csvCells{"start_time": "20:00"}, "2027-03-16 20:00", nil},
		{"start and end", csvCells{"start_time": "20:00", "end_time": "22:00"}, "2027-03-16 20:00", "2027-03-16 22:00"},
		{"an end", csvCells{"end_time": "23:00"}, nil, "2027-03-16 23:00"},
		{"another day", csvCells{"start_date": "2027-03-17"}, "2027-03-17", nil},
		{"another day and time", csvCells{"start_date": "2027-03-17", "start_time": "20:00"}, "2027-03-17 20:00", nil},
		{"an end after another day", csvCells{"start_date": "2027-03-17", "end_time": "22:00"}, "2027-03-17", "2027-03-17 22:00"},
		{"an end on a day of its own", csvCells{"start_time": "20:00", "end_date": "2027-03-18"}, "2027-03-16 20:00", "2027-03-18"},
		{"an end at night", csvCells{"end_date": "2027-03-17", "end_time": "01:00"}, nil, "2027-03-17 01:00"},
	} {
		for _, original := range []string{"2027-03-16 19:30", "2027-03-16T19:30", "2027-03-16"} {
			cells, v := maps.Clone(c.cells), args.Values{}
			cells["original_start"] = original
			cells.times(v)
			if v["start_date"] != c.start || v["end_date"] != c.end || v["all_day"] != nil {
				t.Errorf("%s of %s: %v", c.name, original, v)
			}
		}
	}
}

// Only a date of a series can say that it hasn't what the series has.
func TestClearedCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, cleared, original string
		texts                   string // its excerpt in German
		want                    args.Values
		wrong                   []string
	}{
		{"nothing", "", "2027-03-16", "", args.Values{}, nil},
		{"some", "venue, description", "2027-03-16", "", args.Values{"venue": nil, "description": nil}, nil},
		{"what can't be cleared", "venue, title", "2027-03-16", "", args.Values{"venue": nil}, []string{"cleared"}},
		{"what isn't there", "colour", "2027-03-16", "", args.Values{}, []string{"cleared"}},
		{"of an event", "venue", "", "", args.Values{}, []string{"cleared"}},
		{"texts of an event", "translations.de", "", "", args.Values{}, []string{"cleared"}},
		{"a language", "translations.de", "2027-03-16", "", args.Values{"translations": map[string]any{"de": nil}}, nil},
		{"a text", "translations.de.title, translations.fr", "2027-03-16", "Kurz",
			args.Values{"translations": map[string]any{"de": map[string]any{"excerpt": "Kurz", "title": nil}, "fr": nil}}, nil},
	} {
		cells := csvCells{"cleared": c.cleared, "original_start": c.original}
		if c.texts != "" {
			cells["translations.de.excerpt"] = c.texts
		}
		v, err := cells.values()
		if err != nil {
			v = args.Values{}
			err = cells.clear(v)
		}
		if wrong := argstest.Wrong(err); !slices.Equal(wrong, c.wrong) || !cmp.Equal(v, c.want) {
			t.Errorf("%s: %v, wrong is %q, %v", c.name, v, wrong, err)
		}
	}
}

// Tickets are a list in JSON and nothing after it; numbers keep their digits.
func TestTicketsInCells(t *testing.T) {
	t.Parallel()
	for text, fine := range map[string]bool{"[]": true, `[{"name":"Seat","price":0.10}]`: true, `[1]`: true, "{}": false, "[": false, "[] []": false, "[],": false, "Seat": false, `"Seat"`: false} {
		v, err := csvCells{"tickets": text}.values()
		if wrong := argstest.Wrong(err); (err == nil) != fine || !fine && !slices.Equal(wrong, []string{"tickets"}) {
			t.Errorf("%s: %v, %v", text, v, err)
		}
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
		{"12", "€", "EUR", "after", "12€"},
		{"12", "", "chf", "suffix", "CHF 12"},
		{"1 200,50", "€", "", "suffix", "1 200,50€"},
		{"5, 10", "$", "", "", "$5, 10"},
		{"$5", "€", "", "", "$5"},
		{"Free", "€", "EUR", "", "Free"},
		{"5 to 10", "€", "", "", "5 to 10"},
		{"0", "€", "", "", "€0"},
	} {
		cells := csvCells{"cost": c.cost, "currency_symbol": c.symbol, "currency_code": c.code, "currency_position": c.position}
		if got := cells.cost(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Addresses are taken as people write them, and those that programs write stay as they are.
func TestAddressesInCells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"https://x.example/a?b=c#d": "https://x.example/a?b=c#d", "https://x.example/a b": "https://x.example/a%20b",
		"https://x.example/é": "https://x.example/%C3%A9", "https://x.example/%C3%A9": "https://x.example/%C3%A9", "https://x.example/[a]": "https://x.example/[a]",
		`https://x.example/"<>\^{|}` + "`": "https://x.example/%22%3C%3E%5C%5E%7B%7C%7D%60", "": ""} {
		if got := address(text); got != want || address(got) != got {
			t.Errorf("%q: %q, and then %q", text, got, address(got))
		}
	}
}

// Columns of texts in other languages are known by any letter case, for the languages of the site alone.
func TestColumnsOfTexts(t *testing.T) {
	t.Parallel()
	c, err := NewCSV(strings.NewReader("Event Name,Event Start Date,event name (DE),EVENT DESCRIPTION (pt-br),Venue Name (de),Organizer Description (de),"+
		"Event Name (it),Venue City (de),Event Excerpt ( de ),Venue Description(de)\n"), "de", "pt-BR")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"title", "start_date", "translations.de.title", "translations.pt-BR.description", "venue.translations.de.venue", "organizer.translations.de.description",
		"", "venue.translations.de.city", "", "venue.translations.de.description"}
	if !slices.Equal(c.columns, want) || !slices.Equal(c.Unknown, []string{"Event Name (it)", "Event Excerpt ( de )"}) {
		t.Errorf("columns are %q, unknown are %q", c.columns, c.Unknown)
	}
	if _, err := NewCSV(strings.NewReader("Event Name,Event Start Date,Event Name (de),Event Title (de)\n"), "de"); !errors.Is(err, ErrCSVTwice) {
		t.Errorf("two columns for the German title: %v", err)
	}
}

// choir is a weekly series in Berlin, from 7:30 to 9:30 in the evening.
func choir(t *testing.T) *importedSeries {
	t.Helper()
	e := &calendar.Event{Timezone: "Europe/Berlin", Start: wall("2027-03-02 19:30:00"), End: wall("2027-03-02 21:30:00")}
	rule, problems := recur.ParseRule("FREQ=WEEKLY;COUNT=5", e.Clock())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e.Recurrence = &recur.Set{Rules: []recur.Rule{rule}}
	s := &importedSeries{name: "choir", refused: true}
	s.become(e)
	return s
}

// A row of a date finds it by the start that its rule gives it.
func TestFindingDates(t *testing.T) {
	t.Parallel()
	single := choir(t)
	single.event.Recurrence = nil
	now := func() time.Time { return wall("2027-01-01 00:00:00") }
	i := &importing{Events: calendar.New(nil, nil, now).Events(), series: map[string]*importedSeries{"choir": choir(t), "single": single, "refused": {name: "refused", refused: true}}}
	for _, c := range []struct {
		name, series, original string
		want                   string // the start found
		wrong                  []string
	}{
		{"day and time", "choir", "2027-03-16 19:30", "2027-03-16 19:30:00", nil},
		{"a day", "choir", "2027-03-16", "2027-03-16 19:30:00", nil},
		{"the first", "choir", "2027-03-02 19:30:00", "2027-03-02 19:30:00", nil},
		{"another time of that day", "choir", "2027-03-16 20:00", "", []string{"original_start"}},
		{"a day between", "choir", "2027-03-17", "", []string{"original_start"}},
		{"a day after the last", "choir", "2027-04-06", "", []string{"original_start"}},
		{"no date", "choir", "soon", "", []string{"original_start"}},
		{"no series", "", "2027-03-16", "", []string{"series"}},
		{"another series", "band", "2027-03-16", "", []string{"series"}},
		{"a series that was refused", "refused", "2027-03-16", "", []string{"series"}},
		{"an event that doesn't repeat", "single", "2027-03-16", "", []string{"series"}},
	} {
		d := &pendingDate{fields: &calendar.EventFields{}}
		err := i.find(Row{Series: c.series, Original: c.original}, d)
		got := ""
		if err == nil {
			got = d.original.Format(time.DateTime)
		}
		if wrong := argstest.Wrong(err); got != c.want || !slices.Equal(wrong, c.wrong) {
			t.Errorf("%s: found %q, wrong is %q, %v", c.name, got, wrong, err)
		}
	}
}

// A date that begins at another time is as long as the others, unless its row says when it ends.
func TestLengthOfDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, start, end, want string }{
		{"at its own time", "", "", ""},
		{"later", "2027-03-16 20:15", "", "2027-03-16 22:15:00"},
		{"over midnight", "2027-03-16 23:00", "", "2027-03-17 01:00:00"},
		{"with an end", "2027-03-16 20:15", "2027-03-16 21:00", "2027-03-16 21:00"},
		{"on another day", "2027-03-18", "", "2027-03-18 02:00:00"},
	} {
		d := &pendingDate{series: choir(t), original: wall("2027-03-16 19:30:00"), fields: &calendar.EventFields{}}
		if c.start != "" {
			d.fields.Start = args.DateArg(c.start)
		}
		if c.end != "" {
			d.fields.End = args.DateArg(c.end)
		}
		err := d.keepLength()
		end, given := d.fields.End.Get()
		if want := args.DateArg(c.want); err != nil || given != (c.want != "") || given && !cmp.Equal(end.In(time.UTC, time.Time{}), want.Or(args.Date{}).In(time.UTC, time.Time{})) {
			t.Errorf("%s: ends %v, %v", c.name, end, err)
		}
	}
}

// A series is named once in a file, and refuses its dates until it is stored.
func TestNamesOfSeries(t *testing.T) {
	t.Parallel()
	i := &importing{series: map[string]*importedSeries{}}
	if s, err := i.name(Row{}); s != nil || err != nil {
		t.Errorf("a row without a series: %v, %v", s, err)
	}
	s, err := i.name(Row{Series: "choir"})
	if err != nil || !s.refused || s.name != "choir" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := i.name(Row{Series: "choir"}); !slices.Equal(argstest.Wrong(err), []string{"series"}) {
		t.Errorf("twice: %v", err)
	}
	s.become(&calendar.Event{Title: "Choir", Description: strings.Repeat("x", 1000)})
	if s.refused || s.event.Title != "Choir" || s.event.Description != "" {
		t.Errorf("%+v", s)
	}
}

// A UID that this site made says nothing to another event of it; others stay as they are.
func TestForeignUIDs(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{UID: "Site.Example"}})
	for uid, want := range map[string]string{"": "", "7@elsewhere.example": "7@elsewhere.example", "7@site.example": "", "7@SITE.example": "", "x": "x",
		strings.Repeat("x", 255): strings.Repeat("x", 255)} {
		if got, err := foreignUID(ctx, uid); err != nil || got != want {
			t.Errorf("%.40s: %.40q, %v", uid, got, err)
		}
	}
	for _, uid := range []string{strings.Repeat("x", 256), "a\nb", "a\x7f"} {
		if got, err := foreignUID(ctx, uid); !slices.Equal(argstest.Wrong(err), []string{"uid"}) {
			t.Errorf("%.40q: %.40q, %v", uid, got, err)
		}
	}
	if _, err := foreignUID(t.Context(), "x"); err == nil {
		t.Error("outside a site")
	}
}

// A dry run counts what an import would make: what an earlier row has made is not made again.
func TestTally(t *testing.T) {
	t.Parallel()
	made := func(title, venue string) (*calendar.EventImport, *calendar.Imported) {
		return &calendar.EventImport{Event: &calendar.Event{Title: title, Start: wall("2027-03-01 19:30:00")}},
			&calendar.Imported{Stored: 3, Venues: []calendar.Link[calendar.Venue]{{New: &calendar.Venue{Name: venue},
				Same: func(v *calendar.Venue) bool { return strings.EqualFold(v.Name, venue) }}},
				Terms: []calendar.Term{{Taxonomy: calendar.Categories, Name: venue}, {Taxonomy: calendar.Tags, Name: venue}}}
	}
	for dry, want := range map[bool]Report{
		true:  {Created: 2, Unchanged: 2, Venues: 1, Categories: 1, Tags: 1},
		false: {Created: 3, Unchanged: 1, Venues: 3, Categories: 3, Tags: 3}, // each was in fact made
	} {
		t.Run(map[bool]string{true: "dry", false: "stored"}[dry], func(t *testing.T) {
			t.Parallel()
			y := newTally(dry)
			y.count(made("Choir", "Hall"))
			y.count(made("Band", "HALL"))
			y.count(made("Choir", "Hall"))
			i, there := made("Old", "Hall")
			there.Exists = true
			y.count(i, there)
			if y.report != want || y.stored != int64(3*want.Created) {
				t.Errorf("%+v with %d dates, want %+v", y.report, y.stored, want)
			}
		})
	}
}

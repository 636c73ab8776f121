package sheets

import (
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

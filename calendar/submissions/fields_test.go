package submissions

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/argstest"
)

// noon is the moment at which the tests take place, in Berlin at one o'clock.
var noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

func visitor() *tenancy.Scope {
	site := &tenancy.Site{Language: "de"}
	site.SetTimezone("Europe/Berlin")
	return &tenancy.Scope{Site: site, Language: "en"}
}

// complete are the fields of an event that nothing is wrong with.
func complete() *Fields {
	return &Fields{Title: args.Some("Choir"), Start: args.DateArg("2027-06-01 19:00"), End: args.DateArg("2027-06-01 22:00"),
		Name: args.Some("Ann"), Email: args.Some[args.Email]("ann@example.org")}
}

// What is wrong with a submission is said of its own fields, all at once.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Fields)
		want   []string
	}{
		"nothing":                 {func(*Fields) {}, nil},
		"blank texts":             {func(f *Fields) { f.Title, f.Name = args.Some(" "), args.Some("\t") }, []string{"title", "contact_name"}},
		"an end before the start": {func(f *Fields) { f.End = args.DateArg("2027-05-31") }, []string{"end_date"}},
		"one that is over":        {func(f *Fields) { f.Start, f.End = args.DateArg("2027-02-28 19:00"), args.DateArg("2027-03-01 12:59") }, []string{"start_date"}},
		"one that is on":          {func(f *Fields) { f.Start, f.End = args.DateArg("2027-02-28 19:00"), args.DateArg("2027-03-01 13:00") }, nil},
		"one that was yesterday, all day": {func(f *Fields) {
			f.AllDay, f.Start, f.End = args.Some(true), args.DateArg("2027-02-28"), args.DateArg("2027-02-28")
		}, []string{"start_date"}},
		"one that is today, all day": {func(f *Fields) {
			f.AllDay, f.Start, f.End = args.Some(true), args.DateArg("2027-03-01"), args.DateArg("2027-03-01")
		}, nil},
		"one without an end that is over": {func(f *Fields) { f.Start, f.End = args.DateArg("2027-03-01 12:30"), args.Opt[args.Date]{} }, []string{"start_date"}},
		"a town without a venue":          {func(f *Fields) { f.City = args.Some("Bonn") }, []string{"venue"}},
		"a venue alone":                   {func(f *Fields) { f.Venue = args.Some("Hall") }, nil},
		"an end and a name, both wrong":   {func(f *Fields) { f.End, f.Name = args.DateArg("2027-05-31"), args.Some("") }, []string{"contact_name", "end_date"}},
		"an offset that makes it be over": {func(f *Fields) {
			f.Start, f.End = args.DateArg("2027-03-01T12:30:00+01:00"), args.DateArg("2027-03-01T12:45:00+01:00")
		}, []string{"start_date"}},
		"and one that makes it be to come": {func(f *Fields) {
			f.Start, f.End = args.DateArg("2027-03-01T12:30:00-05:00"), args.DateArg("2027-03-01T12:45:00-05:00")
		}, nil},
	} {
		f := complete()
		c.change(f)
		_, err := f.sent(visitor(), noon)
		if got := argstest.Wrong(err); !slices.Equal(got, c.want) || err != nil && got == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	agreeing := visitor()
	agreeing.Site.Settings.Submissions.Terms = "Be kind"
	if _, err := complete().sent(agreeing, noon); !slices.Equal(argstest.Wrong(err), []string{"terms"}) {
		t.Errorf("without agreeing: %v", err)
	}
	f := complete()
	f.Terms = args.Some[args.Truthy](true)
	if _, err := f.sent(agreeing, noon); err != nil {
		t.Errorf("agreeing: %v", err)
	}
}

// Rule 16.3: texts are plain and kept as typed, except for blanks that nobody typed on purpose; times are the site's.
func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	f := complete()
	f.Title, f.Description = args.Some(" <b>Choir</b> & friends "), args.Some("\r\n One \r\n\r\nTwo\rThree\n\n")
	f.Start = args.DateArg("2027-06-01T19:00:00Z")
	f.End = args.Opt[args.Date]{}
	s, err := f.sent(visitor(), noon)
	if err != nil || s.Title != "<b>Choir</b> & friends" || s.Description != "One\n\nTwo\nThree" || s.Start != "2027-06-01 21:00:00" || s.End != s.Start || s.Language != "en" {
		t.Errorf("%+v, %v", s, err)
	}
	f.AllDay, f.End = args.Some(true), args.DateArg("2027-06-02 12:00")
	if s, err = f.sent(visitor(), noon); err != nil || s.Start != "2027-06-01 00:00:00" || s.End != "2027-06-02 00:00:00" {
		t.Errorf("all day it is from %s to %s, %v", s.Start, s.End, err)
	}
}

func TestPlainTextAsHTML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                    "",
		"One":                 "<p>One</p>",
		"One\nTwo":            "<p>One<br>Two</p>",
		"One\n\nTwo":          "<p>One</p><p>Two</p>",
		"One\n\n\n\n\nTwo":    "<p>One</p><p>Two</p>",
		"<script> & a < b":    "<p>&lt;script&gt; &amp; a &lt; b</p>",
		"&amp; isn't decoded": "<p>&amp;amp; isn't decoded</p>",
	} {
		if got := asHTML(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// given returns the names of the arguments that are given.
func given(f *calendar.EventFields) (list []string) {
	v := reflect.ValueOf(*f)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			list = append(list, v.Type().Field(i).Name)
		}
	}
	return list
}

// A correction writes only what its sender changed, so that what an editor did meanwhile stays.
func TestCorrectionWritesWhatChanged(t *testing.T) {
	t.Parallel()
	was := Sent{Title: "Choir", Start: "2027-06-01 19:00:00", End: "2027-06-01 22:00:00", Venue: "Hall", City: "Bonn", Cost: "5 €", Website: "https://example.org/",
		Category: 3, Description: "Songs", Name: "Ann", Email: "ann@example.org"}
	for name, c := range map[string]struct {
		change func(*Sent)
		want   []string
	}{
		"nothing":                     {func(*Sent) {}, nil},
		"what is the sender's alone":  {func(s *Sent) { s.Name, s.Note = "Bob", "Hello" }, nil},
		"the title":                   {func(s *Sent) { s.Title = "Band" }, []string{"Title"}},
		"the start":                   {func(s *Sent) { s.Start = "2027-06-01 20:00:00" }, []string{"AllDay", "Start", "End"}},
		"all day":                     {func(s *Sent) { s.AllDay = true }, []string{"AllDay", "Start", "End"}},
		"the town":                    {func(s *Sent) { s.City = "Köln" }, []string{"Venue"}},
		"no venue":                    {func(s *Sent) { s.Venue, s.City = "", "" }, []string{"Venue"}},
		"no price and no description": {func(s *Sent) { s.Cost, s.Description = "", "" }, []string{"Description", "Cost"}},
		"no website":                  {func(s *Sent) { s.Website = "" }, []string{"Website"}},
		"no category":                 {func(s *Sent) { s.Category = 0 }, []string{"Categories"}},
	} {
		now := was
		c.change(&now)
		if got := given(now.fields(&was)); !slices.Equal(got, c.want) {
			t.Errorf("%s: writes %v", name, got)
		}
	}
	now := was
	now.Venue, now.City, now.Category, now.Website, now.Cost = "", "", 0, "", ""
	f := now.fields(&was)
	if links, ok := f.Venue.Get(); !ok || len(links) > 0 {
		t.Errorf("the venue isn't removed: %v", links)
	}
	if refs, ok := f.Categories.Get(); !ok || len(refs) > 0 {
		t.Errorf("the category isn't removed: %v", refs)
	}
	if status := was.fields(nil).Status.Or(""); status != "pending" {
		t.Errorf("a new one is %q", status)
	}
}

// A correction that names some fields leaves the others as they were sent.
func TestFieldsOverEarlierOnes(t *testing.T) {
	t.Parallel()
	f := complete()
	f.AllDay, f.Venue, f.Address, f.City, f.Category = args.Some(true), args.Some("Hall"), args.Some("Markt 1"), args.Some("Bonn"), args.Some[int64](3)
	f.Description, f.Cost, f.Website, f.Note = args.Some("Songs"), args.Some("5 €"), args.Some[args.URL]("https://example.org/"), args.Some("Hello")
	was, err := f.sent(visitor(), noon)
	if err != nil {
		t.Fatal(err)
	}
	again := (&Fields{}).Over(was)
	again.Email = f.Email
	now, err := again.sent(visitor(), noon)
	if err != nil || *now != *was {
		t.Errorf("a correction of nothing: %+v, not %+v, %v", now, was, err)
	}
	some := (&Fields{Title: args.Some("Band"), Cost: args.Null[string]()}).Over(was)
	some.Email = f.Email
	want := *was
	want.Title, want.Cost = "Band", ""
	if now, err = some.sent(visitor(), noon); err != nil || *now != want {
		t.Errorf("a correction of two: %+v, %v", now, err)
	}
}

package forms

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/publictest"
)

// A form for submitting an event is read whatever is left out of it: an end without a day is on the day of the start, an all-day event
// has no times, and all that is wrong is said at once.
func TestFormOfASubmission(t *testing.T) {
	t.Parallel()
	whole := func(change ...string) url.Values {
		values := url.Values{"title": {" Choir "}, "start_date": {"2031-05-01"}, "start_time": {"19:00"}, "contact_name": {"Ada"}, "contact_email": {"ada@example.net"}, "terms": {"1"}}
		for i := 0; i+1 < len(change); i += 2 {
			values.Set(change[i], change[i+1])
		}
		return values
	}
	for _, c := range []struct {
		name, want string
		values     url.Values
	}{
		{"as short as can be", "2031-05-01 19:00:00 to none", whole()},
		{"an end on the same day", "2031-05-01 19:00:00 to 2031-05-01 21:00:00", whole("end_time", "21:00")},
		{"an end on another day", "2031-05-01 19:00:00 to 2031-05-02 21:00:00", whole("end_date", "2031-05-02", "end_time", "21:00")},
		{"all day", "2031-05-01 00:00:00 to none", whole("all_day", "1", "end_time", "21:00")},
		{"all day without a time", "2031-05-01 00:00:00 to none", whole("all_day", "1", "start_time", "")},
		{"blanks", "2031-05-01 19:00:00 to none", whole("start_date", " 2031-05-01 ", "end_date", " ", "end_time", " ")},
		{"no time", "missing start_time", whole("start_time", "")},
		{"no day", "missing start_date", whole("start_date", "")},
		{"nothing", "missing contact_email contact_name start_date start_time title", url.Values{}},
		{"no such day", "wrong start_date", whole("start_date", "2031-02-30")},
		{"no such time", "wrong start_date", whole("start_time", "25:00")},
	} {
		fields, err := (&submission{values: c.values}).read()
		got := ""
		var found *args.Problems
		switch {
		case errors.As(err, &found) && len(found.Broken()) > 0:
			got = "wrong " + found.Broken()[0].Arg
		case errors.As(err, &found):
			got = "missing " + strings.Join(slices.Sorted(slices.Values(found.Absent())), " ")
		case err != nil:
			t.Fatal(err)
		default:
			text := func(d args.Opt[args.Date]) string {
				if date, ok := d.Get(); ok {
					return date.Wall(time.UTC, time.Time{}).Format(time.DateTime)
				}
				return "none"
			}
			got = text(fields.Start) + " to " + text(fields.End)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What was submitted fills the form as it was typed.
func TestSubmissionsSurviveTheirForm(t *testing.T) {
	t.Parallel()
	for _, sent := range []submissions.Sent{
		{Title: "Choir", Start: "2031-05-01 19:00:00", End: "2031-05-01 21:30:00", Venue: "Pier", Category: 7, Name: "Ada", Email: "ada@example.net"},
		{Title: "Fair", Start: "2031-05-01 00:00:00", End: "2031-05-03 23:59:59", AllDay: true, Name: "Ada", Email: "ada@example.net"},
		{Title: "Soon", Start: "", Name: "Ada", Email: "ada@example.net"},
	} {
		values := valuesOf(&sent)
		if values.Get("title") != sent.Title || values.Get("contact_email") != sent.Email || (values.Get("category") == "7") != (sent.Category == 7) {
			t.Errorf("%s: %v", sent.Title, values)
		}
		if sent.AllDay != (values.Get("all_day") == "1") || sent.AllDay && values.Has("start_time") || !sent.AllDay && sent.Start != "" && values.Get("end_time") != "21:30" || sent.Start == "" && values.Has("start_date") {
			t.Errorf("%s: times %v", sent.Title, values)
		}
	}
}

// Each problem of a submission stands at a field of the form, in order, with a label in every language.
func TestProblemsOfASubmission(t *testing.T) {
	t.Parallel()
	ctx := publictest.InLanguage(t, "en")
	found := &args.Problems{}
	found.Missing("contact_email")
	for _, one := range []error{args.Invalid("image", "problem.image.unknown", nil), args.Invalid("strange", "problem.blank", nil), args.Invalid("end_date", "problem.date", nil)} {
		_ = found.Add(one)
	}
	f := &submission{names: submissionFields}
	f.refuse(ctx, found)
	if got := f.wrongs(); !slices.Equal(got, []string{"title", "end_date", "file", "contact_email"}) {
		t.Errorf("%q", got)
	}
	a := f.described("title", "n-title")
	if a["aria-describedby"] != "n-title p-title" || a["autofocus"] != true || f.described("file")["autofocus"] != nil || len(f.described("city")) != 0 {
		t.Errorf("%v", a)
	}
	for _, language := range i18n.Languages() {
		ctx := publictest.InLanguage(t, language)
		for _, name := range append(submissionFields, reportFields...) {
			if text := f.about(ctx, name); text == "" || strings.Contains(text, "public.") || strings.Contains(text, "admin.") {
				t.Errorf("%s: %s is called %q", language, name, text)
			}
		}
		if f.about(ctx, "start_time") == f.about(ctx, "end_time") {
			t.Errorf("%s: two fields have one name", language)
		}
	}
}

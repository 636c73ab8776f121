package history

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// inLanguage is a context of a site in Berlin.
func inLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Language: "en"}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language})
}

// fieldsOf are the fields of an entry as they come from JSON.
func fieldsOf(t *testing.T, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// What was changed is told with the words of the form, in its order, as people read it; what is the same isn't told.
func TestDifferences(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	for _, c := range []struct {
		name, kind, before, after string
		all                       bool
		want                      string // label: before → after, one a line
	}{
		{"a title", "event", `{"title": "Choir"}`, `{"title": "Band", "cost": "5"}`, false, "Title: Choir → Band"},
		{"all of it", "event", `{"title": "Choir"}`, `{"title": "Choir", "cost": ["5"]}`, true, "Price:  → 5"},
		{"nothing", "event", `{"title": "Choir"}`, `{"title": "Choir"}`, true, ""},
		{"in the order of the form", "event", `{"website": "a", "end_date": "2030-02-04T21:00:00", "start_date": "2030-02-04T19:30:00"}`,
			`{"website": "", "end_date": "2030-02-04T22:00:00", "start_date": "2030-02-04T19:31:00"}`, false,
			"Start: Feb 4, 2030, 7:30 PM → Feb 4, 2030, 7:31 PM\nEnd: Feb 4, 2030, 9:00 PM → Feb 4, 2030, 10:00 PM\nWebsite of the event: a → "},
		{"yes and no", "event", `{"featured": false}`, `{"featured": true}`, false, "Featured: No → Yes"},
		{"a status", "event", `{"status": "draft"}`, `{"status": "publish"}`, false, "Status: Draft → Published"},
		{"a password is nobody's to read", "event", `{"post_password": "one"}`, `{"post_password": "two"}`, false, "Password for visitors: " + frame.Tell(ctx, "history.password.set") + " → " + frame.Tell(ctx, "history.password.new")},
		{"a password that was replaced", "event", `{"post_password": ""}`, `{"post_password": ""}`, false, "Password for visitors: " + frame.Tell(ctx, "history.password.set") + " → " + frame.Tell(ctx, "history.password.new")},
		{"a password among all fields", "event", `{"post_password": ""}`, `{"post_password": ""}`, true, ""},
		{"a venue", "event", `{"venue": {"id": 1, "name": "Pier"}}`, `{"venue": {"id": 2, "name": ""}}`, false, "Venues: Pier → " + frame.Tell(ctx, "history.hidden")},
		{"several", "event", `{"venue": [{"id": 1, "name": "Pier"}, {"id": 2, "name": "Hall"}]}`, `{"venue": []}`, false, "Venues: Pier\nHall → "},
		{"only markup", "event", `{"description": "<p>One</p>"}`, `{"description": "<p><b>One</b></p>"}`, false, "Description: <p>One</p> → <p><b>One</b></p>"},
		{"a number", "venue", `{"geo_lat": 47.5}`, `{"geo_lat": null}`, false, "Latitude: 47.5 → "},
		{"no version before", "event", "", `{"title": "Choir"}`, true, "Title:  → Choir"},
		{"no version after", "event", `{"title": "Choir"}`, "", false, "Title: Choir → "},
		{"an unknown field", "event", `{"strange": "a"}`, `{"strange": "b"}`, false, "strange: a → b"},
		{"nothing against nothing", "event", `{"translations": null}`, `{"translations": {}}`, false, ""},
		{"the language of its texts", "event", `{"content_language": "de"}`, `{"content_language": "en"}`, false, "Language of the texts: de → en"},
		{"publication", "event", `{"date": "2030-07-31T22:30:00Z"}`, `{"date": ""}`, false, "Publication date: Aug 1, 2030, 12:30 AM → "},
	} {
		var lines []string
		for _, d := range Differences(ctx, c.kind, fieldsOf(t, c.before), fieldsOf(t, c.after), nil, c.all) {
			lines = append(lines, strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(d.label+": "+d.before+" → "+d.after))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Texts are compared word by word, and other fields as a whole.
func TestOnlyTextsAreComparedByWords(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	list := Differences(ctx, "event", fieldsOf(t, `{"title": "The old choir", "website": "https://a.example"}`), fieldsOf(t, `{"title": "The new choir", "website": "https://b.example"}`), nil, false)
	if len(list) != 2 || drawn(list[0].pieces) != "The [-old][+new] choir" || list[1].pieces != nil {
		t.Errorf("%+v", list)
	}
	var b strings.Builder
	if err := DifferenceTable(list, nil).Render(ctx, &b); err != nil || !strings.Contains(b.String(), "<mark>") {
		t.Errorf("%v %s", err, b.String())
	}
	b.Reset()
	if err := DifferenceTable(nil, nil).Render(ctx, &b); err != nil || !strings.Contains(b.String(), frame.Tell(ctx, "history.same")) {
		t.Errorf("%v %s", err, b.String())
	}
}

// How an event repeats is told in words by the clock of that version, with the dates that were added and left out; many dates are not
// all named.
func TestRecurrenceOfAVersion(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	many := strings.TrimSuffix(strings.Repeat(`"2030-03-01T19:30:00",`, 13), ",")
	for _, c := range []struct{ name, fields, state, want string }{
		{"once", `{"recurrence": null}`, "", frame.Tell(ctx, "history.once")},
		{"unknown", `{"title": "x"}`, `{"recurrence": {"rrule": ["FREQ=DAILY"]}}`, ""},
		{"a rule", `{"recurrence": {"rrule": ["FREQ=WEEKLY;COUNT=5"]}, "start_date": "2030-02-04T19:30:00"}`, "", "every Monday, 5 times"},
		{"by the start of the object", `{"recurrence": {"rrule": ["FREQ=WEEKLY"]}}`, `{"start_date": "2030-02-05T19:30:00"}`, "every Tuesday"},
		{"an odd rule", `{"recurrence": {"rrule": ["FREQ=SOMETIMES"]}}`, "", "FREQ=SOMETIMES"},
		{"dates left out", `{"recurrence": {"rrule": ["FREQ=DAILY"], "exdate": ["2030-02-06T19:30:00", "nonsense", 7]}, "start_date": "2030-02-04T19:30:00"}`, "", "Feb\u00a06,\u00a02030"},
		{"many dates", `{"recurrence": {"rdate": [` + many + `]}, "start_date": "2030-02-04T19:30:00"}`, "", "…"},
	} {
		got := fieldText(ctx, "event", "recurrence", fieldsOf(t, c.fields), fieldsOf(t, c.state))
		if c.want == "" && got != "" || !strings.Contains(got, c.want) || strings.Contains(got, "nonsense") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Limits are told with their units and in the digits of the language, in a form as they are typed.
func TestLimitsInWords(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	number := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		name, typed, shown string
		limit              *int64
	}{
		{"events", "1000", "1000", number(1000)}, {"events", "0", "0", number(0)}, {"events", "", frame.Tell(ctx, "console.limit.none"), nil},
		{"media_bytes", "1.1", "1.1 MB", number(1_100_000)}, {"media_bytes", "0.000001", "0.000001 MB", number(1)}, {"media_bytes", "2000", "2000 MB", number(2_000_000_000)},
	} {
		if got := LimitText(c.name, c.limit); got != c.typed {
			t.Errorf("%s is typed %q, want %q", c.name, got, c.typed)
		}
		if got := strings.ReplaceAll(LimitShown(ctx, c.name, c.limit), "\u00a0", " "); got != c.shown {
			t.Errorf("%s is shown %q, want %q", c.name, got, c.shown)
		}
	}
	if got := LimitShown(inLanguage(t, "ar"), "events", number(12)); got != "١٢" {
		t.Errorf("in Arabic: %s", got)
	}
	got := ValueText(ctx, "site", "limits", fieldsOf(t, `{"l": {"events": 5, "users": null, "geo": 0}}`)["l"])
	if lines := strings.Split(got, "\n"); len(lines) != 3 || !strings.HasSuffix(lines[0], ": 5") || !strings.HasSuffix(lines[1], ": No") || !strings.HasSuffix(lines[2], ": "+frame.Tell(ctx, "console.limit.none")) {
		t.Errorf("%q", got)
	}
	if got := ValueText(ctx, "site", "deleted", fieldsOf(t, `{"purge": "2030-07-31T22:30:00Z"}`)); !strings.Contains(got, "Aug\u00a01") {
		t.Errorf("deleted: %q", got)
	}
	if got := ValueText(ctx, "site", "deleted", fieldsOf(t, `{"purge": null}`)); got != "" {
		t.Errorf("not deleted: %q", got)
	}
}

// Whoever did something has a name, as far as anybody knows; deleted users are numbered, and the provider's own token and commands
// go by the provider's name.
func TestWhoDidSomething(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	for _, c := range []struct {
		entry tenancy.Entry
		want  string
	}{
		{tenancy.Entry{UserID: 7, Who: "Ada"}, "Ada"}, {tenancy.Entry{UserID: 7}, frame.TellWith(ctx, "history.user", "Number", "7")},
		{tenancy.Entry{Who: tenancy.CommandLine}, frame.Tell(ctx, "history.provider")}, {tenancy.Entry{Who: "Token of Bob"}, "Token of Bob"},
		{tenancy.Entry{Via: tenancy.ViaSchedule}, frame.Tell(ctx, "history.via.schedule")}, {tenancy.Entry{}, frame.Tell(ctx, "history.nobody")},
		{tenancy.Entry{UserID: 7, Who: tenancy.CommandLine}, tenancy.CommandLine}, // somebody called so
	} {
		if got := ActorText(ctx, &c.entry); got != c.want {
			t.Errorf("%+v: %q, want %q", c.entry, got, c.want)
		}
	}
	if got := wayText(ctx, &tenancy.Entry{}); got != "" {
		t.Errorf("no way: %q", got)
	}
	if got := wayText(ctx, &tenancy.Entry{Via: tenancy.ViaSession}); got != frame.Tell(ctx, "history.via.session") {
		t.Errorf("a session: %q", got)
	}
	if got := wayText(ctx, &tenancy.Entry{Via: tenancy.ViaProvider, Key: "Bob's"}); !strings.Contains(got, "Bob's") {
		t.Errorf("a named key: %q", got)
	}
	if got := wayText(ctx, &tenancy.Entry{Via: tenancy.ViaProvider, Key: tenancy.ConfiguredToken}); strings.Contains(got, tenancy.ConfiguredToken) {
		t.Errorf("the token of the settings: %q", got)
	}
}

// What an entry is about has the name that it had then, else the one it has now, and a number unless it is the site.
func TestWhatAnEntryIsAbout(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	for _, c := range []struct {
		entry tenancy.Entry
		want  string
	}{
		{tenancy.Entry{Before: map[string]any{"title": "Old"}, Called: "New"}, "Old"}, {tenancy.Entry{Before: map[string]any{"title": ""}, Called: "New"}, "New"},
		{tenancy.Entry{Before: map[string]any{"venue": map[string]any{"name": "Pier"}}, Called: "Choir"}, "Choir"}, {tenancy.Entry{Object: "club"}, "club"},
		{tenancy.Entry{Position: tenancy.Position{Kind: "session"}, Object: tenancy.ConfiguredToken}, ""}, {tenancy.Entry{}, ""},
	} {
		if got := entryTitle(&c.entry); got != c.want {
			t.Errorf("%+v: %q, want %q", c.entry, got, c.want)
		}
	}
	if got := ObjectText(ctx, tenancy.Position{Kind: "event", ID: 1234}); !strings.Contains(got, "1234") {
		t.Errorf("a number is a name: %q", got)
	}
	if got := ObjectText(ctx, tenancy.Position{Kind: "site", ID: 7}); got != frame.Tell(ctx, "history.kind.site") {
		t.Errorf("a site: %q", got)
	}
	date := &tenancy.Entry{Before: fieldsOf(t, `{"series": {"id": 9, "original_start": "2030-02-04T19:30:00"}}`)}
	if got := dateText(ctx, date); !strings.Contains(got, "9") || !strings.Contains(got, "Feb\u00a04") {
		t.Errorf("a date of a series: %q", got)
	}
	if got := FieldList(ctx, "event", map[string]any{"series": 1, "title": 1, "cost": 1}); got != "Title, Price" {
		t.Errorf("fields: %q", got)
	}
	for _, kind := range AuditKinds {
		if text := frame.Tell(ctx, "history.kind."+kind); strings.Contains(text, "history.kind") {
			t.Errorf("%s has no name", kind)
		}
	}
	for _, deed := range AuditActions {
		if text := ActionText(ctx, deed); strings.Contains(text, "history.action") {
			t.Errorf("%s has no name", deed)
		}
	}
}

// The address of the history has all of its filter; what is opened, exported or turned to keeps it. A filter that makes no sense is
// said beside its field.
func TestFilterOfTheHistory(t *testing.T) {
	t.Parallel()
	v := &frame.Visit{Ctx: inLanguage(t, "en")}
	page := func(query string) *Page {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		return &Page{Path: "/admin/audit", Form: &frame.Form{Kind: "audit", Values: q}}
	}
	a := page("who=a%26b&kind=event&page=7&after=x&open=1.0.event.7")
	for got, want := range map[string]string{a.address(""): "/admin/audit?after=x&kind=event&who=a%26b", a.address("", "after", ""): "/admin/audit?kind=event&who=a%26b",
		a.address("/export", "format", "csv", "after", ""): "/admin/audit/export?format=csv&kind=event&who=a%26b", page("").address(""): "/admin/audit"} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for query, want := range map[string]bool{"": false, "after=x": false, "who=x": true, "from=2030-01-01": true, "page=2": false} {
		if page(query).filtered() != want {
			t.Errorf("%q is filtered: %v", query, !want)
		}
	}
	if f, err := page("who=+Ada+&kind=&id=7&from=2030-01-01").Filter(v); err != nil || f == nil {
		t.Errorf("%+v, %v", f, err)
	}
	for field, value := range map[string]string{"id": "x", "from": "soon and later", "after": "nonsense here"} {
		a := page(field + "=" + url.QueryEscape(value))
		f, err := a.Filter(v)
		if err == nil && field == "after" {
			continue // the list says so
		}
		if !errors.Is(err, frame.ErrWrong) || a.Form.Problem(field) == "" || f != nil {
			t.Errorf("%s %q: %v, %v", field, value, err, a.Form.Problems)
		}
	}
}

// An export has every entry, as a line of JSON or a row of a table; in a table nothing is taken for a formula, and signs of texts stay
// as they are.
func TestExportOfTheHistory(t *testing.T) {
	t.Parallel()
	entries := []*tenancy.Entry{
		{Position: tenancy.Position{Version: 3, Kind: "event", ID: 7}, At: time.Date(2030, 2, 4, 12, 0, 0, 0, time.UTC), Action: "update", UserID: 1, Who: "=Ada", Via: tenancy.ViaSession,
			Before: map[string]any{"title": `Rhythm & <Blues>, "live"`}},
		{Position: tenancy.Position{Version: 4, Kind: "site"}, Action: "create", Object: "+club", After: map[string]any{"name": "Club"}},
	}
	each := func(do func(*tenancy.Entry) error) error {
		for _, e := range entries {
			if err := do(e); err != nil {
				return err
			}
		}
		return nil
	}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	if err := errors.Join(writeTable(out, each), out.Flush()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 3 || len(rows[0]) != 13 {
		t.Fatalf("%v %q", err, rows)
	}
	if rows[1][0] != "3.0.event.7" || rows[1][6] == "=Ada" || !strings.HasSuffix(rows[1][6], "=Ada") || rows[1][10] != `{"title":"Rhythm & <Blues>, \"live\""}` || rows[1][12] != "" {
		t.Errorf("%q", rows[1])
	}
	if rows[2][10] != "" || rows[2][11] == "+club" || rows[2][12] != `{"name":"Club"}` {
		t.Errorf("%q", rows[2])
	}
	b.Reset()
	if err := errors.Join(writeLines(out, each), out.Flush()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"who":"=Ada"`) || !strings.Contains(lines[0], "Rhythm & <Blues>") || strings.Contains(lines[0], `"after"`) ||
		!strings.Contains(lines[1], `"before":null`) || !strings.Contains(lines[1], `"object":"+club"`) {
		t.Errorf("%q", lines)
	}
	broken := errors.New("no database")
	if err := writeTable(out, func(func(*tenancy.Entry) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// An all-day event begins and ends on days; what it was before or became has the times of its own.
func TestDaysOfTheHistory(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	days, timed := `"start_date": "2030-02-04T00:00:00", "end_date": "2030-02-05T23:59:59"`, `"start_date": "2030-02-04T19:30:00", "end_date": "2030-02-04T21:00:00"`
	for _, c := range []struct{ name, fields, state, start, end string }{
		{"all day", `{` + days + `, "all_day": true}`, `{}`, "Feb 4, 2030", "Feb 5, 2030"},
		{"all day as before", `{` + days + `}`, `{"all_day": true}`, "Feb 4, 2030", "Feb 5, 2030"},
		{"timed, and all day now", `{` + timed + `, "all_day": false}`, `{"all_day": true}`, "Feb 4, 2030, 7:30 PM", "Feb 4, 2030, 9:00 PM"},
		{"timed", `{` + timed + `}`, `{}`, "Feb 4, 2030, 7:30 PM", "Feb 4, 2030, 9:00 PM"},
		{"not known", `{"all_day": true}`, `{}`, "", ""},
	} {
		fields, state := fieldsOf(t, c.fields), fieldsOf(t, c.state)
		clean := strings.NewReplacer("\u202f", " ", "\u00a0", " ")
		start, end := clean.Replace(fieldText(ctx, "event", "start_date", fields, state)), clean.Replace(fieldText(ctx, "event", "end_date", fields, state))
		if start != c.start || end != c.end {
			t.Errorf("%s: from %q to %q", c.name, start, end)
		}
	}
}

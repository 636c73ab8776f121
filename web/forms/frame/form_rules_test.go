package frame

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// in is a context in a language, of a site in Berlin.
func in(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Slug: "demo", Name: "Demo", Language: "en"}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language})
}

// typed is a form as sent: names and values by turns.
func typed(pairs ...string) *Form {
	f := &Form{Kind: "event", Values: url.Values{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Values.Add(pairs[i], pairs[i+1])
	}
	return f
}

// A field that was sent several times has its last value, as a box that is ticked follows the field that says it isn't.
func TestFormHasTheLastValue(t *testing.T) {
	t.Parallel()
	f := typed("sticky", "0", "sticky", "1", "featured", "0", "title", " One\r\nTwo ", "tags", "", "tags", " b ", "tags", "a", "none", "")
	for name, want := range map[string]bool{"sticky": true, "featured": false, "title": false, "absent": false} {
		if f.Ticked(name) != want {
			t.Errorf("%s ticked: %v", name, !want)
		}
	}
	if f.Text("title") != "One\nTwo" || f.Get("title") != " One\r\nTwo " || f.Get("absent") != "" || f.Text("absent") != "" {
		t.Errorf("texts %q, %q", f.Text("title"), f.Get("title"))
	}
	if got := f.All("tags"); !slices.Equal(got, []string{"b", "a"}) || f.All("none") != nil || f.All("absent") != nil {
		t.Errorf("all that is not blank: %q, %q", got, f.All("none"))
	}
	if !f.Has("none") || f.Has("absent") || !f.Among("tags", "a") || f.Among("tags", "b") || f.Among("absent", "") {
		t.Error("what was sent, though empty, was sent; a value is among others as it was sent")
	}
	f.Set("tags")
	if f.Has("tags") || f.Get("tags") != "" {
		t.Errorf("a field without values: %q", f.Values["tags"])
	}
}

type fieldsOfTest struct {
	Title args.Opt[string] `arg:"title,required"`
	Slug  args.Opt[string] `arg:"slug,nonull"`
	Note  args.Opt[string] `arg:"note,max=5"`
	Text  args.Opt[string] `arg:"text"`
}

var tableOfTest = args.TableOf(reflect.TypeFor[fieldsOfTest]())

// An empty field clears what may be empty and is no argument otherwise; one that must not be empty is refused. A field that the
// form doesn't have says nothing.
func TestEmptyFieldsClearWhatMayBeEmpty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field, value string
		want         args.Values
	}{
		{"title", "Choir", args.Values{"title": "Choir"}},
		{"title", "", args.Values{"title": ""}},
		{"slug", "choir", args.Values{"slug": "choir"}},
		{"slug", "", args.Values{}},
		{"text", "a\r\nb", args.Values{"text": "a\nb"}},
		{"text", "", args.Values{"text": nil}},
		{"text", " ", args.Values{"text": " "}},
	} {
		values := args.Values{}
		typed(c.field, c.value).Read(tableOfTest.Field(c.field), values)
		if d := cmp.Diff(c.want, values); d != "" {
			t.Errorf("%s %q: %s", c.field, c.value, d)
		}
	}
	values := args.Values{}
	for i := range tableOfTest.Fields {
		typed().Read(&tableOfTest.Fields[i], values)
	}
	f := typed("ids", "", "ids", "3", "ids", " 5 ", "nothing", "")
	f.ReadAll("ids", values)
	f.ReadAll("nothing", values)
	f.ReadAll("absent", values)
	if d := cmp.Diff(args.Values{"ids": []any{"3", "5"}, "nothing": []any{}}, values); d != "" {
		t.Error(d)
	}
}

// All that is wrong with a form is said at once, beside each field, and the first problem of a field stays.
func TestEverythingWrongIsSaidBesideItsField(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	f := typed("note", "too long")
	values := args.Values{"note": "too long", "slug": nil}
	fields, err := Checked(tableOfTest, values, args.Creating, func(*fieldsOfTest) error {
		return args.Invalid("text", "problem.blank", nil)
	})
	if fields == nil || !f.Refuse(ctx, fmt.Errorf("save: %w", err)) {
		t.Fatalf("%v, %v", fields, err)
	}
	if f.Problem("title") != "This field is required." || f.Problem("text") != "This field is required." {
		t.Errorf("required: %q, %q", f.Problem("title"), f.Problem("text"))
	}
	if f.Problem("note") == "" || strings.Contains(f.Problem("note"), "problem.") || f.Problem("slug") == "" {
		t.Errorf("%v", f.Problems)
	}
	was := f.Problem("note")
	if f.Wrong("note", "Another."); f.Problem("note") != was {
		t.Errorf("a second problem took the place of the first: %s", f.Problem("note"))
	}
	if got := f.Wrongs([]string{"text", "absent", "note"}); !slices.Equal(got, []string{"text", "note", "slug", "title"}) {
		t.Errorf("in order %q", got)
	}
	if f.Attend([]string{"note", "text"}); f.First != "note" {
		t.Errorf("the focus is on %s", f.First)
	}
	if !f.WrongAmong("absent", "slug") || f.WrongAmong("absent") || f.WrongAmong() {
		t.Error("whether one of several is wrong")
	}
}

// An error that isn't about the form stays an error: it must not be mistaken for a form that is in order.
func TestOtherErrorsAreNotOfTheForm(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for _, err := range []error{nil, errors.New("no disk"), context.Canceled, tenancy.ErrForbidden} {
		if f := typed(); f.Refuse(ctx, err) || len(f.Problems) > 0 || f.RefuseAs(ctx, err, strings.ToUpper) {
			t.Errorf("%v: %v", err, f.Problems)
		}
	}
	f := typed()
	if f.Wrong("title", "Wrong."); !f.Refuse(ctx, ErrWrong) || len(f.Problems) != 1 {
		t.Errorf("a form with problems: %v", f.Problems)
	}
}

// A limit of the site's plan that is reached is said beside the field of what there are too many of.
func TestLimitsAreSaidBesideAField(t *testing.T) {
	t.Parallel()
	for what, field := range map[string]string{"events": "title", "occurrences": "recurrence", "users": "login", "media_bytes": "image"} {
		for _, language := range []string{"en", "de", "ar"} {
			f := typed()
			limit := &tenancy.LimitError{What: what, Max: 10}
			if !f.Refuse(in(t, language), fmt.Errorf("create: %w", limit)) || f.Problem(field) == "" || strings.Contains(f.Problem(field), limit.Key()) {
				t.Errorf("%s in %s: %v", what, language, f.Problems)
			}
		}
	}
}

// What is wrong with something within a form is said beside the field in which it was typed.
func TestProblemsMoveToTheirFields(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	found := &args.Problems{}
	found.Missing("venue")
	found.Invalid("city", "problem.blank", nil)
	f := typed()
	if !f.RefuseAs(ctx, found, func(field string) string { return "new_venue." + field }) || f.Problem("new_venue.venue") == "" ||
		f.Problem("new_venue.city") == "" || len(f.Problems) != 2 {
		t.Errorf("%v", f.Problems)
	}
	f = typed()
	f.Wrong("login", "Taken.")
	f.Rename("login", "handle")
	f.Rename("email", "address")
	if f.Problem("handle") != "Taken." || f.Problem("login") != "" || len(f.Problems) != 1 {
		t.Errorf("%v", f.Problems)
	}
	f.Wrong("login", "Also missing.")
	if f.Rename("login", "handle"); f.Problem("handle") != "Taken." || f.Problem("login") != "" {
		t.Errorf("what was wrong before: %v", f.Problems)
	}
}

// A date that is missing is asked for; only one that was typed is explained.
func TestMissingDates(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	found := &args.Problems{}
	for _, name := range []string{"start_date", "end_date", "date"} {
		found.Invalid(name, "problem.date", nil)
	}
	f := typed("start_date", " ", "end_date", "soon")
	if !f.Refuse(ctx, found) || f.Problem("start_date") != Tell(ctx, "required") || f.Problem("end_date") == Tell(ctx, "required") || f.Problem("date") == Tell(ctx, "required") {
		t.Errorf("%v", f.Problems)
	}
}

// What was typed can be carried through another form, in a steady order; passwords, tokens and buttons never are.
func TestSecretsAreNotCarried(t *testing.T) {
	t.Parallel()
	f := typed("title", "Choir", "b", "2", "a", "1", "b", "3", "empty", "")
	for name := range Secrets {
		f.Set(name, "secret")
	}
	want := []Pair{{"a", "1"}, {"b", "2"}, {"b", "3"}, {"empty", ""}, {"title", "Choir"}}
	if d := cmp.Diff(want, f.Kept()); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"password", "old", "again", "confirm", "yours", "present", "token", "credential", "csrf"} {
		if !Secrets[name] {
			t.Errorf("%s is carried", name)
		}
	}
	if got := (&Form{}).Kept(); len(got) != 0 {
		t.Errorf("an empty form has %v", got)
	}
}

// A form is only shown again where a row was asked for, or after a sign-in; every other button does something.
func TestShownAgain(t *testing.T) {
	t.Parallel()
	for do, want := range map[string]bool{"show": true, "row_date_2030-12-26": true, "row_": true, "save": false, "": false, "delete": false, "shown": false, "row": false} {
		if typed("do", do).ShownAgain() != want {
			t.Errorf("%q: %v", do, !want)
		}
	}
	if (&Form{}).ShownAgain() || typed("do", "show", "do", "save").ShownAgain() {
		t.Error("the button that was pressed is the last")
	}
}

// A label is that of the kind of thing, else the common one, else the field's name; a hint may be missing.
func TestLabelsFallBack(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for _, c := range [][3]string{{"event", "title", "Title"}, {"venue", "address", "Street and number"}, {"nothing", "name", "Name"}, {"event", "no-such", "no-such"}} {
		if got := (&Form{Kind: c[0]}).Label(ctx, c[1]); got != c[2] {
			t.Errorf("%s of %s: %q", c[1], c[0], got)
		}
	}
	if got := (&Form{Kind: "event"}).Hint(ctx, "no-such"); got != "" {
		t.Errorf("a hint that isn't there: %q", got)
	}
	if got := TellOr(ctx, "else", "no-such", "save"); got != "Save" {
		t.Errorf("the first text there is: %q", got)
	}
}

// A field names its hint and its problem for those who hear the page, says how much fits, and gets the focus if it is the first that
// is wrong.
func TestFieldsAreDescribed(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	f := typed()
	if a := Described(ctx, f, "no-such"); len(a) != 0 {
		t.Errorf("nothing to say: %v", a)
	}
	f.Most = map[string]int{"no-such": 200}
	f.Wrong("no-such", "Wrong.")
	f.Attend(nil)
	a := DescribedTo(ctx, f, "no-such", "extra")
	if a["aria-describedby"] != "extra p-no-such" || a["aria-invalid"] != "true" || a["data-most"] != "200" || a["autofocus"] != true {
		t.Errorf("%v", a)
	}
	if a := Described(ctx, f, "other"); a["autofocus"] != nil || a["aria-invalid"] != nil {
		t.Errorf("another field: %v", a)
	}
	for name, want := range map[string]string{"website": "url ltr", "email": "email ltr", "phone": "tel ltr", "start_date": "datetime-local auto",
		"date": "datetime-local auto", "title": "text auto", "handle": "text ltr", "slug": "text ltr"} {
		if got := inputType(name) + " " + TextDirection(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A form that fails is kept for sending it again. What is never sent back, and files, have to be given once more.
func TestFailedFormsAskForWhatIsNotKept(t *testing.T) {
	t.Parallel()
	sent := typed("title", "Choir", "csrf", "token", "do", "save", "old", "secret", "password", "new", "again", "new")
	sent.Files = map[string]*args.File{"image_file": {}, "other": {}}
	l := lateForm("/admin/profile?x=1", "/admin/profile", sent)
	names := func(list []Pair) (names []string) {
		for _, p := range list {
			names = append(names, p.Name)
		}
		return names
	}
	if l.action != "/admin/profile?x=1" || l.entrance || l.kind() != "multipart/form-data" {
		t.Errorf("%+v", l)
	}
	if d := cmp.Diff([]Pair{{"title", "Choir"}, {"csrf", "token"}, {"do", "save"}}, l.kept); d != "" {
		t.Error(d)
	}
	if got := names(l.secrets); !slices.Equal(got, []string{"old", "password", "again"}) {
		t.Errorf("secrets %q", got)
	}
	if got := names(l.files); !slices.Equal(got, []string{"image_file"}) {
		t.Errorf("files %q", got)
	}
	if l.completes("password") != "new-password" || l.completes("old") != "current-password" {
		t.Error("a password manager is to offer the old one, and to make a new one")
	}
	in := lateForm("/admin/login", "/admin/login", typed("login", "me", "password", "secret", "to", "/admin/events", "pending", "/admin/events/new"))
	if !in.entrance || in.login != "me" || in.completes("password") != "current-password" || in.kind() != "application/x-www-form-urlencoded" {
		t.Errorf("%+v", in)
	}
	if d := cmp.Diff([]Pair{{"to", "/admin/events"}, {"pending", "/admin/events/new"}}, in.kept); d != "" {
		t.Error(d)
	}
	device := lateForm("/admin/login/passkey", "/admin/login/passkey", typed("credential", "signed", "to", "/admin/events"))
	if device.action != "/admin/login" || !device.entrance || !slices.Equal(names(device.secrets), []string{"password"}) || slices.Contains(names(device.kept), "credential") {
		t.Errorf("what a device signed is of no more use: %+v", device)
	}
	if device = lateForm("/admin/access", "/admin/access", typed("credential", "signed", "do", "save", "name", "Key")); ValueOf(device.kept, "do", "") != "show" {
		t.Errorf("a page that a device confirmed is shown again: %+v", device.kept)
	}
}

// An image that was stored before a failure is not sent twice: the form names it from then on.
func TestStoredImagesAreNotSentTwice(t *testing.T) {
	t.Parallel()
	file := func() map[string]*args.File {
		return map[string]*args.File{"image_file": {}, "logo_file": {}}
	}
	stored := typed("image", "7", "logo", "")
	sent := typed("image", "", "image_alt_was", "old")
	sent.Files = file()
	sent.takePicture(context.WithValue(t.Context(), typedKey{}, stored))
	if sent.Get("image") != "7" || sent.Get("image_alt_was") != "" || sent.Files["image_file"] != nil || sent.Files["logo_file"] == nil {
		t.Errorf("%v, %v", sent.Values, sent.Files)
	}
	stored.Files = file() // nothing was stored yet
	sent = typed("image", "")
	sent.Files = file()
	if sent.takePicture(context.WithValue(t.Context(), typedKey{}, stored)); sent.Files["image_file"] == nil || sent.Get("image") != "" {
		t.Errorf("%v, %v", sent.Values, sent.Files)
	}
	if sent.takePicture(t.Context()); sent.Files["image_file"] == nil {
		t.Error("a form that was not read before lost its file")
	}
}

package admin

import (
	"fmt"
	"html"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// trial is a field of an event with two values: as they are sent, as an answer shows them, and the second as it is typed.
type trial struct {
	calendar.EventField
	sent  [2]any
	shown [2]string
	typed url.Values
}

// apart are the fields whose way through the program has tests of its own.
var apart = map[string]string{
	"recurrence":    "TestAdminUndoes and the tests of series",
	"exceptions":    "it says what becomes of the dates of a series, and is nothing that an event has",
	"translations":  "TestTextsOfAllLanguagesAreKept, TestCSVRoundTripsTexts, TestArchiveKeepsTexts",
	"post_password": "TestAdminUndoes; answers and files don't have it",
	"image":         "the tests of images",
	"review_note":   "TestEventsAreSentBack",
	"author":        "who may be named is up to the roles, whose tests have it",
	"end_date":      "it goes along with start_date",
}

// open are the texts and words that readers without the password of an event get, with the reason; unseen are those that its page
// doesn't show as they are.
var (
	open = map[string]string{"title": "it is how the event is found", "timezone": "start_date means nothing without it",
		"event_status": "who goes there has to know"}
	unseen = map[string]string{"timezone": "only times that differ from the site's name it", "excerpt": "it is for lists",
		"virtual_url": "only while it is shown", "registration_until": "it is written as the language writes it"}
)

// onPage is what the page of an event shows of the first value of a field: of a text or words, "" of others.
func (f *trial) onPage() string {
	words, _ := f.sent[0].([]string)
	switch {
	case unseen[f.Name] != "":
		return ""
	case f.Words != nil:
		return html.EscapeString(i18n.Fact("en", f.Name, words[0]))
	case f.Text != nil && f.Usual == "":
		return f.shown[0]
	}
	return ""
}

// composed are the values of fields that are more than a text, a choice or a flag.
var composed = map[string]trial{
	"title":    {sent: [2]any{"Choir", "Band"}},
	"timezone": {sent: [2]any{"Europe/Berlin", "America/New_York"}},
	"start_date": {sent: [2]any{"2030-03-01 10:00:00", "2030-03-01 11:00:00"},
		typed: url.Values{"start_date": {"2030-03-01T11:00"}}},
	"cost":       {sent: [2]any{"5 EUR", "7 EUR"}, shown: [2]string{"5", "7"}},
	"venue":      {sent: [2]any{kit.Object{"venue": "Hall"}, kit.Object{"venue": "Barn"}}, shown: [2]string{"venue:Hall", "venue:Barn"}},
	"organizer":  {sent: [2]any{kit.Object{"organizer": "Ann"}, kit.Object{"organizer": "Bob"}}, shown: [2]string{"organizer:Ann", "organizer:Bob"}},
	"categories": {sent: [2]any{[]string{"Music"}, []string{"Arts"}}, shown: [2]string{"name:Music", "name:Arts"}},
	"tags":       {sent: [2]any{[]string{"loud"}, []string{"calm"}}, shown: [2]string{"name:loud", "name:calm"}},
	"tickets": {sent: [2]any{[]kit.Object{{"name": "Front"}}, []kit.Object{{"name": "Back"}}}, shown: [2]string{"name:Front", "name:Back"},
		typed: url.Values{"tickets[0][name]": {"Back"}}},
	"fields": {sent: [2]any{kit.Object{"walked": "First"}, kit.Object{"walked": "Second"}}, shown: [2]string{"walked:First", "walked:Second"},
		typed: url.Values{"fields.walked": {"Second"}}},
	"status": {sent: [2]any{"publish", "draft"}},
	"date":   {sent: [2]any{"2026-01-02 03:04:00", "2026-02-03 04:05:00"}, typed: url.Values{"date": {"2026-02-03T04:05"}}},
	"slug":   {sent: [2]any{"choir-a", "choir-b"}},
}

// trials returns all fields with their values. A field without any fails the test.
func trials(t *testing.T, k *kit.Kit) (list []trial) {
	t.Helper()
	k.Post("/fields", "administrator", kit.Object{"label": "Walked", "kind": "text"}).Want(t, 201, "")
	parent := [2]int64{k.Event(kit.Object{"title": "Above"}), k.Event(kit.Object{"title": "Higher"})}
	table := args.TableOf(reflect.TypeFor[calendar.EventFields]())
	for _, f := range calendar.AllEventFields() {
		at := slices.IndexFunc(table.Fields, func(a args.Field) bool { return a.Name == f.Name })
		one, is := composed[f.Name]
		one.EventField = f
		switch {
		case apart[f.Name] != "":
			continue
		case at < 0:
			t.Errorf("%s is no argument", f.Name)
			continue
		case is:
		case f.Name == "post_parent":
			one.sent = [2]any{parent[0], parent[1]}
		case f.Flag != nil && f.Said: // the answer has it where it is true
			one.sent, one.shown, one.typed = [2]any{true, false}, [2]string{"true", "-"}, url.Values{f.Name: {"0"}}
		case f.Flag != nil:
			one.sent = [2]any{f.Name != "all_day" && f.Name != "hide_from_listings", f.Name == "all_day" || f.Name == "hide_from_listings"}
			one.typed = url.Values{f.Name: {map[any]string{true: "1", false: "0"}[one.sent[1]]}}
		case f.Words != nil:
			words := f.Choices()
			one.sent, one.shown = [2]any{words[:2], words[2:3]}, [2]string{words[0], words[2]}
			one.typed = url.Values{f.Name: {"", words[2]}}
		case f.Usual != "":
			for i := range one.sent {
				choices := slices.DeleteFunc(slices.Clone(table.Fields[at].Enum), func(choice string) bool { return choice == f.Usual || choice == "canceled" })
				one.sent[i] = choices[i]
			}
		case f.Kind == calendar.Clock:
			one.sent, one.typed = [2]any{"2030-02-01 18:00:00", "2030-02-02 12:30:00"}, url.Values{f.Name: {"2030-02-02T12:30"}}
		case f.Kind == calendar.Address:
			one.sent = [2]any{"https://a.example/" + f.Name, "https://b.example/" + f.Name}
		case f.Kind == calendar.Markup:
			one.sent = [2]any{"<p>First " + f.Name + "</p>", "<p>Second " + f.Name + "</p>"}
		case f.Text != nil:
			one.sent = [2]any{"First " + f.Name, "Second " + f.Name}
		default:
			t.Errorf("%s has no values to try", f.Name)
			continue
		}
		for i := range one.shown {
			if one.shown[i] == "" {
				one.shown[i] = fmt.Sprint(one.sent[i])
			}
		}
		list = append(list, one)
	}
	return list
}

// has reports whether an answer shows one of the values of a field.
func (f *trial) has(a kit.Answer, which int) bool {
	return strings.Contains(fmt.Sprint(a.At(f.Name)), f.shown[which])
}

// all is a body with one of the values of each field.
func all(list []trial, which int, more kit.Object) kit.Object {
	body := kit.Object{"title": "Event", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
	for i := range list {
		body[list[i].Name] = list[i].sent[which]
	}
	for name, value := range more {
		if body[name] = value; value == nil {
			delete(body, name)
		}
	}
	return body
}

// TestEveryFieldGoesEverywhere takes each field of an event through answers, history, revisions, forms, conflicts, undo, series,
// files, archives and pages. Whatever lacks it is named.
func TestEveryFieldGoesEverywhere(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	k, b := v.Kit, v.Person("administrator")
	list := trials(t, k)
	id := k.Event(all(list, 0, nil))
	path, page := kit.Item("events", id), fmt.Sprintf("/admin/events/%d", id)
	for i := range list {
		f := &list[i]
		if !f.has(k.Get(path, "administrator"), 0) {
			t.Errorf("%s: the API shows %v, want %s", f.Name, k.Get(path, "administrator").At(f.Name), f.shown[0])
			continue
		}
		changedByAPI(t, k, b, f, path, page)
		changedByForm(t, k, b, f, path, page)
	}
	k.Event(all(list, 1, kit.Object{"post_parent": nil}))
	public := k.Get("//event/choir-a/", "").Want(t, 200, "")
	hidden := k.Get(kit.Item("events", k.Event(all(list, 0, kit.Object{"slug": "locked", "post_password": "anchor"}))), "")
	for i := range list {
		f := &list[i]
		if !strings.Contains(string(public.Raw), f.onPage()) {
			t.Errorf("%s isn't on the public page", f.Name)
		}
		if (f.Text != nil || f.Words != nil || f.Added != nil) && f.Masked == (open[f.Name] != "") {
			t.Errorf("%s is masked: %t, named as open: %q", f.Name, f.Masked, open[f.Name])
		}
		if f.Masked && f.has(hidden, 0) {
			t.Errorf("%s is shown to who lacks the password", f.Name)
		}
	}
	inSeries(t, k, list)
	inArchive(t, v, list)
	inFile(t, k, b, list)
}

// changedByAPI changes a field, looks for it in the history and in a conflict, and takes an earlier version back.
func changedByAPI(t *testing.T, k *kit.Kit, b *kit.Browser, f *trial, path, page string) {
	t.Helper()
	form := b.Fill(page, kit.EveryEditor, nil)
	was := k.Version("demo")
	if a := k.Patch(path, "administrator", kit.Object{f.Name: f.sent[1]}); a.Status != 200 || !f.has(a, 1) {
		t.Errorf("%s: the API doesn't change it: %s", f.Name, a)
		return
	}
	if newest := k.Entries("demo", 8); !slices.ContainsFunc(newest, func(e tenancy.Entry) bool {
		_, there := e.Before[f.Name]
		return there && e.Position.Version > was
	}) {
		t.Errorf("%s isn't in the history", f.Name)
	}
	other := "title"
	if f.Name == other {
		other = "website"
	}
	form.Set(other, "https://c.example/typed")
	if p := b.Post(page, form); p.Status != 303 || !f.has(k.Get(path, "administrator"), 1) {
		t.Errorf("%s: who saves another field loses it: %d", f.Name, p.Status)
	}
	k.Patch(path, "administrator", kit.Object{other: map[string]string{"title": "Choir"}[other]})
	if !slices.Contains([]string{"status", "date", "slug"}, f.Name) { // restoring leaves them as they are
		p := b.Post(page+"/revisions", url.Values{"version": {fmt.Sprint(was)}, "expected": {fmt.Sprint(k.Version("demo"))}})
		if !f.has(k.Get(path, "administrator"), 0) {
			t.Errorf("%s: an earlier version doesn't come back: %d", f.Name, p.Status)
		}
	}
	k.Patch(path, "administrator", kit.Object{f.Name: f.sent[0]}).Want(t, 200, "")
	if f.Name == "all_day" {
		k.Patch(path, "administrator", kit.Object{"start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}).Want(t, 200, "")
	}
}

// changedByForm changes a field by the form of its event, and takes that back.
func changedByForm(t *testing.T, k *kit.Kit, b *kit.Browser, f *trial, path, page string) {
	t.Helper()
	typed := f.typed
	if typed == nil {
		typed = url.Values{f.Name: {fmt.Sprint(f.sent[1])}}
	}
	switch f.Name {
	case "venue", "organizer":
		_, name, _ := strings.Cut(f.shown[1], ":")
		typed = url.Values{f.Name: {name}}
	case "categories":
		typed = url.Values{f.Name: {fmt.Sprint(k.Get("/categories?search=Arts&hide_empty=false", "").At("categories.0.id"))}}
	case "tags":
		typed = url.Values{f.Name: {"calm"}}
	}
	form := b.Fill(page, kit.EveryEditor, nil)
	for name := range typed {
		if !form.Has(name) {
			t.Errorf("%s isn't in the form", f.Name)
			return
		}
		if f.Kind == calendar.Clock { // as such controls hold it
			if want := strings.Replace(fmt.Sprint(f.sent[0]), " ", "T", 1)[:len("2006-01-02T15:04")]; form.Get(name) != want {
				t.Errorf("%s: the form has %q, want %q", f.Name, form.Get(name), want)
			}
		} else if text, is := f.sent[0].(string); is && f.Text != nil && form.Get(name) != text && !strings.Contains(form.Get(name), text) {
			t.Errorf("%s: the form has %q, want %q", f.Name, form.Get(name), text)
		}
	}
	if p := b.Post(page, b.Fill(page, kit.EveryEditor, typed)); p.Status != 303 {
		t.Errorf("%s: the form isn't saved: %d %s", f.Name, p.Status, kit.Announced(p))
		return
	}
	b.Follow()
	if a := k.Get(path, "administrator"); !f.has(a, 1) {
		t.Errorf("%s: the form doesn't change it: %v", f.Name, a.At(f.Name))
		return
	}
	if p := b.Post(kit.Undoing(b)); p.Status != 303 || !f.has(k.Get(path, "administrator"), 0) {
		t.Errorf("%s isn't taken back: %d", f.Name, p.Status)
	}
}

// inSeries changes a field of one date and of the whole series.
func inSeries(t *testing.T, k *kit.Kit, list []trial) {
	t.Helper()
	series := k.Event(all(list, 0, kit.Object{"slug": "series", "recurrence": "FREQ=DAILY;COUNT=4"}))
	found := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2030-01-01&end_date=2031-01-01", series), "administrator").Want(t, 200, "")
	dates := strings.Split(found.IDs("events"), ",")
	whole, one, next := kit.Item("events", series), "/events/"+dates[1], "/events/"+dates[2]
	for i := range list {
		f := &list[i]
		change := func(path string, which int) kit.Answer {
			return k.Patch(path, "administrator", kit.Object{f.Name: f.sent[which]})
		}
		switch {
		case f.Name == "start_date", f.Name == "slug": // rules move the one, and the other is in all addresses
		case f.Whole:
			if a := change(one, 1); a.Status != 400 {
				t.Errorf("%s: one date has its own: %s", f.Name, a)
			}
		default:
			if a := change(one, 1); a.Status != 200 || !f.has(k.Get(one, "administrator"), 1) || !f.has(k.Get(whole, "administrator"), 0) {
				t.Errorf("%s: one date doesn't have its own: %d", f.Name, a.Status)
			}
			change(one, 0)
			if a := change(whole, 1); a.Status != 200 || !f.has(k.Get(next, "administrator"), 1) {
				t.Errorf("%s: the dates don't follow: %d", f.Name, a.Status)
			}
			change(whole, 0)
			if !f.has(k.Get(one, "administrator"), 0) {
				t.Errorf("%s: a date that is as its series again doesn't follow it", f.Name)
			}
		}
	}
}

// inArchive compares the events of a site with those that its archive makes.
func inArchive(t *testing.T, v *kit.Vault, list []trial) {
	t.Helper()
	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Secrets = v.Secrets
	made, err := w.Import(v.Export("demo"), &platform.SiteFields{})
	w.Must(err)
	w.Sites["demo"] = made
	compare(t, "archive", w.Kit, "", list, func(*trial) bool { return true })
}

// inFile compares the events of a site with those that its file makes on another.
func inFile(t *testing.T, k *kit.Kit, b *kit.Browser, list []trial) {
	t.Helper()
	k.Site("copy")
	k.Send(kit.Request{Method: "POST", Path: "/fields", Site: "copy", As: k.As("copy", "administrator"), JSON: kit.Object{"label": "Walked", "kind": "text"}}).Want(t, 201, "")
	r := k.Import(kit.Sent{Name: "events.csv", File: b.Get("/admin/events/export").Body, Site: "copy", As: "administrator"})
	if r.Body["state"] != "done" || r.Counts() == "" {
		t.Errorf("%s", r.Raw)
	}
	for _, e := range r.Entries {
		if e["result"] == "refused" {
			t.Error(e)
		}
	}
	compare(t, "file", k, "copy", list, func(f *trial) bool {
		return f.Name != "post_parent" // which is named by its id on the other site
	})
}

// compare looks for both values of all fields on a site.
func compare(t *testing.T, what string, k *kit.Kit, site string, list []trial, has func(*trial) bool) {
	t.Helper()
	for which, slug := range []string{"choir-a", "choir-b"} {
		a := k.Send(kit.Request{Method: "GET", Path: "/events/by-slug/" + slug, As: "administrator", Site: site})
		if a.Status != 200 {
			t.Errorf("the %s has no %s: %s", what, slug, a)
			continue
		}
		for i := range list {
			f := &list[i]
			if which == 1 && (f.Name == "post_parent" || f.Name == "start_date") { // the second has no parent, and fills its day
				continue
			}
			if has(f) && !f.has(a, which) {
				t.Errorf("%s: the %s has %v, want %s", f.Name, what, a.At(f.Name), f.shown[which])
			}
		}
	}
}

package admin

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// placeTrial is a field of a venue or organizer with two values.
type placeTrial struct {
	name   string
	values [2]any
}

func (f *placeTrial) has(a kit.Answer, which int) bool {
	return strings.Contains(fmt.Sprint(a.At(f.name)), strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(f.values[which]), "<p>"), "</p>"))
}

// placeTrials returns all fields of a kind with values.
func placeTrials[T, F any](fields []calendar.PlaceField[T, F]) (list []placeTrial) {
	for i := range fields {
		f := &fields[i]
		if f.Added != nil { // as of events
			continue
		}
		one := placeTrial{f.Name, [2]any{"First " + f.Name, "Second " + f.Name}}
		switch {
		case f.Number != nil:
			one.values = [2]any{12.5, 13.5}
		case f.Flag != nil:
			one.values = [2]any{true, false}
		case f.Words != nil:
			one.values = [2]any{f.Choices()[:2], f.Choices()[2:3]}
		case f.Name == "email":
			one.values = [2]any{"a@example.org", "b@example.org"}
		case f.Kind == calendar.Address:
			one.values = [2]any{"https://a.example/x", "https://b.example/x"}
		case f.Kind == calendar.Markup:
			one.values = [2]any{"<p>First " + f.Name + "</p>", "<p>Second " + f.Name + "</p>"}
		}
		list = append(list, one)
	}
	return list
}

// unseenOfPlaces are texts that the pages of venues and organizers don't show as they are, with the reason.
var unseenOfPlaces = map[string]string{"excerpt": "it is for the API", "province": "addresses have the state instead"}

// TestEveryFieldOfPlacesGoesEverywhere takes each field of venues and organizers through answers, history, revisions, forms,
// conflicts and archives. Whatever lacks it is named.
func TestEveryFieldOfPlacesGoesEverywhere(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	k, b := v.Kit, v.Person("administrator")
	for section, list := range map[string][]placeTrial{"venues": placeTrials(calendar.AllVenueFields()),
		"organizers": placeTrials(calendar.AllOrganizerFields())} {
		body := kit.Object{"slug": "tried"}
		for i := range list {
			body[list[i].name] = list[i].values[0]
		}
		id := k.Made("/"+section, body)
		public := string(k.Get("//"+strings.TrimSuffix(section, "s")+"/tried/", "").Want(t, 200, "").Raw)
		path, page := kit.Item(section, id), fmt.Sprintf("/admin/%s/%d", section, id)
		for i := range list {
			f := &list[i]
			if !f.has(k.Get(path, "administrator"), 0) {
				t.Errorf("%s: the API shows %v for %s", section, k.Get(path, "administrator").At(f.name), f.name)
			}
			if text, is := f.values[0].(string); is && unseenOfPlaces[f.name] == "" && !strings.Contains(public, text) {
				t.Errorf("%s: %s isn't on the public page", section, f.name)
			}
			form := b.Fill(page, kit.EveryEditor, nil)
			if text, is := f.values[0].(string); !form.Has(f.name) || is && !strings.Contains(form.Get(f.name), text) {
				t.Errorf("%s: the form has %q for %s", section, form.Get(f.name), f.name)
			}
			was := k.Version("demo")
			if a := k.Patch(path, "administrator", kit.Object{f.name: f.values[1]}); a.Status != 200 || !f.has(a, 1) {
				t.Errorf("%s: the API doesn't change %s: %s", section, f.name, a)
			}
			if !slices.ContainsFunc(k.Entries("demo", 4), func(e tenancy.Entry) bool {
				_, there := e.Before[f.name]
				return there && e.Position.Version > was
			}) {
				t.Errorf("%s: %s isn't in the history", section, f.name)
			}
			other := strings.TrimSuffix(section, "s")
			if f.name == other {
				other = "phone"
			}
			form.Set(other, "Typed")
			if p := b.Post(page, form); p.Status != 303 || !f.has(k.Get(path, "administrator"), 1) {
				t.Errorf("%s: who saves another field loses %s: %d", section, f.name, p.Status)
			}
			p := b.Post(page+"/revisions", url.Values{"version": {fmt.Sprint(was)}, "expected": {fmt.Sprint(k.Version("demo"))}})
			if !f.has(k.Get(path, "administrator"), 0) {
				t.Errorf("%s: an earlier version of %s doesn't come back: %d", section, f.name, p.Status)
			}
			k.Patch(path, "administrator", kit.Object{f.name: f.values[0]}).Want(t, 200, "")
		}
	}
	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Secrets = v.Secrets
	made, err := w.Import(v.Export("demo"), &platform.SiteFields{})
	w.Must(err)
	w.Sites["demo"] = made
	for _, section := range []string{"venues", "organizers"} {
		before, after := k.Get("/"+section+"/by-slug/tried", "administrator"), w.Get("/"+section+"/by-slug/tried", "administrator")
		if before.Status != 200 || string(before.Raw) != string(after.Raw) {
			t.Errorf("%s: the archive has %s, want %s", section, after, before)
		}
	}
}

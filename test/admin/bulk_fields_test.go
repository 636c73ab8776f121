package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/kit"
)

// notTogether are the fields of events that many events can't be given together, with the reason.
var notTogether = map[string]string{
	"title": "each event has its own", "slug": "each event has its own", "description": "a text about one event", "excerpt": "a text about one event",
	"seo_title": "a text about one event", "seo_description": "a text about one event", "translations": "texts about one event",
	"image": "an event's picture is chosen where it is seen", "tickets": "a list in which each entry has its own fields; cost gives all a price",
	"all_day": "times would have to be made up", "timezone": "it would move every event", "recurrence": "each series has its own rule",
	"exceptions": "only series have them, each its own", "review_note": "written to one author about one event", "date": "says when it was published",
	"author": "decides who may edit it", "post_password": "a secret of one event", "post_parent": "an event's place under another one",
}

// togetherBy are the controls of the fields whose controls have other names.
var togetherBy = map[string][]string{
	"start_date": {"move_days", "move_hours"}, "end_date": {"move_days", "move_hours"}, "venue": {"set_venue"},
	"organizer": {"set_organizer", "add_organizer", "remove_organizer"}, "categories": {"add_category", "remove_category"},
	"tags": {"add_tags", "remove_tags"}, "fields": {"fields.door"},
}

// bulkControls are the names of the controls on the page that changes many events.
func bulkControls(p kit.Page) map[string]bool {
	controls := map[string]bool{}
	for _, m := range regexp.MustCompile(`<(?:input|textarea|select)\b[^>]*\bname="([^"]+)"`).FindAllStringSubmatch(p.Body, -1) {
		controls[kit.Unescape(m[1])] = true
	}
	return controls
}

// Every field of an event can be changed in many events at once, or is named with the reason why not.
func TestBulkHasEveryField(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	madeBy(k, "/fields", kit.Object{"label": "Door", "key": "door", "kind": "text", "of": []string{"event"}})
	music := k.Made("/categories", kit.Object{"name": "Music"})
	k.Made("/organizers", kit.Object{"organizer": "The choir"})
	id := k.Event(kit.Object{"accessibility": []string{"toilets"}, "audience": []string{"adults"}, "event_language": []string{"de"}, "categories": []int64{music}})
	b := k.Person("administrator")
	b.Get("/admin/events")
	controls := bulkControls(bulkForm(b, []int64{id}, ""))
	for _, f := range calendar.AllEventFields() {
		names := togetherBy[f.Name]
		switch {
		case names != nil:
		case f.Words != nil:
			names = []string{"add_" + f.Name, "remove_" + f.Name}
		default:
			names = []string{f.Name}
		}
		for _, name := range names {
			if reason := notTogether[f.Name]; controls[name] == (reason != "") {
				t.Errorf("%s: has the control %s: %t; named as one without, because %q", f.Name, name, controls[name], reason)
			}
		}
	}
}

// Every field with a control sets what it says: it is shown before, stored after, and taken back with all others.
func TestBulkSetsEveryField(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var ids []int64
	for i := range 3 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "audience": []string{"adults", "seniors"}, "website": "https://old.example/"}))
	}
	b := k.Person("administrator")
	b.Get("/admin/events?view=all")
	var fields, labels []string
	for _, f := range calendar.AllEventFields() {
		switch {
		case notTogether[f.Name] != "" || togetherBy[f.Name] != nil:
		case f.Words != nil:
			fields = append(fields, "add_"+f.Name, f.Choices()[0])
		case f.Flag != nil: // the opposite of what a new event has
			fields = append(fields, f.Name, fmt.Sprint(eventField(k, ids[0], f.Name) != "true"))
		case f.Usual != "":
			choices := f.Choices()
			fields = append(fields, f.Name, choices[len(choices)-1])
			labels = append(labels, choices[len(choices)-1])
		case f.Kind == calendar.Clock:
			fields = append(fields, f.Name, "2029-12-31T18:00")
		case f.Kind == calendar.Names:
			fields = append(fields, f.Name, "Ann\r\nBob")
		case f.Kind == calendar.Address:
			fields = append(fields, f.Name, "https://example.org/"+f.Name)
		case f.Name == "status":
			fields = append(fields, f.Name, "draft")
		case f.Name == "cost":
			fields = append(fields, f.Name, "Free")
		default:
			fields = append(fields, f.Name, "Storm")
		}
	}
	before := k.Version("demo")
	p := bulkForm(b, ids, "look", fields...)
	if p.Status != 200 || k.Version("demo") != before {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	for _, choice := range labels { // a choice is named, not written as programs do
		if strings.Contains(p.Body, "<ins><bdi>"+choice+"<") {
			t.Errorf("shown as %q", choice)
		}
	}
	if again := b.Post("/admin/events", bulkSaving(p)); again.Status != 303 {
		t.Fatalf("%d: the form was\n%s, and is\n%s", again.Status, bulkSaving(p).Get("shown"), bulkSaving(again).Get("shown"))
	}
	if got := k.Version("demo"); got != before+1 {
		t.Errorf("%d writes, want one", got-before)
	}
	for i := 0; i < len(fields); i += 2 {
		name, added := strings.CutPrefix(fields[i], "add_")
		want := fields[i+1]
		switch fields[i] {
		case "registration_until":
			want = "2029-12-31 18:00:00"
		case "performers":
			want = "[Ann Bob]"
		}
		for _, id := range ids {
			if got := eventField(k, id, name); got != want && (!added || !strings.Contains(got, want)) {
				t.Errorf("%d: %s is %s, want %s", id, name, got, want)
			}
		}
	}
	if got := eventField(k, ids[0], "audience"); !strings.Contains(got, "adults seniors") || !strings.Contains(got, "toddlers") {
		t.Errorf("the audience is %s", got)
	}
	b.Follow()
	b.Post(kit.Undoing(b))
	for i := 0; i < len(fields); i += 2 {
		name, added := strings.CutPrefix(fields[i], "add_")
		if got := eventField(k, ids[1], name); got == fields[i+1] || added && strings.Contains(got, fields[i+1]) {
			t.Errorf("%s is not taken back: %s", name, got)
		}
	}
}

// Several categories, words and extra fields change at once; what is removed are words that the events have, and fields are emptied.
func TestBulkOfSeveral(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	cats := make([]int64, 4)
	for i, name := range []string{"Music", "Jazz", "Talks", "Film"} {
		cats[i] = k.Made("/categories", kit.Object{"name": name})
	}
	for key, more := range map[string]kit.Object{"stage": {"kind": "choice", "options": []kit.Object{{"key": "hall", "label": "Main hall"}, {"key": "garden", "label": "Garden"}}},
		"seats": {"kind": "number"}, "host": {"kind": "text"}, "dogs": {"kind": "yes_no"}} {
		more["key"], more["label"], more["of"] = key, "The "+key, []string{"event"}
		madeBy(k, "/fields", more)
	}
	var ids []int64
	for i := range 2 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "categories": cats[:2], "audience": []string{"adults", "seniors"},
			"accessibility": []string{"toilets"}, "performers": []string{"Ann"}, "fields": kit.Object{"host": "Ann", "stage": "hall"}}))
	}
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	empty := bulkForm(b, ids, "")
	for value, offered := range map[string]bool{`name="remove_audience" value="seniors"`: true, `name="remove_audience" value="toddlers"`: false,
		fmt.Sprintf(`name="remove_category" value="%d"`, cats[0]): true, fmt.Sprintf(`name="remove_category" value="%d"`, cats[3]): false} {
		if strings.Contains(empty.Body, value) != offered {
			t.Errorf("%s is offered: %t", value, !offered)
		}
	}
	form := url.Values{"do": {"bulk"}, "to": {"/admin/events?view=all"}, "step": {"look"}, "add_category": {fmt.Sprint(cats[2]), fmt.Sprint(cats[3])},
		"remove_category": {fmt.Sprint(cats[0]), fmt.Sprint(cats[1])}, "add_audience": {"toddlers", "families"}, "remove_audience": {"adults", "seniors"},
		"remove_accessibility": {"toilets"}, "fields.seats": {"12,5"}, "fields.stage": {"garden"}, "fields.dogs": {"false"}, "clear": {"fields.host", "performers"}}
	for _, id := range ids {
		form.Add("id", fmt.Sprint(id))
	}
	p := b.Post("/admin/events", form)
	for _, text := range []string{"Change 2 events", "Talks, Film", "The seats", "12.5", "The stage", "Main hall", "Garden", "The host", "Toddlers, Families"} {
		if !p.Shows(text) {
			t.Errorf("what would change lacks %s: %.6000s", text, p.Body)
		}
	}
	before := k.Version("demo")
	b.Post("/admin/events", bulkSaving(p))
	if !b.Follow().Shows("2 events changed.") || k.Version("demo") != before+1 {
		t.Fatalf("%d writes: %.3000s", k.Version("demo")-before, b.Page.Body)
	}
	for _, id := range ids {
		e := k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body
		terms := fmt.Sprint(e["categories"])
		for i, name := range []string{"Music", "Jazz", "Talks", "Film"} {
			if strings.Contains(terms, name) != (i > 1) {
				t.Errorf("categories: %s", terms)
			}
		}
		if got := fmt.Sprint(e["fields"], e["audience"], e["accessibility"], e["performers"]); got != "map[dogs:false seats:12.5 stage:garden] [toddlers families] <nil> <nil>" {
			t.Error(got)
		}
	}
	b.Post(kit.Undoing(b))
	e := k.Get(fmt.Sprintf("/events/%d", ids[1]), "administrator").Body
	if got := fmt.Sprint(e["fields"], e["audience"], e["performers"]); got != "map[host:Ann stage:hall] [adults seniors] [Ann]" || !slices.Contains(strings.Fields(fmt.Sprint(e["categories"])), "name:Jazz") {
		t.Errorf("not taken back: %s", got)
	}
}

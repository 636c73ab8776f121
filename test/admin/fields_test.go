package admin

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// Arguments of the API without a control in the form, with the reason.
var (
	uncontrolled = map[string]string{"date_utc": "the same as date, which the form gives on the site's clock",
		"content_language": "a form says of each text which language it is in",
		"translations":     "forms have them where the site is written in several languages"}
	unformed = map[string]string{"date_utc": uncontrolled["date_utc"], "applies_to": "asked when a date of a series is saved",
		"exceptions": "only the form of a series with such dates has it", "content_language": uncontrolled["content_language"],
		"translations": uncontrolled["translations"], "review_note": "only the form of an event that waits for review has it"}
)

// named is a control of a form.
var named = regexp.MustCompile(`<(?:input|textarea|select)\b[^>]*\bname="([^"]+)"`)

// TestEditorsHaveEveryArgument checks that everything that the API can write can be written in the forms for new and
// existing items.
func TestEditorsHaveEveryArgument(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	madeBy(k, "/fields", map[string]any{"label": "Door", "key": "door", "kind": "text", "of": []string{"event", "venue"}})
	event := k.Event(map[string]any{"tickets": []map[string]any{{"name": "Front", "price": 3}}})
	for _, c := range []struct {
		fields  reflect.Type
		pages   []string
		without map[string]string
		as      map[string]string // name of the control, where it isn't the argument's
	}{
		{reflect.TypeFor[calendar.EventFields](), []string{"/admin/events/new", fmt.Sprintf("/admin/events/%d", event)}, unformed,
			map[string]string{"tickets": "tickets[0][name]", "recurrence": "repeat", "fields": "fields.door"}},
		{reflect.TypeFor[calendar.VenueFields](), []string{"/admin/venues/new", "/admin/venues/" + madeBy(k, "/venues", map[string]any{"venue": "Hall"})}, uncontrolled,
			map[string]string{"fields": "fields.door"}},
		{reflect.TypeFor[calendar.OrganizerFields](), []string{"/admin/organizers/new", "/admin/organizers/" + madeBy(k, "/organizers", map[string]any{"organizer": "Ann"})}, uncontrolled, nil},
		{reflect.TypeFor[calendar.CategoryFields](), []string{"/admin/categories", "/admin/categories/" + madeBy(k, "/categories", map[string]any{"name": "Music"})}, uncontrolled, nil},
		{reflect.TypeFor[calendar.TagFields](), []string{"/admin/tags", "/admin/tags/" + madeBy(k, "/tags", map[string]any{"name": "jazz"})}, uncontrolled, nil},
	} {
		for _, path := range c.pages {
			controls := map[string]bool{}
			for _, m := range named.FindAllStringSubmatch(b.Get(path).Body, -1) {
				controls[kit.Unescape(m[1])] = true
			}
			for i, table := 0, args.TableOf(c.fields); i < len(table.Fields); i++ {
				name := table.Fields[i].Name
				control := name
				if c.as[name] != "" {
					control = c.as[name]
				}
				if reason := c.without[name]; controls[control] == (reason != "") {
					t.Errorf("%s: %s has a control: %t, named as one without: %q", path, name, controls[control], reason)
				}
			}
		}
	}
	if p := b.Get("/admin/venues/" + madeBy(k, "/venues", map[string]any{"venue": "Pier", "state": "Bavaria", "stateprovince": "By the lake"})); !p.Shows(`id="f-stateprovince"`) {
		t.Error("the form of a venue lacks its region, which is not its state")
	}
	offer := args.TableOf(reflect.TypeFor[calendar.TicketFields]())
	body := b.Get(fmt.Sprintf("/admin/events/%d", event)).Body
	for i := range offer.Fields {
		for _, row := range []int{0, 1} { // the one there is, and room for another
			name := fmt.Sprintf("tickets[%d][%s]", row, offer.Fields[i].Name)
			if !regexp.MustCompile(`\bname="` + regexp.QuoteMeta(name) + `"`).MatchString(body) {
				t.Errorf("no control %s", name)
			}
		}
	}
}

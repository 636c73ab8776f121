package frame

import (
	"context"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// Described returns the attributes that associate a field with its hint and its problem.
func Described(ctx context.Context, f *Form, name string) templ.Attributes {
	return DescribedTo(ctx, f, name)
}

// DescribedTo is Described with the ids of additional texts about the field.
func DescribedTo(ctx context.Context, f *Form, name string, by ...string) templ.Attributes {
	if f.Hint(ctx, name) != "" {
		by = append(by, "h-"+name)
	}
	a := templ.Attributes{}
	if f.Problem(name) != "" {
		by = append(by, "p-"+name)
		a["aria-invalid"] = "true"
	}
	if most := f.Most[name]; most > 0 {
		a["data-most"] = strconv.Itoa(most)
	}
	if f.First == name {
		a["autofocus"] = true
	}
	if len(by) > 0 {
		a["aria-describedby"] = strings.Join(by, " ")
	}
	return a
}

// Blank returns the placeholder of a field of text: what it means if it is empty.
func (f *Form) Blank() templ.Attributes {
	if f.Empty == "" {
		return nil
	}
	return templ.Attributes{"placeholder": f.Empty}
}

// titles are the fields that have the name of an entry, by the kind of the form. On a site with several languages their labels say
// which language they are for; the others are further down.
var titles = map[string]string{"event": "title", "venue": "venue", "organizer": "organizer",
	"category": "name", "tag": "name", "settings": "name"}

// inputType returns the type attribute of a field.
func inputType(name string) string {
	switch name {
	case "start_date", "end_date", "date", "registration_until":
		return "datetime-local"
	case "expires":
		return "date"
	case "website", "video_url":
		return "url"
	case "email":
		return "email"
	case "phone":
		return "tel"
	}
	return "text"
}

// leftToRight reports whether a field's content is written from left to right in every language.
func leftToRight(name string) bool {
	switch name {
	case "website", "video_url", "email", "phone", "slug", "handle", "image", "geo_lat", "geo_lng", "post_parent":
		return true
	}
	return false
}

// TextDirection returns the direction of a field's content.
func TextDirection(name string) string {
	if leftToRight(name) {
		return "ltr"
	}
	return "auto"
}

// ZoneGroup is the time zones of one region.
type ZoneGroup struct {
	Name  string
	Zones []string
}

// ZoneGroups returns the time zones by region. The site's own zone and UTC are not included, because they come
// first in the list.
func ZoneGroups() []ZoneGroup {
	groups := map[string][]string{}
	for _, zone := range args.ZoneNames() {
		part, _, inside := strings.Cut(zone, "/")
		if inside && part != "Etc" && part != "US" {
			groups[part] = append(groups[part], zone)
		}
	}
	list := make([]ZoneGroup, 0, len(groups))
	for name, zones := range groups {
		list = append(list, ZoneGroup{name, zones})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// allZones caches the rendered zoneOptions: there are hundreds of them, and they are the same in every form.
var allZones = sync.OnceValue(func() string {
	var text strings.Builder
	_ = zoneOptions().Render(context.Background(), &text) // writing to a strings.Builder cannot fail
	return text.String()
})

// firstZones returns the zones before the groups.
func firstZones(ctx context.Context, now string) []string {
	list := []string{ui.SiteOf(ctx).Timezone}
	for _, zone := range []string{"UTC", now} {
		if zone != "" && zone != list[0] && zone != list[len(list)-1] {
			list = append(list, zone)
		}
	}
	return list
}

// ZoneText returns the name of a zone for people.
func ZoneText(zone string) string { return strings.ReplaceAll(zone, "_", " ") }

// currentZone reports whether a zone is selected.
func currentZone(ctx context.Context, f *Form, zone string) bool {
	now := f.Get("timezone")
	return zone == now || now == "" && zone == ui.SiteOf(ctx).Timezone
}

// Read reads a text field. An empty field clears the argument if that is allowed; otherwise it is ignored.
func (f *Form) Read(field *args.Field, values args.Values) {
	if !f.Has(field.Name) {
		return
	}
	text := strings.ReplaceAll(f.Get(field.Name), "\r\n", "\n")
	switch {
	case text != "" || field.Required:
		values[field.Name] = text
	case !field.NoNull:
		values[field.Name] = nil
	}
}

// ReadAll reads a field of several values.
func (f *Form) ReadAll(name string, values args.Values) {
	if !f.Has(name) {
		return
	}
	list := []any{}
	for _, text := range f.All(name) {
		list = append(list, text)
	}
	values[name] = list
}

// Parsed parses arguments with the table of a struct. It returns all problems along with the valid arguments.
func Parsed[F any](table *args.Table, values args.Values, mode args.Mode) (*F, error) {
	fields := new(F)
	return fields, table.ParseAll(values, mode, fields)
}

// Checked is Parsed with additional rules.
func Checked[F any](table *args.Table, values args.Values, mode args.Mode, rules func(*F) error) (*F, error) {
	found := &args.Problems{}
	fields, err := Parsed[F](table, values, mode)
	if err := found.Add(err, rules(fields)); err != nil {
		return nil, err
	}
	return fields, found.Err()
}

// Rename moves the problems with an argument to the field that the argument was entered in. The names differ,
// because a pending form is part of the sign-in form and must not have fields with the same names.
func (f *Form) Rename(argument, field string) {
	if text := f.Problems[argument]; text != "" {
		delete(f.Problems, argument)
		f.Wrong(field, text)
	}
}

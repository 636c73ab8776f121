package frame

import (
	"context"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/web/ui"
)

// Described are the attributes that tie a field to its hint and to what is
// wrong with it.
func Described(ctx context.Context, f *Form, name string) templ.Attributes {
	return DescribedTo(ctx, f, name)
}

// DescribedTo is described with the ids of other texts about the field.
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

// inputType is the type of the input of a field.
func inputType(name string) string {
	switch name {
	case "start_date", "end_date", "date":
		return "datetime-local"
	case "website":
		return "url"
	case "email":
		return "email"
	case "phone":
		return "tel"
	}
	return "text"
}

// leftToRight reports whether a field holds what is written from left to right
// in every language.
func leftToRight(name string) bool {
	switch name {
	case "website", "email", "phone", "slug", "handle", "image", "geo_lat", "geo_lng", "post_parent":
		return true
	}
	return false
}

// TextDirection is the direction of a field's content.
func TextDirection(name string) string {
	if leftToRight(name) {
		return "ltr"
	}
	return "auto"
}

// ZoneGroup is the time zones of a part of the world.
type ZoneGroup struct {
	Name  string
	Zones []string
}

// ZoneGroups lists the time zones by part of the world; the site's own and UTC
// stand before them.
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

// allZones are zoneOptions, made once: they are hundreds, and the same in every form.
var allZones = sync.OnceValue(func() string {
	var text strings.Builder
	_ = zoneOptions().Render(context.Background(), &text) // a Builder takes everything
	return text.String()
})

// firstZones are the zones before the groups.
func firstZones(ctx context.Context, now string) []string {
	list := []string{ui.SiteOf(ctx).Timezone}
	for _, zone := range []string{"UTC", now} {
		if zone != "" && zone != list[0] && zone != list[len(list)-1] {
			list = append(list, zone)
		}
	}
	return list
}

// ZoneText is a zone as people read it.
func ZoneText(zone string) string { return strings.ReplaceAll(zone, "_", " ") }

// currentZone reports whether a zone is the one chosen.
func currentZone(ctx context.Context, f *Form, zone string) bool {
	now := f.Get("timezone")
	return zone == now || now == "" && zone == ui.SiteOf(ctx).Timezone
}

// Read reads a field of text: an empty one clears what may be cleared, and says
// nothing of what may not.
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

// Parsed reads arguments through the table of a struct, and returns everything
// that is wrong with them beside those that are right.
func Parsed[F any](table *args.Table, values args.Values, mode args.Mode) (*F, error) {
	fields := new(F)
	return fields, table.ParseAll(values, mode, fields)
}

// Checked is parsed with what the rules find wrong as well.
func Checked[F any](table *args.Table, values args.Values, mode args.Mode, rules func(*F) error) (*F, error) {
	found := &args.Problems{}
	fields, err := Parsed[F](table, values, mode)
	if err := found.Add(err, rules(fields)); err != nil {
		return nil, err
	}
	return fields, found.Err()
}

// Rename moves what is wrong with an argument to the field it was typed into:
// fields of a waiting form mustn't be called like those of the sign-in.
func (f *Form) Rename(argument, field string) {
	if text := f.Problems[argument]; text != "" {
		delete(f.Problems, argument)
		f.Wrong(field, text)
	}
}

package web

import (
	"context"
	"sort"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// described are the attributes that tie a field to its hint and to what is
// wrong with it.
func described(ctx context.Context, f *form, name string) templ.Attributes {
	return describedTo(ctx, f, name)
}

// describedTo is described with the ids of other texts about the field.
func describedTo(ctx context.Context, f *form, name string, by ...string) templ.Attributes {
	if f.hint(ctx, name) != "" {
		by = append(by, "h-"+name)
	}
	a := templ.Attributes{}
	if f.problem(name) != "" {
		by = append(by, "p-"+name)
		a["aria-invalid"] = "true"
	}
	if f.first == name {
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

// textDirection is the direction of a field's content.
func textDirection(name string) string {
	if leftToRight(name) {
		return "ltr"
	}
	return "auto"
}

// zoneGroup is the time zones of a part of the world.
type zoneGroup struct {
	name  string
	zones []string
}

// zoneGroups lists the time zones by part of the world; the site's own and UTC
// stand before them.
func zoneGroups() []zoneGroup {
	groups := map[string][]string{}
	for _, zone := range args.ZoneNames() {
		part, _, inside := strings.Cut(zone, "/")
		if inside && part != "Etc" && part != "US" {
			groups[part] = append(groups[part], zone)
		}
	}
	list := make([]zoneGroup, 0, len(groups))
	for name, zones := range groups {
		list = append(list, zoneGroup{name, zones})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
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

// zoneText is a zone as people read it.
func zoneText(zone string) string { return strings.ReplaceAll(zone, "_", " ") }

// postStatuses are those a person may give an item, with the one it has.
func postStatuses(ctx context.Context, f *form) []string {
	list := []string{"draft", "pending"}
	if may(ctx, eventPublish) {
		list = []string{"publish", "draft", "pending", "private"}
	}
	if now := f.get("status"); now != "" && now != list[0] && !strings.Contains(strings.Join(list, " "), now) {
		list = append(list, now)
	}
	return list
}

// currentZone reports whether a zone is the one chosen.
func currentZone(ctx context.Context, f *form, zone string) bool {
	now := f.get("timezone")
	return zone == now || now == "" && zone == ui.SiteOf(ctx).Timezone
}

// uploadRight is the right to add pictures.
const uploadRight = tenancy.Upload

// linkRows are the names typed, with room for one more.
func linkRows(f *form, name string) []string {
	rows := f.all(name)
	for range max(1, len(f.values[name])-len(rows)) {
		rows = append(rows, "")
	}
	return rows
}

// linkLabel names a row.
func linkLabel(ctx context.Context, f *form, name string, i int) string {
	return f.label(ctx, name) + " " + number(ctx, i+1)
}

// newLabel names a field of something made on the spot.
func newLabel(ctx context.Context, kind, field string) string {
	return (&form{kind: kind}).label(ctx, field)
}

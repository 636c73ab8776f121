package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// settingsEditor is the form of a site's settings.
type settingsEditor struct {
	form *form
	site *tenancy.Site // as it stands
	now  time.Time
}

// settingsFields are the fields of the form in their order.
var settingsFields = []string{"name", "timezone", "language", "languages", "content_languages", "week_start", "date_form", "time_form",
	"currency_symbol",
	"currency_code", "currency_position", "per_page", "tagline", "theme", "accent", "corners", "font", "logo", "header", "links",
	"footer_links"}

var configTable = args.TableOf(reflect.TypeFor[tenancy.ConfigFields]())

func (w *admin) settings(v *visit) (*reply, error) {
	site, err := w.platform.Sites.Configuration(v.ctx)
	if err != nil {
		return nil, err
	}
	return w.settingsReply(v, &settingsEditor{form: settingsForm(site), site: site}, 0)
}

func (w *admin) settingsReply(v *visit, ed *settingsEditor, status int) (*reply, error) {
	ed.now = w.calendar.Now()
	return &reply{status: status, title: tell(v.ctx, "nav.settings"), section: "settings", body: settingsPage(ed)}, nil
}

// changeSettings stores what was changed, or shows what it would look like. When
// somebody else changed the settings meanwhile, both versions are shown.
func (w *admin) changeSettings(v *visit) (*reply, error) {
	site, err := w.platform.Sites.Configuration(v.ctx)
	if err != nil {
		return nil, err
	}
	ed := &settingsEditor{form: v.form, site: site}
	ed.form.kind = "settings"
	if ed.form.get("accent") == ui.StandardAccent {
		ed.form.set("accent", "")
	}
	c := &contest{form: ed.form, now: settingsForm(site), fields: settingsFields, action: adminRoot + "/settings", section: "settings",
		readable: func(f *form, name string) string { return f.settingText(v.ctx, name, w.calendar.Now()) }}
	c.resolve()
	switch {
	case ed.form.reshape():
		return w.settingsReply(v, ed, 0)
	case c.met():
		return c.settle(v), nil
	}
	values := ed.form.settings(c.now)
	fields, err := checked(configTable, values, args.Updating, func(f *tenancy.ConfigFields) error {
		return w.platform.Sites.CheckConfiguration(v.ctx, f)
	})
	if err == nil && len(values) > 0 {
		_, err = w.platform.Sites.Configure(v.ctx, fields, site.Mark())
	}
	switch {
	case errors.Is(err, tenancy.ErrChanged):
		return w.changeSettings(v) // once more: now it is seen that there is another version
	case err != nil && !ed.form.refuse(v.ctx, err):
		return nil, err
	case err != nil:
		return w.settingsReply(v, ed, http.StatusUnprocessableEntity)
	}
	return &reply{redirect: adminRoot + "/settings", say: "settings"}, nil
}

// settings are the arguments that differ from what is stored.
func (f *form) settings(now *form) args.Values {
	values := args.Values{}
	for _, name := range settingsFields {
		switch {
		case !f.has(name) || f.canonical(name) == now.canonical(name):
		case name == "languages", name == "content_languages":
			values[name] = anyOf(f.all(name))
		default:
			f.read(configTable.Field(name), values)
		}
	}
	return values
}

// settingsForm is the form of a site's settings as they stand.
func settingsForm(site *tenancy.Site) *form {
	s := site.Settings
	f := &form{kind: "settings", values: url.Values{"name": {site.Name}, "timezone": {site.Timezone}, "language": {site.Language},
		"languages": ui.Offered(site), "content_languages": site.Written(), "week_start": {strconv.Itoa(s.WeekStart)}, "date_form": {s.DateForm},
		"time_form":       {s.TimeForm},
		"currency_symbol": {s.CurrencySymbol}, "currency_code": {s.CurrencyCode}, "currency_position": {s.CurrencyPosition},
		"per_page": {strconv.Itoa(s.PerPage)}, "accent": {s.Accent}, "tagline": {s.Face.Tagline}, "theme": {s.Face.Theme},
		"corners": {s.Face.Corners},
		"font":    {s.Face.Font}, "logo": {s.Face.Logo}, "header": {s.Face.Header}, "links": {s.Face.Links},
		"footer_links": {s.Face.Footer},
		"version":      {site.Mark()}}}
	f.set("base", f.digest(settingsFields))
	return f
}

// settingText is a setting as people read it.
func (f *form) settingText(ctx context.Context, name string, now time.Time) string {
	text := f.get(name)
	switch name {
	case "language":
		return i18n.NativeName(text)
	case "languages", "content_languages":
		var names []string
		for _, tag := range f.all(name) {
			names = append(names, i18n.NativeName(tag))
		}
		return strings.Join(names, tell(ctx, "comma")+" ")
	case "week_start":
		return labelOfText(weekStarts(ctx), text)
	case "date_form":
		return labelOfText(dateForms(ctx, now), text)
	case "time_form":
		return labelOfText(timeForms(ctx, now), text)
	case "currency_position":
		return labelOfText(currencyPositions(ctx), text)
	case "theme", "corners", "font":
		return tell(ctx, "settings."+name+"."+text)
	case "timezone":
		return zoneText(text)
	case "accent":
		return ui.FirstText(text, ui.StandardAccent)
	}
	return text
}

// textLanguages are the languages that texts can be written in: those that they are
// written in, in their order, before all others.
func (ed *settingsEditor) textLanguages() []string {
	list := slices.Clone(ed.site.Written())
	for _, tag := range i18n.Languages() {
		if !slices.Contains(list, tag) {
			list = append(list, tag)
		}
	}
	return list
}

// weekStarts are the days a week can begin on.
func weekStarts(ctx context.Context) []pair {
	list := []pair{{"0", tell(ctx, "settings.by_language")}}
	for day := 1; day <= 7; day++ {
		list = append(list, pair{strconv.Itoa(day), ui.DatesIn(ctx).Weekday(day)})
	}
	return list
}

// dateForms are the forms of dates, each as it writes the present day.
func dateForms(ctx context.Context, now time.Time) []pair {
	var list []pair
	l := ui.DatesIn(ctx)
	for _, l.Form = range configTable.Field("date_form").Enum {
		list = append(list, pair{l.Form, l.Full(ui.WallAt(now, ui.SiteOf(ctx).Location))})
	}
	return list
}

// timeForms are the forms of the time of day, each as it writes an evening.
func timeForms(ctx context.Context, now time.Time) []pair {
	var list []pair
	evening := ui.DayOf(now).Add(19*time.Hour + 30*time.Minute)
	l := ui.DatesIn(ctx)
	for _, l.Hours = range configTable.Field("time_form").Enum {
		text := l.Clock(evening)
		if l.OfHours() == "" {
			text = tellWith(ctx, "settings.by_language.example", "Example", text)
		}
		list = append(list, pair{l.Hours, text})
	}
	return list
}

func currencyPositions(ctx context.Context) []pair {
	return []pair{{"prefix", tell(ctx, "settings.prefix")}, {"postfix", tell(ctx, "settings.postfix")}}
}

// faceForms are the forms a part of the face can have.
func faceForms(ctx context.Context, name string) []pair {
	var list []pair
	for _, form := range configTable.Field(name).Enum {
		list = append(list, pair{form, tell(ctx, "settings."+name+"."+form)})
	}
	return list
}

// sample is how a price looks as the form has it.
func (ed *settingsEditor) sample(ctx context.Context, amounts ...string) string {
	currency := calendar.Currency{Symbol: ed.form.get("currency_symbol"), Code: ed.form.get("currency_code"),
		Position: ed.form.get("currency_position")}
	return ui.LocalFree(ctx, ui.PlainText(calendar.FormatCost(amounts, currency).Text))
}

// evening is how an evening's dates look as the form has them.
func (ed *settingsEditor) evening(ctx context.Context) string {
	l := ui.DatesIn(ctx)
	l.Form, l.Hours = ed.form.get("date_form"), ed.form.get("time_form")
	start := ui.DayOf(ui.WallAt(ed.now, ed.place())).AddDate(0, 0, 7).Add(19*time.Hour + 30*time.Minute)
	return l.Span(start, start.Add(2*time.Hour), false, 0)
}

// place is the time zone the form has, or the site's.
func (ed *settingsEditor) place() *time.Location {
	if zone, err := args.ParseZone(ed.form.get("timezone")); err == nil && zone.Name() != "" {
		return zone.Location()
	}
	return ed.site.Location
}

// there is the present time in the zone the form has.
func (ed *settingsEditor) there(ctx context.Context) string {
	l := ui.DatesIn(ctx)
	local := ui.WallAt(ed.now, ed.place())
	return l.At(l.Short(local), l.Clock(local))
}

// clockOf is the present time in a zone, and how far it is from UTC.
func (ed *settingsEditor) clockOf(ctx context.Context, zone string) string {
	place, err := args.LocationOf(zone)
	if err != nil {
		return ""
	}
	return ui.DatesIn(ctx).Clock(ui.WallAt(ed.now, place)) + tell(ctx, "comma") + " " + ui.OffsetOf(ed.now.In(place))
}

// shownAs are the shades of the accent in the form, as light and dark show it.
func (ed *settingsEditor) shownAs() (light, dark string) {
	accent, ok := ui.ReadColor(ui.FirstText(ed.form.get("accent"), ui.StandardAccent))
	if !ok {
		accent, _ = ui.ReadColor(ui.StandardAccent)
	}
	a, b := ui.Shades(accent)
	return a.Accent.String(), b.Accent.String()
}

// preview is the style sheet of the accent in the form, "" when it is the
// site's.
func (ed *settingsEditor) preview() string {
	if accent := ed.form.get("accent"); accent != ed.site.Settings.Accent {
		return ui.AccentAddress(ui.FirstText(accent, ui.StandardAccent))
	}
	return ""
}

// shadesText names the shades of the accent in the form, from left to right
// within texts of either direction.
func shadesText(ctx context.Context, ed *settingsEditor) string {
	light, dark := ed.shownAs()
	return tellWith(ctx, "settings.shades", "Light", "\u2066"+light+"\u2069", "Dark", "\u2066"+dark+"\u2069")
}

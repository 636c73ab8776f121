// Package settings has the pages on which administrators choose how their site looks and works.
package settings

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/pictures"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the pages of a site's settings.
type Pages struct {
	calendar    *services.Calendar
	submissions *submissions.Service
	platform    *platform.Platform
	pictures    *pictures.Pages // for pictures in the site's design
}

// New returns the pages.
func New(c *services.Calendar, s *submissions.Service, p *platform.Platform, of *pictures.Pages) *Pages {
	return &Pages{calendar: c, submissions: s, platform: p, pictures: of}
}

// path is the path of the first page.
const path = frame.AdminRoot + "/settings"

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	list := []frame.Route{frame.GetPage("/settings/look", tenancy.ManageSite, w.look)}
	for _, t := range topics {
		below := strings.TrimPrefix(t.path, frame.AdminRoot)
		list = append(list,
			frame.GetPage(below, tenancy.ManageSite, func(v *frame.Visit) (*frame.Reply, error) { return w.show(v, t.path) }),
			frame.FormPage(below, tenancy.ManageSite, func(v *frame.Visit) (*frame.Reply, error) { return w.change(v, t.path) }))
	}
	return list
}

// editor is a form of a site's settings.
type editor struct {
	form  *frame.Form
	at    string                  // path of the page
	pages []topic                 // that the site has
	parts []part                  // that the page shows
	site  *tenancy.Site           // as stored
	to    *tenancy.LanguageChange // effect of a new language that must be confirmed, or nil
	now   time.Time
	mails bool // the installation can send letters
}

var configTable = args.TableOf(reflect.TypeFor[platform.ConfigFields]())

func (w *Pages) show(v *frame.Visit, at string) (*frame.Reply, error) {
	site, err := w.platform.Sites.Configuration(v.Ctx)
	if err != nil {
		return nil, err
	}
	return w.reply(v, &editor{form: formOf(v.Ctx, site), site: site, at: at}, 0)
}

// reply shows a page with the form. A page on which the site has nothing to set leads to the first one.
func (w *Pages) reply(v *frame.Visit, ed *editor, status int) (*frame.Reply, error) {
	ed.now, ed.mails, ed.pages = w.calendar.Now(), w.submissions.Writes(), w.open(v.Ctx)
	if ed.parts = partsOf(ed.pages, ed.at, ed.form, ed.form == v.Form); len(ed.parts) == 0 {
		return &frame.Reply{Redirect: path}, nil
	}
	fill(ed.form, formOf(v.Ctx, ed.site))
	return &frame.Reply{
		Status:  status,
		Title:   ed.title(v.Ctx),
		Section: "settings",
		Body:    page(ed),
		Script:  "pictures.js",
		Frames:  true,
	}, nil
}

// title is the title of the page.
func (ed *editor) title(ctx context.Context) string {
	for _, t := range ed.pages {
		if t.path == ed.at {
			return frame.Tell(ctx, t.text)
		}
	}
	return frame.Tell(ctx, "nav.settings")
}

// change stores the changes of the form, or previews them. If someone else has changed the settings meanwhile, it shows both
// versions.
func (w *Pages) change(v *frame.Visit, at string) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		site, err := w.platform.Sites.Configuration(v.Ctx)
		if err != nil {
			return nil, nil, err
		}
		ed := &editor{form: v.Form, site: site, at: at}
		ed.form.Kind = "settings"
		if ed.form.Has("content_languages") {
			ed.form.Set("content_languages", append([]string{""}, apart(ed.form.Values["content_languages"])...)...)
		}
		tidyColors(ed.form)
		if ed.form.Get("accent") == ui.StandardAccent {
			ed.form.Set("accent", "")
		}
		joinSeasons(ed.form, site)
		if err := w.pictures.UploadFace(v, ed.form); err != nil {
			return nil, nil, err
		}
		if len(ed.form.Problems) > 0 {
			r, err := w.reply(v, ed, http.StatusUnprocessableEntity)
			return nil, r, err
		}
		now := formOf(v.Ctx, site)
		return &saving.Edit{Form: ed.form, Now: now, Fields: formFields, Action: at, Section: "settings", Label: ed.labelOf,
			Readable: func(f *frame.Form, name, _ string) string { return readable(v.Ctx, f, name, w.calendar.Now()) },
			Again:    func() (*frame.Reply, error) { return w.reply(v, ed, 0) },
			Store:    func() (*frame.Reply, error) { return w.save(v, ed, now) }}, nil, nil
	})
}

func (w *Pages) save(v *frame.Visit, ed *editor, now *frame.Form) (*frame.Reply, error) {
	values := changedIn(ed.form, now)
	fields, err := frame.Checked(configTable, values, args.Updating, func(f *platform.ConfigFields) error {
		return w.platform.Sites.CheckConfiguration(v.Ctx, f)
	})
	if err == nil && fields.Language.Given() && ed.form.Get(confirmed) != ed.form.Get("language") {
		to, err := w.platform.Sites.LanguageChange(v.Ctx, ed.form.Get("language"))
		if err != nil {
			return nil, err
		}
		if to.Exchanged+to.Kept > 0 {
			ed.to = &to
			return w.reply(v, ed, http.StatusUnprocessableEntity)
		}
	}
	if err == nil && len(values) > 0 {
		_, err = w.platform.Sites.Configure(v.Ctx, fields, ed.site.Mark())
	}
	switch {
	case err != nil && !ed.refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		return w.reply(v, ed, http.StatusUnprocessableEntity)
	}
	return &frame.Reply{Redirect: ed.at, Say: "settings"}, nil
}

// refuse adds the problems of a form to its controls. It reports false for other errors.
func (ed *editor) refuse(ctx context.Context, err error) bool {
	if checkSeasons(ctx, ed.form) != nil || !ed.form.Refuse(ctx, err) {
		return false
	}
	for name := range ed.form.Problems {
		if ofSeason(name) { // the problems of a season are more precise than the problem that one of the seasons is wrong
			delete(ed.form.Problems, seasons)
		}
	}
	return true
}

// confirmed is the control that confirms a change of language. Its value is the new language's tag.
const confirmed = "language_confirmed"

// changedIn returns the settings that differ from the stored ones, as arguments.
func changedIn(f *frame.Form, now *frame.Form) args.Values {
	values := args.Values{}
	for _, name := range formFields.Names {
		switch {
		case !formFields.Changed(f, now, name):
		case name == "languages", name == "content_languages":
			f.ReadAll(name, values)
		case name == texts.Field:
			texts.Read(f, now, values)
		case slices.Contains(seasonNames, name):
			values[seasons] = seasonsIn(f, now)
		default:
			f.Read(configTable.Field(name), values)
		}
	}
	return values
}

// formOf returns the form of a site's stored settings.
func formOf(ctx context.Context, site *tenancy.Site) *frame.Form {
	s := site.Settings
	f := &frame.Form{Kind: "settings", Values: url.Values{
		"name":              {site.Name},
		"timezone":          {site.Timezone},
		"language":          {site.Language},
		"languages":         ui.Offered(site),
		"content_languages": site.Written(),
		"week_start":        {strconv.Itoa(s.WeekStart)},
		"date_form":         {s.DateForm},
		"time_form":         {s.TimeForm},
		"english":           {s.English},
		"calendar":          {s.Calendar},
		"currency_symbol":   {s.CurrencySymbol},
		"currency_code":     {s.CurrencyCode},
		"currency_position": {position(&s)},
		"per_page":          {strconv.Itoa(s.PerPage)},
		"accent":            {s.Accent},
		"tagline":           {s.Face.Tagline},
		"theme":             {s.Face.Theme},
		"corners":           {s.Face.Corners},
		"font":              {s.Face.Font},
		"logo":              {s.Face.Logo},
		"header":            {s.Face.Header},
		"links":             {s.Face.Links},
		"footer_links":      {s.Face.Footer},
		"map_tiles":         {s.Map.Tiles},
		"map_credit":        {s.Map.Credit},
		"submissions":       {map[bool]string{true: "1", false: "0"}[s.Submissions.On]},
		"submission_terms":  {s.Submissions.Terms},
		"reports":           {map[bool]string{true: "1", false: "0"}[s.Reports]},
		"review":            {map[bool]string{true: "1", false: "0"}[s.Review]},
		"numbers":           {map[bool]string{true: "1", false: "0"}[s.Numbers]},
		"mailing":           {string(s.Mailing)},
		"share":             {strings.Join(s.Share.With, ", ")},
		"share_on":          {map[bool]string{true: "1", false: "0"}[s.Share.On]},
		"listed":            {map[bool]string{true: "1", false: "0"}[s.Listed]},
	}}
	texts.FillSite(ctx, f, site)
	fillSeasons(f, site)
	formFields.Stamp(f, site.Mark())
	return f
}

// position is where the currency symbol stands: with each language, or where it was chosen to stand.
func position(s *tenancy.Settings) string {
	if s.CurrencyFixed {
		return s.CurrencyPosition
	}
	return tenancy.ByLanguage
}

// readable returns a setting as people read it.
func readable(ctx context.Context, f *frame.Form, name string, now time.Time) string {
	text := f.Get(name)
	switch name {
	case "language":
		return ui.LanguageName(ctx, text)
	case "languages", "content_languages":
		var names []string
		for _, tag := range f.All(name) {
			names = append(names, ui.LanguageName(ctx, tag))
		}
		return strings.Join(names, frame.Tell(ctx, "comma")+" ")
	case "week_start":
		return frame.ValueOf(weekStarts(ctx), text, text)
	case "date_form":
		return frame.ValueOf(dateForms(ctx, now), text, text)
	case "time_form":
		return frame.ValueOf(timeForms(ctx, now), text, text)
	case "english", "calendar":
		return frame.ValueOf(varieties(ctx, name, now), text, text)
	case "currency_position":
		return frame.ValueOf(currencyPositions(ctx), text, text)
	case "submissions", "reports", "review", "numbers", "share_on", "listed":
		return frame.Tell(ctx, map[bool]string{true: "yes", false: "no"}[f.Ticked(name)])
	case texts.Field:
		return texts.Readable(ctx, f)
	case "theme", "corners", "font", "mailing":
		return frame.Tell(ctx, "settings."+name+"."+text)
	case "timezone":
		return frame.ZoneText(text)
	case "accent":
		return cmp.Or(text, ui.StandardAccent)
	}
	if n := slices.Index(seasonNames, name); n >= 0 {
		return seasonRead(ctx, f, n)
	}
	return text
}

// textLanguages returns the languages that texts can be written in, for tick boxes: first those of the site, in
// their order, then all others.
func (ed *editor) textLanguages() []string { return union(ed.site.Written(), i18n.Languages()) }

// pageLanguages returns the languages that the pages can have, for tick boxes.
func (ed *editor) pageLanguages() []string {
	return union(i18n.Languages(), ed.site.Written(), ui.Offered(ed.site))
}

// ownLanguages returns the choices for the site's own language.
func (ed *editor) ownLanguages() []string { return union(i18n.Languages(), ed.site.Written()) }

// moreLanguages returns the languages of texts without a tick box, as typed.
func (ed *editor) moreLanguages() string {
	return strings.Join(slices.DeleteFunc(ed.form.All("content_languages"), func(tag string) bool {
		return slices.Contains(ed.textLanguages(), tag)
	}), ", ")
}

// union joins lists of tags without duplicates.
func union(lists ...[]string) []string {
	var list []string
	for _, tag := range slices.Concat(lists...) {
		if !slices.Contains(list, tag) {
			list = append(list, tag)
		}
	}
	return list
}

// apart splits the values of fields into language tags. A value may contain several tags.
func apart(fields []string) []string {
	return strings.FieldsFunc(strings.Join(fields, ","), func(r rune) bool { return r == ',' || r == ' ' || r == '،' || r == '、' })
}

// sample returns a sample price, formatted with the settings in the form.
func (ed *editor) sample(ctx context.Context, amounts ...string) string {
	site, position := *ed.site, ed.form.Get("currency_position")
	site.Settings.CurrencySymbol, site.Settings.CurrencyCode = ed.form.Get("currency_symbol"), ed.form.Get("currency_code")
	site.Settings.CurrencyPosition, site.Settings.CurrencyFixed = position, position != tenancy.ByLanguage
	return prices.Text(&site, ui.DatesIn(ctx).Tag, amounts)
}

// evening returns a sample evening in a week, formatted with the settings in the form.
func (ed *editor) evening(ctx context.Context) string {
	l := ui.DatesIn(ctx)
	l.Form, l.Hours = ed.form.Get("date_form"), ed.form.Get("time_form")
	start := args.DayOf(ui.WallAt(ed.now, ed.place())).AddDate(0, 0, 7).Add(19*time.Hour + 30*time.Minute)
	return l.Span(start, start.Add(2*time.Hour), false, 0)
}

// place returns the form's time zone, or the site's if the form's is invalid.
func (ed *editor) place() *time.Location {
	if zone, err := args.ParseZone(ed.form.Get("timezone")); err == nil && zone.Name() != "" {
		return zone.Location()
	}
	return ed.site.Location
}

// there returns the present time in the form's time zone.
func (ed *editor) there(ctx context.Context) string {
	l := ui.DatesIn(ctx)
	local := ui.WallAt(ed.now, ed.place())
	return l.At(l.Short(local), l.Time(local))
}

// clockOf returns the present time in a zone, with the zone's offset from UTC.
func (ed *editor) clockOf(ctx context.Context, zone string) string {
	place, err := args.LocationOf(zone)
	if err != nil {
		return ""
	}
	return ui.DatesIn(ctx).Clock(ui.WallAt(ed.now, place)) + frame.Tell(ctx, "comma") + " " + ui.OffsetOf(ed.now.In(place))
}

// shades returns the shades of the form's accent color in the light and the dark theme.
func (ed *editor) shades() [2]string {
	accent, ok := ui.ReadColor(cmp.Or(ed.form.Get("accent"), ui.StandardAccent))
	if !ok {
		accent, _ = ui.ReadColor(ui.StandardAccent)
	}
	a, b := ui.Shades(accent)
	return [2]string{a.Accent.String(), b.Accent.String()}
}

// shadesText returns the shades of the form's accent color as text. They are written from left to right in texts of
// either direction.
func shadesText(ctx context.Context, ed *editor) string {
	shades := ed.shades()
	return frame.TellWith(ctx, "settings.shades", "Light", "\u2066"+shades[0]+"\u2069", "Dark", "\u2066"+shades[1]+"\u2069")
}

package settings

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// demo is a site with something in every setting.
func demo() *tenancy.Site {
	site := &tenancy.Site{Slug: "demo", Name: `Club & "Co"`, Language: "de", Settings: tenancy.DefaultSettings()}
	site.SetTimezone("Pacific/Auckland")
	s := &site.Settings
	s.Languages, s.ContentLanguages = []string{"de", "en", "fr"}, []string{"de", "fr"}
	s.Accent, s.Face.Logo, s.Face.Links, s.Map.Tiles, s.Submissions.On, s.Submissions.Terms = "#aa1122", "/media/k/a.png", "Home | https://example.org\nMore | https://example.org/more",
		"https://tile.example.org/{z}/{x}/{y}.png", true, "Be kind.\nBe brief."
	s.Seasons[0] = tenancy.Season{Name: "Advent", From: "12-01", Until: "12-24", Lead: "Lights\nand songs"}
	return site
}

func inLanguage(t *testing.T, site *tenancy.Site, language string) context.Context {
	t.Helper()
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language})
}

// sent is the form of a site as a browser sends it: with the line ends of browsers, and an empty value before ticked boxes.
func sent(ctx context.Context, site *tenancy.Site) *frame.Form {
	f := formOf(ctx, site)
	for name, values := range f.Values {
		f.Values[name] = slices.Clone(values)
		for i, text := range values {
			f.Values[name][i] = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}
	for _, name := range []string{"languages", "content_languages"} {
		f.Values[name] = append([]string{""}, f.Values[name]...)
	}
	f.Values["submissions"] = append([]string{"0"}, f.Values["submissions"]...)
	return f
}

// A form that nobody touched changes nothing. What was changed is all that is stored, so that two people who change different
// settings don't undo each other's.
func TestOnlyWhatWasChangedIsStored(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	now := formOf(ctx, site)
	if values := changedIn(sent(ctx, site), now); len(values) > 0 {
		t.Errorf("untouched: %v", values)
	}
	for _, c := range []struct {
		name   string
		change func(*frame.Form)
		want   args.Values
	}{
		{"a name", func(f *frame.Form) { f.Set("name", "Band") }, args.Values{"name": "Band"}},
		{"no tagline", func(f *frame.Form) { f.Set("tagline", "") }, args.Values{}},
		{"a form without some fields", func(f *frame.Form) {
			f.Values.Del("logo")
			f.Values.Del("languages")
			f.Values.Del("submissions")
		}, args.Values{}},
		{"languages in another order", func(f *frame.Form) { f.Set("languages", "", "fr", "en", "de") }, args.Values{}},
		{"fewer languages", func(f *frame.Form) { f.Set("languages", "", "de") }, args.Values{"languages": []any{"de"}}},
		{"no languages", func(f *frame.Form) { f.Set("languages", "") }, args.Values{"languages": []any{}}},
		{"texts in another order", func(f *frame.Form) { f.Set("content_languages", "", "fr", "de") }, args.Values{"content_languages": []any{"fr", "de"}}},
		{"no submissions", func(f *frame.Form) { f.Set("submissions", "0") }, args.Values{"submissions": "0"}},
		{"no logo and no terms", func(f *frame.Form) { f.Set("logo", ""); f.Set("submission_terms", "") },
			args.Values{"logo": nil, "submission_terms": nil}},
		{"links of browsers", func(f *frame.Form) { f.Set("links", "Home | https://example.org\r\nOther | https://example.org/other") },
			args.Values{"links": "Home | https://example.org\nOther | https://example.org/other"}},
		{"the standard colour", func(f *frame.Form) { f.Set("accent", "") }, args.Values{"accent": nil}},
		{"a name in French", func(f *frame.Form) { f.Set("translations.fr.name", "Le club") }, args.Values{"translations": map[string]any{
			"fr": map[string]any{"name": "Le club", "tagline": "", "links": "", "footer_links": "", "submission_terms": "",
				"season_1_lead": "", "season_2_lead": "", "season_3_lead": "", "season_4_lead": ""}}}},
		{"a season", func(f *frame.Form) {
			f.Set("season_2_name", "Summer")
			f.Set("season_2_from", "06-01")
			f.Set("season_2_until", "08-31")
		},
			args.Values{"seasons": []any{map[string]any{"name": "Advent", "from": "12-01", "until": "12-24", "lead": "Lights\nand songs"},
				map[string]any{"name": "Summer", "from": "06-01", "until": "08-31"}, map[string]any{}, map[string]any{}}}},
	} {
		f := sent(ctx, site)
		c.change(f)
		got := changedIn(f, now)
		if d := cmp.Diff(c.want, got); d != "" && !nulls(c.want, got) {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// nulls reports whether two differ only in how a field is cleared, by null or by nothing in it.
func nulls(want, got args.Values) bool {
	return maps.EqualFunc(want, got, func(a, b any) bool { return a == nil && b == "" })
}

// Every setting has a field on one of the pages, at the place where the palette leads, with a label in every language.
func TestEverySettingHasAField(t *testing.T) {
	t.Parallel()
	site := demo()
	for i := range configTable.Fields {
		if name := configTable.Fields[i].Name; name != seasons && !slices.Contains(formFields.Names, name) {
			t.Errorf("%s is on no page", name)
		}
	}
	if list := slices.Sorted(slices.Values(formFields.Names)); len(slices.Compact(list)) != len(formFields.Names) {
		t.Errorf("a setting is on two pages: %q", formFields.Names)
	}
	for _, language := range i18n.Languages() {
		ctx := inLanguage(t, site, language)
		for _, at := range topics {
			ed := &editor{form: formOf(ctx, site), site: site, now: time.Date(2030, 2, 4, 12, 0, 0, 0, time.UTC), mails: true, at: at.path, pages: topics, parts: at.parts}
			var b strings.Builder
			if err := page(ed).Render(ctx, &b); err != nil {
				t.Fatal(err)
			}
			for _, name := range formFields.Names {
				if name == "translations" {
					continue
				}
				control := name
				if slices.Contains(seasonNames, name) {
					control += "_name"
				}
				if has := strings.Contains(b.String(), ` name="`+control+`"`); has != ed.has(name) || has != strings.Contains(b.String(), `id="f-`+name+`"`) {
					t.Errorf("%s, %s: has %s: %t", language, at.path, name, has)
				}
			}
			if strings.Contains(b.String(), "admin.") || strings.Contains(b.String(), "settings.") {
				t.Errorf("%s, %s: a text without words", language, at.path)
			}
		}
	}
}

// Examples of dates show the present day of the site, not that of the server: in Auckland it is tomorrow.
func TestExamplesAreOfToday(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	now := time.Date(2030, 2, 4, 18, 0, 0, 0, time.UTC) // the 5th in Auckland, at seven
	for _, one := range dateForms(ctx, now) {
		if !strings.Contains(one.Value, "5") || strings.Contains(one.Value, "4") {
			t.Errorf("%s: %s", one.Name, one.Value)
		}
	}
	english, persian := varieties(ctx, "english", now), varieties(ctx, "calendar", now)
	if len(english) != 2 || !strings.Contains(english[0].Value, "February\u00a05") || !strings.Contains(english[1].Value, "5\u00a0February") {
		t.Errorf("english: %v", english)
	}
	if len(persian) != 2 || !strings.Contains(persian[0].Value, "۵") || !strings.Contains(persian[1].Value, "۱۷") { // 17 Bahman 1408
		t.Errorf("persian: %v", persian)
	}
	for _, one := range timeForms(ctx, now) {
		if !strings.Contains(one.Value, "7:30") && !strings.Contains(one.Value, "19:30") {
			t.Errorf("%s: %s", one.Name, one.Value)
		}
	}
	if days := weekStarts(ctx); len(days) != 8 || days[1].Value != "Monday" || days[7].Value != "Sunday" || days[0].Name != "0" {
		t.Errorf("%v", days)
	}
}

// The preview follows what the form has, as far as it can be understood; until then it shows the site as it is.
func TestPreviewFollowsTheForm(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	ed := &editor{form: formOf(ctx, site), site: site, now: time.Date(2030, 2, 4, 18, 0, 0, 0, time.UTC)}
	for zone, want := range map[string]string{"Europe/Berlin": "7:00", "europe/berlin": "7:00", "": "7:00 AM", "Nowhere/City": "7:00 AM", "Pacific/Auckland": "7:00 AM", "Asia/Tokyo": "3:00 AM"} {
		ed.form.Set("timezone", zone)
		if got := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(ed.there(ctx)); !strings.Contains(got, want) {
			t.Errorf("in %q it is %s", zone, got)
		}
	}
	ed.form.Set("timezone", "Europe/Berlin")
	for form, want := range map[string]string{"iso 24": "2030-02-11", "long 24": "February\u00a011", "iso 12": "7:30", "strange odd": "11"} {
		ed.form.Set("date_form", strings.Fields(form)[0])
		ed.form.Set("time_form", strings.Fields(form)[1])
		if got := ed.evening(ctx); !strings.Contains(got, want) {
			t.Errorf("%s: %s", form, got)
		}
	}
	for position, want := range map[string]string{"prefix": "€12.50", "postfix": "12.50\u00a0€", "language": "€12.50"} {
		ed.form.Set("currency_symbol", "€")
		ed.form.Set("currency_position", position)
		if got := ed.sample(ctx, "12.50"); !strings.HasPrefix(got, want) || !strings.Contains(got, "€") {
			t.Errorf("%s: %s", position, got)
		}
	}
	if got := ed.sample(ctx, "0"); got != "Free" {
		t.Errorf("nothing costs %s", got)
	}
	if got := ed.clockOf(ctx, "Nowhere/City"); got != "" {
		t.Errorf("no place has the time %s", got)
	}
	if got := ed.clockOf(ctx, "Asia/Kolkata"); !strings.Contains(got, "11:30") || !strings.Contains(got, "5:30") {
		t.Errorf("half hours count: %s", got)
	}
}

// What is no colour is shown as the standard one.
func TestColourOfThePreview(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "ar")
	ed := &editor{form: formOf(ctx, site), site: site}
	ed.form.Set("accent", "red")
	shades := ed.shades()
	standard, _ := ui.ReadColor(ui.StandardAccent)
	a, b := ui.Shades(standard)
	if shades != [2]string{a.Accent.String(), b.Accent.String()} {
		t.Errorf("what is no colour is %s", shades)
	}
	if text := shadesText(ctx, ed); !strings.Contains(text, "\u2066"+shades[0]+"\u2069") {
		t.Errorf("shades keep their direction: %q", text)
	}
}

// Where two have saved, settings are shown as people read them, whatever is stored for them.
func TestSettingsAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	f := formOf(ctx, site)
	now := time.Date(2030, 2, 4, 18, 0, 0, 0, time.UTC)
	f.Set("week_start", "7")
	f.Set("translations.fr.name", "Le club")
	for name, want := range map[string]string{"name": `Club & "Co"`, "language": "German", "languages": "English, German, French", "content_languages": "German, French",
		"week_start": "Sunday", "currency_position": "Language default", "submissions": "Yes", "timezone": "Pacific/Auckland", "accent": "#aa1122",
		"theme": "Plain", "per_page": "15", "submission_terms": "Be kind.\nBe brief."} {
		if got := readable(ctx, f, name, now); !strings.EqualFold(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, name := range formFields.Names {
		if got := readable(ctx, f, name, now); strings.Contains(got, "admin.") || strings.Contains(got, "settings.") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := readable(ctx, f, "translations", now); got != "Name of the site (French): Le club" {
		t.Errorf("texts in other languages: %q", got)
	}
	f.Set("accent", "")
	f.Set("timezone", "America/New_York")
	if readable(ctx, f, "accent", now) != ui.StandardAccent || readable(ctx, f, "timezone", now) != "America/New York" {
		t.Errorf("%s, %s", readable(ctx, f, "accent", now), readable(ctx, f, "timezone", now))
	}
}

// The languages of texts are offered in the order in which the site has them, then all others, each once.
func TestOrderOfTextLanguages(t *testing.T) {
	t.Parallel()
	site := demo()
	site.Settings.ContentLanguages = []string{"fr", "de"}
	list := (&editor{site: site}).textLanguages()
	if len(list) != len(i18n.Languages()) || !slices.Equal(list[:2], site.Written()) || len(slices.Compact(slices.Sorted(slices.Values(list)))) != len(list) {
		t.Errorf("%q", list)
	}
}

// A form sends months and days apart, and always a color: the site's is none of the season's own.
func TestSeasonsAsBrowsersSendThem(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	f := sent(ctx, site)
	for name, text := range map[string]string{"season_1_from_month": "12", "season_1_from_day": "01", "season_1_until_month": "12", "season_1_until_day": "24",
		"season_1_accent": "#aa1122", "season_2_from_month": "06", "season_2_from_day": "", "season_2_accent": "#00aa55", "season_3_from_month": "", "season_3_from_day": "",
		"season_3_accent": "#aa1122"} {
		f.Set(name, text)
	}
	joinSeasons(f, site)
	for name, want := range map[string]string{"season_1_from": "12-01", "season_1_until": "12-24", "season_1_accent": "", "season_2_from": "06-", "season_2_accent": "#00aa55", "season_3_from": "",
		"season_3_accent": ""} {
		if got := f.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	ed := &editor{form: f, site: site, now: time.Date(2030, 7, 1, 12, 0, 0, 0, time.UTC)}
	if err := checkSeasons(ctx, f); err != nil || len(f.Problems) != 2 || f.Problem("season_2_from") == "" || f.Problem("season_2_until") == "" || !ed.opens(1) || ed.opens(0) {
		t.Errorf("%v, %v", err, f.Problems)
	}
	for name, want := range map[string]string{"season_2_from": "Season 2, First day", "season_3": "Season 3", "season_1_accent": "Season 1, Accent color", "name": "Name of the site"} {
		if got := ed.labelOf(ctx, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := seasonTitle(ctx, f, 0); got != "\u2068Advent\u2069, Dec\u00a01 – Dec\u00a024" {
		t.Error(got)
	}
	if got := seasonTitle(ctx, f, 1); got != "Season 2" {
		t.Error(got)
	}
}

// The preview shows the season that is being changed, otherwise that of today, otherwise the first.
func TestPreviewedSeason(t *testing.T) {
	t.Parallel()
	site := demo()
	site.Settings.Seasons[2] = tenancy.Season{Name: "Summer", From: "06-01", Until: "08-31"}
	ctx := inLanguage(t, site, "en")
	for day, want := range map[time.Time]int{time.Date(2030, 7, 1, 12, 0, 0, 0, time.UTC): 3, time.Date(2030, 12, 1, 12, 0, 0, 0, time.UTC): 1, time.Date(2030, 3, 1, 12, 0, 0, 0, time.UTC): 1} {
		ed := &editor{form: formOf(ctx, site), site: site, now: day}
		if got := ed.previewedSeason(); got != want || ed.lasts(2) != (want == 3) {
			t.Errorf("on %s: %d, not %d", day, got, want)
		}
		ed.form.Set("season_4_lead", "New")
		if got := ed.previewedSeason(); got != 4 {
			t.Errorf("on %s, while the fourth is written: %d", day, got)
		}
	}
	ed := &editor{form: formOf(ctx, &tenancy.Site{}), site: &tenancy.Site{Location: time.UTC}}
	if got := ed.previewedSeason(); got != 0 {
		t.Errorf("without seasons: %d", got)
	}
}

// A form that was opened before somebody gave the site another accent does not make that of before the seasons' own.
func TestSeasonsOfFormsBeforeAnotherAccent(t *testing.T) {
	t.Parallel()
	site := demo()
	ctx := inLanguage(t, site, "en")
	f := sent(ctx, site)
	f.Set("site_accent", "#112233")
	f.Set("season_3_accent", "#112233")
	f.Set("season_4_accent", site.Settings.Accent)
	joinSeasons(f, site)
	if f.Get("season_3_accent") != "" || f.Get("season_4_accent") != site.Settings.Accent {
		t.Errorf("%q, %q", f.Get("season_3_accent"), f.Get("season_4_accent"))
	}
}

// Codes of colors may be typed in capitals and without their sign.
func TestTidyColors(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{" 7A1F3D ": "#7a1f3d", "#7A1F3D": "#7a1f3d", "red": "red", "": ""} {
		f := &frame.Form{Values: url.Values{"accent": {typed}}}
		if tidyColors(f); f.Get("accent") != want {
			t.Errorf("%q is %q", typed, f.Get("accent"))
		}
	}
}

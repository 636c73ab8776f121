package platform_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestConfigureEverything(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo", "a.example")
	zone, err := args.ParseZone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	ctx := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator})
	_, err = i.Sites.Configure(ctx, &platform.ConfigFields{Name: args.Some("Mine"), Timezone: args.Some(zone), Language: args.Some("de"),
		WeekStart: args.Some(7), DateForm: args.Some("iso"), TimeForm: args.Some("12"), English: args.Some("british"), Calendar: args.Some("jalali"),
		Accent: args.Some("#AA3300"), FaceFields: platform.FaceFields{Theme: args.Some("journal"), Corners: args.Some("round"),
			Font: args.Some("serif"), Logo: args.Some("/media/a/b.png"), Header: args.Some("https://example.org/a.jpg"),
			Links: args.Some("Home | https://example.org\r\nWrite | mailto:a@example.org"), Footer: args.Some("Imprint | /imprint")},
		Seasons: args.Some(args.Objects[platform.SeasonFields]{{}, {Name: args.Some("Advent"), From: args.Some("12-01"), Until: args.Some("12-24"), Header: args.Some(" /media/a/c.png"),
			Accent: args.Some("#AA0000"), Lead: args.Some("Lights\r\nand songs ")}}), SettingsFields: platform.SettingsFields{MapFields: platform.MapFields{Tiles: args.Some(" https://tiles.example.org/{z}/{x}/{y}.png "),
			Credit: args.Some("Maps | https://example.org")}, Languages: args.Some(args.Texts{"pt-BR"}), Tagline: args.Some("By the lake"), PerPage: args.Some(7), CurrencySymbol: args.Some("€"),
			CurrencyCode: args.Some("EUR"), CurrencyPosition: args.Some("postfix")}}, site.Mark())
	if err != nil {
		t.Fatal(err)
	}
	got, err := i.Sites.Configuration(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := *site
	want.Name, want.Timezone, want.Language, want.Version = "Mine", "Asia/Tokyo", "de", site.Version+1
	want.Settings = tenancy.Settings{PerPage: 7, CurrencySymbol: "€", CurrencyCode: "EUR", CurrencyPosition: "postfix", CurrencyFixed: true,
		Languages: []string{"de", "pt-BR"}, WeekStart: 7, DateForm: "iso", TimeForm: "12", English: "british", Calendar: "jalali", Accent: "#aa3300", Face: tenancy.Face{Tagline: "By the lake", Theme: "journal", Corners: "round", Font: "serif",
			Logo: "/media/a/b.png", Header: "https://example.org/a.jpg", Links: "Home | https://example.org\nWrite | mailto:a@example.org", Footer: "Imprint | /imprint"},
		Seasons: [tenancy.MostSeasons]tenancy.Season{1: {Name: "Advent", From: "12-01", Until: "12-24", Header: "/media/a/c.png", Accent: "#aa0000", Lead: "Lights\nand songs"}},
		Map:     tenancy.Map{Tiles: "https://tiles.example.org/{z}/{x}/{y}.png", Credit: "Maps | https://example.org"}, Reports: true, Numbers: true, Mailing: tenancy.MailingOff}
	if diff := cmp.Diff(&want, got, cmpopts.IgnoreFields(tenancy.Site{}, "Changed", "Location")); diff != "" {
		t.Error(diff)
	}
	if !got.Offers("de") || !got.Offers("pt-BR") || got.Offers("en") {
		t.Error("offers other languages than it was told to")
	}
	if got.Location.String() != "Asia/Tokyo" {
		t.Errorf("its clock is that of %s", got.Location)
	}
}

// The currency symbol is where each language has it until somebody chooses a position. A program that sends back what it has read chooses none.
func TestPositionOfTheCurrency(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ctx := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator})
	var err error
	is := func(what, position string, fixed bool) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if s := site.Settings; s.CurrencyPosition != position || s.CurrencyFixed != fixed {
			t.Errorf("%s: %s, fixed: %t", what, s.CurrencyPosition, s.CurrencyFixed)
		}
	}
	send := func(what, value, position string, fixed bool) {
		t.Helper()
		f := &platform.SiteFields{}
		f.Settings = args.Some(args.Object[platform.SettingsFields]{Fields: platform.SettingsFields{CurrencyPosition: args.Some(value)}})
		site, err = i.Sites.Update(i.Provider(), "demo", f)
		is(what, position, fixed)
	}
	choose := func(what, value, position string, fixed bool) {
		t.Helper()
		site, err = i.Sites.Configure(ctx, &platform.ConfigFields{SettingsFields: platform.SettingsFields{CurrencyPosition: args.Some(value)}}, "")
		is(what, position, fixed)
	}
	send("by language", tenancy.ByLanguage, "prefix", false)
	send("sent back", "prefix", "prefix", false)
	send("changed by a program", "postfix", "postfix", true)
	choose("taken back by a person", tenancy.ByLanguage, "postfix", false)
	choose("chosen by a person", "postfix", "postfix", true)
	send("sent back once more", "postfix", "postfix", true)
}

// What a site's own administrators set, the provider sets by the platform API, too, unless it is theirs alone: how the site looks, and what
// visitors may do there.
func TestSettingsOfThePlatform(t *testing.T) {
	t.Parallel()
	theirs := []string{"name", "timezone", "language", "translations", // of the site itself, beside its settings
		"week_start", "date_form", "time_form", "english", "calendar", "accent", "theme", "corners", "font", "logo", "header", "links", "footer_links", "seasons",
		"submissions", "submission_terms", "reports", "numbers", "review", "mailing"}
	names := func(of reflect.Type) (list []string) {
		for _, f := range args.TableOf(of).Fields {
			list = append(list, f.Name)
		}
		slices.Sort(list)
		return list
	}
	platforms := names(reflect.TypeFor[platform.SettingsFields]())
	own := slices.DeleteFunc(names(reflect.TypeFor[platform.ConfigFields]()), func(name string) bool { return slices.Contains(theirs, name) })
	if diff := cmp.Diff(own, platforms); diff != "" {
		t.Error(diff)
	}
	for _, name := range names(reflect.TypeFor[platform.DefaultsFields]()) {
		if name != "plan" && !slices.Contains(platforms, name) && !slices.Contains(theirs, name) {
			t.Errorf("%s has a default and is no setting", name)
		}
	}
}

// The second of two who save at once is told, whoever the first was.
func TestConfigureWhatChanged(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ctx := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator})
	f := &platform.ConfigFields{WeekStart: args.Some(1)}
	if _, err := i.Sites.Configure(ctx, f, site.Mark()); err != nil {
		t.Fatal(err)
	}
	_, err := i.Sites.Configure(ctx, f, site.Mark())
	tenancytest.WantError(t, err, platform.ErrChanged)
	now, err := i.Sites.Configuration(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{ProfileFields: platform.ProfileFields{Name: args.Some("Ours")}}); err != nil {
		t.Fatal(err)
	}
	_, err = i.Sites.Configure(ctx, f, now.Mark())
	tenancytest.WantError(t, err, platform.ErrChanged)
	i.User(site, "ann", tenancy.Editor)
	if now, err = i.Sites.Configuration(ctx); err != nil {
		t.Fatal(err)
	}
	i.User(site, "bob", tenancy.Editor) // raises the version, but is none of the settings
	if _, err := i.Sites.Configure(ctx, f, now.Mark()); err != nil {
		t.Error(err)
	}
}

func TestConfigureRefuses(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	admin := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator})
	for _, c := range []struct {
		arg, key string
		fields   platform.ConfigFields
	}{
		{"language", "problem.language_tag", platform.ConfigFields{Language: args.Some("xx")}},
		{"languages", "problem.language_tag", platform.ConfigFields{SettingsFields: platform.SettingsFields{Languages: args.Some(args.Texts{"de", "xx"})}}},
	} {
		_, err := i.Sites.Configure(admin, &c.fields, "")
		tenancytest.WantProblem(t, err, c.arg, c.key)
	}
	for role, want := range map[tenancy.Role]error{tenancy.Editor: tenancy.ErrForbidden, tenancy.NoRole: tenancy.ErrUnauthenticated} {
		p := tenancy.Principal{Role: role}
		if role != tenancy.NoRole {
			p.UserID = 1
		}
		_, err := i.Sites.Configuration(i.In(site, p))
		tenancytest.WantError(t, err, want)
	}
	all := args.Texts{"en", "de", "pt-BR"}
	after, err := i.Sites.Configure(admin, &platform.ConfigFields{SettingsFields: platform.SettingsFields{Languages: args.Some(all)}}, "")
	if err != nil || after.Settings.Languages != nil {
		t.Errorf("all languages are %v, %v", after, err)
	}
}

func TestConfigArguments(t *testing.T) {
	t.Parallel()
	table := args.TableOf(reflect.TypeFor[platform.ConfigFields]())
	for arg, values := range map[string][]string{
		"links":      {"Home", "Home | javascript:alert(1)", "A | //example.org", "| https://example.org", "A | http:", strings.Repeat("A | /a\n", 9), `A | /\example.org`},
		"map_tiles":  {"https://tiles.example.org/1.png", "http://tiles.example.org/{z}/{x}/{y}.png", "//tiles.example.org/{z}/{x}/{y}.png", "javascript:{z}{x}{y}", "https://a.example.org/{z}/{x}"},
		"map_credit": {"Maps", "Maps | javascript:alert(1)", "A | /a\nB | /b"},
		"logo":       {"javascript:alert(1)", "http://example.org/a.png", "//example.org/a.png", "a.png"}, "theme": {"", "own"}, "font": {"Comic Sans"},
		"accent": {"red", "#12345", "#1234567", "#gg0000", "url(#)"}, "week_start": {"8", "-1", "Monday"}, "date_form": {"", "full"},
		"time_form": {"", "13"}, "english": {"", "canadian"}, "calendar": {"", "lunar"}, "per_page": {"0", "51", "many"}, "currency_code": {"euro", "eu", "eur"}, "currency_position": {"left"},
		"currency_symbol": {"12345678901"}, "timezone": {"", "Mars/Olympus"}, "name": {"", " "},
	} {
		for _, value := range values {
			f := &platform.ConfigFields{}
			err := table.Parse(args.Values{arg: value}, args.Updating, f)
			var found *args.Problems
			if !errors.As(err, &found) || found.Broken()[0].Arg != arg {
				t.Errorf("%s=%q: %v", arg, value, err)
			}
		}
	}
}

// What is wrong with a season is said of it. A season of which nothing is set is none.
func TestSeasonArguments(t *testing.T) {
	t.Parallel()
	table := args.TableOf(reflect.TypeFor[platform.SeasonFields]())
	whole := args.Values{"name": "Advent", "from": "12-01", "until": "12-24"}
	for _, c := range []struct {
		arg, value, wrong string
	}{
		{"from", "", "from"}, {"from", "12-32", "from"}, {"until", "", "until"}, {"until", "02-30", "until"}, {"from", "2030-12-01", "from"},
		{"header", "javascript:alert(1)", "header"}, {"accent", "red", "accent"}, {"lead", strings.Repeat("x", 1001), "lead"},
		{"name", "", ""}, {"until", "02-29", ""}, {"accent", "#ABCDEF", ""}, {"header", "/media/a/b.png", ""},
	} {
		values := maps.Clone(whole)
		values[c.arg] = c.value
		err := table.ParseAll(values, args.Creating, &platform.SeasonFields{})
		var found *args.Problems
		if errors.As(err, &found) != (c.wrong != "") || found != nil && found.Broken()[0].Arg != c.wrong {
			t.Errorf("%s=%q: %v", c.arg, c.value, err)
		}
	}
	if err := table.ParseAll(args.Values{}, args.Creating, &platform.SeasonFields{}); err != nil {
		t.Error(err)
	}
	five := []any{map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}}
	err := args.TableOf(reflect.TypeFor[platform.ConfigFields]()).Parse(args.Values{"seasons": five}, args.Updating, &platform.ConfigFields{})
	tenancytest.WantProblem(t, err, "seasons", "problem.entries")
}

// The texts of a season are translated by its number, and go with it: a season that takes its place begins without.
func TestTextsOfSeasons(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ctx := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator})
	season := func(lead string) platform.SeasonFields {
		return platform.SeasonFields{From: args.Some("12-01"), Until: args.Some("12-24"), Lead: args.Some(lead)}
	}
	set := func(f *platform.ConfigFields) tenancy.SiteText {
		t.Helper()
		after, err := i.Sites.Configure(ctx, f, "")
		if err != nil {
			t.Fatal(err)
		}
		return after.Settings.Texts["fr"]
	}
	set(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"en", "fr"})}})
	said := set(&platform.ConfigFields{Seasons: args.Some(args.Objects[platform.SeasonFields]{season("One"), season("Two")}),
		Texts: args.Some(args.Named[platform.SiteTexts]{"fr": {Lead1: args.Some("Un"), Lead2: args.Some("Deux")}})})
	if said.Leads != (tenancy.Leads{"Un", "Deux"}) || said.Outdated {
		t.Errorf("%+v", said)
	}
	if said = set(&platform.ConfigFields{Seasons: args.Some(args.Objects[platform.SeasonFields]{{}, season("Two")})}); said.Leads != (tenancy.Leads{"", "Deux"}) || !said.Outdated {
		t.Errorf("the first is gone: %+v", said)
	}
	if said = set(&platform.ConfigFields{Seasons: args.Some(args.Objects[platform.SeasonFields]{})}); said != (tenancy.SiteText{}) {
		t.Errorf("both are gone: %+v", said)
	}
}

package platform

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// problems lists what is wrong, as "argument key".
func problems(found *args.Problems) (list []string) {
	for _, p := range found.Broken() {
		list = append(list, p.Arg+" "+p.Key)
	}
	slices.Sort(list)
	return list
}

// The languages of pages and of texts are named in any letter case, each counts once, and the site's own is always among them.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := &Sites{languages: []string{"en", "de", "pt-BR"}}
	for _, c := range []struct {
		names            []string
		offered, written []string
		wrong            bool
	}{
		{nil, []string{"de"}, nil, false},
		{[]string{""}, []string{"de"}, nil, false},
		{[]string{"de"}, []string{"de"}, nil, false},
		{[]string{"DE"}, []string{"de"}, nil, false},
		{[]string{"pt-br", "en", "PT-BR"}, nil, []string{"de", "pt-BR", "en"}, false},
		{[]string{"en"}, []string{"en", "de"}, []string{"de", "en"}, false},
		{[]string{"EN", "de"}, []string{"en", "de"}, []string{"en", "de"}, false},
		{[]string{"FR"}, []string{"de", "fr"}, []string{"de", "fr"}, false},
		{[]string{"zh-hant", "nb"}, []string{"de", "zh-Hant", "nb"}, []string{"de", "zh-Hant", "nb"}, false},
		{[]string{"xx"}, nil, nil, true},
		{[]string{"de", "tag"}, nil, nil, true}, {[]string{"de-x-own"}, nil, nil, true}, {[]string{"de-u-ca-persian"}, nil, nil, true},
	} {
		pages, texts := &args.Problems{}, &args.Problems{}
		if diff := cmp.Diff(c.offered, s.offered(c.names, "de", []string{"de"}, pages)); diff != "" {
			t.Errorf("pages in %q: %s", c.names, diff)
		}
		if diff := cmp.Diff(c.written, s.written(c.names, "de", texts)); diff != "" {
			t.Errorf("texts in %q: %s", c.names, diff)
		}
		if (pages.Err() != nil) != c.wrong || (texts.Err() != nil) != c.wrong {
			t.Errorf("%q: %v, %v", c.names, pages.Err(), texts.Err())
		}
	}
}

// Texts in other languages are written one by one. What was made from a text that has changed is outdated, unless it is written as well.
func TestReword(t *testing.T) {
	t.Parallel()
	name := func(text string) *SiteTexts { return &SiteTexts{NameTexts: NameTexts{Name: args.Some(text)}} }
	for what, c := range map[string]struct {
		said   map[string]*SiteTexts
		rename string // the site's own name, before
		want   map[string]tenancy.SiteText
		own    string
		wrong  []string
	}{
		"nothing":             {nil, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}, "Own", nil},
		"the own name alone":  {nil, "New", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3, Outdated: true}}, "New", nil},
		"both":                {map[string]*SiteTexts{"de": name("Neu")}, "New", map[string]tenancy.SiteText{"de": {Name: "Neu"}}, "New", nil},
		"the same again":      {map[string]*SiteTexts{"de": name("Alt")}, "New", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}, "New", nil},
		"another language":    {map[string]*SiteTexts{"fr": name(" Fleuve\r\nx ")}, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}, "fr": {Name: "Fleuve\nx"}}, "Own", nil},
		"taken away":          {map[string]*SiteTexts{"de": nil}, "", nil, "Own", nil},
		"emptied":             {map[string]*SiteTexts{"de": name(" ")}, "", nil, "Own", nil},
		"the own by language": {map[string]*SiteTexts{"en": name("New")}, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3, Outdated: true}}, "New", nil},
		"none of the own":     {map[string]*SiteTexts{"en": name("")}, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}, "Own", []string{"translations.en.name problem.blank"}},
		"the own taken away":  {map[string]*SiteTexts{"en": nil}, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}, "Own", []string{"translations.en problem.content_language.own"}},
		"a language of none":  {map[string]*SiteTexts{"pl": name("x")}, "", map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}, "Own", []string{"translations.pl problem.content_language"}},
		"links that lead nowhere": {map[string]*SiteTexts{"de": {Links: args.Some("x"), Footer: args.Some("A | javascript:x")}}, "",
			map[string]tenancy.SiteText{"de": {Name: "Alt", Links: "x", Footer: "A | javascript:x"}}, "Own",
			[]string{"translations.de.footer_links problem.site_links", "translations.de.links problem.site_links"}},
	} {
		site := &tenancy.Site{Name: "Own", Language: "en", Settings: tenancy.Settings{ContentLanguages: []string{"en", "de", "fr"},
			Texts: map[string]tenancy.SiteText{"de": {Name: "Alt", Version: 3}}}}
		stored, before := site.Settings.Texts, site.OwnText()
		if c.rename != "" {
			site.Name = c.rename
		}
		found := &args.Problems{}
		reword(site, c.said, before, found)
		if diff := cmp.Diff(c.want, site.Settings.Texts); diff != "" || site.Name != c.own {
			t.Errorf("%s: %q %s", what, site.Name, diff)
		}
		if diff := cmp.Diff(c.wrong, problems(found)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
		if stored["de"] != (tenancy.SiteText{Name: "Alt", Version: 3}) || len(stored) != 1 {
			t.Errorf("%s: the site that others read was changed: %v", what, stored)
		}
	}
}

// Pictures and maps of a site come by https or from the site itself, and a map says where each piece of it is.
func TestLooks(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{"": true, " ": true, "/media/a/b.png": true, "https://a.example/b.png": true, "http://a.example/b.png": false,
		"//a.example/b.png": false, "a.png": false, "data:image/png;base64,x": false, "javascript:x": false, "mailto:a@b.example": false, `/\a.example`: false} {
		found := &args.Problems{}
		(&FaceFields{Logo: args.Some(address), Header: args.Some(address)}).check(found)
		if (found.Err() == nil) != ok || !ok && strings.Join(problems(found), "|") != "header problem.picture_address|logo problem.picture_address" {
			t.Errorf("%q: %v", address, found.Err())
		}
	}
	for tiles, ok := range map[string]bool{"": true, "https://t.example/{z}/{x}/{y}.png": true, "/tiles/{z}/{x}/{y}.png": true, "https://t.example/{z}/{x}.png": false,
		"https://t.example/{z}/{x}/{y}/{y}.png": false, "http://t.example/{z}/{x}/{y}.png": false, "{z}{x}{y}": false} {
		found := &args.Problems{}
		(&MapFields{Tiles: args.Some(tiles)}).check(found)
		if (found.Err() == nil) != ok {
			t.Errorf("%q: %v", tiles, found.Err())
		}
	}
	for credit, ok := range map[string]bool{"": true, "© Maps | https://m.example": true, "A | /a\nB | /b": false, "© Maps": false} {
		found := &args.Problems{}
		(&MapFields{Credit: args.Some(credit)}).check(found)
		if (found.Err() == nil) != ok {
			t.Errorf("%q: %v", credit, found.Err())
		}
	}
}

// What is asked for as a domain is told apart: one of the platform, an address, one with a port, a wildcard, none at all.
func TestOwnDomain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Events.Example.ORG.": "events.example.org", "bücher.example": "xn--bcher-kva.example", " a.example ": "a.example", "calendars.example.org": "calendars.example.org",
		"calendars.example": "problem.domain.platform", "X.Calendars.Example": "problem.domain.platform", "notcalendars.example": "notcalendars.example",
		"*.example.org": "problem.domain.wildcard", "192.0.2.1": "problem.domain.address", "192.0.2.1:80": "problem.domain.address", "[2001:db8::1]": "problem.domain.address",
		"2001:db8::1": "problem.domain.address", "a.example:443": "problem.domain.port", "https://a.example": "problem.domain", "a.example/x": "problem.domain", "": "problem.domain",
		"a b.example": "problem.domain", "-a.example": "problem.domain",
	} {
		domain, problem := ownDomain(name, "calendars.example")
		if got := domain + problem; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Pages are in all languages where those of the interface and those of the texts are named.
func TestAllLanguages(t *testing.T) {
	t.Parallel()
	s := &Sites{languages: []string{"en", "de"}}
	for names, want := range map[string]string{"en de": "en de", "en de ca": "", "de ca": "de ca", "en de ca nb": "en de ca nb"} {
		if got := strings.Join(s.offered(strings.Fields(names), "de", []string{"de", "ca"}, &args.Problems{}), " "); got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

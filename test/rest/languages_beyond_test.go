package rest

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// beyond is a site in English whose texts are also in Catalan, traditional Chinese and Norwegian, which the interface doesn't have.
func beyond(t *testing.T) *kit.Kit {
	t.Helper()
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "CA", "zh-hant", "nb"}}}).
		Want(t, 200, "").Has(t, "settings.content_languages", []any{"en", "ca", "zh-Hant", "nb"})
	k.Event(kit.Object{"title": "Choir", "slug": "choir", "start_date": "2030-03-02 19:30:00", "end_date": "2030-03-02 21:30:00",
		"translations": kit.Object{"ca": kit.Object{"title": "Festa col·lectiva"}, "zh-Hant": kit.Object{"title": "合唱團"}, "nb": kit.Object{"title": "Sang på Ålesund"}}})
	return k
}

// TestLanguagesBeyondTheInterface: a site has texts and pages in any language. What the interface says there is in the nearest
// language, and marked as such.
func TestLanguagesBeyondTheInterface(t *testing.T) {
	k := beyond(t)
	page := k.Look("/ca/event/festa-collectiva/").Want(t, 200, "").String()
	for _, want := range []string{`<html lang="ca" dir="ltr"`, "<h1><bdi>Festa col·lectiva</bdi></h1>", `hreflang="zh-Hant" href="http://localhost/zh-Hant/event/`,
		`hreflang="nb" href="http://localhost/nb/event/sang-paa-aalesund/"`, `hreflang="de" href="http://localhost/de/event/choir/"`,
		`lang="ca" hreflang="ca" rel="nofollow" aria-current="true">Català</a>`, `>Norsk bokmål</a>`, `<link rel="canonical" href="http://localhost/ca/event/festa-collectiva/"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page in Catalan lacks %s", want)
		}
	}
	list := k.Look("/ca/events/").Want(t, 200, "").String()
	for _, want := range []string{`Festa col·lectiva`, `<nav class="views" id="views" popover aria-label="Vista" lang="es">`, `lang="es"`} {
		if !strings.Contains(list, want) {
			t.Errorf("the list in Catalan lacks %s", want)
		}
	}
	if a := k.Look("/zh-hant/events/"); a.Status != 200 || !strings.Contains(a.String(), "合唱團") || a.Header.Get("Content-Language") != "zh-Hant" {
		t.Errorf("in traditional Chinese: %d %s", a.Status, a.Header.Get("Content-Language"))
	}
	if english := k.Look("/en/events/").String(); strings.Contains(english, `aria-label="View" lang=`) {
		t.Error("what the interface says in the page's own language is marked")
	}
	for from, to := range map[string]string{"/eu/events/": "http://localhost/events/", "/language/ca/events/": "/ca/events/"} {
		if a := k.Look(from); a.Header.Get("Location") != to {
			t.Errorf("%s leads to %d %s", from, a.Status, a.Header.Get("Location"))
		}
	}
	k.Look("/language/eu/events/").Want(t, 404, "")
	k.Look("/xx/events/").Want(t, 404, "rest_no_route")
	if a := k.Look("/events/", "Accept-Language", "nb, en;q=0.5"); a.Header.Get("Content-Language") != "nb" || !strings.Contains(a.String(), "Sang på Ålesund") {
		t.Errorf("who prefers Norwegian gets %s", a.Header.Get("Content-Language"))
	}
	if m := k.Look("/sitemap-events-1.xml"); m.Status == 200 && !strings.Contains(m.String(), `hreflang="ca"`) {
		t.Error("the site map has no pages in Catalan")
	}
}

// TestAPIBeyondTheInterface: the API reads and writes texts in any language of the site, and says which codes are none.
func TestAPIBeyondTheInterface(t *testing.T) {
	k := beyond(t)
	one := k.Get("//ca/calendar/events/v1/events/by-slug/festa-collectiva", "").Want(t, 200, "").Has(t, "title", "Festa col·lectiva").Has(t, "content_language", "ca")
	path := kit.Item("events", int64(one.At("id").(float64)))
	k.Patch("//ca/calendar/events/v1"+path, "editor", kit.Object{"title": "Festa gran"}).Want(t, 200, "").Has(t, "title", "Festa gran")
	k.Patch(path, "editor", kit.Object{"content_language": "nb", "excerpt": "Kort"}).Want(t, 200, "")
	k.Get(path, "").Want(t, 200, "").Has(t, "title", "Choir").Has(t, "translations", []any{"en", "ca", "nb", "zh-Hant"})
	k.Get(path+"?translations=full", "").Has(t, "translations.nb.excerpt", "<p>Kort</p>")
	k.Get("/events?start_date=2030-01-01&search=Ålesund", "").Has(t, "total", 0.0)
	k.Get("//nb/calendar/events/v1/events?start_date=2030-01-01&search=aalesund", "").Has(t, "total", 1.0)
	k.Patch(path, "editor", kit.Object{"translations": kit.Object{"eu": kit.Object{"title": "Abesbatza"}}}).Want(t, 400, "rest_invalid_param")
	for _, tag := range []string{"xx", "tag", "de-x-own", "ca_ES_valencia_and_more_than_that_is_long"} {
		k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", tag}}}).Want(t, 400, "rest_invalid_param")
	}
	file := k.Person("administrator").Get("/admin/events/export").Body
	if !strings.Contains(file, "Event Name (zh-Hant)") || !strings.Contains(file, "Festa gran") {
		t.Errorf("the sheet has %.300s", file)
	}
	k.Site("copy")
	k.Write("copy", "en", "ca", "zh-Hant", "nb")
	if counts, refused := load(k, "copy", file, false); counts != "read 1, created 1" || refused != nil {
		t.Errorf("%s %q", counts, refused)
	}
}

// TestSiteBeyondTheInterface: the language of a site itself is any; its administration is in the nearest one.
func TestSiteBeyondTheInterface(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("POST", "/sites", kit.Object{"slug": "festes", "name": "Festes", "language": "ca", "timezone": "Europe/Madrid"}).
		Want(t, 201, "").Has(t, "language", "ca").Has(t, "settings.currency_code", "EUR")
	b := k.Browser()
	b.Host = "festes.localhost"
	if p := b.Get("/events/"); p.Status != 200 || !strings.Contains(p.Body, `<html lang="ca" dir="ltr"`) || !strings.Contains(p.Body, `hreflang="ca"`) {
		t.Errorf("%d %.300s", p.Status, p.Body)
	}
	if p := b.Get("/admin/login"); p.Status != 200 || !strings.Contains(p.Body, `<html lang="es"`) {
		t.Errorf("%d %.300s", p.Status, p.Body)
	}
}

package public

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Pages for other sites can be framed and read by their scripts; all others can't be framed.
func TestEmbedded(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(kit.Object{"title": "Chess", "start_date": "2026-11-25 19:00", "end_date": "2026-11-25 21:00", "categories": []string{"Games"}})
	k.Event(kit.Object{"title": "Choir", "slug": "choir", "start_date": "2026-11-24 19:00", "end_date": "2026-11-24 21:00",
		"recurrence": kit.Object{"every": "week", "count": 3}})
	k.Event(kit.Object{"title": "Locked", "slug": "locked", "start_date": "2026-11-26 19:00", "end_date": "2026-11-26 21:00", "post_password": "anchor"})
	for path, want := range map[string][]string{
		"/embed/":                             {`<html lang="en"`, "Lake Concert", "Chess", `href="/events/"`},
		"/de/embed/list/":                     {`<html lang="de"`, "Lake Concert"},
		"/en/embed/month/2027-03/":            {"Lake Concert", `rel="prev" href="/en/embed/month/2027-02/" target="_self"`, `href="/en/events/month/2027-03/"`},
		"/en/embed/week/2026-11-25/":          {"Chess", "Choir", `rel="next"`, `href="/en/embed/week/`},
		"/embed/list/?categories=games,music": {"Chess", "Lake Concert", `href="/events/?category=games&amp;category=music"`},
		"/embed/list/?theme=dark":             {`data-theme="dark"`},
		"/embed/list/?theme=%22%3E%3Cb%3E":    {`data-theme=""`},
		"/embed/list/?accent=%23a1323a":       {`/static/accent-a1323a.`},
		"/embed/month/2026-11/?accent=a1323a": {`/static/accent-a1323a.`, `href="/embed/month/2026-12/?accent=a1323a" target="_self"`},
		"/embed/list/?accent=red":             {"Lake Concert"},
		"/embed/event/lake/":                  {"Lake Concert", `href="/event/lake/"`},
		"/embed/event/choir/":                 {`href="/event/choir/2026-11-24/"`},
		"/embed/event/choir/2026-12-01/":      {`href="/event/choir/2026-12-01/"`},
	} {
		a := k.Look(path).Want(t, http.StatusOK, "")
		page := string(a.Raw)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: no %s", path, text)
			}
		}
		if strings.Contains(page, "<form") || strings.Contains(page, "<script") || strings.Contains(page, "red.css") {
			t.Errorf("%s: has what can be misused in a frame: %s", path, page)
		}
		policy := a.Header.Get("Content-Security-Policy")
		if strings.Contains(policy, "frame-ancestors") || !strings.Contains(policy, "form-action 'none'") ||
			a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("X-Robots-Tag") != "noindex" || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	if page := k.Look("/embed/list/?categories=games").String(); strings.Contains(page, "Lake Concert") {
		t.Error("a category is shown that wasn't asked for")
	}
	for _, path := range []string{"/embed/event/locked/", "/embed/event/nothing/", "/embed/month/soon/", "/embed/list/?categories=nothing"} {
		a := k.Look(path).Want(t, http.StatusNotFound, "")
		if policy := a.Header.Get("Content-Security-Policy"); strings.Contains(policy, "frame-ancestors") || strings.Contains(a.String(), "Locked") {
			t.Errorf("%s: %s", path, a)
		}
	}
	for _, path := range kit.PublicPages {
		if a := k.Look(path); !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s can be framed", path)
		}
	}
}

// The component is a module that pages of all origins may load, under one address.
func TestEmbedScript(t *testing.T) {
	k := kit.PublicKit(t)
	a := k.Look("/embed.js").Want(t, http.StatusOK, "")
	if a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || a.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(a.String(), `customElements.define("kalends-calendar"`) {
		t.Error(a.Header)
	}
	k.Look("/embed.js", "If-None-Match", a.Header.Get("ETag")).Want(t, http.StatusNotModified, "")
	sheet := regexp.MustCompile(`/static/embed\.[0-9a-f]+\.css`).FindString(k.Look("/embed/").String())
	rules := k.Look(sheet, "Accept-Encoding", "identity").Want(t, http.StatusOK, "").String()
	// The width of a page is not that of an embedded calendar.
	within := regexp.MustCompile(`@media ?\([^{]*\{:root\{--wide:[^}]*\}\}`).ReplaceAllString(rules, "")
	for _, lost := range []string{"@media (m", "@media(m", "vw"} {
		if strings.Contains(within, lost) {
			t.Errorf("the style sheet follows the page around: %s", lost)
		}
	}
	if in := regexp.MustCompile(`[0-9]rem`).FindAllString(rules, -1); len(in) != 1 { // which all others are made of
		t.Errorf("%d lengths are those of the page around", len(in))
	}
}

// oEmbed answers for pages of this site that can be embedded, and names them in their heads.
func TestOEmbed(t *testing.T) {
	k := kit.PublicKit(t)
	discovered := regexp.MustCompile(`application/json\+oembed" href="http://localhost(/oembed\?url=[^"]+)"`)
	ask := func(path, more string) (kit.Answer, string) {
		a := k.Look("/oembed?url=" + url.QueryEscape("http://localhost"+path) + more)
		var made struct {
			Version, Type, Title, HTML string
			Width, Height              int
		}
		if a.Status == http.StatusOK {
			if err := json.Unmarshal(a.Raw, &made); err != nil || made.Version != "1.0" || made.Type != "rich" || made.Title == "" || made.Width*made.Height == 0 {
				t.Errorf("%s: %v %s", path, err, a)
			}
		}
		return a, made.HTML
	}
	for path, want := range map[string]string{
		"/en/events/":                             "http://localhost/en/embed/list/",
		"/events/?category=music":                 "http://localhost/embed/list/?category=music",
		"/de/events/month/2027-03/":               "http://localhost/de/embed/month/2027-03/",
		"/en/events/category/music/":              "http://localhost/en/embed/list/?category=music",
		"/en/event/lake/":                         "http://localhost/en/embed/event/lake/",
		"/PT-br/events/":                          "http://localhost/PT-br/embed/list/",
		"/events/?search=%22%3E%3Cscript%3E%3C%2": "",
	} {
		a, frame := ask(path, "")
		if want == "" {
			if strings.Contains(a.String(), "<script>") {
				t.Errorf("%s: %s", path, a)
			}
			continue
		}
		src := strings.ReplaceAll(regexp.MustCompile(`src="([^"]*)"`).FindStringSubmatch(frame)[1], "&amp;", "&")
		if src != want {
			t.Errorf("%s: %s", path, frame)
		}
		k.Look(strings.TrimPrefix(src, "http://localhost")).Want(t, http.StatusOK, "")
	}
	if _, frame := ask("/en/event/lake/", "&maxwidth=300&maxheight=0"); !strings.Contains(frame, `width="300" height="460"`) {
		t.Error(frame)
	}
	for _, path := range []string{"/admin", "/en/venue/pier/", "/en/event/nothing/", "//evil.example/en/events/"} {
		if a, _ := ask(path, ""); a.Status != http.StatusNotFound {
			t.Errorf("%s: %s", path, a)
		}
	}
	k.Look("/oembed?url="+url.QueryEscape("https://evil.example/events/")).Want(t, http.StatusNotFound, "")
	k.Look("/oembed?format=xml&url="+url.QueryEscape("http://localhost/events/")).Want(t, http.StatusNotImplemented, "")
	for _, path := range []string{"/en/events/", "/en/event/lake/", "/en/events/month/2027-03/"} {
		found := discovered.FindStringSubmatch(k.Look(path).String())
		if found == nil {
			t.Errorf("%s: not discovered", path)
			continue
		}
		k.Look(found[1]).Want(t, http.StatusOK, "")
	}
}

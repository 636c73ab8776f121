package public

import (
	"encoding/xml"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/docs"
	"github.com/kalends/kalends/test/kit"

	"golang.org/x/net/html"
)

// pageHead is what the head of a public page tells machines.
type pageHead struct {
	canonical   []string
	languages   map[string]string // of hreflang, to addresses
	meta        map[string]string // by name or property
	alternates  []string          // of og:locale
	title, lang string
}

// headOf reads the head of a page.
func headOf(k *kit.Kit, path string) pageHead {
	k.T.Helper()
	a := k.Look(path, "Accept-Language", "en")
	if a.Status != http.StatusOK {
		k.T.Fatalf("%s: %s", path, a)
	}
	node, err := html.Parse(strings.NewReader(string(a.Raw)))
	k.Must(err)
	h := pageHead{languages: map[string]string{}, meta: map[string]string{}}
	for n := range node.Descendants() {
		at := map[string]string{}
		for _, one := range n.Attr {
			at[one.Key] = one.Val
		}
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "html":
			h.lang = at["lang"]
		case n.Data == "title" && n.FirstChild != nil:
			h.title += n.FirstChild.Data
		case n.Data == "link" && at["rel"] == "canonical":
			h.canonical = append(h.canonical, at["href"])
		case n.Data == "link" && at["hreflang"] != "":
			if h.languages[at["hreflang"]] != "" {
				k.T.Errorf("%s: %s twice", path, at["hreflang"])
			}
			h.languages[at["hreflang"]] = at["href"]
		case n.Data == "meta" && at["property"] == "og:locale:alternate":
			h.alternates = append(h.alternates, at["content"])
		case n.Data == "meta":
			h.meta[at["name"]+at["property"]] = at["content"]
		}
	}
	return h
}

const localhost = "http://localhost"

// TestPublicHeads: every kind of page names one canonical address, which names
// itself; the same page in every language, each of which names all others; and
// what Open Graph wants to know.
func TestPublicHeads(t *testing.T) {
	k := kit.PublicKit(t)
	k.Exec("UPDATE sites SET languages = '{de,ar,ja,en}'")
	k.Platform.Forget(k.Sites["demo"].ID)
	tags := []string{"ar", "de", "en", "ja", "x-default"}
	locales := map[string]string{"ar": "ar_EG", "de": "de_DE", "en": "en_US", "ja": "ja_JP"}
	titles := map[string]string{}
	for _, path := range kit.PublicPages {
		h := headOf(k, "/de"+path)
		if len(h.canonical) != 1 || !strings.HasPrefix(h.canonical[0], localhost+"/de/") {
			t.Errorf("%s: canonical %v", path, h.canonical)
			continue
		}
		if again := headOf(k, strings.TrimPrefix(h.canonical[0], localhost)); !slices.Equal(again.canonical, h.canonical) {
			t.Errorf("%s: %v names %v", path, h.canonical, again.canonical)
		}
		if got := slices.Sorted(maps.Keys(h.languages)); !slices.Equal(got, tags) || h.languages["de"] != h.canonical[0] {
			t.Errorf("%s: languages %v", path, h.languages)
		}
		for tag, address := range h.languages {
			there := headOf(k, strings.TrimPrefix(address, localhost))
			if !maps.Equal(there.languages, h.languages) || tag != "x-default" && there.lang != tag || !slices.Equal(there.canonical, []string{address}) {
				t.Errorf("%s in %s: %s, canonical %v, %v, want %v", path, tag, there.lang, there.canonical, there.languages, h.languages)
			}
		}
		openGraph(k, path, h, locales)
		if other := titles[h.title]; other != "" && other != h.canonical[0] {
			t.Errorf("%s and %s are called %q", path, other, h.title)
		}
		titles[h.title] = h.canonical[0]
	}
}

func openGraph(k *kit.Kit, path string, h pageHead, locales map[string]string) {
	k.T.Helper()
	for _, name := range []string{"og:title", "og:type", "og:url", "og:site_name", "og:description", "description"} {
		if strings.TrimSpace(h.meta[name]) == "" {
			k.T.Errorf("%s: no %s", path, name)
		}
	}
	if h.meta["og:url"] != h.canonical[0] || h.meta["og:locale"] != locales["de"] || h.meta["og:description"] != h.meta["description"] {
		k.T.Errorf("%s: %v", path, h.meta)
	}
	slices.Sort(h.alternates)
	if !slices.Equal(h.alternates, []string{"ar_EG", "en_US", "ja_JP"}) {
		k.T.Errorf("%s: other languages %v", path, h.alternates)
	}
	if want := map[bool]string{true: "article", false: "website"}[strings.HasPrefix(path, "/event/")]; h.meta["og:type"] != want {
		k.T.Errorf("%s: og:type %s", path, h.meta["og:type"])
	}
}

// The card that has the picture is named with its size, its kind and what it shows.
func TestPublicPictures(t *testing.T) {
	k := kit.PublicKit(t)
	b := k.Person("editor")
	library := kit.InLibrary(k, b)
	id := library[strings.LastIndexByte(library, '/')+1:]
	b.Get(library)
	b.Post(library, map[string][]string{"alt": {`Stripes & "bars"`}, "do": {"save"}})
	for collection, slug := range map[string]string{"events": "lake", "venues": "pier", "organizers": "society"} {
		k.Patch("/"+collection+"/by-slug/"+slug, "editor", map[string]any{"image": id}).Want(t, 200, "")
	}
	for _, path := range []string{"/event/lake/", "/venue/pier/", "/organizer/society/"} {
		h := headOf(k, path)
		from, kind, alt := localhost+path+"card.jpg?v=", "image/jpeg", h.meta["og:title"]+` · Stripes & "bars"`
		if !strings.HasPrefix(h.meta["og:image"], from) || h.meta["og:image:width"] == "" || h.meta["og:image:height"] == "" ||
			h.meta["og:image:type"] != kind || h.meta["og:image:alt"] != alt || h.meta["twitter:card"] != "summary_large_image" {
			t.Errorf("%s: %v", path, h.meta)
		}
		if a := k.Look(strings.TrimPrefix(h.meta["og:image"], localhost)); a.Status != http.StatusOK {
			t.Errorf("%s: %s", path, a)
		}
	}
}

// TestRobots: what robots are kept from, they are kept from in every language,
// and from nothing else.
func TestRobots(t *testing.T) {
	k := kit.PublicKit(t)
	rules := strings.Split(string(k.Look("/robots.txt").Raw), "\n")
	barred := func(path string) (is bool) {
		longest := 0
		for _, line := range rules {
			kind, rule, _ := strings.Cut(line, ": ")
			if (kind == "Allow" || kind == "Disallow") && robotRule(rule, path) && (len(rule) > longest || len(rule) == longest && kind == "Allow") {
				longest, is = len(rule), kind == "Disallow"
			}
		}
		return is
	}
	for _, path := range []string{"/events/?search=a", "/de/events/?page=2&search=a", "/calendar/events/v1/events", "/ar/calendar/events/v1/", "/wp-json/tribe/events/v1/",
		"/ja/wp-json/tribe/events/v1/events", "/calendar/events/v1/events?search=events.ics"} {
		if !barred(path) {
			t.Errorf("%s is open to robots", path)
		}
	}
	for _, path := range append([]string{"/events/?page=2", "/event/search/", "/media/x/y.png", "/static/public.css", "/sitemap.xml", "/sitemap.xml?part=2",
		"/events.ics", "/events.ics?search=a", "/events.rss?search=a", "/events.atom?x=1&search=a", "/events.json?search=a", "/category/music.ics?search=a",
		"/events/?search=a&ical=1", "/events/?ical=1&search=a", "/calendar/events/v1/events.ics", "/calendar/events/v1/events.ics?search=a",
		"/wp-json/tribe/events/v1/events.ics"}, kit.PublicPages[:12]...) {
		if barred(path) || barred("/de"+path) {
			t.Errorf("%s is closed to robots", path)
		}
	}
}

// robotRule reports whether a rule is about a path (RFC 9309 §2.2.3).
func robotRule(rule, path string) bool {
	parts := strings.Split(rule, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	for _, part := range parts[1:] {
		_, after, found := strings.Cut(rest, part)
		rest, ok = after, ok && found
	}
	return ok
}

// TestSitemapLimits: a part of a site map stays below 50,000 addresses and 50 MB
// (sitemaps.org), and all parts together name every event and every venue once,
// with the day it was changed.
func TestSitemapLimits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Stock(3_000)
	k.Change("demo", `INSERT INTO venues (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, search)
		SELECT $1::bigint, 1500000 + n, 1, 1, 'publish', 'room-' || n, now(), true, now(), 'Room ' || n, 'room ' || n, '' FROM generate_series(1, 3100) n`, k.Sites["demo"].ID)
	type entry struct {
		Loc     string `xml:"loc"`
		Lastmod string `xml:"lastmod"`
	}
	var index struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
		Parts   []entry  `xml:"sitemap"`
	}
	k.Must(xml.Unmarshal(k.Look("/sitemap.xml").Raw, &index))
	if len(index.Parts) != 4 { // of the venues
		t.Fatalf("%d parts", len(index.Parts))
	}
	seen := map[string]int{}
	for _, part := range index.Parts {
		var set struct {
			XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
			URLs    []entry  `xml:"url"`
		}
		a := k.Look(strings.TrimPrefix(part.Loc, localhost))
		k.Must(xml.Unmarshal(a.Raw, &set))
		if len(set.URLs) > 50_000 || len(a.Raw) > 50<<20 {
			t.Errorf("%s: %d addresses, %d bytes", part.Loc, len(set.URLs), len(a.Raw))
		}
		for _, one := range set.URLs {
			seen[one.Loc]++
			if strings.Contains(one.Loc, "/event/") && len(one.Lastmod) < len("2026-11-22") {
				t.Errorf("%s: lastmod %q", one.Loc, one.Lastmod)
			}
		}
	}
	kinds := map[string]int{}
	for address, times := range seen {
		if times != 1 {
			t.Errorf("%s: %d times", address, times)
		}
		kind, more, _ := strings.Cut(strings.TrimPrefix(address, localhost+"/"), "/")
		if kind == "events" && more != "" {
			continue // tomorrow, the weekend: the day of the test decides which of them have events
		}
		kinds[kind]++
	}
	if want := map[string]int{"events": 1, "event": 3_000, "venue": 3_150}; !maps.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	if a := k.Look("/sitemap.xml?part=5", "Accept", "text/html"); a.Status != http.StatusNotFound {
		t.Errorf("a part too many: %d", a.Status)
	}
}

// TestDiscovery: language models and programs are told where to read the site, in the language of the address.
func TestDiscovery(t *testing.T) {
	k := kit.PublicKit(t)
	text := string(k.Look("/de/llms.txt").Raw)
	for _, link := range regexp.MustCompile(`\]\(http://[^/]+([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		k.Look(link[1]).Want(t, 200, "")
	}
	if !strings.HasPrefix(text, "# demo\n") || !strings.Contains(text, "Kommende Veranstaltungen") || strings.Count(text, "](") != 9 {
		t.Errorf("llms.txt: %s", text)
	}
	if recipes := string(k.Look("/de/build.md").Want(t, 200, "").Raw); strings.Contains(recipes, docs.Example) ||
		!strings.Contains(recipes, `fetch("http://localhost/calendar/events/v1/events?`) {
		t.Errorf("the recipes: %s", recipes)
	}
	a := k.Look("/.well-known/api-catalog").Want(t, 200, "")
	set := a.Body["linkset"].([]any)[0].(map[string]any)
	href := func(rel string) string { return set[rel].([]any)[0].(map[string]any)["href"].(string) }
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/linkset+json;") || !strings.HasSuffix(set["anchor"].(string), "/calendar/events/v1") {
		t.Errorf("the catalogue: %s of %v", a.Header.Get("Content-Type"), set)
	}
	for _, rel := range []string{"service-desc", "service-doc"} {
		_, path, _ := strings.Cut(strings.TrimPrefix(href(rel), "http://"), "/")
		k.Look("/"+path).Want(t, 200, "")
	}
}

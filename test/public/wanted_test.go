package public

import (
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestForChildren: what is for children is told by the audience of an event and by a category that is named so, with those below it.
func TestForChildren(t *testing.T) {
	k := kit.PublicKit(t) // it is Friday, November 20, 2026
	kids := k.Post("/categories", "editor", map[string]any{"name": "Kids"}).ID()
	k.Post("/categories", "editor", map[string]any{"name": "Theatre", "slug": "young-theatre", "parent": kids}).Want(t, 201, "")
	for title, more := range map[string]map[string]any{
		"Puppets": {"categories": []string{"kids"}}, "Paper theatre": {"categories": []string{"young-theatre"}}, "Lanterns": {"audience": []string{"families"}, "cost": "Free"},
		"Opera": {"audience": []string{"adults"}}} {
		more["title"], more["start_date"], more["end_date"] = title, "2026-11-21 10:00", "2026-11-21 11:00"
		k.Event(more)
	}
	for path, want := range map[string]string{
		"/en/events/children/": "Lanterns Paper theatre Puppets", "/en/events/?for=children&when=weekend": "Lanterns Paper theatre Puppets",
		"/en/events/?for=children&cost=free": "Lanterns", "/en/events/?search=free+for+children+this+weekend": "Lanterns",
		"/de/events/?search=kostenlos+f%C3%BCr+Kinder+am+Wochenende": "Lanterns", "/en/events/?for=nobody": "Lanterns Opera Paper theatre Puppets",
		"/events.json?for=children": "Lanterns Paper theatre Puppets", "/en/events/month/2026-11/?for=children": "Lanterns Paper theatre Puppets",
	} {
		page := k.Look(path).Want(t, 200, "").String()
		for _, title := range []string{"Lanterns", "Opera", "Paper theatre", "Puppets"} {
			if strings.Contains(page, title) != strings.Contains(want, title) {
				t.Errorf("%s: %s should be there: %v", path, title, strings.Contains(want, title))
			}
		}
	}
	if page := k.Look("/en/events/?cost=free").String(); !strings.Contains(page, `href="/en/events/?cost=free&amp;for=children"`) {
		t.Error("a chip for children is missing")
	}
	if page := k.Look("/en/events/?for=children&cost=free").String(); strings.Contains(page, "/events/by-mail/") {
		t.Error("letters do not select by children")
	}
	k.Look("/en/events/by-mail/?for=children").Want(t, 404, "")
}

// TestCategoryTree: a category leads to those above and below it, and the index shows the tree.
func TestCategoryTree(t *testing.T) {
	k := kit.PublicKit(t)
	add := func(name string, parent int64) int64 {
		return k.Post("/categories", "editor", map[string]any{"name": name, "parent": parent}).Want(t, 201, "").ID()
	}
	arts := k.Post("/categories", "editor", map[string]any{"name": "Arts"}).ID()
	jazz := add("Jazz", arts)
	add("Swing", jazz)
	add("Nothing yet", arts)
	k.Event(map[string]any{"title": "Late set", "start_date": "2026-12-01 20:00", "end_date": "2026-12-01 22:00", "categories": []string{"arts", "jazz", "swing"}})
	page := k.Look("/en/events/category/arts/jazz/").Want(t, 200, "").String()
	for _, part := range []string{`<nav class="kind" aria-label="Categories">`, `<a href="/en/events/category/arts/"><bdi>Arts</bdi></a>`,
		`<a class="chip" href="/en/events/category/arts/jazz/swing/"><bdi>Swing</bdi></a>`} {
		if !strings.Contains(page, part) {
			t.Errorf("a category lacks %s", part)
		}
	}
	if page := k.Look("/en/events/category/arts/").String(); strings.Contains(page, "Nothing yet") || strings.Contains(page, `<nav class="kind"`) {
		t.Error("a category leads to one without events, or above the top")
	}
	index := k.Look("/en/categories/").Want(t, 200, "").String()
	if !strings.Contains(index, `<ul class="below"><li><a href="/en/events/category/arts/jazz/"><bdi>Jazz</bdi></a><ul class="below"><li><a href="/en/events/category/arts/jazz/swing/">`) {
		t.Error("the index of categories is not a tree")
	}
}

// TestNothing: a page without events says when the next one is, what comes close to a search, and how to send the first one.
func TestNothing(t *testing.T) {
	k := kit.PublicKit(t) // it is Friday, November 20, 2026
	k.Event(map[string]any{"title": "Silent walk", "slug": "walk", "start_date": "2026-12-05 10:00", "end_date": "2026-12-05 11:00", "categories": []string{"Walks"}})
	next := `<a href="/en/event/walk/">Sat, Dec 5, 2026 · <bdi>Silent walk</bdi></a>`
	for path, says := range map[string]string{
		"/en/events/day/": "Nothing today. Next:", "/en/events/day/2026-11-24/": "No events found. Next:", "/en/events/week/": "No events found. Next:",
		"/en/events/month/2026-11/": "No events found. Next:", "/en/events/tonight/": "No events found. Next:", "/en/events/?when=today": "Nothing today. Next:",
		"/en/events/day/2026-11-24/?category=walks": "No events found. Next:",
	} {
		text := strings.Join(strings.Fields(k.Look(path).Want(t, 200, "").String()), " ")
		if !strings.Contains(text, says+" "+next) {
			_, text, _ = strings.Cut(text, `<p class="nothing">`)
			t.Errorf("%s says %.300s", path, text)
		}
	}
	if page := k.Look("/en/events/day/2027-06-01/").String(); strings.Contains(page, "Next:") {
		t.Error("after the last event there is no next one")
	}
	none := k.Look("/en/events/?search=walrus+zebra").Want(t, 200, "").String()
	for _, part := range []string{`<p class="nothing">`, `<h2 id="soon">`, ">Silent walk<", `<a class="chip" href="/en/events/category/walks/">`} {
		if !strings.Contains(none, part) {
			t.Errorf("a search that finds nothing lacks %s", part)
		}
	}
}

// TestNothingYet: the pages of a new site say how to send the first event, and where one will hear of it.
func TestNothingYet(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	sent := `href="/en/submit/">`
	for _, path := range []string{"/en/", "/en/events/photo/", "/en/events/month/", "/en/events/week/", "/en/events/day/"} {
		page := k.Look(path).Want(t, 200, "").String()
		_, ways, _ := strings.Cut(page, `<p class="ways"`)
		ways, _, _ = strings.Cut(ways, "</p>")
		if strings.Contains(ways, sent) || !strings.Contains(ways, "/events.ics") || !strings.Contains(ways, "/events.rss") {
			t.Errorf("%s offers %s", path, ways)
		}
	}
	k.Configure(&platform.ConfigFields{Submissions: args.Some(true)})
	if page := k.Look("/en/").String(); !strings.Contains(page, `<a class="button" `+sent) {
		t.Error("a new site does not ask for events")
	}
}

// TestAmountOfAFilter: the number on the button is that of the list which it leads to.
func TestAmountOfAFilter(t *testing.T) {
	k := filterKit(t)
	for _, query := range []string{"", "category=music", "category=music&category=food", "city=Lindau", "when=weekend", "when=tonight", "cost=free", "search=opera", "from=2026-11-01&to=2026-12-31", "how=online&cost=free"} {
		page := k.Look("/en/events/?" + query).String()
		titles := strings.Count(page, `<li class="entry `)
		got := k.Look("/en/events/count/?view=list&"+query).Want(t, 200, "")
		want := map[bool]string{true: "Show 1 event"}[titles == 1]
		if want == "" {
			want = "Show " + strconv.Itoa(titles) + " events"
		}
		if string(got.Raw) != want || got.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s: %s, the list has %d", query, got, titles)
		}
	}
	if page := k.Look("/de/events/month/2026-11/").String(); !strings.Contains(page, `data-count="/de/events/count/?view=days&amp;from=2026-10-26&amp;to=2026-12-06"`) {
		t.Error("the filter of a month does not count")
	}
	if got := k.Look("/de/events/count/?view=days&from=2026-10-26&to=2026-12-06&category=music").Raw; !strings.HasSuffix(string(got), "anzeigen") {
		t.Errorf("a month counts %s", got)
	}
	k.Look("/en/events/count/?view=days").Want(t, 404, "")
}

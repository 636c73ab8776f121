package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestFilters asks for events by what they are linked to and what they are
// (rule 5.1).
func TestFilters(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	top := k.Made("/categories", kit.Object{"name": "Top", "slug": "top"})
	below := k.Made("/categories", kit.Object{"name": "Below", "parent": top})
	deep := k.Made("/categories", kit.Object{"name": "Deep", "parent": below})
	other := k.Made("/categories", kit.Object{"name": "Other Things"})
	jazz, rock := k.Made("/tags", kit.Object{"name": "jazz"}), k.Made("/tags", kit.Object{"name": "rock"})
	hall, room := k.Made("/venues", kit.Object{"venue": "Hall"}), k.Made("/venues", kit.Object{"venue": "Room"})
	ann, bob := k.Made("/organizers", kit.Object{"organizer": "Ann"}), k.Made("/organizers", kit.Object{"organizer": "Bob"})
	names := map[string]string{}
	for name, body := range map[string]kit.Object{
		"a": {"categories": top, "tags": jazz, "venue": hall, "organizer": ann, "featured": true, "start_date": "2030-03-01 01:00"},
		"b": {"categories": below, "tags": rock, "venue": room, "organizer": []int64{ann, bob}, "start_date": "2030-03-01 02:00"},
		"c": {"categories": deep, "tags": []int64{jazz, rock}, "venue": []int64{room, hall}, "start_date": "2030-03-01 03:00"},
		"d": {"categories": other, "organizer": bob, "featured": true, "start_date": "2030-03-01 04:00"},
		"e": {"start_date": "2030-03-01 05:00"},
		"f": {"categories": top, "hide_from_listings": true, "featured": true, "start_date": "2030-03-01 06:00"},
	} {
		names[fmt.Sprint(k.Event(body))] = name
	}
	n := strings.NewReplacer("TOP", fmt.Sprint(top), "BELOW", fmt.Sprint(below), "DEEP", fmt.Sprint(deep), "OTHER", fmt.Sprint(other), "JAZZ", fmt.Sprint(jazz),
		"ROCK", fmt.Sprint(rock), "HALL", fmt.Sprint(hall), "ROOM", fmt.Sprint(room), "ANN", fmt.Sprint(ann), "BOB", fmt.Sprint(bob))
	for q, want := range map[string]string{
		"":         "a b c d e",
		"include=": "a b c d e",
		"search=&categories=&tags=&venue=&organizer=&include=": "a b c d e",
		"categories=TOP":                 "a b c",
		"categories=BELOW":               "b c",
		"categories=DEEP,OTHER":          "c d",
		"categories=top":                 "a b c",
		"categories[]=other-things":      "d",
		"categories=Other Things,DEEP":   "c d",
		"tags=JAZZ":                      "a c",
		"tags=jazz,rock":                 "a b c",
		"tags[]=JAZZ&tags[]=ROCK":        "a b c",
		"categories=TOP&tags=ROCK":       "b c",
		"venue=HALL":                     "a c",
		"venue[]=HALL&venue[]=ROOM":      "a b c",
		"organizer=BOB":                  "b d",
		"organizer=ANN,BOB":              "a b d",
		"venue=ROOM&organizer=ANN":       "b",
		"featured=true":                  "a d",
		"featured=0":                     "b c e",
		"featured=1&categories=OTHER":    "d",
		"venue=HALL&tags=ROCK&search=no": "",
	} {
		a := k.Get("/events?"+encoded(n.Replace(q)), "").Want(t, 200, "").Has(t, "total", len(strings.Fields(want)))
		if got := a.Named(names); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	for q, arg := range map[string]string{"categories=999": "categories", "categories=nonsense": "categories", "tags=TOP9": "tags", "tags=top": "tags",
		"venue=999": "venue", "venue=hall": "venue", "venue=ANN": "venue", "organizer=HALL": "organizer", "organizer=0": "organizer",
		"featured=maybe": "featured", "include=x": "include", "include=0": "include", "include=-1": "include", "page=0": "page", "page=-1": "page",
		"page=x": "page", "page=1.5": "page", "per_page=0": "per_page", "per_page=-5": "per_page", "per_page=all": "per_page"} {
		k.Get("/events?"+n.Replace(q), "").Refused(t, arg)
	}
}

// TestSearch: every word, phrases, words that must not occur; title, description
// and excerpt, and the names of what an event is linked to; case and accents aside.
func TestSearch(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	names := map[string]string{}
	for i, body := range []kit.Object{
		{"title": "Café Müller", "description": "<p>Jazz <b>and</b> soul</p>", "excerpt": "every monday"},
		{"title": "Jazz night", "description": "Cafe with 100% music", "venue": kit.Object{"venue": "Blue Note"}},
		{"title": "Soul & funk", "tags": "jazz", "description": `<a href="https://example.org/jazzfest">link</a>`},
		{"title": "İstanbul Straße", "excerpt": "under_score"},
	} {
		body["start_date"] = fmt.Sprintf("2030-03-01 0%d:00", i)
		names[fmt.Sprint(k.Event(body))] = string(rune('a' + i))
	}
	for q, want := range map[string]string{
		"jazz": "a b c", "JAZZ": "a b c", "cafe": "a b", "CAFÉ": "a b", "muller": "a", "jazz soul": "a c", "soul jazz": "a c", `"jazz and soul"`: "a",
		`"jazz soul"`: "", "jazz -soul": "b", "-jazz": "d", `-"jazz and"`: "b c d", "jaz": "a b c", "monday": "a", "100%": "b", "%": "b", "under_": "d",
		"r_s": "d", "_": "d", "blue": "b", "note -blue": "", "jazz note": "b", "strasse": "d", "istanbul": "d", "&": "c", "soul & funk": "c", "amp": "", "": "a b c d", "   ": "a b c d",
		"jazzfest": "", "href": "", "nothing": "", `"`: "a b c d", "--": "a b c d", "b>and": "",
	} {
		a := k.Get(kit.Query("/events", "search", q), "").Want(t, 200, "").Has(t, "total", len(strings.Fields(want)))
		if got := a.Named(names); got != want {
			t.Errorf("search %q: %s, want %s", q, got, want)
		}
	}
	k.Get(kit.Query("/events", "search", strings.Repeat("x", 501)), "").Refused(t, "search")
}

// TestOrder: by start, then id; beyond the reference by other fields.
func TestOrder(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	names := map[string]string{}
	for _, c := range []struct{ title, start, end, date string }{
		{"b", "2030-03-02 10:00", "2030-03-09 10:00", "2029-01-03"},
		{"a", "2030-03-01 10:00", "2030-03-08 10:00", "2029-01-01"},
		{"Ä", "2030-03-02 10:00", "2030-03-02 11:00", "2029-01-02"},
		{"C", "2030-03-01 09:00", "2030-03-07 10:00", "2029-01-04"},
	} {
		names[fmt.Sprint(k.Event(kit.Object{"title": c.title, "start_date": c.start, "end_date": c.end, "date": c.date}))] = c.title
	}
	for q, want := range map[string]string{
		"": "C a b Ä", "order=asc": "C a b Ä", "order=desc": "b Ä a C", "order=DESC&orderby=start_date": "b Ä a C",
		"orderby=end_date": "Ä C a b", "orderby=end_date&order=desc": "b a C Ä", "orderby=title": "a Ä b C", "orderby=title&order=desc": "C b a Ä",
		"orderby=date": "a Ä b C", "orderby=date&order=desc": "C b Ä a", "include=4,3,2,1": "C a b Ä",
	} {
		if got := k.Get("/events?"+q, "").Want(t, 200, "").Named(names); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	k.Clock = k.Clock.Add(60e9)
	k.Patch("/events/2", "editor", kit.Object{"featured": true}).Want(t, 200, "")
	if got := k.Get("/events?orderby=modified&order=desc&per_page=1", "").Named(names); got != "a" {
		t.Errorf("last modified: %s", got)
	}
	k.Get("/events?orderby=nonsense", "").Refused(t, "orderby")
	k.Get("/events?order=up", "").Refused(t, "order")
}

// TestPlaceLists: venues and organizers by their own filters (rule 5.3).
func TestPlaceLists(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"venue", "organizer"} {
		names := map[string]string{}
		add := func(body kit.Object) int64 {
			id := k.Made("/"+kind+"s", body)
			names[fmt.Sprint(id)] = fmt.Sprint(body[kind])
			return id
		}
		old := add(kit.Object{kind: "Old", "date": "2029-01-01", "phone": "555 12", "description": "<p>Music café</p>"})
		up := add(kit.Object{kind: "Up", "date": "2029-01-03", "website": "https://up.example/"})
		add(kit.Object{kind: "Free", "date": "2029-01-02"})
		k.Event(kit.Object{kind: old, "start_date": "2030-01-01", "end_date": "2030-01-02"})
		event := k.Event(kit.Object{kind: up})
		k.Event(kit.Object{kind: "", "status": "draft"})
		for q, want := range map[string]string{
			"": "Up Free Old", "event=" + fmt.Sprint(event): "Up", "has_events=true": "Up Old", "has_events=0": "Free", "has_events=banana": "Free",
			"only_with_upcoming=true": "Up", "only_with_upcoming=no": "Up Free Old", "search=music": "Old", "search=CAFE": "Old", "search=555": "Old",
			"search=up.example": "Up", "search=nothing": "", "per_page=2": "Up Free", "per_page=2&page=2": "Old", "search=": "Up Free Old",
			"has_events=1&search=old": "Old",
		} {
			var got []string
			a := k.Get("/"+kind+"s?"+q, "").Want(t, 200, "")
			for id := range strings.SplitSeq(a.IDs(kind+"s"), ",") {
				if id != "" {
					got = append(got, names[id])
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%ss %s: %v, want %s", kind, q, got, want)
			}
			if !strings.Contains(q, "per_page") {
				a.Has(t, "total", len(got))
			}
		}
		k.Get("/"+kind+"s?page=9", "").Want(t, 404, kind+"-archive-page-not-found")
		for _, bad := range []string{"event=999", "event=x", "event=0", "page=0", "per_page=x", "status=draft"} {
			k.Get("/"+kind+"s?"+bad, "").Want(t, 400, "rest_invalid_param")
		}
	}
}

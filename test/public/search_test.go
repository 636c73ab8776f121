package public

import (
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// townKit is a town's programme, in German and English. Today is Friday, 20 November 2026.
func townKit(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.PublicKit(t)
	venues := map[string]int64{}
	for _, v := range [][3]string{
		{"Stadtbibliothek", "Kirchplatz 2", "Bregenz"}, {"Philharmonie", "Seeufer 1", "Bregenz"}, {"Altes Rathaus", "Marktplatz 1", "Lindau"},
		{"Müllers Scheune", "Hofweg 3", "Bad Waldsee"}, {"Public Library", "12 Main Street", "Riverton"}, {"Old Mill Theatre", "Mill Lane", "Riverton"},
		{"Jugendzentrum Nord", "Nordring 9", "Lindau"}, {"St. Ägidius", "Am Dom", "Köln"},
	} {
		venues[v[0]] = k.Made("/venues", kit.Object{"venue": v[0], "address": v[1], "city": v[2], "status": "publish"})
	}
	organizers := map[string]int64{}
	for _, o := range []string{"Jörg Krämer Konzertbüro", "Volkshochschule", "Friends of the Library"} {
		organizers[o] = k.Made("/organizers", kit.Object{"organizer": o, "status": "publish"})
	}
	add := func(title, day, venue, cost, category string, more kit.Object) {
		e := kit.Object{"title": title, "start_date": day + " 19:00", "end_date": day + " 21:00", "cost": cost, "categories": []string{category},
			"description": "<p>Come and see us. Alles Weitere an der Abendkasse.</p>"}
		if venue != "" {
			e["venue"] = []int64{venues[venue]}
		}
		maps.Copy(e, more)
		k.Event(e)
	}
	by := func(organizer string) kit.Object { return kit.Object{"organizer": []int64{organizers[organizer]}} }
	add("Mozart: Requiem", "2026-12-04", "Philharmonie", "28", "Konzerte", by("Jörg Krämer Konzertbüro"))
	add("Beethoven Symphony No. 9", "2027-01-15", "Philharmonie", "35", "Konzerte", nil)
	add("Kammermusik mit Harfe", "2026-12-11", "Philharmonie", "18", "Konzerte", nil)
	add("Klavierkonzert: Chopin & Schumann", "2027-02-05", "Philharmonie", "22", "Konzerte", nil)
	add("Jazz im Keller", "2026-11-27", "Müllers Scheune", "12", "Konzerte", nil)
	add("Jazz Brunch", "2027-03-14", "Müllers Scheune", "15", "Konzerte", nil)
	add("Weihnachtsmarkt auf dem Kirchplatz", "2026-11-28", "", "0", "Märkte", nil)
	add("Weihnachtsoratorium", "2026-12-19", "St. Ägidius", "25", "Konzerte", nil)
	add("Flohmarkt für Kinder", "2026-11-21", "Jugendzentrum Nord", "0", "Märkte", nil)
	add("Bücherflohmarkt", "2027-01-30", "Stadtbibliothek", "", "Märkte", nil)
	add("Vorlesestunde: Räuber Hotzenplotz", "2026-11-25", "Stadtbibliothek", "0", "Kinder", nil)
	add("Lesung: Daniel Kehlmann", "2027-01-27", "Stadtbibliothek", "10", "Literatur", by("Volkshochschule"))
	add("Lesung: Herta Müller", "2027-02-11", "Stadtbibliothek", "10", "Literatur", nil)
	add("Ärzte ohne Grenzen: Vortrag", "2026-12-02", "Altes Rathaus", "0", "Vorträge", by("Volkshochschule"))
	add("Stadtführung durch die Altstadt", "2026-12-06", "Altes Rathaus", "8", "Führungen", nil)
	add("Nachtwächterrundgang", "2026-12-12", "Altes Rathaus", "9", "Führungen", nil)
	add("Straßenfest am Müllerplatz", "2027-06-12", "", "0", "Feste", nil)
	add("Fasching: Großer Umzug", "2027-02-08", "", "0", "Feste", nil)
	add("Tanz in den Mai", "2027-04-30", "Müllers Scheune", "7", "Feste", nil)
	add("Töpferkurs für Anfänger", "2027-01-12", "Jugendzentrum Nord", "60", "Kurse", by("Volkshochschule"))
	add("Yoga am Morgen", "2026-12-01", "Jugendzentrum Nord", "5", "Kurse", nil)
	add("Schachturnier der Vereine", "2027-01-09", "Jugendzentrum Nord", "3", "Sport", nil)
	add("Fußballturnier der Jugend", "2027-01-23", "Jugendzentrum Nord", "0", "Sport", nil)
	add("Eislaufdisco", "2026-12-05", "", "6", "Sport", nil)
	add("Build a Lantern", "2026-11-22", "Public Library", "0", "Children", by("Friends of the Library"))
	add("Story Time for Toddlers", "2026-11-24", "Public Library", "0", "Children", nil)
	add("Film Club: Metropolis", "2026-12-03", "Old Mill Theatre", "9", "Film", nil)
	add("Shakespeare: A Midsummer Night's Dream", "2027-01-22", "Old Mill Theatre", "24", "Theatre", nil)
	add("Improv Comedy Night", "2026-12-10", "Old Mill Theatre", "14", "Theatre", nil)
	add("Farmers Market", "2026-11-28", "", "", "Markets", nil)
	add("Wine Tasting with the Vintners", "2027-02-19", "Old Mill Theatre", "30", "Food", nil)
	add("Photography Workshop", "2027-01-16", "Public Library", "45", "Workshops", nil)
	add("Bird Watching Walk", "2027-03-06", "", "0", "Nature", nil)
	add("Open Air Cinema", "2027-07-17", "", "11", "Film", nil)
	add("Christmas Carol Singing", "2026-12-20", "Public Library", "0", "Music", nil)
	add("Blood Donation", "2026-12-08", "Altes Rathaus", "", "Health", nil)
	add("Podiumsdiskussion: Klimaschutz in der Gemeinde", "2027-01-19", "Altes Rathaus", "0", "Vorträge", nil)
	add("Orgelkonzert zum Advent", "2026-11-29", "St. Ägidius", "0", "Konzerte", nil)
	add("Webinar: Steuern für Vereine", "2026-12-14", "", "0", "Kurse", kit.Object{"attendance_mode": "online", "virtual_url": "https://live.example/"})
	return k
}

// sentSearch is a search as somebody types it, with the titles of what may be meant.
type sentSearch struct{ language, search, meant string }

// misspelt are searches as people type them, with what they mean: an event that is among the first three.
var misspelt = []sentSearch{
	// a letter is missing
	{"en", "libary", "Build a Lantern|Story Time for Toddlers|Photography Workshop|Christmas Carol Singing"},
	{"de", "Weinachtsmarkt", "Weihnachtsmarkt auf dem Kirchplatz"}, {"de", "Weinacht", "Weihnachtsmarkt auf dem Kirchplatz|Weihnachtsoratorium"},
	{"de", "Requim", "Mozart: Requiem"}, {"de", "Biblothek", "Vorlesestunde: Räuber Hotzenplotz|Lesung: Daniel Kehlmann|Bücherflohmarkt"},
	{"en", "Shakespere", "Shakespeare: A Midsummer Night's Dream"}, {"en", "photograpy", "Photography Workshop"},
	{"de", "Philharmoni", "Mozart: Requiem|Kammermusik mit Harfe|Beethoven Symphony No. 9"}, {"de", "Stadtfürung", "Stadtführung durch die Altstadt"},
	// a letter is doubled, or too many
	{"en", "Mozzart", "Mozart: Requiem"}, {"de", "Bethoven", "Beethoven Symphony No. 9"}, {"de", "Kammmermusik", "Kammermusik mit Harfe"},
	{"en", "Commedy", "Improv Comedy Night"}, {"de", "Schaachturnier", "Schachturnier der Vereine"}, {"en", "Metropollis", "Film Club: Metropolis"},
	// letters are swapped
	{"en", "Mozatr", "Mozart: Requiem"}, {"de", "Flohmakrt", "Flohmarkt für Kinder|Bücherflohmarkt"}, {"en", "theater", "Film Club: Metropolis|Improv Comedy Night"},
	{"en", "lanetrn", "Build a Lantern"}, {"de", "Tanzt in den Mia", "Tanz in den Mai"}, {"de", "Nachtwächetr", "Nachtwächterrundgang"},
	// a letter is wrong, or sounds alike
	{"de", "Filharmonie", "Mozart: Requiem|Kammermusik mit Harfe|Beethoven Symphony No. 9"}, {"en", "simphony", "Beethoven Symphony No. 9"},
	{"de", "Töpferkurz", "Töpferkurs für Anfänger"}, {"en", "Shopin", "Klavierkonzert: Chopin & Schumann"}, {"de", "Joga", "Yoga am Morgen"},
	{"de", "Vasching", "Fasching: Großer Umzug"}, {"de", "Schekspier", "Shakespeare: A Midsummer Night's Dream"},
	// plurals and other forms
	{"en", "concerts", "Lake Concert|Orgelkonzert zum Advent|Klavierkonzert: Chopin & Schumann|Jazz im Keller|Mozart: Requiem|Kammermusik mit Harfe"},
	{"en", "lanterns", "Build a Lantern"}, {"de", "Lesungen", "Lesung: Daniel Kehlmann|Lesung: Herta Müller"}, {"en", "libraries", "Build a Lantern|Story Time for Toddlers|Photography Workshop|Christmas Carol Singing"},
	{"de", "Flohmärkte", "Flohmarkt für Kinder|Bücherflohmarkt"}, {"en", "workshops", "Photography Workshop"}, {"de", "Vortrag", "Ärzte ohne Grenzen: Vortrag"},
	{"de", "Stadtführungen", "Stadtführung durch die Altstadt"}, {"en", "stories", "Story Time for Toddlers"}, {"de", "Turniere", "Schachturnier der Vereine|Fußballturnier der Jugend"},
	// umlauts spelt out, accents missing
	{"de", "mueller", "Lesung: Herta Müller|Jazz im Keller"}, {"de", "joerg", "Mozart: Requiem"}, {"de", "aerzte", "Ärzte ohne Grenzen: Vortrag"},
	{"de", "strassenfest", "Straßenfest am Müllerplatz"}, {"de", "toepferkurs", "Töpferkurs für Anfänger"}, {"de", "stadtfuehrung", "Stadtführung durch die Altstadt"},
	{"de", "buecherflohmarkt", "Bücherflohmarkt"}, {"de", "fussballturnier", "Fußballturnier der Jugend"}, {"de", "Koeln", "Weihnachtsoratorium|Orgelkonzert zum Advent"},
	// days and prices in words
	{"en", "27 January", "Lesung: Daniel Kehlmann"}, {"de", "27. Januar", "Lesung: Daniel Kehlmann"}, {"en", "jazz march", "Jazz Brunch"},
	{"en", "free this weekend", "Flohmarkt für Kinder|Build a Lantern"}, {"en", "free", "Flohmarkt für Kinder|Build a Lantern"}, {"de", "Konzerte im Februar", "Klavierkonzert: Chopin & Schumann"},
	{"de", "kostenlos Sonntag", "Build a Lantern"}, {"de", "umsonst Vortrag", "Ärzte ohne Grenzen: Vortrag|Podiumsdiskussion: Klimaschutz in der Gemeinde"},
	// places
	{"de", "Lindau Turnier", "Schachturnier der Vereine|Fußballturnier der Jugend"}, {"en", "Rivertown", "Build a Lantern|Story Time for Toddlers|Film Club: Metropolis"},
	{"de", "Bregens", "Vorlesestunde: Räuber Hotzenplotz|Mozart: Requiem|Kammermusik mit Harfe"}, {"de", "Bad Waldse", "Jazz im Keller|Jazz Brunch"},
	// two words of which one is wrong
	{"en", "mozart requeim", "Mozart: Requiem"}, {"de", "Lesung Kelmann", "Lesung: Daniel Kehlmann"}, {"en", "wine tastng", "Wine Tasting with the Vintners"},
	{"en", "jaz brunch", "Jazz Brunch"}, {"de", "Orgelkonzert Adwent", "Orgelkonzert zum Advent"}, {"en", "christmas carrols", "Christmas Carol Singing"},
	// run together or split
	{"en", "openair cinema", "Open Air Cinema"}, {"de", "Weihnachts Markt", "Weihnachtsmarkt auf dem Kirchplatz"}, {"en", "filmclub", "Film Club: Metropolis"},
	{"de", "Straßen fest", "Straßenfest am Müllerplatz"}, {"en", "storytime", "Story Time for Toddlers"}, {"de", "Schach Tunier", "Schachturnier der Vereine"},
}

// mostMissed is how many of misspelt may find something else.
const mostMissed = 5

// TestSearchForgives: people find what they mean among the first three, however they spell it.
func TestSearchForgives(t *testing.T) {
	if missed := missedOf(t, townKit(t), misspelt); missed > mostMissed {
		t.Errorf("%d of %d searches miss what is meant", missed, len(misspelt))
	}
}

// TestSearchOfPlaceNames: a misspelt search finds what it means although one of its words is the name of a city, too.
func TestSearchOfPlaceNames(t *testing.T) {
	k := kit.PublicKit(t)
	for _, e := range []kit.Object{
		{"title": "Programming in Rust", "venue": kit.Object{"venue": "Hall", "city": "Bonn"}},
		{"title": "Programming in Go", "venue": kit.Object{"venue": "Hall", "city": "Bonn"}},
		{"title": "Day at the fair", "venue": kit.Object{"venue": "Park", "city": "Rust"}},
	} {
		e["start_date"], e["end_date"] = "2026-12-03 10:00", "2026-12-03 11:00"
		k.Event(e)
	}
	for search, want := range map[string]string{"programing rust": "Programming in Rust", "fairr rust": "Day at the fair", "rust": "Day at the fair"} {
		if got, _, _ := strings.Cut(titles(k.Look(kit.Query("/events/", "search", search))), ","); got != want {
			t.Errorf("%s: %s, not %s", search, got, want)
		}
	}
}

// TestSearchOrder: a search has what fits best first: titles, then terms, then places, then texts; whole words before parts; then days.
func TestSearchOrder(t *testing.T) {
	k := kit.PublicKit(t)
	add := func(title, day string, more kit.Object) {
		e := kit.Object{"title": title, "start_date": day + " 10:00", "end_date": day + " 11:00"}
		maps.Copy(e, more)
		k.Event(e)
	}
	add("In the text", "2026-12-01", kit.Object{"description": "<p>with art</p>"})
	add("At a place", "2026-12-02", kit.Object{"venue": kit.Object{"venue": "House of Art"}})
	add("By a term", "2026-12-03", kit.Object{"tags": []string{"art"}})
	add("Party", "2026-12-04", nil)
	add("Later art", "2027-01-05", nil)
	add("(Art), at last", "2027-01-06", nil)
	const want = "Later art, (Art), at last, Party, By a term, At a place, In the text"
	if got := titles(k.Look("/events/?search=art")); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	list := k.Send(kit.Request{Path: "/events?search=art&orderby=relevance&per_page=4"}).Want(t, 200, "")
	if got := fmt.Sprint(list.At("events.0.title"), ", ", list.At("events.3.title")); got != "Later art, By a term" {
		t.Errorf("by relevance the API has %s", got)
	}
	if list := k.Send(kit.Request{Path: "/events?search=art"}); list.At("events.0.title") != "In the text" {
		t.Errorf("the API's own order: %s", list)
	}
}

// TestSearchSays: what was searched for instead of the words is said, with a number, and can be undone.
func TestSearchSays(t *testing.T) {
	k := townKit(t)
	for path, parts := range map[string][]string{
		"/en/events/?search=Mozzart":    {`href="/en/events/?search=Mozart"`, "Did you mean “Mozart”?", "1 event", "Mozart: Requiem"},
		"/de/events/?search=Mozzart":    {"Meinten Sie „Mozart“?"},
		"/en/events/?search=jazz+march": {`href="/en/events/?search=%22jazz%22+%22march%22"`, "Search only for the words", `<bdi>From `, "Jazz Brunch"},
		"/en/events/?search=bregenz":    {`href="/en/events/"`, "<bdi>Bregenz</bdi>"},
		"/en/events/?search=walrus":     {"No events found."},
	} {
		page := k.Look(path).Want(t, 200, "").String()
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", path, part)
			}
		}
	}
	if page := k.Look("/en/events/?search=%22jazz%22+%22march%22").String(); !strings.Contains(page, "No events found.") {
		t.Error("the words alone find events")
	}
	k.Event(kit.Object{"title": "March of the Penguins", "start_date": "2026-12-01 10:00", "end_date": "2026-12-01 11:00"})
	if got := titles(k.Look("/en/events/?search=march+penguins")); got != "March of the Penguins" {
		t.Errorf("a title with a month finds %s", got)
	}
	part := k.Look("/de/events/found/?search=stadtbiblothek").Want(t, 200, "").String()
	for _, text := range []string{"· <bdi>Stadtbibliothek, Bregenz</bdi>", `href="/de/venue/stadtbibliothek/"`, "Veranstaltungsort"} {
		if !strings.Contains(part, text) {
			t.Errorf("suggestions lack %s: %s", text, part)
		}
	}
	if part := k.Look("/de/events/found/?search=konzerte").String(); !strings.Contains(part, `href="/de/events/category/konzerte/"`) {
		t.Errorf("suggestions: %s", part)
	}
	if part := k.Look("/de/events/found/?search=konzertbuero").String(); !strings.Contains(part, `href="/de/organizer/jorg-kramer-konzertburo/"`) {
		t.Errorf("suggestions: %s", part)
	}
}

// TestSearchIsBounded: searches of people who mean harm cost little, and find nothing.
func TestSearchIsBounded(t *testing.T) {
	k := townKit(t)
	for _, search := range []string{strings.Repeat("a", 14_000), strings.Repeat("ab ", 700), strings.Repeat("%", 2000), strings.Repeat(`"`, 2000), strings.Repeat("ü", 2000),
		strings.Repeat("mozrat requeim ", 150), "\x00\x02", strings.Repeat("jazz march free ", 200)} {
		for _, path := range []string{"/events/", "/events/found/"} {
			if a := k.Look(path + "?search=" + url.QueryEscape(search)); a.Status >= 500 {
				t.Errorf("%d for %.20q", a.Status, search)
			}
		}
	}
}

// TestExcluded: lists, feeds and embedded pages leave out categories, tags and venues.
func TestExcluded(t *testing.T) {
	k := filterKit(t)
	venue := fmt.Sprint(k.Send(kit.Request{Path: "/venues?search=opera"}).At("venues.0.id"))
	for query, want := range map[string]string{
		"categories_exclude=music": "Market, Webinar", "categories_exclude=music,food": "Webinar", "categories_exclude=music&categories_exclude=food": "Webinar",
		"tags_exclude=stage": "Market, Jazz, Webinar, Lake Concert", "venue_exclude=" + venue: "Market, Jazz, Webinar, Lake Concert",
		"categories_exclude=food&city=Lindau": "Webinar, Lake Concert",
	} {
		page := k.Look("/en/events/?"+query).Want(t, 200, "")
		if got := titles(page); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
		if !strings.Contains(page.String(), "Excluding: ") {
			t.Errorf("%s has no chip", query)
		}
		if embedded := titles(k.Look("/embed/list/?" + query)); embedded != "" && embedded != want {
			t.Errorf("embedded, %s: %s", query, embedded)
		}
		if !strings.Contains(query, "city") {
			body := k.Look("/events.json?"+strings.Replace(query, "&categories_exclude=", ",", 1)).Want(t, 200, "").String()
			for _, title := range []string{"Market", "Jazz", "Webinar", "Opera", "Lake Concert"} {
				if strings.Contains(body, " · "+title) != strings.Contains(want, title) {
					t.Errorf("feed, %s: %s", query, title)
				}
			}
			list := k.Send(kit.Request{Path: "/events?" + strings.Replace(query, "&categories_exclude=", ",", 1)}).Want(t, 200, "")
			if n := len(strings.Split(want, ", ")); list.Text("total") != strconv.Itoa(n) {
				t.Errorf("the API has %s for %s", list.Text("total"), query)
			}
		}
	}
	k.Send(kit.Request{Path: "/events?categories_exclude=nothing"}).Refused(t, "categories_exclude")
	k.Send(kit.Request{Path: "/events?tags_exclude=nothing"}).Refused(t, "tags_exclude")
	k.Send(kit.Request{Path: "/events?venue_exclude=99999"}).Refused(t, "venue_exclude")
	k.Look("/en/events/?venue_exclude=x").Want(t, 404, "")
}

// TestLeaveOut: the form of filters has a box for each category that can be left out, which is ticked where it is.
func TestLeaveOut(t *testing.T) {
	k := filterKit(t)
	const box = `<input type="checkbox" name="categories_exclude" value="music"`
	page := k.Look("/en/events/").Want(t, 200, "").String()
	if !strings.Contains(page, box+">") || !strings.Contains(page, "<summary>Exclude: Categories</summary>") {
		t.Errorf("no box to leave out a category: %s", page)
	}
	page = k.Look("/en/events/?categories_exclude=music&tags_exclude=stage").Want(t, 200, "").String()
	for _, part := range []string{box + " checked>", "<details open>", `<input type="hidden" name="tags_exclude" value="stage">`} {
		if !strings.Contains(page, part) {
			t.Errorf("the form lacks %s", part)
		}
	}
	_, form, _ := strings.Cut(page, `<form class="filters"`)
	if form, _, _ = strings.Cut(form, "</form>"); strings.Contains(form, `type="hidden" name="categories_exclude"`) {
		t.Error("a category is left out twice")
	}
}

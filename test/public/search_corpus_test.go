package public

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// harbourKit is another town's programme of thirty events. Today is Friday, 20 November 2026.
func harbourKit(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.New(t)
	k.Clock = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	stockHarbour(k)
	return k
}

// stockHarbour creates the programme.
func stockHarbour(k *kit.Kit) {
	venues := map[string]int64{}
	for _, v := range [][3]string{
		{"Kulturfabrik Ehrenfeld", "Venloer Straße 40", "Köln"}, {"Stadtteilzentrum Gröpelingen", "Lindenhofstraße 53", "Bremen"},
		{"Mehrgenerationenhaus", "Kaiserallee 12", "Karlsruhe"}, {"Botanischer Garten", "Amsterdamer Straße 34", "Köln"},
		{"Christuskirche", "Werftstraße 2", "Bremen"}, {"Riverside Community Centre", "4 Wharf Road", "Ashford"},
		{"St. Mary’s Church", "Church Lane", "Ashford"}, {"Grosvenor Hall", "19 Station Approach", "Canterbury"}, {"Memorial Park", "", "Ashford"},
		{"Eishalle Düsseldorf", "Brehmstraße 27", "Düsseldorf"},
	} {
		venues[v[0]] = k.Made("/venues", kit.Object{"venue": v[0], "address": v[1], "city": v[2], "status": "publish"})
	}
	organizers := map[string]int64{}
	for _, o := range []string{"Naturfreunde Köln", "Hebammenpraxis Löwenzahn", "Ashford Gardening Society", "Stadtarchiv", "Rotary Club Canterbury"} {
		organizers[o] = k.Made("/organizers", kit.Object{"organizer": o, "status": "publish"})
	}
	add := func(title, day, hours, venue, cost, category string, more kit.Object) {
		from, to, _ := strings.Cut(hours, "-")
		e := kit.Object{"title": title, "start_date": day + " " + from, "end_date": day + " " + to, "cost": cost, "categories": []string{category}}
		if venue != "" {
			e["venue"] = []int64{venues[venue]}
		}
		maps.Copy(e, more)
		k.Event(e)
	}
	by := func(organizer string) kit.Object { return kit.Object{"organizer": []int64{organizers[organizer]}} }
	says := func(text string) kit.Object { return kit.Object{"description": "<p>" + text + "</p>"} }
	tagged := func(tags ...string) kit.Object { return kit.Object{"tags": tags} }
	add("Rhythmus der Welt: Trommelnacht", "2026-12-05", "20:00-23:00", "Kulturfabrik Ehrenfeld", "15 €", "Musik", tagged("Percussion"))
	add("Ausstellung: Ölbilder von Käthe Böhm", "2026-11-24", "10:00-18:00", "Stadtteilzentrum Gröpelingen", "0", "Kunst", by("Stadtarchiv"))
	add("Schwangerschaftsgymnastik", "2026-12-01", "18:00-19:00", "Mehrgenerationenhaus", "8 €", "Gesundheit", by("Hebammenpraxis Löwenzahn"))
	add("Krippenspiel und Christmette", "2026-12-24", "16:00-17:30", "Christuskirche", "0", "Kirche", nil)
	add("Dance Class for Beginners", "2026-12-02", "19:00-20:30", "Riverside Community Centre", "£6", "Dance", nil)
	add("Silvesterball", "2026-12-31", "20:00-23:59", "Kulturfabrik Ehrenfeld", "45 €", "Feste", nil)
	add("Repair-Café", "2026-11-28", "14:00-17:00", "Stadtteilzentrum Gröpelingen", "", "Nachbarschaft",
		says("Ehrenamtliche reparieren Toaster, Fahrräder und Nähmaschinen."))
	add("Schnitzeljagd durch den Garten", "2026-11-29", "11:00-13:00", "Botanischer Garten", "4 €", "Familie",
		kit.Object{"description": "<p>Für Kinder von 6 bis 10 Jahren.</p>", "organizer": []int64{organizers["Naturfreunde Köln"]}, "audience": []string{"children"}})
	add("Psychologie des Glücks", "2027-01-14", "19:30-21:00", "Mehrgenerationenhaus", "7 €", "Vorträge", says("Professorin Anneliese Weizsäcker über Zufriedenheit."))
	add("Händel: Der Messias", "2026-12-13", "17:00-19:30", "Christuskirche", "24 €", "Musik", tagged("Oratorium", "Chor"))
	add("Gymnastics Display", "2026-12-12", "15:00-16:30", "Grosvenor Hall", "£3", "Sport", nil)
	add("Vegetarian Cookery Evening", "2027-01-20", "18:30-21:00", "Riverside Community Centre", "£22", "Food", says("Bring an apron and a sharp knife. Aubergines and chickpeas."))
	add("Knitting Circle", "2026-11-30", "10:00-12:00", "Riverside Community Centre", "Free", "Crafts", nil)
	add("Poetry Slam", "2026-12-10", "20:00-22:00", "Kulturfabrik Ehrenfeld", "9 €", "Literatur", nil)
	add("Schlittschuhlaufen für Familien", "2026-11-22", "10:00-12:00", "Eishalle Düsseldorf", "5 €", "Familie", nil)
	add("Wochenmarkt am Hafen", "2026-11-25", "08:00-13:00", "", "0", "Märkte", nil)
	add("Brass Band Concert", "2026-12-18", "19:00-20:30", "St. Mary’s Church", "£10", "Music", says("Seasonal favourites with mulled wine in the interval."))
	add("Orchestra Open Rehearsal", "2027-01-26", "19:00-21:00", "Grosvenor Hall", "Free", "Music", nil)
	add("Sprechstunde für Existenzgründer", "2026-12-07", "09:00-12:00", "Stadtteilzentrum Gröpelingen", "0", "Beratung", nil)
	add("Laternenumzug", "2026-11-21", "17:00-18:30", "", "0", "Familie", nil)
	add("Rosenmontagszug", "2027-02-08", "11:00-16:00", "", "0", "Feste", nil)
	add("Osterbrunch im Gewächshaus", "2027-03-28", "10:00-13:00", "Botanischer Garten", "29 €", "Feste", nil)
	add("First Aid Course", "2027-01-09", "09:30-16:30", "Riverside Community Centre", "£40", "Courses", tagged("health"))
	add("Dinosaur Discovery Day", "2027-02-20", "10:00-16:00", "Grosvenor Hall", "£5", "Children", says("Ages 5 to 11. Excavate a skeleton."))
	add("Guitar Lessons for Seniors", "2026-12-03", "10:30-11:30", "Riverside Community Centre", "£8", "Courses", kit.Object{"audience": []string{"seniors"}})
	add("Kabarett: Zwischen den Stühlen", "2027-01-16", "20:00-22:00", "Kulturfabrik Ehrenfeld", "18 €", "Bühne", nil)
	add("Filmabend: Das Fenster zum Hof", "2027-01-22", "20:15-22:15", "Kulturfabrik Ehrenfeld", "6 €", "Film", tagged("Hitchcock"))
	add("Jewellery Making Workshop", "2027-02-06", "13:00-16:00", "Riverside Community Centre", "£35", "Crafts", nil)
	add("Neighbourhood Litter Pick", "2026-12-06", "09:30-11:00", "Memorial Park", "Free", "Community", by("Rotary Club Canterbury"))
	add("Winter Pruning Demonstration", "2027-02-13", "11:00-12:30", "Memorial Park", "£4", "Gardening", by("Ashford Gardening Society"))
}

// misspeltMore are further searches as of misspelt, in the programme of harbourKit.
var misspeltMore = []sentSearch{
	// one letter wrong, missing, doubled or too many
	{"en", "dance class beginer", "Dance Class for Beginners"}, {"en", "knittng", "Knitting Circle"}, {"en", "poetrie slam", "Poetry Slam"},
	{"en", "vegeterian", "Vegetarian Cookery Evening"}, {"en", "orchestera", "Orchestra Open Rehearsal"}, {"de", "Trommelnnacht", "Rhythmus der Welt: Trommelnacht"},
	{"de", "Laternenumzung", "Laternenumzug"}, {"de", "Kabaret", "Kabarett: Zwischen den Stühlen"}, {"de", "Silvesterbal", "Silvesterball"},
	{"en", "rehersal", "Orchestra Open Rehearsal"}, {"en", "begginers", "Dance Class for Beginners"}, {"en", "dinasaur", "Dinosaur Discovery Day"},
	{"en", "jewelery", "Jewellery Making Workshop"}, {"en", "gitar", "Guitar Lessons for Seniors"}, {"de", "Wochenmakt", "Wochenmarkt am Hafen"},
	// letters changed about
	{"en", "lsesons", "Guitar Lessons for Seniors"}, {"de", "Krippenspeil", "Krippenspiel und Christmette"}, {"en", "gymnatsics", "Gymnastics Display"},
	{"de", "Osterburnch", "Osterbrunch im Gewächshaus"}, {"en", "recsue first adi", "First Aid Course"}, {"de", "Fimlabend", "Filmabend: Das Fenster zum Hof"},
	{"en", "peotry", "Poetry Slam"}, {"de", "Mesisas", "Händel: Der Messias"},
	// neighbours on the keyboard
	{"en", "kniyting", "Knitting Circle"}, {"de", "Laternenumzig", "Laternenumzug"}, {"en", "dinodaur", "Dinosaur Discovery Day"}, {"de", "Poetrz Slam", "Poetry Slam"},
	{"de", "Wochrnmarkt", "Wochenmarkt am Hafen"}, {"en", "orchwstra", "Orchestra Open Rehearsal"},
	// as it sounds
	{"de", "rytmus", "Rhythmus der Welt: Trommelnacht"}, {"de", "Psichologie", "Psychologie des Glücks"}, {"de", "Sikologie", "Psychologie des Glücks"},
	{"en", "kwoir", "Händel: Der Messias"}, {"de", "Kripenschpiel", "Krippenspiel und Christmette"}, {"en", "jimnastics", "Gymnastics Display"},
	{"de", "Gimnastik", "Schwangerschaftsgymnastik"}, {"en", "nitting", "Knitting Circle"}, {"de", "Zilvesterball", "Silvesterball"}, {"de", "Kwartett Kabarett", "Kabarett: Zwischen den Stühlen"},
	{"de", "Schlitschulaufen", "Schlittschuhlaufen für Familien"}, {"en", "ferst ade", "First Aid Course"}, {"de", "Ekzistenzgründer", "Sprechstunde für Existenzgründer"},
	{"de", "Christmete", "Krippenspiel und Christmette"}, {"de", "Kristmette", "Krippenspiel und Christmette"}, {"de", "Vilmabend", "Filmabend: Das Fenster zum Hof"},
	// written apart or together
	{"de", "Schlittschuh laufen", "Schlittschuhlaufen für Familien"}, {"de", "Repaircafe", "Repair-Café"}, {"de", "reparier cafe", "Repair-Café"}, {"de", "Rosenmontags Zug", "Rosenmontagszug"},
	{"en", "braßband", "Brass Band Concert"}, {"en", "brassband", "Brass Band Concert"}, {"de", "Film Abend", "Filmabend: Das Fenster zum Hof"},
	{"de", "Schwangerschafts Gymnastik", "Schwangerschaftsgymnastik"}, {"de", "Gymnastik für Schwangere", "Schwangerschaftsgymnastik"}, {"de", "Wochen-Markt", "Wochenmarkt am Hafen"},
	// letters with marks
	{"de", "oelbilder", "Ausstellung: Ölbilder von Käthe Böhm"}, {"de", "Haendel", "Händel: Der Messias"}, {"de", "Handel Messias", "Händel: Der Messias"},
	{"de", "Kaethe Bohm", "Ausstellung: Ölbilder von Käthe Böhm"}, {"de", "Duesseldorf", "Schlittschuhlaufen für Familien"}, {"de", "Gewachshaus", "Osterbrunch im Gewächshaus"},
	{"de", "zwischen den stuhlen", "Kabarett: Zwischen den Stühlen"}, {"de", "groepelingen", "Ausstellung: Ölbilder von Käthe Böhm|Repair-Café|Sprechstunde für Existenzgründer"},
	{"de", "Loewenzan", "Schwangerschaftsgymnastik"}, {"de", "oelbider", "Ausstellung: Ölbilder von Käthe Böhm"},
	// plurals, cases and stems
	{"de", "Ölbild", "Ausstellung: Ölbilder von Käthe Böhm"}, {"de", "Ausstellungen", "Ausstellung: Ölbilder von Käthe Böhm"}, {"de", "Laternenumzüge", "Laternenumzug"},
	{"en", "dancing classes", "Dance Class for Beginners"}, {"en", "guitars", "Guitar Lessons for Seniors"}, {"de", "Wochenmärkte", "Wochenmarkt am Hafen"},
	{"de", "Vorträgen", "Psychologie des Glücks"}, {"en", "rehearsals", "Orchestra Open Rehearsal"}, {"en", "knit", "Knitting Circle"}, {"de", "Trommel", "Rhythmus der Welt: Trommelnacht"},
	{"en", "neighbors", "Neighbourhood Litter Pick"}, {"en", "cooking", "Vegetarian Cookery Evening"}, {"de", "Existenzgründung", "Sprechstunde für Existenzgründer"}, {"en", "dinosaurs", "Dinosaur Discovery Day"},
	// days, feasts and hours in words
	{"de", "Heiligabend", "Krippenspiel und Christmette"}, {"en", "christmas eve", "Krippenspiel und Christmette"}, {"de", "Silvester", "Silvesterball"}, {"en", "new years eve", "Silvesterball"},
	{"de", "Rosenmontag", "Rosenmontagszug"}, {"en", "easter", "Osterbrunch im Gewächshaus"}, {"de", "Nikolaus", "Neighbourhood Litter Pick"}, {"en", "6 dec", "Neighbourhood Litter Pick"},
	{"de", "morgen", "Laternenumzug"}, {"de", "am 24.12.", "Krippenspiel und Christmette"}, {"en", "december 12th", "Gymnastics Display"}, {"en", "saturday morning", "First Aid Course|Laternenumzug"},
	{"de", "Sonntag Vormittag", "Schlittschuhlaufen für Familien"}, {"de", "nächsten Samstag", "Repair-Café|Laternenumzug"}, {"de", "Musik im Dezember", "Rhythmus der Welt: Trommelnacht|Händel: Der Messias"},
	{"en", "course january", "First Aid Course"}, {"de", "Kabarett 20 Uhr", "Kabarett: Zwischen den Stühlen"}, {"de", "Freitagabend Film", "Filmabend: Das Fenster zum Hof"}, {"de", "Febuar Fest", "Rosenmontagszug"},
	// prices and ages
	{"de", "kostenlose Kunst", "Ausstellung: Ölbilder von Käthe Böhm"}, {"de", "Eintritt frei Familie", "Laternenumzug"}, {"en", "free music", "Orchestra Open Rehearsal"},
	{"de", "gratis Beratung", "Sprechstunde für Existenzgründer"}, {"de", "unter 10 Euro Gymnastik", "Schwangerschaftsgymnastik"}, {"en", "kids dinosaur", "Dinosaur Discovery Day"},
	{"de", "für Kinder ab 6 Jahren", "Schnitzeljagd durch den Garten"}, {"en", "senior guitar", "Guitar Lessons for Seniors"},
	// places, organizers, tags and words of descriptions
	{"en", "ashfort", "Knitting Circle|Dance Class for Beginners|Guitar Lessons for Seniors"}, {"en", "cantabury", "Gymnastics Display|Orchestra Open Rehearsal|Dinosaur Discovery Day"},
	{"de", "Botanische Gärten", "Schnitzeljagd durch den Garten|Osterbrunch im Gewächshaus"}, {"de", "Ehrenfelt", "Rhythmus der Welt: Trommelnacht|Silvesterball|Poetry Slam"},
	{"de", "Hebame", "Schwangerschaftsgymnastik"}, {"en", "gardning society", "Winter Pruning Demonstration"}, {"de", "Perkussion", "Rhythmus der Welt: Trommelnacht"},
	{"en", "aubergene", "Vegetarian Cookery Evening"}, {"en", "muled wine", "Brass Band Concert"}, {"de", "Weizäcker", "Psychologie des Glücks"},
	{"de", "Nähmaschiene", "Repair-Café"}, {"en", "riverside comunity center dance", "Dance Class for Beginners"}, {"de", "Hitchkock", "Filmabend: Das Fenster zum Hof"}, {"de", "Venloer Strasse Slam", "Poetry Slam"},
	{"de", "Bremen Ausstelung", "Ausstellung: Ölbilder von Käthe Böhm"}, {"en", "rotery club", "Neighbourhood Litter Pick"},
}

// missedOf returns how many of some searches find something else than is meant.
func missedOf(t *testing.T, k *kit.Kit, searches []sentSearch) (missed int) {
	t.Helper()
	for _, c := range searches {
		page := k.Look("/"+c.language+"/events/?search="+url.QueryEscape(c.search)).Want(t, 200, "")
		list := strings.Split(strings.NewReplacer("&#39;", "'", "&amp;", "&").Replace(titles(page)), ", ")
		first := list[:min(3, len(list))]
		if !slices.ContainsFunc(strings.Split(c.meant, "|"), func(title string) bool { return slices.Contains(first, title) }) {
			missed++
			t.Logf("%s %q finds %q, not %s", c.language, c.search, first, c.meant)
		}
	}
	t.Logf("%d of %d found", len(searches)-missed, len(searches))
	return missed
}

// TestSearchForgivesMore: as TestSearchForgives, in another town.
func TestSearchForgivesMore(t *testing.T) {
	t.Parallel()
	if missed := missedOf(t, harbourKit(t), misspeltMore); missed > 5 {
		t.Errorf("%d of %d searches miss what is meant", missed, len(misspeltMore))
	}
}

// A word for a filter may be part of a title: a past event with all words comes before one that only has the others.
func TestSearchKeepsWordsOfFilters(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	k.Event(kit.Object{"title": "Accelerate Online", "start_date": "2026-05-05 10:00", "end_date": "2026-05-05 12:00"})
	k.Event(kit.Object{"title": "Accelerate Tomorrow Summit", "start_date": "2026-12-05 10:00", "end_date": "2026-12-05 12:00"})
	if missed := missedOf(t, k, []sentSearch{{"en", "AAccelerate Online", "Accelerate Online"}, {"en", "Acelerate", "Accelerate Tomorrow Summit"}}); missed > 0 {
		t.Errorf("%d missed", missed)
	}
}

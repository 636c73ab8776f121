package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// wallAt reads a wall-clock time.
func wallAt(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// An event has the colour of its first category that has one, in the tone closest to it; a category without a colour always has the
// same tone, grey has none, and what a password hides gives nothing away.
func TestTones(t *testing.T) {
	t.Parallel()
	category := func(id int64, color string) calendar.Term {
		c := calendar.Term{Color: color}
		c.ID = id
		return c
	}
	for _, c := range []struct {
		categories []calendar.Term
		masked     bool
		tone       string
		color      string
	}{
		{nil, false, "tone-0", ""},
		{[]calendar.Term{category(1, "")}, false, "tone-1", ""},
		{[]calendar.Term{category(8, "")}, false, "tone-8", ""},
		{[]calendar.Term{category(9, "")}, false, "tone-9", ""},
		{[]calendar.Term{category(14, "")}, false, "tone-1", ""},
		{[]calendar.Term{category(1, ""), category(2, "#ff0000")}, false, "tone-5", "#ff0000"},
		{[]calendar.Term{category(1, "#00ff00"), category(2, "#ff0000")}, false, "tone-2", "#00ff00"},
		{[]calendar.Term{category(1, "#0000ff")}, false, "tone-7", "#0000ff"},
		{[]calendar.Term{category(1, "#ffff00")}, false, "tone-8", "#ffff00"},
		{[]calendar.Term{category(1, "#ff00cc")}, false, "tone-9", "#ff00cc"},
		{[]calendar.Term{category(1, "#808080")}, false, "tone-0", "#808080"},
		{[]calendar.Term{category(1, "#808090")}, false, "tone-0", "#808090"},
		{[]calendar.Term{category(1, "#000000")}, false, "tone-0", "#000000"},
		{[]calendar.Term{category(1, "#ff0010")}, false, "tone-5", "#ff0010"}, // just below 360 degrees
		{[]calendar.Term{category(1, "#nocolor")}, false, "tone-0", "#nocolor"},
		{[]calendar.Term{category(1, "#00ff00")}, true, "tone-0", "#00ff00"},
	} {
		e := &calendar.Event{Categories: c.categories, Masked: c.masked}
		if got := Tone(e); got != c.tone || ColorOf(e) != c.color {
			t.Errorf("%+v: %s, %s", c, got, ColorOf(e))
		}
	}
}

// Images are had in the size that a page needs, small ones as they are; the thumbnail is cropped and so is no size of them.
func TestSizesOfImages(t *testing.T) {
	t.Parallel()
	small := &calendar.Image{Key: "k", File: "a b.png", Width: 200}
	large := &calendar.Image{Key: "k", File: "lake?.jpg", Width: 4000, Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "t.jpg", Width: 150},
		{Name: "medium", File: "m.jpg", Width: 300}, {Name: "large", File: "l.jpg", Width: 1024}}}
	for got, want := range map[string]string{
		Largest(small): "/media/k/a%20b.png", Smallest(small): "/media/k/a%20b.png", SourceSet(small): "/media/k/a%20b.png 200w",
		Largest(large): "/media/k/l.jpg", Smallest(large): "/media/k/t.jpg", SourceSet(large): "/media/k/m.jpg 300w, /media/k/l.jpg 1024w",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A place is told with its city unless its name has that already; a map leads to its position, or searches for its address.
func TestPlaces(t *testing.T) {
	t.Parallel()
	lat, lng, ctx := 47.5, -9.75, tenancy.With(t.Context(), tenancy.Scope{Language: "en"})
	for _, c := range []struct {
		venue     calendar.Venue
		line, way string
	}{
		{calendar.Venue{Name: "Pier", City: "Lindau"}, "Pier, Lindau", "https://www.openstreetmap.org/search?query=Lindau"},
		{calendar.Venue{Name: "Town hall Lindau", City: "Lindau", Address: "A & B 1"}, "Town hall Lindau", "https://www.openstreetmap.org/search?query=A+%26+B+1%2C+Lindau"},
		{calendar.Venue{Name: "Pier"}, "Pier", ""},
		{calendar.Venue{Name: "Pier", City: "Lindau", GeoLat: &lat, GeoLng: &lng}, "Pier, Lindau", "https://www.openstreetmap.org/?mlat=47.5&mlon=-9.75#map=17/47.5/-9.75"},
		{calendar.Venue{Name: "Pier", GeoLat: &lat}, "Pier", ""},
	} {
		if line, way := PlaceLine(ctx, &c.venue), MapLink(&c.venue); line != c.line || way != c.way {
			t.Errorf("%+v: %s, %s", c.venue, line, way)
		}
	}
	for tag, want := range map[string]string{"ar": "Pier، Lindau", "ja": "Pier、Lindau", "de": "Pier, Lindau"} {
		if got := PlaceLine(tenancy.With(t.Context(), tenancy.Scope{Language: tag}), &calendar.Venue{Name: "Pier", City: "Lindau"}); got != want {
			t.Errorf("%s: %s", tag, got)
		}
	}
	term := &calendar.Term{Taxonomy: calendar.Tags}
	term.Slug, term.Path = "open-air", "music/open-air"
	if TermPath(term) != "/tag/open-air/" {
		t.Error(TermPath(term))
	}
	if term.Taxonomy = calendar.Categories; TermPath(term) != "/events/category/music/open-air/" {
		t.Error(TermPath(term))
	}
}

// A month shows an evening that goes on past midnight on its first day, and what lasts a day or longer on all of its days.
func TestDaysOfAnEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start, end string
		allDay     bool
		want       string
	}{
		{"2027-03-06 22:00", "2027-03-07 03:00", false, "6-6"}, {"2027-03-06 22:00", "2027-03-07 21:59", false, "6-6"}, {"2027-03-06 22:00", "2027-03-07 22:00", false, "6-7"},
		{"2027-03-06 00:00", "2027-03-06 23:59", true, "6-6"}, {"2027-03-06 00:00", "2027-03-08 23:59", true, "6-8"}, {"2027-03-06 00:00", "2027-03-08 00:00", false, "6-7"},
	} {
		begin, end := ShownOn(&calendar.Event{Start: wallAt(t, c.start), End: wallAt(t, c.end), AllDay: c.allDay})
		if got := begin.Format("2") + "-" + end.Format("2"); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.start, c.end, got, c.want)
		}
	}
	for day, want := range map[string][2]string{"2027-03-10 00:00": {"8", "7"}, "2027-03-08 00:00": {"8", "7"}, "2027-03-14 00:00": {"8", "14"}} { // from Monday, from Sunday
		if monday, sunday := WeekOf(wallAt(t, day), 1).Format("2"), WeekOf(wallAt(t, day), 7).Format("2"); monday != want[0] || sunday != want[1] {
			t.Errorf("%s: %s, %s", day, monday, sunday)
		}
	}
}

// A day has room for a few events: bars first, then what begins there; the rest is counted, none twice and none lost.
func TestRoomOfADay(t *testing.T) {
	t.Parallel()
	from := wallAt(t, "2027-03-08 00:00")
	everyDay := func(time.Time) bool { return true }
	for _, c := range []struct{ bars, items int }{{0, 0}, {0, 5}, {0, 6}, {3, 2}, {3, 9}, {5, 1}, {7, 0}, {7, 4}} {
		var events []*calendar.Event
		for range c.bars {
			events = append(events, &calendar.Event{Start: wallAt(t, "2027-03-09 00:00"), End: wallAt(t, "2027-03-11 23:59"), AllDay: true})
		}
		for range c.items {
			events = append(events, &calendar.Event{Start: wallAt(t, "2027-03-10 10:00"), End: wallAt(t, "2027-03-10 11:00")})
		}
		cell := Week(from, everyDay, from, events)[2]
		if n := len(cell.Bars) + len(cell.Items); n > MostInCell || n+cell.More != c.bars+c.items {
			t.Errorf("%+v: %d bars, %d items, %d more", c, len(cell.Bars), len(cell.Items), cell.More)
		}
	}
	week := Week(from, func(day time.Time) bool { return day.Month() == time.March && day.Day() < 11 }, from, []*calendar.Event{
		{Start: wallAt(t, "2027-03-05 00:00"), End: wallAt(t, "2027-03-20 23:59"), AllDay: true}, {Start: wallAt(t, "2027-03-12 10:00"), End: wallAt(t, "2027-03-12 11:00")}})
	if bar := week[0].Bars[0]; bar.Begins || bar.Ends || bar.Over != 3 || strings.Join(bar.Classes(), " ") != "bar listed over-3" || len(week[3].Bars) != 0 || len(week[4].Items) != 0 || !week[3].Free() || week[0].Free() {
		t.Errorf("only days that are shown have events: %+v, %v", week, bar.Classes())
	}
}

// Texts of templates.
func TestSmallTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "every Monday": "Every Monday", "été": "Été", "合唱": "合唱", "ß": "ß", "1st": "1st"} {
		if got := Capital(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if Decoded("%C3%A4%2F") != "ä/" || Decoded("100%") != "100%" || PlainText("a &amp; b") != "a & b" {
		t.Error("paths and texts as people read them")
	}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Language: "de"})
	if len(Foreign(ctx, "")) != 0 || len(Foreign(ctx, "de")) != 0 || Foreign(ctx, "fr")["lang"] != "fr" {
		t.Error("only text in another language says so")
	}
	site := &tenancy.Site{Language: "de"}
	image := &calendar.Image{Alt: "See"}
	for language, want := range map[string]any{"de": nil, "fr": "de"} {
		site.Settings.ContentLanguages = []string{"de", "fr"}
		ctx := tenancy.With(t.Context(), tenancy.Scope{Language: language, Site: site})
		if got := ForeignAlt(ctx, image)["lang"]; got != want {
			t.Errorf("in %s: %v", language, got)
		}
		if ForeignAlt(ctx, &calendar.Image{}) != nil {
			t.Error("an image without words has a language")
		}
		if site.Settings.ContentLanguages = nil; ForeignAlt(ctx, image) != nil {
			t.Error("a site in one language says it of each image")
		}
	}
	for day, want := range map[string]bool{"1900-01-01 00:00": true, "1899-12-31 00:00": false, "2200-12-31 00:00": true, "2201-01-01 00:00": false} {
		if Within(wallAt(t, day)) != want {
			t.Errorf("%s: %v", day, !want)
		}
	}
	if SiteOf(t.Context()).Location != time.UTC || len(Offered(nil)) < 20 || len(Offered(&tenancy.Site{Language: "de", Settings: tenancy.Settings{Languages: []string{"de", "en"}}})) != 2 {
		t.Error("without a site there are all languages, and times are in UTC")
	}
}

// An event is told to programs with its offset from UTC, an all-day one by its day; a price in words of the site.
func TestTimesForPrograms(t *testing.T) {
	t.Parallel()
	e := &calendar.Event{Start: wallAt(t, "2027-07-14 19:30"), End: wallAt(t, "2027-07-14 21:30"), StartUTC: wallAt(t, "2027-07-14 17:30"), EndUTC: wallAt(t, "2027-07-14 19:30"), Timezone: "Europe/Berlin"}
	if got := MachineTime(e, true) + " " + MachineTime(e, false); got != "2027-07-14T19:30:00+02:00 2027-07-14T21:30:00+02:00" {
		t.Error(got)
	}
	if e.AllDay = true; MachineTime(e, true) != "2027-07-14" {
		t.Error(MachineTime(e, true))
	}
	site := &tenancy.Site{Language: "en", Settings: tenancy.DefaultSettings()}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Language: "de", Site: site})
	price := func(n float64) *float64 { return &n }
	for _, c := range []struct {
		ticket calendar.Ticket
		want   string
	}{
		{calendar.Ticket{}, ""}, {calendar.Ticket{Price: price(0)}, "Kostenlos"}, {calendar.Ticket{Price: price(0), Currency: "CHF"}, "Kostenlos"}, {calendar.Ticket{Price: price(12)}, "12\u00a0$"},
		{calendar.Ticket{Price: price(12.5), Currency: "USD"}, "12,50\u00a0$"}, {calendar.Ticket{Price: price(12.5), Currency: "CHF"}, "12,50\u00a0CHF"},
	} {
		if got := TicketPrice(ctx, &c.ticket); got != c.want {
			t.Errorf("%+v: %q, want %q", c.ticket, got, c.want)
		}
	}
}

// The style sheet has each tone, and white can be read on it as a ground.
func TestDeepTones(t *testing.T) {
	t.Parallel()
	sheet := sheetOf(t, "public.css")
	for tone := range len(tones) + 1 {
		if rule := fmt.Sprintf(".tone-%d { --tone: var(--tone-%d); --ground: var(--ground-%d); --deep: %s; }", tone, tone, tone, Deep(tone)); !strings.Contains(sheet, rule) {
			t.Errorf("tone %d: the sheet lacks %s", tone, rule)
		}
		if got := contrast(Deep(tone), RGB{1, 1, 1}); got < 4.5 {
			t.Errorf("tone %d: contrast of white %.2f", tone, got)
		}
	}
}

package frame

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/test/htmltest"
)

func clock(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// Fields for dates hold the seconds of a time that has some, and are read with and without them.
func TestClocksOfFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2030-02-04T19:30": "2030-02-04 19:30:00", "2030-02-04T19:30:05": "2030-02-04 19:30:05", "2030-02-04T19:30:00": "2030-02-04 19:30:00",
		"2030-02-04": "", "2030-02-04 19:30": "", "2030-02-30T19:30": "", "2030-02-04T24:00": "", "2030-02-04T19:30:60": "", "2030-02-04T19:30:5": "", "": "",
		"2030-02-04T19:30:05Z": "",
	} {
		at, err := ReadClock(text)
		switch {
		case want == "" && err == nil, want != "" && (err != nil || at.Format(time.DateTime) != want):
			t.Errorf("%q is %s, %v", text, at, err)
		case want != "":
			if again, err := ReadClock(ClockText(at)); err != nil || !again.Equal(at) {
				t.Errorf("%q is written %q", text, ClockText(at))
			}
		}
	}
	if got := ClockText(clock(t, "2030-02-04 19:30:00")); got != "2030-02-04T19:30" {
		t.Errorf("without seconds: %s", got)
	}
}

// An id is a positive number.
func TestIDs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"7": 7, "007": 7, "0": 0, "-7": 0, "": 0, "x": 0, "7 ": 0, "7.0": 0, "99999999999999999999": 0, "9223372036854775807": 1<<63 - 1} {
		if got := IDIn(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// What is too long is cut between letters, whatever their length in bytes.
func TestCutBetweenLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"Chöre", 3, "Chö"}, {"合唱団", 2, "合唱"}, {"abc", 3, "abc"}, {"abc", 9, "abc"}, {"", 3, ""}, {"abc", 0, ""}} {
		if got := Cut(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q", c.text, c.most, got)
		}
	}
}

// Moments are told by the clock of the site.
func TestMomentsAreTheSites(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	at := time.Date(2030, 7, 31, 22, 30, 0, 0, time.UTC) // half past midnight in Berlin
	if day, moment := ShortDay(ctx, at), ShortTime(ctx, at); !strings.Contains(day, "Aug\u00a01") || !strings.Contains(moment, "Aug\u00a01") || !strings.Contains(moment, "12:30") {
		t.Errorf("%s, %s", day, moment)
	}
	if never, once := KeyUse(ctx, time.Time{}), KeyUse(ctx, at); never == once || !strings.Contains(once, "Aug\u00a01") || strings.Contains(never, "0001") {
		t.Errorf("a key: %q, %q", never, once)
	}
}

// An event is told briefly: by its day, its day and times, or its days.
func TestBriefSpans(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for _, c := range []struct {
		start, end string
		allDay     bool
		has, not   []string
	}{
		{"2030-02-04 19:30:00", "2030-02-04 21:00:00", false, []string{"Feb\u00a04", "7:30", "9:00"}, nil},
		{"2030-02-04 00:00:00", "2030-02-04 23:59:59", true, []string{"Feb\u00a04"}, []string{"12:00", "11:59", "–"}},
		{"2030-02-04 22:00:00", "2030-02-05 02:00:00", false, []string{"Feb\u00a04"}, []string{"Jan"}},
		{"2030-02-04 00:00:00", "2030-02-06 23:59:59", true, []string{"4", "6"}, []string{":"}},
		{"2030-02-04 19:30:00", "2030-02-05 00:00:00", false, []string{"Feb\u00a04", "7:30"}, []string{"Feb\u00a05"}},
	} {
		e := &calendar.Event{Start: clock(t, c.start), End: clock(t, c.end), AllDay: c.allDay, Timezone: "Asia/Tokyo"}
		got := ShortSpan(ctx, e)
		for _, part := range c.has {
			if !strings.Contains(got, part) {
				t.Errorf("%s to %s: %q lacks %q", c.start, c.end, got, part)
			}
		}
		for _, part := range c.not {
			if strings.Contains(got, part) {
				t.Errorf("%s to %s: %q has %q", c.start, c.end, got, part)
			}
		}
	}
}

// People recognize their browsers and systems by name, though most browsers claim to be others as well.
func TestBrowserNames(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0":                                                                  "Firefox, Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36":                             "Chrome, Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0":                   "Edge, Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15":                   "Safari, macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1": "Safari, iPhone",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36":                             "Chrome, Android",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 OPR/115.0":                             "Opera, Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1":  "Chrome, iPhone",
		"Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/133.0 Mobile/15E148 Safari/605.1.15":        "Firefox, iPad",
		"curl/8.5.0": "curl",
		"":           Tell(ctx, "sessions.unknown"),
		"my program": Tell(ctx, "sessions.unknown"),
	} {
		if got := BrowserName(ctx, agent); got != want {
			t.Errorf("%s is %s, want %s", agent, got, want)
		}
	}
}

// A name in another direction of writing stands alone within a sentence, so that the words around it keep their order.
func TestNamesOfTheOtherDirection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		rightToLeft bool
		alone       bool
	}{
		{"Choir", false, false}, {"جوقة", false, true}, {"מקהלה", false, true}, {"合唱", false, false}, {"12:30", false, false}, {"", false, false},
		{"Choir", true, true}, {"جوقة", true, false}, {"合唱", true, true}, {"12", true, false}, {"جوقة A", true, true}, {"A جوقة", false, true},
	} {
		if got := isolated(c.text, c.rightToLeft); (got != c.text) != c.alone || !strings.Contains(got, c.text) {
			t.Errorf("%q, right to left %v: %q", c.text, c.rightToLeft, got)
		}
	}
	if got := TellWith(in(t, "ar"), "move.of", "Name", "Choir"); !strings.Contains(got, "\u2068Choir\u2069") {
		t.Errorf("in a sentence: %q", got)
	}
}

// The separators of a list stand between its entries, in the way of the language.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "ar", "ja"} {
		ctx := in(t, language)
		if Comma(ctx, 2, 3) != "" || Comma(ctx, 0, 3) != Tell(ctx, "comma")+" " || Comma(ctx, 0, 1) != "" {
			t.Errorf("%s: %q", language, Comma(ctx, 0, 3))
		}
	}
	ctx := in(t, "en")
	if EmptyOr(ctx, "x") != "x" || EmptyOr(ctx, "") == "" || LastPart("a.b.c") != "c" || LastPart("c") != "c" {
		t.Error("an empty value has a word, and a key a last part")
	}
	if WholeID(&calendar.Event{Post: calendar.Post{ID: 7}}) != 7 || WholeID(&calendar.Event{Post: calendar.Post{ID: 7}, Series: &calendar.Series{ID: 3}}) != 3 {
		t.Error("a date belongs to its series")
	}
	if StatusOf(ctx, calendar.Draft) != "Draft" || StatusOf(ctx, "strange") != "strange" {
		t.Errorf("%s, %s", StatusOf(ctx, calendar.Draft), StatusOf(ctx, "strange"))
	}
}

// The list of time zones has the site's and UTC first, and the one that is chosen, each once; then all by region.
func TestZonesToChooseFrom(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	for zone, first := range map[string]string{"": "Europe/Berlin UTC", "Europe/Berlin": "Europe/Berlin UTC", "UTC": "Europe/Berlin UTC",
		"Asia/Tokyo": "Europe/Berlin UTC Asia/Tokyo", "+02:00": "Europe/Berlin UTC +02:00"} {
		if got := strings.Join(firstZones(ctx, zone), " "); got != first {
			t.Errorf("%q: %s", zone, got)
		}
		page := htmltest.Of(ctx, t, ZoneField(typed("timezone", zone)))
		if n := strings.Count(page, " selected"); n != 1 {
			t.Errorf("%q: %d are selected", zone, n)
		}
		if want := zone; want == "" && !strings.Contains(page, `<option value="Europe/Berlin" selected>`) || want != "" && !strings.Contains(page, `<option value="`+templ.EscapeString(want)+`" selected>`) {
			t.Errorf("%q is not the one selected", zone)
		}
	}
	groups := ZoneGroups()
	for i, g := range groups {
		if g.Name == "Etc" || g.Name == "US" || i > 0 && groups[i-1].Name >= g.Name || len(g.Zones) == 0 {
			t.Errorf("%s of %d zones", g.Name, len(g.Zones))
		}
	}
	if ZoneText("America/New_York") != "America/New York" {
		t.Error(ZoneText("America/New_York"))
	}
}

// A list leads to the pages beside the one shown, and not beyond its ends.
func TestPager(t *testing.T) {
	t.Parallel()
	address := func(page int) string { return "/admin/users?page=" + IDText(int64(page)) }
	for _, c := range []struct {
		page, pages int
		want        []string
	}{{1, 1, nil}, {1, 3, []string{"next"}}, {2, 3, []string{"prev", "next"}}, {3, 3, []string{"prev"}}, {7, 3, []string{"prev"}}, {1, 0, nil}} {
		got := htmltest.Of(in(t, "en"), t, Turns(c.page, c.pages, address))
		for _, rel := range []string{"prev", "next"} {
			want := false
			for _, one := range c.want {
				want = want || one == rel
			}
			if strings.Contains(got, `rel="`+rel+`"`) != want {
				t.Errorf("page %d of %d: %s", c.page, c.pages, got)
			}
		}
		if (got == "") != (c.want == nil) {
			t.Errorf("page %d of %d: %q", c.page, c.pages, got)
		}
	}
}

// What was typed is shown to be read and copied, without what only the form needs; a problem leads to its field.
func TestTypedTextIsShown(t *testing.T) {
	t.Parallel()
	ctx := in(t, "en")
	f := typed("title", `<Choir> & "Band"`, "version", "7", "base", "x", "once", "y", "sticky", "1", "featured", "0", "excerpt", " ", "tickets[0][name]", "Seat",
		"odd", "kept", "password", "secret", "to", "/admin")
	got := htmltest.Of(ctx, t, Typed(f))
	if !strings.Contains(got, "&lt;Choir&gt; &amp; &#34;Band&#34;") || !strings.Contains(got, "<dt>Title</dt>") || !strings.Contains(got, "<dt>odd</dt>") || strings.Count(got, "<dt>") != 2 {
		t.Error(got)
	}
	if got = htmltest.Of(ctx, t, Waiting(f.Kept())); strings.Contains(got, "secret") || strings.Count(got, "<input") != len(f.Kept()) {
		t.Error(got)
	}
	f.Wrong("title", "Too <long>.")
	f.Wrong("cost", "Wrong.")
	got = htmltest.Of(ctx, t, ProblemList(f, []string{"cost"}))
	if !strings.Contains(got, `href="#f-cost"`) || strings.Index(got, `href="#f-cost"`) > strings.Index(got, `href="#f-title"`) || !strings.Contains(got, "Too &lt;long&gt;.") {
		t.Error(got)
	}
}

// Every language of the interface can be chosen, by its own name.
func TestLanguagesToChooseFrom(t *testing.T) {
	t.Parallel()
	list := LanguageNames()
	if len(list) != len(i18n.Languages()) {
		t.Fatalf("%d", len(list))
	}
	for _, one := range list {
		if !i18n.Supported(one.Name) || one.Value == "" || one.Value == one.Name {
			t.Errorf("%+v", one)
		}
	}
}

// In the content of a field, colors and pictures of the site are shown as such; what only resembles them stays text.
func TestContentOfFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Advent · #8b0000 · #AA0044": "Advent · [#8b0000] · [#AA0044]", "#8b0000": "[#8b0000]", "a\nLogo: /media/ab/x.jpg#20x30\nb": "a\nLogo: {/media/ab/x.jpg#20x30}\nb",
		"/media/ab/x.webp": "{/media/ab/x.webp}", "https://example.org/media/x.jpg": "https://example.org/media/x.jpg", "Raum #123456789": "Raum #123456789", "#12345": "#12345",
		"/media/x.html /media/y.png": "/media/x.html {/media/y.png}", "": "",
	} {
		var b strings.Builder
		for _, part := range shownIn(text) {
			switch {
			case part.color:
				b.WriteString("[" + part.text + "]")
			case part.picture:
				b.WriteString("{" + part.text + "}")
			default:
				b.WriteString(part.text)
			}
		}
		if b.String() != want {
			t.Errorf("%q: %q", text, b.String())
		}
	}
}

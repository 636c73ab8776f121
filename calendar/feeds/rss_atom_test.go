package feeds

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"html"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

var (
	published = time.Date(2030, 5, 1, 10, 0, 0, 0, time.UTC)
	modified  = time.Date(2030, 5, 2, 11, 30, 15, 0, time.FixedZone("", 7200))
)

// newsOf returns the news of a site with these events.
func newsOf(t *testing.T, events ...*calendar.Event) *news {
	t.Helper()
	site := &tenancy.Site{ID: 1, UID: "ABC", Slug: "riverton", Name: "Riverton", Language: "en", Location: time.UTC, Created: published}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "de",
		Base: tenancy.Base{Origin: "https://riverton.example", Prefix: "/de"}})
	return &news{scope: tenancy.Current(ctx), about: About{Title: "Jazz & more", Path: "/events/", Said: Said{Title: func(e *calendar.Event) string { return e.Title }, When: func(*calendar.Event) string { return "1 May < 20:00" }}}, address: "https://riverton.example/de/events.rss?a=1&b=2",
		events: events}
}

// concert is an event whose texts a careless writer would break.
func concert() *calendar.Event {
	return &calendar.Event{Post: calendar.Post{ID: 7, Status: calendar.Publish, Slug: "concert", Date: published, Modified: modified,
		Image: &calendar.Image{Key: "key", File: "a b?ü.png", MIME: "image/png"}},
		Title: `Tom & Jerry <live> ]]> "x"`, Description: "<p>Bring <b>friends</b> &amp; cake</p>",
		Venues: []calendar.Venue{{Name: "Rock & Roll <Hall>", City: "Bonn"}}, Categories: []calendar.Term{{Name: "Rock & Roll"}},
		Tags: []calendar.Term{{Name: "späti"}}}
}

// Each format says the same of an event, and whoever parses it reads the texts as they were written.
func TestNewsFormats(t *testing.T) {
	t.Parallel()
	n := newsOf(t, concert())
	const title, content = `Tom & Jerry <live> ]]> "x"`, "<p>1 May &lt; 20:00 · Rock &amp; Roll &lt;Hall&gt;, Bonn</p><p>Bring <b>friends</b> &amp; cake</p>"
	const id, link = "urn:kalends:event:7@abc", "https://riverton.example/de/event/concert/"
	body, err := n.json()
	if err != nil {
		t.Fatal(err)
	}
	var j jsonFeed
	if err := json.Unmarshal(body, &j); err != nil {
		t.Fatal(err)
	}
	i := j.Items[0]
	if i.Title != title || i.HTML != content || i.ID != id || i.URL != link || i.Published != "2030-05-01T10:00:00Z" ||
		i.Modified != "2030-05-02T09:30:15Z" || strings.Join(i.Tags, "|") != "Rock & Roll|späti" ||
		i.Image != "https://riverton.example/media/key/a%20b%3F%C3%BC.png" || j.Title != "Jazz & more – Riverton" || j.Language != "de" ||
		j.Page != "https://riverton.example/de/events/" || j.Address != n.address {
		t.Errorf("JSON Feed: %s", body)
	}
	if body, err = n.rss(); err != nil {
		t.Fatal(err)
	}
	var r struct {
		Channel struct {
			Title, Language, Link, Built string
			Items                        []struct {
				Title       string   `xml:"title"`
				Link        string   `xml:"link"`
				GUID        string   `xml:"guid"`
				Published   string   `xml:"pubDate"`
				Categories  []string `xml:"category"`
				Description string   `xml:"description"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	if err := xml.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	if e := r.Channel.Items[0]; e.Title != title || e.Description != content || e.GUID != id || e.Link != link ||
		e.Published != "Wed, 01 May 2030 10:00:00 +0000" || strings.Join(e.Categories, "|") != "Rock & Roll|späti" {
		t.Errorf("RSS: %s", body)
	}
	if body, err = n.atom(); err != nil {
		t.Fatal(err)
	}
	var a struct {
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Author  string `xml:"author>name"`
		Entries []struct {
			ID         string     `xml:"id"`
			Title      string     `xml:"title"`
			Content    string     `xml:"content"`
			Categories []atomTerm `xml:"category"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(body, &a); err != nil {
		t.Fatal(err)
	}
	if e := a.Entries[0]; e.Title != title || e.Content != content || e.ID != id || len(e.Categories) != 2 || a.Author != "Riverton" ||
		a.Updated != "2030-05-02T09:30:15Z" {
		t.Errorf("Atom: %s", body)
	}
}

// A feed without events is a feed, dated like its site.
func TestNoNews(t *testing.T) {
	t.Parallel()
	n := newsOf(t)
	n.scope.Site.Name = ""
	for _, form := range Forms {
		body, err := form.write(n)
		if err != nil {
			t.Fatal(err)
		}
		if form.Suffix == "json" {
			if !json.Valid(body) || !strings.Contains(string(body), `"items":[]`) || !strings.Contains(string(body), `"title":"Jazz & more"`) {
				t.Errorf("%s", body)
			}
			continue
		}
		if err := xml.Unmarshal(body, &struct{}{}); err != nil || !strings.Contains(string(body), ">Jazz &amp; more<") {
			t.Errorf("%s: %v", body, err)
		}
		if form.Suffix == "atom" && (!strings.Contains(string(body), "<updated>2030-05-01T10:00:00Z</updated>") ||
			!strings.Contains(string(body), "<name>riverton</name>")) {
			t.Errorf("%s", body)
		}
	}
}

// A protected event shows its title and time. Nothing behind its password is in any feed.
func TestMaskedNews(t *testing.T) {
	t.Parallel()
	e := concert()
	e.Masked = true
	n := newsOf(t, e)
	for _, form := range Forms {
		body, err := form.write(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"friends", "Hall", "Bonn", "Roll", "späti", "/media/"} {
			if strings.Contains(string(body), secret) {
				t.Errorf("%s tells %q: %s", form.Suffix, secret, body)
			}
		}
		if !strings.Contains(string(body), "20:00") {
			t.Errorf("%s has no time: %s", form.Suffix, body)
		}
	}
}

// A description that is too long for programs is shortened. Readers still see how it begins.
func TestLongNews(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ description, begins, ends string }{
		"none":                  {"", "", ""},
		"short":                 {"<p>a <i>b</i></p>", "<p>a <i>b</i></p>", ""},
		"without markup":        {"a & b", "<p>a &amp; b</p>", ""},
		"long":                  {"<p>a &lt;b&gt; <i>c</i> " + strings.Repeat("word ", longestText/5) + "</p>", "<p>a &lt;b&gt; c word", "…</p>"},
		"long, in other script": {"<p>" + strings.Repeat("語", longestText) + "</p>", "<p>語語", "語…</p>"},
		"much markup":           {strings.Repeat("<p><i>a</i></p>", longestText/10), "<p>a a a", " a</p>"},
	} {
		e := concert()
		e.Description, e.Venues = c.description, nil
		got := newsOf(t).content(e)
		rest, ok := strings.CutPrefix(got, "<p>1 May &lt; 20:00</p>")
		if !ok || !strings.HasPrefix(rest, c.begins) || !strings.HasSuffix(rest, c.ends) || len(rest) > longestText+100 ||
			c.begins == "" && rest != "" || html.UnescapeString(rest) != strings.ToValidUTF8(html.UnescapeString(rest), "?") {
			t.Errorf("%s: %.80q … %.20q, %d bytes", name, got, got[max(0, len(got)-20):], len(got))
		}
	}
}

// A client that has what there is now needs no second copy. Its own tag counts before its date.
func TestSince(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 5, 1, 10, 0, 0, 500, time.UTC)
	for name, c := range map[string]struct {
		none, since string
		changed     time.Time
		want        bool
	}{
		"the same second":     {"", "Wed, 01 May 2030 10:00:00 GMT", at, true},
		"later":               {"", "Wed, 01 May 2030 10:00:01 GMT", at, true},
		"earlier":             {"", "Wed, 01 May 2030 09:59:59 GMT", at, false},
		"another form":        {"", "Wednesday, 01-May-30 10:00:00 GMT", at, true},
		"no date":             {"", "yesterday", at, false},
		"nothing":             {"", "", at, false},
		"of what isn't known": {"", "Wed, 01 May 2030 10:00:00 GMT", time.Time{}, false},
		"with a tag":          {`"tag"`, "Wed, 01 May 2030 10:00:00 GMT", at, false},
	} {
		if got := Unchanged(c.none, c.since, c.changed); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Calendars know colours by name alone: the nearest counts.
func TestColorName(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]string{"#000000": "black", "#ffffff": "white", "#FF0000": "red", "#fe0102": "red", "#336699": "steelblue",
		"": "", "#": "", "#fff": "", "#ff00000": "", "#gg0000": "", "red": "", "#-10000": "", "#+10000": "", "#1_0000": ""} {
		if got := colorName(color); got != want {
			t.Errorf("%q: %q, want %q", color, got, want)
		}
	}
}

// A document says what it is by its content: what changes changes its tag, and a client with the tag of a long one gets
// nothing more.
func TestAnswer(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 1}, Language: "en"})
	doc := func(version int64, text string) *Document {
		pieces := [][]byte{[]byte(text)}
		return &Document{Version: version, next: func(context.Context) (piece []byte, err error) {
			if len(pieces) == 0 {
				return nil, io.EOF
			}
			piece, pieces = pieces[0], pieces[1:]
			return piece, nil
		}}
	}
	never := func(string) bool { return false }
	tag := func(version int64, text string) string {
		a, err := doc(version, text).Answer(ctx, "/events.ics", never)
		if err != nil || string(a.Body) != text {
			t.Fatalf("%s %v", a.Body, err)
		}
		return a.ETag
	}
	if one, again := tag(1, "a"), tag(1, "a"); one != again || tag(1, "a") == tag(1, "b") || tag(1, "a") == tag(2, "a") || strings.HasPrefix(tag(1, "a"), "W/") {
		t.Error("tags are wrong")
	}
	asked := ""
	a, err := doc(1, "a").Answer(ctx, "/events.ics", func(tag string) bool { asked = tag; return true })
	if err != nil || a.Body != nil || a.Stream != nil || a.ETag != "W/"+asked {
		t.Errorf("%+v %v", a, err)
	}
	long := strings.Repeat("x", maxBuffered+1)
	a, err = doc(1, long).Answer(ctx, "/events.ics", never)
	if err != nil || a.Stream == nil || a.ETag != "W/"+asked {
		t.Errorf("a long one: %+v %v", a, err)
	}
	for _, other := range []func() *Answer{
		func() *Answer { a, _ := doc(1, long).Answer(ctx, "/events.ics?a", never); return a },
		func() *Answer { a, _ := doc(2, long).Answer(ctx, "/events.ics", never); return a },
		func() *Answer {
			d := doc(1, long)
			d.Until = published
			a, _ := d.Answer(ctx, "/events.ics", never)
			return a
		},
		func() *Answer {
			in := tenancy.With(ctx, tenancy.Scope{Site: &tenancy.Site{ID: 1}, Language: "de"})
			a, _ := doc(1, long).Answer(in, "/events.ics", never)
			return a
		},
	} {
		if o := other(); o.ETag == a.ETag {
			t.Errorf("another document has the same tag %s", o.ETag)
		}
	}
}

// News of what is online has its link, and no place is named twice.
func TestNewsOfOnlineEvents(t *testing.T) {
	t.Parallel()
	e := concert()
	e.Attendance = calendar.Attendance{Mode: "mixed", URL: "https://live.example/?a=1&b=2"}
	n := newsOf(t)
	const link = `<p>Online · <a href="https://live.example/?a=1&amp;b=2">https://live.example/?a=1&amp;b=2</a></p>`
	if got, want := n.content(e), "<p>1 May &lt; 20:00 · Rock &amp; Roll &lt;Hall&gt;, Bonn</p>"+link+e.Description; got != want {
		t.Errorf("mixed: %s, want %s", got, want)
	}
	e.Venues, e.Attendance.Mode = nil, "online"
	if got, want := n.content(e), "<p>1 May &lt; 20:00</p>"+link+e.Description; got != want {
		t.Errorf("online: %s, want %s", got, want)
	}
	e.Masked = true
	if got, want := n.content(e), "<p>1 May &lt; 20:00</p>"; got != want {
		t.Errorf("masked: %s, want %s", got, want)
	}
}

// Entries end with what visitors filter by, in the language of the feed, and say nothing twice.
func TestNewsHasFacts(t *testing.T) {
	t.Parallel()
	e := concert()
	e.Description, e.Cost = "", []string{"5"}
	e.Facts = calendar.Facts{Audience: []string{"children"}, Registration: "2030-05-01 12:00:00", EndUnknown: true}
	e.Tickets = []calendar.Ticket{{Name: "Seat", URL: "https://shop.example/1"}}
	e.Fields = calendar.AddedFields{"outdoors": true, "diet": "none", "note": "x"}
	n := newsOf(t, e)
	n.scope.Site.Fields = []tenancy.Field{
		{Key: "outdoors", Kind: tenancy.YesNoField, Of: []string{tenancy.FieldOfEvents}, Texts: map[string]tenancy.FieldText{"en": {Label: "Outdoors"}}, Public: true, Filter: true},
		{Key: "note", Kind: tenancy.TextField, Of: []string{tenancy.FieldOfEvents}, Texts: map[string]tenancy.FieldText{"en": {Label: "Note"}}, Public: true},
	}
	n.about.Said.Deadline = func(wall time.Time) string { return wall.Format("2.1.") }
	const want = `<p>1 May &lt; 20:00 · Rock &amp; Roll &lt;Hall&gt;, Bonn</p><p>Preis · 5<br />Anmeldung bis 1.5.<br />Zielgruppe · Kinder<br />Outdoors · Ja<br />` +
		`Tickets · Seat · <a href="https://shop.example/1">https://shop.example/1</a></p>`
	if got := n.content(e); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	e.Masked = true
	if got := n.content(e); got != "<p>1 May &lt; 20:00</p>" {
		t.Errorf("a protected event says %s", got)
	}
}

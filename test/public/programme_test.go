package public

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// inDocument opens a document, checks that each part is well-formed, and returns its text part with all tags.
func inDocument(t *testing.T, data []byte) (text string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range archive.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(bytes.NewReader(body))
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", part.Name, err)
		}
		if part.Name == "word/document.xml" {
			text = string(body)
		}
	}
	return text
}

// programmeKit is a site with a concert, a night, a fair of two days, an exhibition and what is not for everybody.
func programmeKit(t *testing.T) *kit.Kit {
	k := kit.PublicKit(t)
	for _, e := range []map[string]any{
		{"title": "Choir & <Organ>", "start_date": "2026-12-04 19:30", "end_date": "2026-12-04 21:00", "cost": "€12", "venue": map[string]any{"venue": "Dom", "city": "Bonn"}},
		{"title": "Matinee", "start_date": "2026-12-04 11:00", "end_date": "2026-12-04 12:00", "categories": []string{"Music"}},
		{"title": "Long night", "start_date": "2026-12-05 22:00", "end_date": "2026-12-06 03:00"},
		{"title": "Fair", "start_date": "2026-12-12", "end_date": "2026-12-13", "all_day": true},
		{"title": "Paintings", "start_date": "2026-11-01", "end_date": "2027-01-31", "all_day": true},
		{"title": "Called off", "start_date": "2026-12-06 10:00", "end_date": "2026-12-06 11:00", "event_status": "cancelled"},
		{"title": "Full house", "start_date": "2026-12-06 12:00", "end_date": "2026-12-06 13:00", "tickets": []map[string]any{{"name": "Hall", "price": "5", "status": "sold_out"}}},
		{"title": "Secret", "start_date": "2026-12-07 10:00", "end_date": "2026-12-07 11:00", "post_password": "sesame"},
	} {
		k.Event(e)
	}
	moved := k.Event(map[string]any{"title": "Reading", "start_date": "2026-12-06 18:00", "end_date": "2026-12-06 19:00"})
	k.Patch(kit.Item("events", moved), "administrator", kit.Object{"event_status": "rescheduled", "start_date": "2026-12-08 18:00", "end_date": "2026-12-08 19:00"}).Want(t, 200, "")
	return k
}

func TestProgramme(t *testing.T) {
	k := programmeKit(t)
	page := k.Look("/en/events/programme/?from=2026-12-01&to=2026-12-31")
	if page.Status != http.StatusOK {
		t.Fatal(page)
	}
	if words := kit.Untranslated.FindString(string(page.Raw)); words != "" {
		t.Errorf("the page has the key %s", words)
	}
	text := k.Look("/en/events/programme.txt?from=2026-12-01&to=2026-12-31")
	const want = `
Friday, December 4
11:00 AM – 12:00 PM  Matinee
7:30 PM – 9:00 PM  Choir & <Organ> · Dom, Bonn · €12

Saturday, December 5
10:00 PM – 3:00 AM  Long night

Sunday, December 6
10:00 AM – 11:00 AM  Cancelled: Called off
12:00 PM – 1:00 PM  Full house · $5 · Sold out

Tuesday, December 8
6:00 PM – 7:00 PM  Reading · Originally planned for Dec 6, 2026

Saturday, December 12
Dec 12 – 13, 2026  Fair

On show
Nov 1, 2026 – Jan 31, 2027  Paintings
`
	_, got, _ := strings.Cut(string(text.Raw), "\n")
	if got = plainSpaces(got); got != want || text.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%s: %s", text.Header.Get("Content-Type"), got)
	}
	if strings.Contains(string(page.Raw)+string(text.Raw), "Secret") {
		t.Error("what needs a password is in the programme")
	}
	// Filters are those of the list.
	if got := string(k.Look("/en/events/programme.txt?from=2026-12-01&to=2026-12-31&category=music").Raw); !strings.Contains(got, "Matinee") || strings.Contains(got, "Fair") {
		t.Errorf("only music: %s", got)
	}
}

// The programme that the page of a week or month links to has the days of that week or month, with what the visitor selected.
func TestProgrammeOfAPage(t *testing.T) {
	k := programmeKit(t)
	page := ""
	for path, days := range map[string]string{"week/2026-12-02": "from=2026-11-29&amp;to=2026-12-05", "month/2026-12": "from=2026-12-01&amp;to=2026-12-31"} {
		page = string(k.Look("/en/events/" + path + "/?category=music").Raw)
		if want := "/en/events/programme/?category=music&amp;" + days; !strings.Contains(page, want) {
			t.Errorf("%s does not link to %s", path, want)
		}
	}
	if month := string(k.Look("/en/events/month/2026-12/").Raw); !strings.Contains(month, `<b>New date</b>`) {
		t.Error("the month does not mark the event that was moved")
	}
	if !strings.Contains(page, `<a href="/en/events/programme/" rel="nofollow">`) {
		t.Error("the foot of the page does not link to the programme")
	}
}

// plainSpaces has a plain space for each of the others, and no word joiners.
func plainSpaces(text string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2060", "", "\u2009", " ").Replace(text)
}

func TestProgrammeAsDocument(t *testing.T) {
	k := programmeKit(t)
	k.Write("demo", "en", "ar")
	const days = "?from=2026-12-01&to=2026-12-31"
	columns := k.Look("/en/events/programme.docx" + days)
	if got := columns.Header.Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="event.docx"`) || !strings.HasSuffix(got, `UTF-8''demo%202026-12-01%20%E2%80%93%202026-12-31.docx`) {
		t.Errorf("saved as %s", got)
	}
	text := inDocument(t, columns.Raw)
	if !strings.Contains(text, `<w:cols w:num="2"`) || !strings.Contains(text, "Choir &amp; &lt;Organ&gt;") || strings.Contains(text, "<w:tbl>") || strings.Contains(text, "w:rtl") {
		t.Errorf("in columns: %s", text)
	}
	if again := k.Look("/en/events/programme.docx" + days); !bytes.Equal(again.Raw, columns.Raw) || again.Header.Get("ETag") != columns.Header.Get("ETag") {
		t.Error("the same programme has other bytes")
	}
	if text := inDocument(t, k.Look("/ar/events/programme.docx"+days+"&layout=table").Raw); !strings.Contains(text, "<w:tbl>") || !strings.Contains(text, "<w:bidiVisual/>") ||
		!strings.Contains(text, "<w:rtl/>") {
		t.Errorf("as a table, from right to left: %s", text)
	}
	for _, wrong := range []string{"?layout=", "?layout=poster", "?from=2026-13-01"} {
		if got := k.Look("/en/events/programme.docx" + wrong).Status; (got == http.StatusOK) != (wrong == "?layout=") || got >= 500 {
			t.Errorf("%s: %d", wrong, got)
		}
	}
}

var shownUpTo = regexp.MustCompile(`Shown up to ([^.]+)\.`)

// The days of a programme are those that were asked for, or the rest of the month and, near its end, the next month; what is too long says where it ends.
func TestProgrammeDays(t *testing.T) {
	k := kit.PublicKit(t)
	for query, want := range map[string]string{
		"":                               `name="from" required value="2026-11-20"> To name="to" required value="2026-11-30">`,
		"?from=2027-03-01":               `name="from" required value="2027-03-01"> To name="to" required value="2027-03-31">`,
		"?from=2027-03-22":               `name="from" required value="2027-03-22"> To name="to" required value="2027-03-31">`,
		"?from=2027-03-23":               `name="from" required value="2027-03-23"> To name="to" required value="2027-04-30">`,
		"?to=2026-11-25":                 `name="from" required value="2026-11-20"> To name="to" required value="2026-11-25">`,
		"?to=2026-11-01":                 `name="from" required value="2026-11-01"> To name="to" required value="2026-11-01">`,
		"?from=2027-03-28&to=2027-03-01": `name="from" required value="2027-03-01"> To name="to" required value="2027-03-28">`,
		"?when=tonight":                  `name="from" required value="2026-11-20"> To name="to" required value="2026-11-20">`,
		"?from=2026-01-01&to=2030-01-01": `name="from" required value="2026-01-01"> To name="to" required value="2027-01-01">`,
	} {
		page := string(k.Look("/en/events/programme/" + query).Raw)
		from, to, _ := strings.Cut(want, " To ")
		if !strings.Contains(page, from) || !strings.Contains(page, to) {
			t.Errorf("%s: no %s in %s", query, want, page)
		}
		if cut := strings.Contains(query, "2030"); shownUpTo.MatchString(page) != cut {
			t.Errorf("%s: says where it ends: %v", query, !cut)
		}
	}
	if link := string(k.Look("/en/events/?category=music").Raw); !strings.Contains(link, `href="/en/events/programme/?category=music"`) {
		t.Error("the list does not lead to its programme")
	}
}

// A programme of more events than it holds ends with the last day that it has whole.
func TestProgrammeOfMany(t *testing.T) {
	k := kit.PublicKit(t)
	var list strings.Builder
	list.WriteString("title,start_date,end_date\n")
	for n := range 1100 {
		fmt.Fprintf(&list, "Talk %d,2026-12-%02d 10:00,2026-12-%02d 11:00\n", n, 1+n/100, 1+n/100)
	}
	k.Import(kit.Sent{As: "administrator", File: list.String(), Name: "talks.csv"})
	page := string(k.Look("/en/events/programme/?from=2026-12-01&to=2026-12-31").Raw)
	if got := shownUpTo.FindStringSubmatch(page); got == nil || got[1] != "Thursday, December\u00a010,\u00a02026" {
		t.Errorf("shown up to %q", got)
	}
	if !strings.Contains(page, "Talk 999<") || strings.Contains(page, "Talk 1000<") {
		t.Error("other events than those up to that day")
	}
}

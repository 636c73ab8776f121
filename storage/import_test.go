package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/tenancy"
)

// importKit imports CSV files into a kit's site as its administrator.
type importKit struct {
	*kit
	calendar *calendar.Calendar
	pictures *pictures
	refused  []string
	noted    []string
}

func newImportKit(t *testing.T) *importKit {
	t.Helper()
	k := &importKit{kit: newKit(t), pictures: &pictures{}}
	k.calendar = calendar.New(k.db, k.pictures, func() time.Time { return monday })
	k.ctx = tenancy.With(t.Context(), tenancy.Scope{
		Site:      &tenancy.Site{ID: k.site, Timezone: "Europe/Berlin", Location: k.zone("Europe/Berlin"), Language: "en"},
		Principal: tenancy.Principal{UserID: 1, Role: tenancy.Administrator},
	})
	return k
}

func (k *importKit) zone(name string) *time.Location {
	k.Helper()
	loc, err := args.LocationOf(name)
	k.must(err)
	return loc
}

// load imports a file; it fails the test when the report is not want.
func (k *importKit) load(what, text string, dry bool, want sheets.Report) {
	k.Helper()
	source, err := sheets.NewCSV(strings.NewReader(text))
	k.must(err)
	k.refused, k.noted = nil, nil
	got, err := sheets.Import(k.ctx, k.calendar, k.db.Events(), source, sheets.Options{DryRun: dry,
		Noted: func(line int, err error) { k.noted = append(k.noted, fmt.Sprint(line, " ", err)) },
		Refused: func(line int, err error) {
			k.refused = append(k.refused, strings.Replace(fmt.Sprint(line, " ", err), "update event: ", "", 1))
		}})
	k.must(err)
	k.equal(what, got, want)
}

// total returns how many rows the tables of a calendar have.
func (k *importKit) total() string {
	k.Helper()
	return strings.Join(k.column(`
		SELECT (SELECT count(*) FROM events) || ' ' || (SELECT count(*) FROM venues) || ' ' || (SELECT count(*) FROM organizers)
		    || ' ' || (SELECT count(*) FROM terms) || ' ' || (SELECT count(*) FROM changes) || ' ' || (SELECT count(*) FROM images)`), "")
}

// fair has every kind of row; those marked are refused.
const fair = "\uFEFFEvent Name;Event Start Date;Event Start Time;Event End Date;Event End Time;All Day Event;Colour;Timezone;" +
	"Event Venue Name;Venue City;Event Organizer Name;Event Category;Event Tags;Event Description;Event Cost;Event Featured Image\r\n" +
	"Opening;2027-03-01;19:00;2027-03-01;21:00;;;America/New_York;Hall;Wien;Ann;Music, Jazz;2027;\"<p>One\nTwo</p><script>x</script>\";10;\r\n" +
	"\"=HYPERLINK(\"x\")\";2027-03-02;;;;TRUE;;;hall;WIEN;ann;music;;;;\r\n" + // refused: a quotation mark within
	"\"=HYPERLINK(\"\"x\"\")\";2027-03-02;;;;TRUE;;;hall;WIEN;ann;music;;;;\r\n" +
	"Bad day;2027-02-30;;;;;;;;;;;;;;\r\n" + // refused
	"Ends early;2027-03-02;;2027-03-01;;;;;;;;;;;;\r\n" + // refused
	";2027-03-02;;;;;;;;;;;;;;\r\n" + // refused
	"祭り 🎆;2027-03-03;18:30;;;;;Asia/Tokyo;公園;東京;;祭り;;;;\r\n" +
	"opening;2027-03-01;19:00;;21:00;;;America/New_York;Hall;Wien;Ann;;;;;\r\n" + // another title
	"Opening;2027-03-01;19:00;;22:00;;;;HALL;;;;;;;\r\n" + // there already
	"Opening;2027-03-01;19:00;;21:00;;;;Hall;Graz;;C#, C, c++;;;;\r\n" + // there already
	"Opening;2027-03-01;19:00;;21:00;;;;Other hall;Graz;;C#, C, c++;;;;\r\n" +
	"Wrong picture;2027-03-01;;;;;;;;;;;;;;4711\r\n" + // refused
	"Two days;2027-03-04;;2027-03-05;;;;;;;;;;;;\r\n"

func TestImportEveryKindOfRow(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	empty := k.total()
	want := sheets.Report{Read: 13, Created: 6, Unchanged: 2, Refused: 5, Venues: 3, Organizers: 1, Categories: 6, Tags: 1}

	k.load("dry run", fair, true, want)
	k.equal("after the dry run", k.total(), empty)
	k.load("first run", fair, false, want)
	k.equal("refused", k.refused, []string{
		"4 arguments: : import.finding.row-unreadable",
		"6 arguments: start_date: import.finding.date-unreadable",
		"7 arguments: end_date: problem.end",
		"8 arguments: title: import.finding.title-missing",
		"14 arguments: image: problem.image.unknown",
	})
	k.equal("events", k.column(`
		SELECT concat_ws('|', e.title, e.slug, e.start_local, e.end_local, e.start_utc AT TIME ZONE 'UTC', e.all_day, e.author,
		       (SELECT string_agg(v.name || ' ' || v.city, ',') FROM event_venues l JOIN venues v ON v.id = l.venue_id WHERE l.event_id = e.id),
		       (SELECT string_agg(g.name, ',') FROM event_organizers l JOIN organizers g ON g.id = l.organizer_id WHERE l.event_id = e.id),
		       (SELECT string_agg(c.name, ',' ORDER BY c.id) FROM event_terms l JOIN terms c ON c.id = l.term_id WHERE l.event_id = e.id))
		FROM events e
		ORDER BY e.id`), []string{
		`Opening|opening|2027-03-01 19:00:00|2027-03-01 21:00:00|2027-03-02 00:00:00|f|1|Hall Wien|Ann|Music,Jazz,2027`,
		`=HYPERLINK("x")|hyperlinkx|2027-03-02 00:00:00|2027-03-02 23:59:59|2027-03-01 23:00:00|t|1|Hall Wien|Ann|Music`,
		`祭り 🎆|祭り-🎆|2027-03-03 18:30:00|2027-03-03 18:30:00|2027-03-03 09:30:00|f|1|公園 東京|祭り`,
		`opening|opening-2|2027-03-01 19:00:00|2027-03-01 21:00:00|2027-03-02 00:00:00|f|1|Hall Wien|Ann`,
		`Opening|opening-3|2027-03-01 19:00:00|2027-03-01 21:00:00|2027-03-01 18:00:00|f|1|Other hall Graz|C#,C,c++`,
		`Two days|two-days|2027-03-04 00:00:00|2027-03-05 23:59:59|2027-03-03 23:00:00|t|1`,
	})
	k.equal("terms", k.column(`SELECT concat_ws(' ', taxonomy, name, slug, count) FROM terms ORDER BY id`), []string{
		"category Music music 2", "category Jazz jazz 1", "tag 2027 2027 1", "category 祭り 祭り 1",
		"category C# c 1", "category C c-2 1", "category c++ c-3 1",
	})
	filled := k.total()
	k.load("second run", fair, false, sheets.Report{Read: 13, Unchanged: 8, Refused: 5})
	k.load("dry run over it", fair, true, sheets.Report{Read: 13, Unchanged: 8, Refused: 5})
	k.equal("after the second run", k.total(), filled)
}

func TestImportAgainAfterTrash(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	const file = "Event Name,Event Start Date\nx,2027-03-01\n"
	k.load("first", file, false, sheets.Report{Read: 1, Created: 1})
	k.exec(k.site, `UPDATE events SET status = 'draft' WHERE site_id = $1`, k.site)
	k.load("draft", file, false, sheets.Report{Read: 1, Unchanged: 1})
	k.exec(k.site, `UPDATE events SET status = 'trash' WHERE site_id = $1`, k.site)
	k.load("trash", file, false, sheets.Report{Read: 1, Created: 1})
}

// TestImportPastRefusals: one event the database refuses takes no others along,
// wherever it stands in its batch.
func TestImportPastRefusals(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	_, err := k.owner().Exec(t.Context(), `ALTER TABLE events ADD CONSTRAINT unlucky CHECK (title NOT LIKE 'Bad%')`)
	k.must(err)
	file := &strings.Builder{}
	file.WriteString("Event Name,Event Start Date,Event Venue Name,Event Category,Event Tags\n")
	const rows = 600
	bad := map[int]bool{0: true, 130: true, 131: true, 249: true, 250: true, 599: true}
	for n := range rows {
		title := "Same name"
		if bad[n] {
			title = "Bad name"
		}
		fmt.Fprintf(file, "%s,%s,Venue %d,category,tag %d\n", title, monday.AddDate(0, 0, n).Format(time.DateOnly), n%7, n%3)
	}
	want := sheets.Report{Read: rows, Created: rows - len(bad), Refused: len(bad), Venues: 7, Categories: 1, Tags: 3}
	k.load("dry run", file.String(), true, want)
	k.load("run", file.String(), false, want)
	if len(k.refused) != len(bad) || !strings.Contains(k.refused[0], calendar.ErrRefused.Error()) {
		t.Errorf("refused %q", k.refused)
	}
	k.equal("terms", k.column(`SELECT name || ' ' || count FROM terms WHERE name = 'category' OR count <> (
		SELECT count(*) FROM event_terms l WHERE l.term_id = terms.id)`), []string{"category 594"})
	k.equal("slugs", k.column(`SELECT slug FROM events ORDER BY id DESC LIMIT 1`), []string{"same-name-594"})
	k.load("second run", file.String(), false,
		sheets.Report{Read: rows, Unchanged: rows - len(bad), Refused: len(bad)})
}

// TestImportMatches: venues and organizers are those there are when a row says
// nothing new of them (rule 3.6).
func TestImportMatches(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	k.event(func(e *calendar.Event) { e.Slug = "fest" })
	_, err := k.calendar.Venues().Create(k.ctx, &calendar.VenueFields{Name: args.Some("Hall"), City: args.Some("Wien")})
	k.must(err)
	o, err := k.calendar.Organizers().Create(k.ctx, &calendar.OrganizerFields{Name: args.Some("Ann")})
	k.must(err)
	k.load("run", "Event Name,Event Start Date,Event Venue,Venue City,Event Organizers\n"+
		fmt.Sprintf("Fest,2027-03-01,HALL,,\"ANN, %d, Ben\"\n", o.ID)+
		"Fest,2027-03-02,hall,Graz,4711\n"+
		"Fest,2027-03-02,hall,Graz,Ben\n", false,
		sheets.Report{Read: 3, Created: 2, Refused: 1, Venues: 1, Organizers: 1})
	k.equal("refused", k.refused, []string{"3 arguments: organizer: problem.organizer.unknown"})
	k.equal("slugs", k.column(`SELECT slug FROM events ORDER BY id`), []string{"fest", "fest-2", "fest-3"})
	k.equal("organizers", k.column(`SELECT (SELECT string_agg(g.name, ' ' ORDER BY l.position) FROM event_organizers l
		JOIN organizers g ON g.id = l.organizer_id WHERE l.event_id = e.id) FROM events e WHERE slug <> 'fest' ORDER BY id`),
		[]string{"Ann Ben", "Ben"})
	k.equal("venues", k.column(`SELECT name || ' ' || city || ' ' || slug FROM venues ORDER BY id`),
		[]string{"Hall Wien hall", "hall Graz hall-2"})
}

// pictures makes pictures out of nothing.
type pictures struct{ fetched, removed int }

func (p *pictures) Fetch(context.Context, string) (*calendar.Image, error) {
	p.fetched++
	return &calendar.Image{Key: fmt.Sprint("key", p.fetched), Width: 1, Height: 1, Source: "http://x.example/1.png"}, nil
}

func (p *pictures) Make(context.Context, string, io.Reader) (*calendar.Image, error) {
	return nil, errors.ErrUnsupported
}
func (p *pictures) Remove(context.Context, *calendar.Image) error { p.removed++; return nil }
func (p *pictures) Local(context.Context, string) string          { return "" }

func TestImportPictures(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	const file = "Event Name,Event Start Date,Event Featured Image\n" +
		"a,2027-03-01,http://x.example/1.png\nb,2027-03-01,http://x.example/1.png\nc,2027-03-01,1\n"
	k.load("dry run", file, true, sheets.Report{Read: 3, Created: 2, Refused: 1})
	k.equal("fetched and removed", fmt.Sprint(*k.pictures), "{0 0}")
	k.load("run", file, false, sheets.Report{Read: 3, Created: 2, Refused: 1})
	k.equal("images", k.column(`SELECT key FROM images`), []string{"key1"})
	k.equal("shown", k.column(`SELECT title FROM events WHERE image_id IS NOT NULL ORDER BY id`), []string{"a", "b"})
	k.equal("fetched and removed", fmt.Sprint(*k.pictures), "{1 0}")
}

func TestImportEnds(t *testing.T) {
	t.Parallel()
	k := newImportKit(t)
	source := func() *sheets.CSV {
		c, err := sheets.NewCSV(strings.NewReader("Event Name,Event Start Date\nx,2027-03-01\n"))
		k.must(err)
		return c
	}
	_, err := sheets.Import(k.as(k.site, 0), k.calendar, k.db.Events(), source(), sheets.Options{})
	k.wants(err, tenancy.ErrUnauthenticated)
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	_, err = sheets.Import(ctx, k.calendar, k.db.Events(), source(), sheets.Options{})
	k.wants(err, context.Canceled)
	k.equal("events", k.column(`SELECT title FROM events`), []string{})
}

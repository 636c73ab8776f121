package review

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/htmltest"
	"github.com/kalends/kalends/web/forms/frame"
)

// atSite is a context of a site in Berlin, in a language.
func atSite(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en"}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language})
}

// sent is an event that somebody has sent.
func sent(status submissions.Status) *letter {
	start := time.Date(2030, 7, 31, 19, 30, 0, 0, time.UTC)
	event := &calendar.Event{Post: calendar.Post{ID: 7, Status: calendar.Pending}, Title: `Choir <b>& "Band"`, Timezone: "Europe/Berlin",
		Start: start, End: start.Add(2 * time.Hour), StartUTC: start.Add(-2 * time.Hour), EndUTC: start,
		Venues: []calendar.Venue{{Post: calendar.Post{Status: calendar.Pending}, Name: "Pier", City: "Lindau"}}}
	sub := &submissions.Submission{Event: event, Status: status, Proved: true, Created: time.Date(2030, 6, 30, 22, 30, 0, 0, time.UTC)}
	sub.Name, sub.Email, sub.Note = "Ada <Lovelace>", "a&b?c@example.org", "Please hurry"
	return &letter{Submission: sub, form: &frame.Form{Kind: "submission", Values: url.Values{"tell": {"1"}}}, writes: true}
}

// What waits can be decided; what was decided can only be edited, unless it is in the trash.
func TestOnlyWhatWaitsIsDecided(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	for status, want := range map[submissions.Status]struct{ decides, edits bool }{
		submissions.Waiting: {true, true}, submissions.Accepted: {false, true}, submissions.Approved: {false, true}, submissions.Refused: {false, false},
	} {
		l := sent(status)
		if status == submissions.Refused {
			l.Event.Status = calendar.Trash
		}
		page := htmltest.Of(ctx, t, letterPage(l))
		for _, do := range []string{"publish", "draft", "refuse"} {
			if strings.Contains(page, `name="do" value="`+do+`"`) != want.decides {
				t.Errorf("%s: to %s", status, do)
			}
		}
		if strings.Contains(page, `href="/admin/events/7"`) != want.edits {
			t.Errorf("%s: the way to the event", status)
		}
		if strings.Contains(page, "submission.status") || strings.Contains(page, "status.") {
			t.Errorf("%s has no name: %s", status, standing(ctx, l.Submission))
		}
	}
}

// Everything that a stranger typed is text, wherever it stands on the page; a letter to them has one recipient.
func TestWhatStrangersTypedIsText(t *testing.T) {
	t.Parallel()
	page := htmltest.Of(atSite(t, "en"), t, letterPage(sent(submissions.Waiting)))
	for _, text := range []string{"Choir &lt;b&gt;&amp; &#34;Band&#34;", "Ada &lt;Lovelace&gt;", "a&amp;b?c@example.org</a>", `href="mailto:a&amp;b%3Fc@example.org"`, "Please hurry"} {
		if !strings.Contains(page, text) {
			t.Errorf("without %s", text)
		}
	}
	if strings.Contains(page, "<b>& ") || strings.Contains(page, "<Lovelace>") {
		t.Error(page)
	}
}

// The sender can be told why only where letters reach them; an address that nobody has proved is marked.
func TestSendersAreToldWhereTheyCanBe(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	l := sent(submissions.Waiting)
	if page := htmltest.Of(ctx, t, letterPage(l)); !strings.Contains(page, "Publishing sends an e-mail to a&amp;b?c@example.org.") {
		t.Errorf("it does not say whom publishing tells: %s", page)
	}
	if page := htmltest.Of(ctx, t, letterPage(l)); !strings.Contains(page, `name="tell" value="1" checked`) || strings.Contains(page, frame.Tell(ctx, "submissions.unproved")) {
		t.Error(page)
	}
	l.writes, l.Proved = false, false
	if page := htmltest.Of(ctx, t, letterPage(l)); strings.Contains(page, `name="tell"`) || strings.Contains(page, "sends an e-mail") || !strings.Contains(page, frame.Tell(ctx, "submissions.unproved")) {
		t.Error(page)
	}
	l = sent(submissions.Waiting)
	l.form.Set("tell", "0")
	l.form.Set("message", "No <room>.")
	l.form.Wrong("message", "Too long.")
	if page := htmltest.Of(ctx, t, letterPage(l)); strings.Contains(page, "checked") || !strings.Contains(page, "No &lt;room&gt;.") || !strings.Contains(page, "Too long.") ||
		!strings.Contains(page, `href="#f-message"`) {
		t.Errorf("what was typed stays: %s", page)
	}
}

// The page says which venues are published together with the event: those that came with it.
func TestNewVenuesArePublishedToo(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	l := sent(submissions.Waiting)
	l.Event.Venues = []calendar.Venue{
		{Post: calendar.Post{Status: calendar.Pending}, Name: "<Pier>"}, {Post: calendar.Post{Status: calendar.Publish}, Name: "Town hall"},
		{Post: calendar.Post{Status: calendar.Pending, Author: 7}, Name: "Barn"}, {Post: calendar.Post{Status: calendar.Draft}, Name: "Shed"},
	}
	page := htmltest.Of(ctx, t, letterPage(l))
	if strings.Count(page, "goes to the trash with it.") != 1 || !strings.Contains(page, "The new venue “&lt;Pier&gt;” goes to the trash with it.") {
		t.Errorf("declining: %s", page)
	}
	if !strings.Contains(page, "The new venue “&lt;Pier&gt;” is published too.") || strings.Count(page, "is published too.") != 1 {
		t.Error(page)
	}
}

// Moments are told by the clock of the site; what hasn't happened has none.
func TestWhenThingsWereDecided(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	l := sent(submissions.Waiting)
	if at := when(ctx, l.Submission, false); !strings.Contains(at, "Jul\u00a01") || !strings.Contains(at, "12:30") {
		t.Errorf("sent %s", at)
	}
	if at := when(ctx, l.Submission, true); at != "" {
		t.Errorf("decided %s", at)
	}
	l.Settled = l.Created.Add(time.Hour)
	if at := when(ctx, l.Submission, true); !strings.Contains(at, "1:30") {
		t.Errorf("decided %s", at)
	}
}

// Events that may be the same are named with what tells them apart.
func TestSimilarEventsAreNamed(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	l := sent(submissions.Waiting)
	if page := htmltest.Of(ctx, t, letterPage(l)); strings.Contains(page, frame.Tell(ctx, "submissions.similar")) {
		t.Error("there are none")
	}
	twin := *l.Event
	twin.ID, twin.Title, twin.Status, twin.Series = 12, "Choir", calendar.Publish, &calendar.Series{ID: 9}
	l.similar = []*calendar.Event{&twin}
	if page := htmltest.Of(ctx, t, letterPage(l)); !strings.Contains(page, `href="/admin/events/9"`) || !strings.Contains(page, "· <bdi>Pier</bdi>") {
		t.Errorf("a date of a series leads to the series: %s", page)
	}
}

// The list leads to its pages and to the other one, and says where it is.
func TestListOfSubmissions(t *testing.T) {
	t.Parallel()
	ctx := atSite(t, "en")
	b := &list{status: "decided", at: 2, length: 10, page: calendar.Page[submissions.Submission]{Total: 21}}
	if b.pages() != 3 || b.address(1) != "/admin/submissions?status=decided" || b.address(3) != "/admin/submissions?page=3&status=decided" {
		t.Errorf("%d pages, %s, %s", b.pages(), b.address(1), b.address(3))
	}
	b.page.Items = []*submissions.Submission{sent(submissions.Approved).Submission}
	var page strings.Builder
	if err := listPage(b).Render(ctx, &page); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`href="/admin/submissions?status=waiting"`, `href="/admin/submissions/7"`, `rel="prev"`, `rel="next"`, ">21<", "Choir &lt;b&gt;"} {
		if !strings.Contains(page.String(), text) {
			t.Errorf("without %s: %s", text, page.String())
		}
	}
	b = &list{status: "waiting", at: 1, length: 10}
	page.Reset()
	if err := listPage(b).Render(ctx, &page); err != nil || !strings.Contains(page.String(), `class="nothing"`) || b.pages() != 0 {
		t.Errorf("an empty list: %v %s", err, page.String())
	}
}

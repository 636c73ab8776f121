package public

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/test/kit"
)

// reminded asks for reminders of kept events, confirms, and returns the code of the links.
func reminded(k *kit.Kit, post *mailtest.Server, email string, kept ...string) string {
	k.T.Helper()
	k.Tries = k.Tries.Add(time.Hour)
	b := k.Browser()
	if p := b.Post("/en/events/by-mail/?ids="+strings.Join(kept, ","), url.Values{"email": {email}, "ids": kept}); p.Status != 200 {
		k.T.Fatalf("ask: %d %s", p.Status, p.Body)
	}
	k.SendLetters()
	code := codeOf(k.T, post.Next().Text, "confirm")
	if p := b.Post("/en/events/by-mail/confirm/", url.Values{"code": {code}}); p.Status != 200 || !p.Shows("remind you the day before") {
		k.T.Fatalf("confirm: %d %s", p.Status, p.Body)
	}
	return code
}

// remindAt lets all clocks show a time, and sends what is due by then.
func remindAt(k *kit.Kit, at time.Time) {
	k.T.Helper()
	k.Clock = at
	k.LettersAt(at)
}

// Somebody keeps events, asks to be reminded of some, gets one mail the day before each, and none when all are over.
func TestReminders(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	choir := stage(k, "Choir & friends", "2027-05-06 19:30", map[string]any{"venue": map[string]any{"venue": "Old barn", "city": "Riverton"}})
	film := stage(k, "Film night", "2027-05-08 20:00", nil)
	other := stage(k, "Not chosen", "2027-05-06 19:30", nil)
	b := k.Browser()
	kept := "?ids=" + choir + "," + other + "," + film
	if p := b.Get("/en/events/kept/" + kept); !p.Shows(`href="/en/events/by-mail/` + kept + `"`) {
		t.Errorf("the page of kept events does not lead to the form: %s", p.Body)
	}
	p := b.Get("/en/events/by-mail/" + kept)
	if p.Status != 200 || strings.Count(p.Body, `name="ids"`) != 3 || strings.Count(p.Body, " checked") != 3 || p.Shows(`name="period"`) || !p.Shows("May\u00a06,\u00a02027") {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	p = b.Post("/en/events/by-mail/"+kept, url.Values{"email": {"ada@example.net"}, "ids": {choir, film}})
	if p.Status != 200 || !p.Shows("One more step") {
		t.Fatalf("asked: %d %s", p.Status, p.Body)
	}
	k.SendLetters()
	asked := post.Next()
	if strings.Contains(asked.Text, "Choir") || strings.Contains(asked.Text, "ada") || !strings.Contains(asked.Text, "reminded of events") {
		t.Errorf("the question: %s", asked.Text)
	}
	code := codeOf(t, asked.Text, "http://localhost/en/events/by-mail/confirm")
	if p := b.Get("/en/events/by-mail/confirm/?code=" + code); !p.Shows("Choir & friends") || p.Shows("Not chosen") || count(k, "confirmed_at IS NOT NULL") != "0" {
		t.Errorf("the page of the link: %s", p.Body)
	}
	b.Post("/en/events/by-mail/confirm/", url.Values{"code": {code}})
	k.SendLetters()
	remindAt(k, tuesday.Add(time.Minute))
	post.None() // nothing is on the next day
	remindAt(k, tuesday.AddDate(0, 0, 1).Add(time.Minute))
	l := post.Next()
	k.SendLetters()
	post.None()
	if l.Subject != "Tomorrow: Choir & friends" || strings.Contains(l.Text, "Film") || strings.Contains(l.Text, "Not chosen") {
		t.Errorf("the reminder: %s %s", l.Subject, l.Text)
	}
	for _, text := range []string{"Old barn, Riverton", "Thursday, May\u00a06", "http://localhost/en/event/choir-friends/", "asked “demo”", "demo · May\u00a06,\u00a02027\n", "/en/events/kept/?ids=" + choir + "&ids=" + film} {
		if !strings.Contains(l.Text, text) {
			t.Errorf("no %q in %s", text, l.Text)
		}
	}
	if leave := codeOf(t, l.Text, "leave"); leave != code || l.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Error("nobody can leave by a click")
	}
	admin := k.Person("administrator").Get("/admin/letters")
	if !admin.Shows("<dt>People with reminders</dt><dd>1</dd>") || !admin.Shows("<dt>Subscribers</dt><dd>0</dd>") || !admin.Shows("<dt>E-mails to subscribers this month</dt><dd>1</dd>") {
		t.Errorf("the numbers: %s", admin.Body)
	}
	remindAt(k, time.Date(2027, 5, 7, 4, 1, 0, 0, time.UTC))
	if l := post.Next(); l.Subject != "Tomorrow: Film night" {
		t.Errorf("the second reminder: %s", l.Subject)
	}
	remindAt(k, time.Date(2027, 5, 8, 4, 1, 0, 0, time.UTC))
	if n := count(k, "true"); n != "1" {
		t.Errorf("%s subscriptions on the last day", n)
	}
	remindAt(k, time.Date(2027, 5, 9, 4, 1, 0, 0, time.UTC))
	post.None()
	if n := count(k, "true"); n != "0" || k.Peek("demo", `SELECT concat(sent, ' ', ended) FROM letter_months`) != "2 0" {
		t.Errorf("%s subscriptions when all is over", n)
	}
}

// A reminder says what holds on the day before: events that were moved are at their new time, what is off or gone is left out, and each date
// of a series is reminded of.
func TestRemindersSayWhatHolds(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	moved := stage(k, "Moved", "2027-05-20 19:30", nil)
	gone := stage(k, "Trashed", "2027-05-06 19:30", nil)
	off := stage(k, "Cancelled", "2027-05-06 19:30", nil)
	walk := stage(k, "Walk", "2027-05-06 10:00", map[string]any{"end_date": "2027-05-06 11:00", "recurrence": map[string]any{"rrule": "FREQ=DAILY;COUNT=3"}})
	show := stage(k, "Paintings", "2027-04-01 10:00", map[string]any{"end_date": "2027-05-07 18:00"})
	reminded(k, post, "ada@example.net", moved, gone, off, "s"+walk, show)
	k.Send(kit.Request{Method: "PATCH", Path: "/events/" + moved, As: "administrator", JSON: map[string]any{"start_date": "2027-05-06 21:00", "end_date": "2027-05-06 22:00"}}).Want(t, 200, "")
	k.Send(kit.Request{Method: "PATCH", Path: "/events/" + off, As: "administrator", JSON: map[string]any{"event_status": "cancelled"}}).Want(t, 200, "")
	k.Send(kit.Request{Method: "DELETE", Path: "/events/" + gone, As: "administrator"}).Want(t, 200, "")
	var got []string
	for day := 4; day < 9; day++ {
		remindAt(k, time.Date(2027, 5, day, 4, 1, 0, 0, time.UTC))
		if day > 4 && day < 8 {
			got = append(got, post.Next().Subject)
		}
		post.None()
	}
	want := []string{"Tomorrow: Walk · Moved", "Tomorrow: Paintings · Walk", "Tomorrow: Walk"}
	if !slices.Equal(got, want) {
		t.Errorf("reminded of %q, not of %q", got, want)
	}
}

// Who confirms on the day before is reminded at once, new reminders take the place of those of before, and nobody chooses nothing.
func TestRemindersAreChosen(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	soon := stage(k, "Soon", "2027-05-04 19:30", nil)
	later := stage(k, "Later", "2027-05-20 19:30", nil)
	reminded(k, post, "ada@example.net", soon)
	k.SendLetters()
	if l := post.Next(); l.Subject != "Tomorrow: Soon" {
		t.Errorf("at once: %s", l.Subject)
	}
	subscribed(k, post, "en", "", "ada@example.net", "weekly")
	reminded(k, post, "ada@example.net", soon, later)
	k.SendLetters()
	post.Next() // asked for anew
	if n := count(k, "period = 'day_before'"); n != "1" || count(k, "true") != "2" {
		t.Errorf("%s reminders of one address", n)
	}
	for name, form := range map[string]url.Values{"no event": {"email": {"eve@example.net"}}, "no address": {"ids": {soon}}} {
		k.Tries = k.Tries.Add(time.Hour)
		p := k.Browser().Post("/en/events/by-mail/?ids="+soon+","+later, form)
		if p.Status != http.StatusUnprocessableEntity || !p.Shows(`class="wrong"`) || strings.Count(p.Body, " checked") != len(form["ids"]) || count(k, "true") != "2" {
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		}
	}
	if p := k.Browser().Get("/en/events/by-mail/?ids=99999"); p.Status != http.StatusNotFound {
		t.Errorf("what does not exist: %d", p.Status)
	}
	mailing(k, "demo", "off")
	if p := k.Browser().Get("/en/events/kept/?ids=" + soon); p.Shows("by-mail") {
		t.Error("a form that is closed is offered")
	}
}

// Whenever a node dies, the reminder of the day is sent by the next one, with the same Message-ID.
func TestRemindersSurviveANode(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	choir := stage(k, "Choir", "2027-05-05 19:30", nil)
	reminded(k, post, "ada@example.net", choir)
	k.SendLetters()
	dead := k.Mailing
	dead.Store = &dying{dead.Store, 0}
	k.SetLetters(tuesday)
	if _, err := newsletters.New(dead).Work(t.Context()); err == nil {
		t.Fatal("the node lives")
	}
	k.LettersAt(tuesday.Add(time.Minute))
	first, second := post.Next(), post.Next()
	k.SendLetters()
	post.None()
	if first.ID != second.ID || first.Subject != "Tomorrow: Choir" {
		t.Errorf("%s, then %s", first.ID, second.ID)
	}
}

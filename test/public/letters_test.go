package public

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// monday is when the tests of letters begin: half past nine in Berlin on a Monday.
var monday = time.Date(2027, 5, 3, 7, 30, 0, 0, time.UTC)

// thursday is when the weekly letter after it is due, and tuesday the daily one.
var (
	thursday = time.Date(2027, 5, 6, 4, 0, 0, 0, time.UTC)
	tuesday  = time.Date(2027, 5, 4, 4, 0, 0, 0, time.UTC)
)

// lettersKit is a server whose site demo sends letters.
func lettersKit(t *testing.T) (*kit.Kit, *mailtest.Server) {
	t.Helper()
	k, post := kit.Mailed(t)
	k.Clock, k.Tries = monday, monday
	mailing(k, "demo", "on")
	return k, post
}

func mailing(k *kit.Kit, site, value string) {
	k.T.Helper()
	_, err := k.Platform.Sites.Configure(owning(k, site), &platform.ConfigFields{Letters: args.Some(value)}, "")
	k.Must(err)
}

// stage creates an event, and returns the text by which visitors keep it.
func stage(k *kit.Kit, title, start string, more map[string]any) string {
	k.T.Helper()
	body := map[string]any{"title": title, "start_date": start, "end_date": start[:10] + " 23:30", "status": "publish"}
	maps.Copy(body, more)
	return strconv.FormatInt(k.Post("/events", "administrator", body).Want(k.T, http.StatusCreated, "").ID(), 10)
}

// namesInHead reports whether the head of a page, which programs read, has a code.
func namesInHead(p kit.Page, code string) bool {
	head, _, _ := strings.Cut(p.Body, "</head>")
	return strings.Contains(head, code)
}

// codeOf is the code in the first link of a mail to a page.
func codeOf(t testing.TB, text, page string) string {
	t.Helper()
	found := regexp.MustCompile(page + `/\?code=([\w-]+)`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link to %s in %q", page, text)
	}
	return found[1]
}

// subscribed subscribes and confirms, and returns the code of the links.
func subscribed(k *kit.Kit, post *mailtest.Server, language, query, email, period string) string {
	k.T.Helper()
	b := k.Browser()
	if p := b.Post("/"+language+"/events/by-mail/"+query, url.Values{"email": {email}, "period": {period}}); p.Status != 200 {
		k.T.Fatalf("subscribe: %d %s", p.Status, p.Body)
	}
	k.SendLetters()
	code := codeOf(k.T, post.Next().Text, "confirm")
	if p := b.Post("/"+language+"/events/by-mail/confirm/", url.Values{"code": {code}}); p.Status != 200 {
		k.T.Fatalf("confirm: %d %s", p.Status, p.Body)
	}
	return code
}

// count counts the subscriptions of the site demo.
func count(k *kit.Kit, where string) string {
	k.T.Helper()
	return k.Peek("demo", `SELECT count(*)::text FROM letter_subscriptions WHERE `+where)
}

// Somebody subscribes, confirms, gets a letter with what anybody may see, and leaves as their mail program does it.
func TestLetters(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	stage(k, "Choir & friends", "2027-05-07 19:30", map[string]any{"venue": map[string]any{"venue": "Old barn", "city": "Riverton"}, "cost": "12"})
	stage(k, "A draft", "2027-05-07 19:30", map[string]any{"status": "draft"})
	stage(k, "Behind a password", "2027-05-07 19:30", map[string]any{"post_password": "secret"})
	stage(k, "Too late", "2027-05-14 19:30", nil)
	stage(k, "Every day", "2027-05-04 10:00", map[string]any{"end_date": "2027-05-04 11:00", "recurrence": map[string]any{"rrule": "FREQ=DAILY;COUNT=30"}})
	b := k.Browser()
	menu := b.Get("/en/events/").Body // people look for the newsletter first
	if at := strings.Index(menu, `href="/en/events/by-mail/"`); at < 0 || at > strings.Index(menu, "calendar.google.com") {
		t.Error("the list does not lead to the form, or to much else before")
	}
	if p := b.Get("/en/events/by-mail/"); p.Status != 200 || !p.Shows("Subscribe to the newsletter") || p.Header.Get("Cache-Control") != "private, no-store" {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	p := b.Post("/en/events/by-mail/", url.Values{"email": {"ada@example.net"}, "period": {"weekly"}})
	if p.Status != 200 || !p.Shows("One more step") || p.Shows("ada@") {
		t.Fatalf("sent: %d %s", p.Status, p.Body)
	}
	k.SendLetters()
	asked := post.Next()
	code := codeOf(t, asked.Text, "http://localhost/en/events/by-mail/confirm")
	if asked.To != "ada@example.net" || asked.HTML != "" || strings.Contains(asked.Text, "ada") {
		t.Errorf("the question: %+v", asked)
	}
	at := "/en/events/by-mail/confirm/?code=" + code
	inGerman := func(p kit.Page) bool {
		return strings.Contains(p.Body, "/de/events/by-mail/confirm/?code="+code+`" lang="de"`)
	}
	if p := b.Get(at); !inGerman(p) || namesInHead(p, code) {
		t.Error("the page of the link has no menu of languages, or its head names the link")
	}
	for range 2 {
		if p := b.Get(at); p.Status != 200 || !p.Shows("<form") || p.Header.Get("Referrer-Policy") != "same-origin" || count(k, "confirmed_at IS NOT NULL") != "0" {
			t.Fatalf("the page of the link: %d %s", p.Status, p.Body)
		}
	}
	for range 2 {
		if p := b.Post("/en/events/by-mail/confirm/", url.Values{"code": {code}}); p.Status != 200 || !p.Shows("May\u00a06,\u00a02027") || !inGerman(p) {
			t.Fatalf("confirmed: %d %s", p.Status, p.Body)
		}
	}
	if got := k.Peek("demo", `SELECT concat(client, network, expires_at) FROM letter_subscriptions`); got != "" {
		t.Errorf("what was only needed before is kept: %q", got)
	}
	k.LettersAt(thursday.Add(-time.Minute))
	post.None()
	k.LettersAt(thursday.Add(time.Minute))
	letter := post.Next()
	k.SendLetters()
	post.None()
	for _, text := range []string{"Choir & friends", "Old barn, Riverton", "$12", "http://localhost/en/event/choir-friends/", "Thursday, May\u00a06", "because you subscribed"} {
		if !strings.Contains(letter.Text, text) {
			t.Errorf("no %q in %s", text, letter.Text)
		}
	}
	for _, text := range []string{"A draft", "Behind", "Too late", "<b>"} {
		if strings.Contains(letter.Text+letter.HTML, text) {
			t.Errorf("%q in %s", text, letter.Text)
		}
	}
	if n := strings.Count(letter.Text, "Every day"); n != 1 || !strings.Contains(letter.HTML, "Choir &amp; friends") || strings.Contains(letter.HTML, "<img") {
		t.Errorf("%d dates of the series in %s", n, letter.HTML)
	}
	leave := codeOf(t, letter.Text, "http://localhost/en/events/by-mail/leave")
	if got := letter.Header.Get("List-Unsubscribe"); got != "<http://localhost/en/events/by-mail/leave/?code="+leave+">" ||
		letter.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || leave != code {
		t.Errorf("leaving by a mail program: %s", got)
	}
	if p := k.Browser().Get("/en/events/by-mail/leave/?code=" + leave); p.Status != 200 || !p.Shows("<form") || count(k, "true") != "1" {
		t.Errorf("a look at the page of leaving: %d", p.Status)
	}
	for range 2 { // without a cookie, and once more
		if p := k.Browser().Post("/en/events/by-mail/leave/?code="+leave, url.Values{"List-Unsubscribe": {"One-Click"}}); p.Status != 200 || count(k, "true") != "0" {
			t.Fatalf("left: %d", p.Status)
		}
	}
	if p := b.Get(at); p.Status != http.StatusGone {
		t.Errorf("the link of who has left: %d", p.Status)
	}
	if got := k.Peek("demo", `SELECT concat(sent, ' ', ended) FROM letter_months`); got != "1 1" {
		t.Errorf("sent and ended: %s", got)
	}
}

// The form lets people choose: all events, those for children, or those of a category with coming events. What they came from is
// preselected. The question names what and how often, but nothing that was typed.
func TestLettersAreChosen(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	stage(k, "Jazz", "2027-05-05 19:30", map[string]any{"categories": []string{"Music"}})
	stage(k, "Puppets", "2027-05-05 15:00", map[string]any{"categories": []string{"Theatre"}, "audience": []string{"children"}})
	stage(k, "Long ago", "2026-05-05 15:00", map[string]any{"categories": []string{"Dance"}})
	for _, path := range []string{"", "events/", "events/month/", "events/children/", "events/programme/", "event/jazz/", "venues/", "categories/"} {
		form := `href="/en/events/by-mail/"`
		if path == "events/children/" {
			form = `href="/en/events/by-mail/?for=children"`
		}
		p := k.Browser().Get("/en/" + path).Body
		if _, foot, _ := strings.Cut(p, "<footer"); p != "" && !strings.Contains(foot, form) {
			t.Errorf("the foot of %q does not lead to the form", path)
		}
	}
	if p := k.Browser().Get("/en/events/children/").Body; strings.Count(p, `href="/en/events/by-mail/?for=children"`) != 2 {
		t.Error("the menu of the page for children does not lead to the form")
	}
	const chosen = ` selected>`
	for query, option := range map[string]string{
		"":                            `<option value=""` + chosen + `All<`,
		"?for=children":               `<option value="?for=children"` + chosen + `Children<`,
		"?category=music":             `<option value="?category=music"` + chosen + `Music<`,
		"?search=Jazz":                `<option value="?search=Jazz"` + chosen + `Search results for “Jazz”<`,
		"?categories_exclude=theatre": `<option value="?categories_exclude=theatre"` + chosen + `Excluding: Theatre<`,
	} {
		p := k.Browser().Get("/en/events/by-mail/" + query)
		if !p.Shows(option) || !p.Shows(`<option value=""`) || !p.Shows(`<option value="?category=theatre"`) || p.Shows("Dance") {
			t.Errorf("the form of %q: %s", query, p.Body)
		}
	}
	if p := k.Browser().Post("/en/events/by-mail/?search=Jazz", url.Values{"about": {"?category=music"}}); !p.Shows(`<option value="?category=music"`+chosen) ||
		!p.Shows(`<option value="?search=Jazz">`) {
		t.Errorf("an error forgets the choice: %s", p.Body)
	}
	for i, c := range []struct{ query, about, named, not, filter string }{
		{"", "?for=children", "Events: Children\nHow often: Every day\n", "Jazz", `{"children": true}`},
		{"?search=Jazz", "", "Events: All\nHow often", "Jazz", `{}`},
		{"?search=Jazz", "?search=Jazz", "\n\nHow often: Every day\n", "Jazz", `{"search": "Jazz"}`},
		{"?city=Buy+now", "?city=Buy+now", "\n\nHow often: Every day\n", "Buy", `{"cities": ["Buy now"]}`},
	} {
		k.Tries = k.Tries.Add(time.Hour)
		email := fmt.Sprintf("a%d@example.net", i)
		k.Browser().Post("/en/events/by-mail/"+c.query, url.Values{"email": {email}, "period": {"daily"}, "about": {c.about}})
		k.SendLetters()
		asked := post.Next()
		if !strings.Contains(asked.Text, c.named) || strings.Contains(asked.Text, c.not) {
			t.Errorf("the question about %q: %s", c.about, asked.Text)
		}
		if got := k.Peek("demo", `SELECT filter::text FROM letter_subscriptions WHERE email = $1`, email); got != c.filter {
			t.Errorf("%q is stored as %s", c.about, got)
		}
		p := k.Browser().Post("/en/events/by-mail/confirm/", url.Values{"code": {codeOf(t, asked.Text, "confirm")}})
		if !p.Shows("From now on you will receive the newsletter every day.") {
			t.Errorf("confirmed: %s", p.Body)
		}
	}
	stage(k, "Clown", "2027-05-04 15:00", map[string]any{"categories": []string{"Kids"}}) // a category that is new since
	k.LettersAt(tuesday)
	for range 3 {
		if l := post.Next(); l.To == "a0@example.net" && (!strings.Contains(l.Text, "Puppets") || !strings.Contains(l.Text, "Clown") || strings.Contains(l.Text, "Jazz") || !strings.Contains(l.Text, "\nChildren\n") ||
			!strings.Contains(l.Text, "?for=children&from=2027-05-04&to=2027-05-05")) {
			t.Errorf("the letter for children: %s", l.Text)
		}
	}
	post.None()
}

// What is answered is the same whether an address is known or not, and an address gets one question a day.
func TestLettersOfAnAddress(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	ask := func(email, query string) string {
		k.Tries = k.Tries.Add(time.Hour) // not what this is about
		p := k.Browser().Post("/en/events/by-mail/"+query, url.Values{"email": {email}, "period": {"daily"}})
		k.SendLetters()
		return fmt.Sprint(p.Status, " ", strings.ReplaceAll(p.Body, query, ""))
	}
	first := ask("ada@example.net", "")
	code := codeOf(t, post.Next().Text, "confirm")
	if again := ask("ADA@example.net", ""); again != first {
		t.Errorf("an address that was asked already is told so: %s", again)
	}
	post.None()
	k.Browser().Post("/en/events/by-mail/confirm/", url.Values{"code": {code}})
	if again := ask("ada@example.net", ""); again != first {
		t.Errorf("a subscriber is told so: %s", again)
	}
	second := codeOf(t, post.Next().Text, "confirm")
	k.Browser().Post("/en/events/by-mail/confirm/", url.Values{"code": {second}})
	if n := count(k, "true"); n != "1" {
		t.Errorf("%s subscriptions to the same", n)
	}
	ask("ada@example.net", "?city=Riverton")
	third := codeOf(t, post.Next().Text, "confirm")
	k.Browser().Post("/en/events/by-mail/confirm/", url.Values{"code": {third}})
	if n := count(k, "confirmed_at IS NOT NULL"); n != "2" {
		t.Errorf("%s subscriptions to two things", n)
	}
	ask("eve@example.net", "")
	post.Next()
	k.LettersAt(monday.AddDate(0, 0, 8))
	if n := count(k, "confirmed_at IS NULL"); n != "0" {
		t.Errorf("%s that nobody confirmed are kept", n)
	}
}

// A form that is wrong says so beside the field; bots and pages of others get nothing.
func TestLettersRefused(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	k.Site("two")
	mailing(k, "two", "on")
	for _, email := range []string{"", "nobody", "a@b, c@d"} {
		p := k.Browser().Post("/en/events/by-mail/", url.Values{"email": {email}})
		if p.Status != http.StatusUnprocessableEntity || !p.Shows(`id="p-email"`) || !p.Shows(`aria-describedby="h-email p-email"`) {
			t.Errorf("%q: %d %s", email, p.Status, p.Body)
		}
	}
	if p := k.Browser().Post("/en/events/by-mail/", url.Values{"email": {"a@example.net"}, "homepage": {"x"}}); p.Status != 200 || count(k, "true") != "0" {
		t.Errorf("a bot: %d", p.Status)
	}
	statuses := map[int]int{}
	for i := range 8 {
		statuses[k.Browser().Post("/en/events/by-mail/", url.Values{"email": {fmt.Sprintf("a%d@example.net", i)}}).Status]++
	}
	if statuses[200] != 5 || statuses[429] != 3 {
		t.Errorf("one client: %v", statuses)
	}
	k.SendLetters()
	code := codeOf(t, post.Next().Text, "confirm")
	other := "B"
	if strings.HasPrefix(code, other) {
		other = "C"
	}
	for name, forged := range map[string]string{"none": "", "another one": strings.Repeat("A", 32), "changed": other + code[1:], "cut": code[:20], "no code": "!"} {
		for _, page := range []string{"confirm", "leave"} {
			if p := k.Browser().Post("/en/events/by-mail/"+page+"/", url.Values{"code": {forged}}); p.Status != http.StatusGone {
				t.Errorf("%s with %s: %d", page, name, p.Status)
			}
		}
	}
	for _, page := range []string{"confirm", "leave"} {
		a := k.Send(kit.Request{Method: "POST", Path: "//en/events/by-mail/" + page + "/", Site: "two", Form: url.Values{"code": {code}}})
		if a.Status != http.StatusGone || count(k, "confirmed_at IS NOT NULL") != "0" || count(k, "true") != "5" {
			t.Errorf("%s on another site: %d", page, a.Status)
		}
	}
	mailing(k, "demo", "off")
	if p := k.Browser().Get("/en/events/by-mail/"); p.Status != http.StatusNotFound {
		t.Errorf("off: %d", p.Status)
	}
}

// Letters have the language, the filter and the days of their subscription; without events there is none.
func TestLettersSaid(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"de"})}})
	stage(k, "Jazz", "2027-05-05 19:30", map[string]any{"categories": []string{"Music"}, "venue": map[string]any{"venue": "Barn", "city": "Riverton"},
		"translations": map[string]any{"de": map[string]any{"title": "Jazz im Keller"}}})
	stage(k, "Fair", "2027-05-04 19:30", nil)
	stage(k, "Paintings", "2027-05-01 10:00", map[string]any{"end_date": "2027-06-30 18:00"})
	for _, who := range [][4]string{{"de", "?category=music", "de@example.net", "daily"}, {"ar", "?city=Riverton", "ar@example.net", "weekly"},
		{"en", "?city=Nowhere", "no@example.net", "daily"}, {"fr", "?search=Jazz", "fr@example.net", "daily"}} {
		k.Tries = k.Tries.Add(time.Hour)
		subscribed(k, post, who[0], who[1], who[2], who[3])
	}
	k.LettersAt(tuesday)
	got := map[string]mailtest.Letter{}
	for range 2 {
		l := post.Next()
		got[l.To] = l
	}
	post.None()
	de, fr := got["de@example.net"], got["fr@example.net"]
	if !strings.Contains(de.Text, "Jazz im Keller") || !strings.Contains(de.HTML, "Jazz im Keller") || !strings.Contains(de.Text, "Mittwoch, 5.\u00a0Mai") || !strings.Contains(de.Text, "/de/event/jazz-im-keller/") || strings.Contains(de.Text, "Fair") ||
		!strings.Contains(de.HTML, `lang="de" dir="ltr"`) || !strings.Contains(de.Text, "Music") || !strings.Contains(de.Text, "?category=music&from=2027-05-04&to=2027-05-05") {
		t.Errorf("German: %s %s", de.Subject, de.Text)
	}
	if !strings.Contains(fr.Text, "/fr/event/jazz/") || !strings.Contains(fr.Text, "  Jazz\n") || strings.Contains(fr.Text, "Fair") {
		t.Errorf("French: %s", fr.Text)
	}
	k.LettersAt(tuesday.AddDate(0, 0, 1)) // the day of the concert
	for range 2 {
		post.Next()
	}
	k.LettersAt(thursday) // it is over: exhibitions alone are no daily letter
	post.None()
	stage(k, "Open air", "2027-05-08 19:30", map[string]any{"venue": map[string]any{"venue": "Barn", "city": "Riverton"}})
	k.Peek("demo", `UPDATE letter_subscriptions SET issue_at = $1, next_at = $1 WHERE email = 'ar@example.net' RETURNING email`, thursday)
	k.Exec(`UPDATE letter_rounds SET due_at = $1`, thursday)
	k.SendLetters()
	ar := post.Next()
	if ar.To != "ar@example.net" || !strings.Contains(ar.HTML, `lang="ar" dir="rtl"`) || !strings.Contains(ar.Text, "Open air") || !strings.Contains(ar.Text, "/ar/event/open-air/") {
		t.Errorf("Arabic: %+v", ar)
	}
}

// A subscription that is made from a part of the map keeps to it, and names it after its cities.
func TestLettersOfAnArea(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	at := func(name, city string, lat, lng float64) map[string]any {
		return map[string]any{"venue": map[string]any{"venue": name, "city": city, "geo_lat": lat, "geo_lng": lng}}
	}
	stage(k, "Jazz", "2027-05-04 19:30", at("Barn", "Riverton", 50.7, 7.1))
	stage(k, "Opera", "2027-05-04 19:30", at("Opera", "Farville", 53.5, 10))
	area := "?geoloc_lat=50.71&geoloc_lng=7.11&geoloc_radius=5"
	if p := k.Browser().Get("/en/events/" + area); !p.Shows(`href="/en/events/by-mail/` + area + `"`) {
		t.Error("the list does not lead to a form for its area")
	}
	if p := k.Browser().Get("/en/events/by-mail/" + area); !p.Shows("Part of the map: Riverton<") || !p.Shows(`action="/en/events/by-mail/`+area+`"`) {
		t.Errorf("the form: %s", p.Body)
	}
	if p := k.Browser().Get("/en/events/by-mail/?geoloc_lat=10&geoloc_lng=10&geoloc_radius=5"); !p.Shows("A part of the map") {
		t.Errorf("where nothing is on: %s", p.Body)
	}
	subscribed(k, post, "en", area, "ada@example.net", "daily")
	k.LettersAt(tuesday)
	l := post.Next()
	if !strings.Contains(l.Text, "Jazz") || strings.Contains(l.Text, "Opera") || !strings.Contains(l.Text, "Part of the map: Riverton\n") ||
		!strings.Contains(l.Text, "/en/events/"+area+"&from=2027-05-04&to=2027-05-05") {
		t.Errorf("the letter: %s", l.Text)
	}
}

// The plan says how many letters a month there are; 0 closes the form. While they are paused none is sent.
func TestLettersAreLimited(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	for day := 4; day < 9; day++ {
		stage(k, fmt.Sprint("Day ", day), fmt.Sprintf("2027-05-%02d 19:30", day), nil)
	}
	for i := range 3 {
		k.Tries = k.Tries.Add(time.Hour)
		subscribed(k, post, "en", "", fmt.Sprintf("a%d@example.net", i), "daily")
	}
	mailing(k, "demo", "paused")
	k.LettersAt(tuesday)
	post.None()
	mailing(k, "demo", "on")
	k.Limit(map[string]any{"letters": 2})
	k.LettersAt(tuesday.Add(11 * time.Minute))
	post.Next()
	post.Next()
	post.None()
	k.Limit(map[string]any{"letters": 4})
	k.LettersAt(tuesday.Add(30 * time.Minute))
	post.Next() // the one that waited
	post.None()
	k.LettersAt(tuesday.AddDate(0, 0, 1))
	post.Next()
	post.None()
	k.Limit(map[string]any{"letters": nil})
	k.LettersAt(tuesday.AddDate(0, 0, 1).Add(13 * time.Hour)) // too late for those of the morning
	post.None()
	k.Limit(map[string]any{"letters": 0})
	if p := k.Browser().Get("/en/events/by-mail/"); p.Status != http.StatusNotFound {
		t.Errorf("stopped by the provider: %d", p.Status)
	}
	k.LettersAt(tuesday.AddDate(0, 0, 2))
	post.None()
}

// dying is a store that fails once so many letters are noted, as that of a node that was killed.
type dying struct {
	newsletters.Store

	left int
}

// Done implements newsletters.Store.
func (d *dying) Done(ctx context.Context, hold *newsletters.Hold, r *newsletters.Result, month time.Time) error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return d.Store.Done(ctx, hold, r, month)
}

// Release implements newsletters.Store: it does nothing any more.
func (d *dying) Release(ctx context.Context, hold *newsletters.Hold, before time.Time) error {
	if d.left < 0 {
		return context.Canceled
	}
	return d.Store.Release(ctx, hold, before)
}

// Whenever a node dies, nobody is left out, and one message at most comes again, with the same Message-ID.
func TestLettersSurviveANode(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	stage(k, "Jazz", "2027-05-04 19:30", nil)
	const people = 12
	readers(k, people)
	dead := k.Mailing
	dead.Store = &dying{dead.Store, 5}
	k.SetLetters(tuesday)
	if _, err := newsletters.New(dead).Work(context.Background()); err == nil {
		t.Fatal("the node lives")
	}
	k.SendLetters() // it still seems to be at work
	k.LettersAt(tuesday.Add(time.Minute))
	got := map[string][]string{}
	for range people + 1 {
		l := post.Next()
		got[l.To] = append(got[l.To], l.ID)
	}
	post.None()
	again := 0
	for to, ids := range got {
		if len(ids) > 1 {
			again++
			if ids[0] != ids[1] {
				t.Errorf("%s got two letters: %v", to, ids)
			}
		}
	}
	if len(got) != people || again != 1 {
		t.Errorf("%d of %d people, %d got it again", len(got), people, again)
	}
}

// readers adds people who get the daily letter of Tuesday.
func readers(k *kit.Kit, n int) {
	k.T.Helper()
	k.Peek("demo", `WITH added AS (
		INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, home, created_at, confirmed_at, issue_at, next_at)
		SELECT $1, n, 'r' || n || '@example.net', 'r' || n || '@example.net', 'en', 'daily', 'http://localhost', $2, $2, $3, $3
		FROM generate_series(1, $4) n
		RETURNING id)
		SELECT count(*)::text FROM added`, k.Sites["demo"].ID, monday, tuesday, n)
	k.Exec(`INSERT INTO letter_rounds (site_id, due_at) VALUES ($1, $2)`, k.Sites["demo"].ID, tuesday)
}

// refusing refuses everything, or what goes to one address.
type refusing struct {
	*mail.Sender

	all bool
	to  string
}

// Deliver implements newsletters.Post.
func (r *refusing) Deliver(ctx context.Context, m *mail.Message) error {
	if r.all || m.To == r.to {
		return &mail.Refusal{Code: 421}
	}
	return r.Sender.Deliver(ctx, m)
}

// A message that the server does not take for now delays those to others only for a moment.
func TestLettersBehindAnother(t *testing.T) {
	t.Parallel()
	post := mailtest.New(t)
	sender, err := mail.New(post.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	door := &refusing{Sender: sender, to: "r1@example.net"}
	k := kit.New(t, func(c *server.Config) { c.Post = door })
	k.Clock, k.Tries = monday, monday
	mailing(k, "demo", "on")
	stage(k, "Jazz", "2027-05-04 19:30", nil)
	readers(k, 3)
	for minute := range 4 {
		k.LettersAt(tuesday.Add(time.Duration(2*minute) * time.Minute))
	}
	post.Next()
	post.Next()
	post.None()
	door.to = ""
	k.LettersAt(tuesday.Add(time.Hour))
	if l := post.Next(); l.To != "r1@example.net" {
		t.Error(l.To)
	}
	post.None()
}

// A server that takes nothing delays letters and loses none; an address that does not exist is given up.
func TestLettersAreRefused(t *testing.T) {
	t.Parallel()
	post := mailtest.New(t)
	sender, err := mail.New(post.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	door := &refusing{Sender: sender, all: true}
	k := kit.New(t, func(c *server.Config) { c.Post = door })
	k.Clock, k.Tries = monday, monday
	mailing(k, "demo", "on")
	for day := 4; day < 9; day++ {
		stage(k, fmt.Sprint("Day ", day), fmt.Sprintf("2027-05-%02d 19:30", day), nil)
	}
	readers(k, 3)
	k.Peek("demo", `UPDATE letter_subscriptions SET email = 'refused@example.net' WHERE id = 2 RETURNING email`)
	k.LettersAt(tuesday)
	post.None()
	door.all = false
	k.LettersAt(tuesday.Add(2 * time.Minute))
	post.Next()
	post.Next()
	post.None()
	for day := 1; day < 3; day++ {
		if n := count(k, "true"); n != "3" {
			t.Errorf("%s after %d refusals", n, day)
		}
		k.LettersAt(tuesday.AddDate(0, 0, day))
		post.Next()
		post.Next()
	}
	post.None()
	if n := count(k, "email = 'refused@example.net'"); n != "0" {
		t.Error("an address that does not exist is kept")
	}
}

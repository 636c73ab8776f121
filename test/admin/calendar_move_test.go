package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// moving is the form that moves an event.
func moving(k *kit.Kit, id int64, start, end string) url.Values {
	k.T.Helper()
	version := k.Peek("demo", "SELECT version::text FROM events WHERE id = $1 AND site_id = $2", id, k.Sites["demo"].ID)
	return url.Values{"version": {version}, "start_date": {start}, "end_date": {end}, "to": {"/admin?date=2030-05-01"}}
}

// spanOf is when an event is, as the API tells.
func spanOf(k *kit.Kit, id int64) string {
	k.T.Helper()
	got := k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body
	return fmt.Sprintf("%v – %v", got["start_date"], got["end_date"])
}

var undoFields = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

func TestCalendarMovesAndUndoes(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	b := k.Person("editor")
	b.Get("/admin")
	for name, c := range map[string]struct{ start, end, to, until, want string }{
		"kept length": {"2030-05-20 10:05", "2030-05-20 12:00", "2030-05-22T10:05", "", "2030-05-22 10:05:00 – 2030-05-22 12:00:00"},
		"new end":     {"2030-05-20 10:05", "2030-05-20 12:00", "2030-05-20T10:05", "2030-05-21T01:00", "2030-05-20 10:05:00 – 2030-05-21 01:00:00"},
		"to summer":   {"2030-03-30 10:00", "2030-03-30 11:00", "2030-03-31T10:00", "", "2030-03-31 10:00:00 – 2030-03-31 11:00:00"},
		"over summer": {"2030-03-29 23:00", "2030-03-30 03:30", "2030-03-30T23:00", "", "2030-03-30 23:00:00 – 2030-03-31 03:30:00"},
	} {
		id := planned(k, name, c.start, c.end)
		path := fmt.Sprintf("/admin/events/%d/move", id)
		before := spanOf(k, id)
		p := b.Post(path, moving(k, id, c.to, c.until))
		if p.Status != 303 || p.Header.Get("Location") != "/admin?date=2030-05-01" || spanOf(k, id) != c.want {
			t.Errorf("%s: %d %s, %s", name, p.Status, p.Header.Get("Location"), spanOf(k, id))
			continue
		}
		_, form, _ := strings.Cut(b.Follow().Body, `id="calendar-status"`)
		form, _, _ = strings.Cut(form, "</form>")
		undo := url.Values{"undo": {"1"}}
		for _, m := range undoFields.FindAllStringSubmatch(form, -1) {
			undo.Set(m[1], kit.Unescape(m[2]))
		}
		if p := b.Post(path, undo); p.Status != 303 || spanOf(k, id) != before || !b.Follow().Shows("is as it was before.") {
			t.Errorf("%s: undo leads to %s", name, spanOf(k, id))
		}
		if b.Get("/admin").Shows("Undo") {
			t.Errorf("%s: undo is offered for ever", name)
		}
		if p := b.Post(path, undo); p.Status != 409 {
			t.Errorf("%s: undone twice: %d", name, p.Status)
		}
	}
	id := planned(k, "Days", "2030-05-20", "2030-05-21", "all_day", true)
	b.Post(fmt.Sprintf("/admin/events/%d/move", id), moving(k, id, "2030-05-22", ""))
	if got := spanOf(k, id); got != "2030-05-22 00:00:00 – 2030-05-23 23:59:59" {
		t.Errorf("whole days: %s", got)
	}
	if p := b.Get(fmt.Sprintf("/admin/events/%d/move?to=/admin%%3Fview%%3Dweek", id)); !p.Shows(`type="date"`) || !p.Shows(`href="/admin?view=week"`) {
		t.Errorf("the form of whole days: %s", p.Body)
	}
}

func TestCalendarRefusesMoves(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	k.Site("two")
	id := planned(k, "Mine", "2030-05-20 10:00", "2030-05-20 12:00")
	before := spanOf(k, id)
	path := fmt.Sprintf("/admin/events/%d/move", id)
	editor, author := k.Person("editor"), k.Person("author")
	editor.Get("/admin")
	author.Get("/admin")
	for name, c := range map[string]struct {
		who    *kit.Browser
		form   url.Values
		status int
		text   string
	}{
		"no date":         {editor, moving(k, id, "", ""), 422, "This field is required"},
		"no such day":     {editor, moving(k, id, "2030-02-30T10:00", ""), 422, "Enter a date"},
		"end first":       {editor, moving(k, id, "2030-05-20T10:00", "2030-05-20T09:00"), 422, "The end must not be before"},
		"beyond time":     {editor, moving(k, id, "9999-12-31T23:00", ""), 422, "Enter a date"},
		"nobody's form":   {editor, url.Values{"csrf": {"x"}, "start_date": {"2030-05-21T10:00"}}, 403, ""},
		"without version": {editor, url.Values{"start_date": {"2030-05-21T10:00"}}, 409, "someone else has changed"},
		"another's":       {author, moving(k, id, "2030-05-21T10:00", ""), 403, ""},
	} {
		p := c.who.Post(path, c.form)
		if p.Status != c.status || !p.Shows(c.text) || spanOf(k, id) != before {
			t.Errorf("%s: %d %s", name, p.Status, spanOf(k, id))
		}
	}
	if p := author.Get("/admin"); strings.Contains(cellOf(p, "2030-05-20"), "data-movable") || strings.Contains(cellOf(p, "2030-05-20"), "/move") || !p.Shows("Mine") {
		t.Error("an author is offered to move what isn't theirs")
	}
	late := moving(k, id, "2030-05-21T10:00", "")
	k.Patch(fmt.Sprintf("/events/%d", id), "administrator", map[string]any{"start_date": "2030-05-25 10:00", "end_date": "2030-05-25 12:00"})
	p := editor.Post(path, late)
	if p.Status != 409 || !p.Shows("May\u00a025,\u00a02030") || spanOf(k, id) != "2030-05-25 10:00:00 – 2030-05-25 12:00:00" {
		t.Errorf("late: %d %s", p.Status, spanOf(k, id))
	}
	again := url.Values{"start_date": {"2030-05-21T10:00"}}
	for _, m := range undoFields.FindAllStringSubmatch(p.Body, -1) {
		again.Set(m[1], kit.Unescape(m[2]))
	}
	if p := editor.Post(path, again); p.Status != 303 || !strings.HasPrefix(spanOf(k, id), "2030-05-21") {
		t.Errorf("meant all the same: %d", p.Status)
	}
	for _, to := range []string{"https://example.org/", "//example.org/", "/events/", `/admin\x`} {
		form := moving(k, id, "2030-05-21T10:00", "")
		form.Set("to", to)
		if p := editor.Post(path, form); p.Header.Get("Location") != "/admin" {
			t.Errorf("%s leads to %s", to, p.Header.Get("Location"))
		}
	}
}

func TestCalendarKeepsToItsSite(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	k.Site("two")
	a := k.Send(kit.Request{Method: "POST", Path: "/events", As: "administrator", Site: "two", JSON: map[string]any{"title": "Of the other site",
		"start_date": "2030-05-20 10:00", "end_date": "2030-05-20 11:00", "venue": map[string]any{"venue": "Other hall"}}})
	other := a.ID()
	b := k.Person("administrator")
	if p := b.Get("/admin"); p.Shows("Of the other site") || p.Shows("Other hall") {
		t.Error("the calendar shows another site's")
	}
	form := url.Values{"version": {"1"}, "start_date": {"2030-05-22T10:00"}}
	if p := b.Post(fmt.Sprintf("/admin/events/%d/move", other), form); p.Status != 404 {
		t.Errorf("another site's event: %d", p.Status)
	}
	if p := b.Get(fmt.Sprintf("/admin/events/%d/move", other)); p.Status != 404 {
		t.Errorf("another site's form: %d", p.Status)
	}
	b.Cookies["kalends-undo"] = fmt.Sprintf("%d~%d~2030-01-01T10:00:00~2030-01-01T11:00:00~", other, 1)
	if p := b.Get("/admin"); p.Status != 200 || p.Shows("Undo") {
		t.Errorf("undo of another site's: %d", p.Status)
	}
	for _, evil := range []string{"x", "~~~~", "1~1~<b>~</b>~", "-1~1~a~b~", "99999999999999999999~1~a~b~all"} {
		b.Cookies["kalends-undo"] = evil
		if p := b.Get("/admin"); p.Status != 200 || p.Shows("<b>") {
			t.Errorf("%s: %d", evil, p.Status)
		}
	}
}

package admin

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// rowsOf are the rows of the list of events on a page, as texts of their cells.
func rowsOf(p kit.Page) []string {
	_, table, _ := strings.Cut(p.Body, "<tbody>")
	table, _, _ = strings.Cut(table, "</tbody>")
	var list []string
	for row := range strings.SplitSeq(table, "</tr>") {
		if text := strings.Join(strings.Fields(kit.Unescape(tags.ReplaceAllString(row, " "))), " "); text != "" {
			list = append(list, text)
		}
	}
	return list
}

var tags = regexp.MustCompile(`<[^>]*>`)

// found is how many entries a list says it has.
func found(n int) string {
	if n == 1 {
		return "1 entry found."
	}
	return fmt.Sprintf("%d entries found.", n)
}

// titlesOf are the rows by the first word of their titles.
func titlesOf(p kit.Page) []string {
	list := rowsOf(p)
	for i, row := range list {
		_, title, _ := strings.Cut(row, "” ")
		list[i] = strings.Fields(strings.TrimPrefix(title, "Series "))[0]
	}
	return list
}

// TestSeriesListIsARow: a series is one row of the list of events, with its rule in
// words and the next date that takes place.
func TestSeriesListIsARow(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	choir := kit.Weekly(k, nil)
	k.Event(kit.Object{"title": "Alone", "start_date": "2030-03-05 10:00:00", "end_date": "2030-03-05 11:00:00"})
	ended := kit.Weekly(k, kit.Object{"title": "Over", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=3"}})
	b := k.Person("editor")
	p := b.Get("/admin/events?view=all")
	rows := rowsOf(p)
	if len(rows) != 3 || !p.Shows("3 entries found.") || !strings.Contains(p.Body, `All <span class="count">3</span>`) {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	if got := titlesOf(p); !slices.Equal(got, []string{"Over", "Choir", "Alone"}) {
		t.Errorf("order %v", got)
	}
	for i, want := range []string{"Dec 20, 2029", "Feb 28, 2030", "Mar 5, 2030"} {
		if !strings.Contains(rows[i], want) {
			t.Errorf("row %d lacks %q: %s", i, want, rows[i])
		}
	}
	if !strings.Contains(rows[1], "every second Thursday") || !strings.Contains(rows[1], "Series") || strings.Contains(rows[2], "Series") {
		t.Errorf("the rule in words: %v", rows)
	}
	if !p.Shows(fmt.Sprintf(`href="/admin/events?from=2030-02-20&series=%d"`, choir)) || !p.Shows(fmt.Sprintf(`href="/admin/events?from=2029-12-06&series=%d"`, ended)) {
		t.Error("the dates of a series are not to be had")
	}
	next := kit.Happens(k, choir, "")
	at := slices.IndexFunc(next, func(o kit.Object) bool { return o["start_date"] == "2030-02-28 19:30:00" })
	one := func(i int) string { return fmt.Sprintf("/events/%v", next[at+i]["id"]) }
	k.Patch(one(0), "administrator", kit.Object{"event_status": "cancelled"}).Want(t, 200, "")
	if rows := rowsOf(b.Get("/admin/events?view=all")); !strings.Contains(rows[2], "Mar 14, 2030") || len(rows) != 3 {
		t.Errorf("the next date is cancelled: %v", rows)
	}
	k.Patch(one(1), "administrator", kit.Object{"start_date": "2030-03-02 18:00:00", "end_date": "2030-03-02 20:00:00"}).Want(t, 200, "")
	if rows := rowsOf(b.Get("/admin/events?view=all")); !strings.Contains(rows[1], "Mar 2, 2030") || !strings.Contains(rows[1], "Choir") {
		t.Errorf("the next date was moved: %v", rows)
	}
	if rows := rowsOf(b.Get("/admin/events?from=2030-02-28&to=2030-02-28")); len(rows) != 1 || !strings.Contains(rows[0], "Feb 28, 2030") {
		t.Errorf("the cancelled date alone: %v", rows)
	}
	k.Patch(fmt.Sprintf("/events/%d", choir), "administrator", kit.Object{"event_status": "postponed"}).Want(t, 200, "")
	if rows := rowsOf(b.Get("/admin/events?search=choir")); len(rows) != 1 || !strings.Contains(rows[0], "Postponed") {
		t.Errorf("a series that is postponed: %v", rows)
	}
}

// TestSeriesListFilters: filters, order, totals and pages count a series once, and
// find it by what one of its dates has of its own.
func TestSeriesListFilters(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	choir := kit.Weekly(k, kit.Object{"title": "Choir"})
	daily := k.Made("/events", kit.Object{"title": "Daily", "start_date": "2030-03-01 09:00:00", "end_date": "2030-03-01 09:15:00",
		"recurrence": kit.Object{"every": "day"}, "categories": []int64{music}})
	kit.Weekly(k, kit.Object{"title": "Draft", "status": "draft", "start_date": "2030-05-02 19:30:00", "end_date": "2030-05-02 21:00:00", "recurrence": kit.Object{"every": "week", "count": 2}})
	for i := range 20 {
		k.Event(kit.Object{"title": fmt.Sprintf("Talk%02d", i), "start_date": fmt.Sprintf("2030-03-%02d 10:00:00", i+1), "end_date": fmt.Sprintf("2030-03-%02d 11:00:00", i+1)})
	}
	date := kit.Happens(k, choir, "")[3]
	k.Patch(fmt.Sprintf("/events/%v", date["id"]), "administrator", kit.Object{"title": "Guests from abroad", "categories": []int64{music}}).Want(t, 200, "")
	b := k.Person("editor")
	for query, want := range map[string]struct {
		total  int
		titles string // the first ones
	}{
		"":                                {23, "Choir Daily Talk00 Talk01"},
		"order=desc":                      {23, "Draft Talk19 Talk18"},
		"page=2":                          {23, "Talk18 Talk19 Draft"},
		"order=desc&page=2":               {23, "Talk00 Daily Choir"},
		"length=100&page=1":               {23, "Choir Daily"},
		"sort=title":                      {23, "Choir Daily Draft Talk00"},
		"sort=title&order=desc&page=2":    {23, "Draft Daily Choir"},
		"sort=modified&order=desc":        {23, ""},
		"search=abroad":                   {1, "Choir"},
		"search=choir":                    {1, "Choir"},
		"search=Talk07":                   {1, "Talk07"},
		fmt.Sprintf("category=%d", music): {2, "Choir Daily"},
		"status=draft":                    {1, "Draft"},
		"status=publish":                  {22, "Choir Daily"},
		"from=2030-03-20":                 {4, "Daily Talk19 Choir"},
		"from=2030-03-20&to=2030-03-20":   {2, "Daily Talk19"},
		"from=2029-12-01&to=2029-12-31":   {1, "Choir"},
		"from=2035-01-01":                 {2, ""},
		"from=2035-01-01&search=talk":     {0, ""},
		"from=2030-05-03":                 {3, "Daily Choir Draft"},
		fmt.Sprintf("from=2035-01-01&order=desc&category=%d", music): {1, "Daily"},
	} {
		p := b.Get("/admin/events?" + query)
		got := titlesOf(p)
		if !p.Shows(found(want.total)) || !strings.HasPrefix(strings.Join(got, " ")+" ", want.titles+" ") && want.titles != "" {
			t.Errorf("%s: %v, want %d: %s", query, got, want.total, want.titles)
		}
	}
	for query, want := range map[string]string{
		"": "Upcoming 23 Past 1 Drafts 1 Pending review 0 All 23 Trash 0", "search=abroad": "Upcoming 0 Past 1 Drafts 0 Pending review 0 All 1 Trash 0",
		"from=2030-05-03": "Upcoming 3 Past 0 Drafts 1 Pending review 0 All 3 Trash 0"} {
		_, tabs, _ := strings.Cut(b.Get("/admin/events?"+query).Body, `<nav class="tabs"`)
		tabs, _, _ = strings.Cut(tabs, "</nav>")
		_, tabs, _ = strings.Cut(tabs, ">")
		if got := strings.Join(strings.Fields(tags.ReplaceAllString(tabs, " ")), " "); got != want {
			t.Errorf("%s: tabs %q, want %q", query, got, want)
		}
	}
	if p := b.Get(fmt.Sprintf("/admin/events?series=%d&from=2030-03-01&to=2030-03-31", daily)); len(rowsOf(p)) != 20 || !p.Shows("31 entries found.") {
		t.Errorf("the dates of a series: %v", rowsOf(p))
	}
	if p := b.Get(fmt.Sprintf("/admin/events?series=%d", k.Event(nil))); p.Status != 404 {
		t.Errorf("the dates of what is no series: %d", p.Status)
	}
	if p := b.Get("/admin/events?series=first"); p.Status != 404 {
		t.Errorf("the dates of nothing: %d", p.Status)
	}
}

// TestSeriesListDates: the dates of a series say what was moved and what is
// cancelled, and things are done with those chosen.
func TestSeriesListDates(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	choir := kit.Weekly(k, nil)
	b := k.Person("editor")
	path := fmt.Sprintf("/admin/events?series=%d&from=2030-02-20", choir)
	dates := kit.Happens(k, choir, "")
	at := slices.IndexFunc(dates, func(o kit.Object) bool { return o["start_date"] == "2030-02-28 19:30:00" })
	id := func(i int) string { return fmt.Sprint(dates[at+i]["id"]) }
	do := func(what string, ids ...string) kit.Page {
		t.Helper()
		b.Get(path)
		b.Post("/admin/events", url.Values{"do": {what}, "id": ids, "to": {path}, "category": {fmt.Sprint(music)}})
		return b.Follow()
	}
	// The fields for filtering do not push the dates off the screen.
	if p := b.Get(path); strings.Contains(p.Body, "<details open><summary>More filters") || !strings.Contains(b.Get(path+"&to=2030-03-20").Body, "<details open><summary>More filters") {
		t.Error("the filters of the dates are open without being used, or closed although they are")
	}
	if p := do("cancel", id(0), id(1)); !p.Shows("2 dates marked as cancelled.") || strings.Count(p.Body, "mark-cancelled") != 2 || strings.Count(p.Body, `"is-cancelled"`) != 2 {
		t.Errorf("cancelled: %v", rowsOf(p))
	}
	// The page of one date says which date it is and what has become of it.
	if p := b.Get("/admin/events/" + id(0)); !strings.Contains(p.Body, "mark-cancelled") || !strings.Contains(p.Body, `<strong><time datetime="2030-02-28T19:30`) {
		t.Errorf("a cancelled date: %s", p.Body)
	}
	if p := do("uncancel", id(1)); !p.Shows("Cancellation undone for 1 date.") || strings.Count(p.Body, "mark-cancelled") != 1 {
		t.Errorf("not cancelled: %v", rowsOf(p))
	}
	k.Patch("/events/"+id(2), "administrator", kit.Object{"start_date": "2030-03-30 19:30:00", "end_date": "2030-03-30 21:30:00"}).Want(t, 200, "")
	if rows := rowsOf(b.Get(path)); !strings.Contains(rows[2], "Mar 30, 2030") || !strings.Contains(rows[2], "moved, originally Mar 28, 2030") || strings.Contains(strings.Join(append(rows[:2:2], rows[3:]...), ""), "moved") {
		t.Errorf("moved: %v", rows)
	}
	if p := do("category", id(3)); !p.Shows("Category added to 1 event.") || !strings.Contains(rowsOf(p)[3], "Music") || strings.Contains(rowsOf(p)[4], "Music") {
		t.Errorf("a category: %v", rowsOf(p))
	}
	if p := do("drop", id(0), id(2)); !p.Shows("2 dates removed.") || strings.Contains(p.Body, "Mar 30, 2030") || len(rowsOf(p)) != 20 || strings.Contains(strings.Join(rowsOf(p), ""), "Feb 28, 2030") {
		t.Errorf("removed: %v", rowsOf(p))
	}
	if p := b.Get(path); !p.Shows("every second Thursday, except on 3 dates") {
		t.Errorf("the rule: %s", p.Body)
	}
}

// TestSeriesListMany: what is done with the row of a series is done with all its
// dates, and the answer says so; deleting says it before.
func TestSeriesListMany(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	choir, single := kit.Weekly(k, nil), k.Event(nil)
	b := k.Person("editor")
	do := func(what string, more url.Values, ids ...int64) kit.Page {
		t.Helper()
		b.Get("/admin/events")
		form := url.Values{"do": {what}, "to": {"/admin/events"}, "category": {fmt.Sprint(music)}}
		for _, id := range ids {
			form.Add("id", fmt.Sprint(id))
		}
		maps.Copy(form, more)
		if p := b.Post("/admin/events", form); p.Status != 303 {
			return p
		}
		return b.Follow()
	}
	const all = "This applies to all dates of the series."
	if p := do("category", nil, choir, single); !p.Shows("Category added to 2 events. "+all) || strings.Count(p.Body, "<bdi>Music</bdi>") != 2 {
		t.Errorf("a category: %v", rowsOf(p))
	}
	if p := do("draft", url.Values{"sure": {"1"}}, single); !p.Shows("1 entry changed to a draft.") || p.Shows(all) {
		t.Error("a single event is told to be a series")
	}
	if p := do("draft", url.Values{"sure": {"1"}}, choir); !p.Shows(all) || len(kit.Happens(k, choir, "administrator")) == 0 || k.Get("/events", "").At("total") != 0.0 {
		t.Error("a series is a draft with all its dates")
	}
	if p := do("publish", nil, choir); !p.Shows("1 entry published. " + all) {
		t.Errorf("published: %v", rowsOf(p))
	}
	date := int64(kit.Happens(k, choir, "")[4]["id"].(float64))
	k.Patch(fmt.Sprintf("/events/%d", date), "administrator", kit.Object{"title": "Guests"}).Want(t, 200, "")
	if p := do("delete", nil, choir, single); !p.Shows("Choir, with all its dates (every second Thursday, except on 3\u00a0January\u00a02030)") || !p.Shows(">Event<") {
		t.Errorf("what is asked before: %s", p.Body)
	}
	if p := do("delete", nil, date); !p.Shows("Guests, ") || p.Shows("all its dates") || !p.Shows(fmt.Sprintf(`name="id" value="%d"`, date)) || p.Shows(fmt.Sprintf(`name="id" value="%d"`, choir)) {
		t.Errorf("a date is not its series: %s", p.Body)
	}
	if p := do("trash", nil, choir); !p.Shows("1 entry moved to the trash. "+all) || len(rowsOf(p)) != 1 {
		t.Errorf("trash: %v", rowsOf(p))
	}
	if p := b.Get("/admin/trash"); strings.Count(p.Body, "Choir") != 1 {
		t.Errorf("the trash has a series %d times", strings.Count(p.Body, "Choir"))
	}
	if p := do("restore", nil, choir); !p.Shows("1 entry restored. "+all+" What was published is public again.") || len(rowsOf(p)) != 2 {
		t.Errorf("restored: %v", rowsOf(p))
	}
	if got := fmt.Sprint(k.Get(fmt.Sprintf("/events/%d", date), "administrator").Body["title"]); got != "Guests" {
		t.Errorf("a date that differs is %q after it came back", got)
	}
	if p := do("delete", url.Values{"sure": {"1"}}, choir); !p.Shows("1 entry permanently deleted. "+all) || k.Get(fmt.Sprintf("/events/%d", date), "administrator").Status != 404 {
		t.Error("deleted for good")
	}
}

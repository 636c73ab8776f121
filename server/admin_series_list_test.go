package server_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rowsOf are the rows of the list of events on a page, as texts of their cells.
func rowsOf(p page) []string {
	_, table, _ := strings.Cut(p.Body, "<tbody>")
	table, _, _ = strings.Cut(table, "</tbody>")
	var list []string
	for row := range strings.SplitSeq(table, "</tr>") {
		if text := strings.Join(strings.Fields(unescape(tags.ReplaceAllString(row, " "))), " "); text != "" {
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
func titlesOf(p page) []string {
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
	k := standing(t)
	choir := weekly(k, nil)
	k.event(object{"title": "Alone", "start_date": "2030-03-05 10:00:00", "end_date": "2030-03-05 11:00:00"})
	ended := weekly(k, object{"title": "Over", "recurrence": object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=3"}})
	b := k.person("editor")
	p := b.get("/admin/events?view=all")
	rows := rowsOf(p)
	if len(rows) != 3 || !p.shows("3 entries found.") || !strings.Contains(p.Body, `All <span class="count">3</span>`) {
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
	if !p.shows(fmt.Sprintf(`href="/admin/events?from=2030-02-20&series=%d"`, choir)) || !p.shows(fmt.Sprintf(`href="/admin/events?from=2029-12-06&series=%d"`, ended)) {
		t.Error("the dates of a series are not to be had")
	}
	next := happens(k, choir, "")
	at := slices.IndexFunc(next, func(o object) bool { return o["start_date"] == "2030-02-28 19:30:00" })
	one := func(i int) string { return fmt.Sprintf("/events/%v", next[at+i]["id"]) }
	k.patch(one(0), "administrator", object{"event_status": "cancelled"}).want(t, 200, "")
	if rows := rowsOf(b.get("/admin/events?view=all")); !strings.Contains(rows[2], "Mar 14, 2030") || len(rows) != 3 {
		t.Errorf("the next date is cancelled: %v", rows)
	}
	k.patch(one(1), "administrator", object{"start_date": "2030-03-02 18:00:00", "end_date": "2030-03-02 20:00:00"}).want(t, 200, "")
	if rows := rowsOf(b.get("/admin/events?view=all")); !strings.Contains(rows[1], "Mar 2, 2030") || !strings.Contains(rows[1], "Choir") {
		t.Errorf("the next date was moved: %v", rows)
	}
	if rows := rowsOf(b.get("/admin/events?from=2030-02-28&to=2030-02-28")); len(rows) != 1 || !strings.Contains(rows[0], "Feb 28, 2030") {
		t.Errorf("the cancelled date alone: %v", rows)
	}
	k.patch(fmt.Sprintf("/events/%d", choir), "administrator", object{"event_status": "postponed"}).want(t, 200, "")
	if rows := rowsOf(b.get("/admin/events?search=choir")); len(rows) != 1 || !strings.Contains(rows[0], "Postponed") {
		t.Errorf("a series that is postponed: %v", rows)
	}
}

// TestSeriesListFilters: filters, order, totals and pages count a series once, and
// find it by what one of its dates has of its own.
func TestSeriesListFilters(t *testing.T) {
	t.Parallel()
	k := standing(t)
	music := k.made("/categories", object{"name": "Music"})
	choir := weekly(k, object{"title": "Choir"})
	daily := k.made("/events", object{"title": "Daily", "start_date": "2030-03-01 09:00:00", "end_date": "2030-03-01 09:15:00",
		"recurrence": object{"every": "day"}, "categories": []int64{music}})
	weekly(k, object{"title": "Draft", "status": "draft", "start_date": "2030-05-02 19:30:00", "end_date": "2030-05-02 21:00:00", "recurrence": object{"every": "week", "count": 2}})
	for i := range 20 {
		k.event(object{"title": fmt.Sprintf("Talk%02d", i), "start_date": fmt.Sprintf("2030-03-%02d 10:00:00", i+1), "end_date": fmt.Sprintf("2030-03-%02d 11:00:00", i+1)})
	}
	date := happens(k, choir, "")[3]
	k.patch(fmt.Sprintf("/events/%v", date["id"]), "administrator", object{"title": "Guests from abroad", "categories": []int64{music}}).want(t, 200, "")
	b := k.person("editor")
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
		p := b.get("/admin/events?" + query)
		got := titlesOf(p)
		if !p.shows(found(want.total)) || !strings.HasPrefix(strings.Join(got, " ")+" ", want.titles+" ") && want.titles != "" {
			t.Errorf("%s: %v, want %d: %s", query, got, want.total, want.titles)
		}
	}
	for query, want := range map[string]string{
		"": "Upcoming 23 Past 1 Drafts 1 Pending review 0 All 23 Trash 0", "search=abroad": "Upcoming 0 Past 1 Drafts 0 Pending review 0 All 1 Trash 0",
		"from=2030-05-03": "Upcoming 3 Past 0 Drafts 1 Pending review 0 All 3 Trash 0"} {
		_, tabs, _ := strings.Cut(b.get("/admin/events?"+query).Body, `<nav class="tabs"`)
		tabs, _, _ = strings.Cut(tabs, "</nav>")
		_, tabs, _ = strings.Cut(tabs, ">")
		if got := strings.Join(strings.Fields(tags.ReplaceAllString(tabs, " ")), " "); got != want {
			t.Errorf("%s: tabs %q, want %q", query, got, want)
		}
	}
	if p := b.get(fmt.Sprintf("/admin/events?series=%d&from=2030-03-01&to=2030-03-31", daily)); len(rowsOf(p)) != 20 || !p.shows("31 entries found.") {
		t.Errorf("the dates of a series: %v", rowsOf(p))
	}
	if p := b.get(fmt.Sprintf("/admin/events?series=%d", k.event(nil))); p.Status != 404 {
		t.Errorf("the dates of what is no series: %d", p.Status)
	}
	if p := b.get("/admin/events?series=first"); p.Status != 404 {
		t.Errorf("the dates of nothing: %d", p.Status)
	}
}

// TestSeriesListDates: the dates of a series say what was moved and what is
// cancelled, and things are done with those chosen.
func TestSeriesListDates(t *testing.T) {
	t.Parallel()
	k := standing(t)
	music := k.made("/categories", object{"name": "Music"})
	choir := weekly(k, nil)
	b := k.person("editor")
	path := fmt.Sprintf("/admin/events?series=%d&from=2030-02-20", choir)
	dates := happens(k, choir, "")
	at := slices.IndexFunc(dates, func(o object) bool { return o["start_date"] == "2030-02-28 19:30:00" })
	id := func(i int) string { return fmt.Sprint(dates[at+i]["id"]) }
	do := func(what string, ids ...string) page {
		t.Helper()
		b.get(path)
		b.post("/admin/events", url.Values{"do": {what}, "id": ids, "to": {path}, "category": {fmt.Sprint(music)}})
		return b.follow()
	}
	if p := do("cancel", id(0), id(1)); !p.shows("2 dates marked as cancelled.") || strings.Count(p.Body, "mark-cancelled") != 2 || strings.Count(p.Body, `"is-cancelled"`) != 2 {
		t.Errorf("cancelled: %v", rowsOf(p))
	}
	if p := do("uncancel", id(1)); !p.shows("1 date takes place again.") || strings.Count(p.Body, "mark-cancelled") != 1 {
		t.Errorf("not cancelled: %v", rowsOf(p))
	}
	k.patch("/events/"+id(2), "administrator", object{"start_date": "2030-03-30 19:30:00", "end_date": "2030-03-30 21:30:00"}).want(t, 200, "")
	if rows := rowsOf(b.get(path)); !strings.Contains(rows[2], "Mar 30, 2030") || !strings.Contains(rows[2], "moved, planned for Mar 28, 2030") || strings.Contains(strings.Join(append(rows[:2:2], rows[3:]...), ""), "moved") {
		t.Errorf("moved: %v", rows)
	}
	if p := do("category", id(3)); !p.shows("Category added to 1 event.") || !strings.Contains(rowsOf(p)[3], "Music") || strings.Contains(rowsOf(p)[4], "Music") {
		t.Errorf("a category: %v", rowsOf(p))
	}
	if p := do("drop", id(0), id(2)); !p.shows("2 dates removed.") || strings.Contains(p.Body, "Mar 30, 2030") || len(rowsOf(p)) != 20 || strings.Contains(strings.Join(rowsOf(p), ""), "Feb 28, 2030") {
		t.Errorf("removed: %v", rowsOf(p))
	}
	if p := b.get(path); !p.shows("every second Thursday, except on 3 dates") {
		t.Errorf("the rule: %s", p.Body)
	}
}

// TestSeriesListMany: what is done with the row of a series is done with all its
// dates, and the answer says so; deleting says it before.
func TestSeriesListMany(t *testing.T) {
	t.Parallel()
	k := standing(t)
	music := k.made("/categories", object{"name": "Music"})
	choir, single := weekly(k, nil), k.event(nil)
	b := k.person("editor")
	do := func(what string, more url.Values, ids ...int64) page {
		t.Helper()
		b.get("/admin/events")
		form := url.Values{"do": {what}, "to": {"/admin/events"}, "category": {fmt.Sprint(music)}}
		for _, id := range ids {
			form.Add("id", fmt.Sprint(id))
		}
		maps.Copy(form, more)
		if p := b.post("/admin/events", form); p.Status != 303 {
			return p
		}
		return b.follow()
	}
	const all = "This holds for all dates of the series."
	if p := do("category", nil, choir, single); !p.shows("Category added to 2 events. "+all) || strings.Count(p.Body, "<bdi>Music</bdi>") != 2 {
		t.Errorf("a category: %v", rowsOf(p))
	}
	if p := do("draft", nil, single); !p.shows("1 entry turned into a draft.") || p.shows(all) {
		t.Error("a single event is told to be a series")
	}
	if p := do("draft", nil, choir); !p.shows(all) || len(happens(k, choir, "administrator")) == 0 || k.get("/events", "").at("total") != 0.0 {
		t.Error("a series is a draft with all its dates")
	}
	if p := do("publish", nil, choir); !p.shows("1 entry published. " + all) {
		t.Errorf("published: %v", rowsOf(p))
	}
	date := int64(happens(k, choir, "")[4]["id"].(float64))
	k.patch(fmt.Sprintf("/events/%d", date), "administrator", object{"title": "Guests"}).want(t, 200, "")
	if p := do("delete", nil, choir, single); !p.shows("Choir, with all its dates (every second Thursday, except on one date)") || !p.shows(">Event<") {
		t.Errorf("what is asked before: %s", p.Body)
	}
	if p := do("delete", nil, date); !p.shows("Guests, ") || p.shows("all its dates") || !p.shows(fmt.Sprintf(`name="id" value="%d"`, date)) || p.shows(fmt.Sprintf(`name="id" value="%d"`, choir)) {
		t.Errorf("a date is not its series: %s", p.Body)
	}
	if p := do("trash", nil, choir); !p.shows("1 entry moved to the trash. "+all) || len(rowsOf(p)) != 1 {
		t.Errorf("trash: %v", rowsOf(p))
	}
	if p := b.get("/admin/trash"); strings.Count(p.Body, "Choir") != 1 {
		t.Errorf("the trash has a series %d times", strings.Count(p.Body, "Choir"))
	}
	if p := do("restore", nil, choir); !p.shows("1 entry restored. "+all) || len(rowsOf(p)) != 2 {
		t.Errorf("restored: %v", rowsOf(p))
	}
	if got := fmt.Sprint(k.get(fmt.Sprintf("/events/%d", date), "administrator").Body["title"]); got != "Guests" {
		t.Errorf("a date that differs is %q after it came back", got)
	}
	if p := do("delete", url.Values{"sure": {"1"}}, choir); !p.shows("1 entry deleted for good. "+all) || k.get(fmt.Sprintf("/events/%d", date), "administrator").Status != 404 {
		t.Error("deleted for good")
	}
}

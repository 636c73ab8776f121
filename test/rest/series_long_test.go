package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/calendar"
)

// longCase is a series of more dates than one write stores, one of which differs from it.
type longCase struct {
	*kit.UndoCase
	long  int64
	later []string // ids of some of its dates
}

// settled does the work of the night until nothing is left.
func (c *longCase) settled(when string) {
	c.K.T.Helper()
	_, err := c.K.DB.PublishDue(c.K.T.Context(), c.K.Clock)
	c.K.Must(err)
	c.Counted(when)
	if wrong := c.K.Peek("demo", `
		SELECT count(*)::text
		FROM (
			SELECT d.start_day AS day, d.occurrences AS n FROM occurrence_days d WHERE d.site_id = $1
			UNION ALL
			SELECT o.start_local::date, -1 FROM occurrences o WHERE o.site_id = $1 AND o.listed
		) x
		GROUP BY x.day
		HAVING sum(x.n) <> 0`+" UNION ALL SELECT '0' LIMIT 1", c.K.Sites["demo"].ID); wrong != "0" {
		c.K.T.Errorf("%s: days are counted wrong", when)
	}
}

// ids tells all ids of dates apart, and says how many there are.
func (c *longCase) ids() string {
	return c.K.Peek("demo", `SELECT count(*) || ' ' || md5(string_agg(o.id::text, ' ' ORDER BY o.id)) FROM occurrences o WHERE o.site_id = $1`, c.K.Sites["demo"].ID)
}

// all tells apart everything that is stored.
func (c *longCase) all() string {
	return c.K.Peek("demo", `SELECT md5(string_agg(o::text, ' ' ORDER BY o.id)) FROM occurrences o WHERE o.site_id = $1`, c.K.Sites["demo"].ID) +
		c.K.Peek("demo", `
			SELECT string_agg((to_jsonb(e) - '{version,modified_at,sequence}'::text[]
				- CASE WHEN e.series_id IS NULL THEN '' ELSE 'last_start_utc' END)::text, E'\n' ORDER BY e.id)
			FROM events e
			WHERE e.site_id = $1`, c.K.Sites["demo"].ID)
}

// written is how many rows of dates the last write wrote.
func (c *longCase) written() int {
	n, err := strconv.Atoi(c.K.Peek("demo", `
		SELECT count(*)::text
		FROM occurrences o
		WHERE o.site_id = $1
		  AND o.xmin = (SELECT s.xmin FROM sites s WHERE s.id = $1)`, c.K.Sites["demo"].ID))
	c.K.Must(err)
	return n
}

// TestLongSeries: whatever becomes of a series of very many dates, one write stores so many
// of them and no more, the rest follows, and all dates keep their ids. It can be taken back.
func TestLongSeries(t *testing.T) {
	t.Parallel()
	c := &longCase{UndoCase: kit.NewUndoCase(t)}
	c.K.Clock = time.Date(2029, 12, 1, 0, 0, 0, 0, time.UTC)
	c.long = c.K.Event(kit.Object{"title": "Bell", "start_date": "2029-12-06 00:00:00", "end_date": "2029-12-06 00:10:00", "timezone": "Europe/Berlin",
		"recurrence": kit.Object{"rrule": "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;COUNT=12000"}})
	if n := c.written(); n != calendar.StoredAtOnce {
		t.Fatalf("%d dates are stored at once", n)
	}
	c.settled("made")
	for _, day := range []string{"2030-02-01", "2031-04-01"} {
		a := c.K.Get(fmt.Sprintf("/events/%d/occurrences?start_date=%s&per_page=2", c.long, day), "").Want(t, 200, "")
		c.later = append(c.later, fmt.Sprint(a.Body["events"].([]any)[1].(map[string]any)["id"]))
	}
	c.K.Patch("/events/"+c.later[1], "administrator", kit.Object{"title": "Gong"}).Want(t, 200, "")
	moved := url.Values{"start_date": {"2029-12-06T00:30"}, "end_date": {"2029-12-06T00:40"}}
	deeds := []struct {
		name string
		do   func()
		same bool // all dates are there, with their ids
	}{
		{"moved", func() { c.Save(c.long, "", moved) }, true},
		{"in another zone", func() { c.Save(c.long, "", url.Values{"timezone": {"America/New_York"}}) }, true},
		{"a draft", func() { c.Many("draft", c.long) }, true},
		{"removed", func() { c.Many("trash", c.long) }, true},
		{"following", func() { c.Save(c.later[0], "following", url.Values{"title": {"Chime"}}) }, true},
		{"following later", func() {
			c.Save(c.later[0], "following", url.Values{"start_date": {"2030-02-01T01:30"}, "end_date": {"2030-02-01T01:40"}})
		}, true},
		{"following are removed", func() { c.Remove(c.later[0], "following") }, false},
		{"seldom", func() { c.Save(c.long, "", url.Values{"repeat": {"year"}, "repeat_end": {""}}) }, false},
		{"once", func() { c.Save(c.long, "", url.Values{"repeat": {""}}) }, false},
	}
	for _, deed := range deeds {
		t.Run(deed.name, func(t *testing.T) {
			before, ids := c.all(), c.ids()
			deed.do()
			if n := c.written(); n > calendar.StoredAtOnce+1 { // and the one that differs
				t.Errorf("%d dates are stored at once", n)
			}
			c.B.Follow()
			c.settled("done")
			if deed.same != (c.ids() == ids) {
				t.Errorf("ids are %s, before %s", c.ids(), ids)
			}
			if p := c.B.Post(kit.Undoing(c.B)); p.Status != http.StatusSeeOther {
				t.Fatalf("undo: %d %.2000s", p.Status, p.Body)
			}
			if n := c.written(); n > calendar.StoredAtOnce+1 {
				t.Errorf("%d dates are stored at once, undone", n)
			}
			if p := c.B.Follow(); !p.Shows("Change undone") {
				t.Errorf("then %d %s", p.Status, kit.Announced(p))
			}
			c.settled("undone")
			if c.all() != before {
				t.Errorf("ids are %s, before %s\n%s", c.ids(), ids, kit.Difference(before, c.all()))
			}
		})
	}
	c.Save(c.long, "", moved) // one write after the other, before the rest has followed
	ids := c.ids()
	for _, at := range []string{"00:15", "00:45"} {
		c.Save(c.long, "", url.Values{"start_date": {"2029-12-06T" + at}, "end_date": {"2029-12-06T00:50"}})
	}
	c.settled("moved again")
	if n, _ := strconv.Atoi(c.K.Peek("demo", `SELECT count(*)::text FROM occurrences o WHERE o.site_id = $1 AND o.start_local::text LIKE '%:45:00' AND o.n <> 0`,
		c.K.Sites["demo"].ID)); n != 11_999 {
		t.Errorf("%d dates are where they were moved to, ids %s, before %s", n, c.ids(), ids)
	}
}

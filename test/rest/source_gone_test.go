package rest_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// without returns a file of twenty events without some of them.
func without(numbers ...int) string {
	return many(20, func(i int, line string) string {
		if slices.Contains(numbers, i) {
			return ""
		}
		return line
	})
}

// What went with one reading is not counted again by the next ones, and stays if somebody restored it.
func TestSourceGoneLongAgo(t *testing.T) {
	t.Parallel()
	for gone, count := range map[string]string{
		"cancel": `SELECT count(*)::text FROM events WHERE event_status = 'cancelled'`,
		"trash":  `SELECT count(*)::text FROM events WHERE status = 'trash'`,
	} {
		t.Run(gone, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
			feed := k.Outlet(without())
			id := k.Source(kit.Object{"url": feed.URL, "gone": gone})
			k.ReadSources()
			off, said := []int{}, ""
			for _, went := range [][]int{{1, 2, 3, 4, 5}, {6, 7, 8, 9}, {10, 11, 12}, {13}} {
				off = append(off, went...)
				feed.Say(without(off...))
				of := k.ReadSource(id)
				said += fmt.Sprintf("%v %v, ", of.At("counts.cancelled"), of.At("problem"))
			}
			if want := "5 <nil>, 4 <nil>, 3 <nil>, 1 <nil>, "; said != want || k.Peek("demo", count) != "13" {
				t.Errorf("%s, %s", said, k.Peek("demo", count))
			}
			event, err := strconv.ParseInt(k.Peek("demo", `SELECT id::text FROM events WHERE title = 'Event 3'`), 10, 64)
			k.Must(err)
			restored := kit.Object{"event_status": "scheduled"}
			if gone == "trash" {
				restored = kit.Object{"status": "publish"}
			}
			k.Patch(kit.Item("events", event), "administrator", restored).Want(t, 200, "")
			feed.Say(without(append(off, 14)...))
			if of := k.ReadSource(id); fmt.Sprint(of.At("counts.cancelled")) != "1" || k.Peek("demo", count) != "13" {
				t.Errorf("restored: %s, %s", of.Raw, k.Peek("demo", count))
			}
		})
	}
}

// An event that the source has, but in a form that cannot be read, is not gone.
func TestSourceUnreadableEvent(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	state := func() string {
		return k.Peek("demo", `SELECT string_agg(title || ' ' || event_status, ', ' ORDER BY title) FROM events WHERE event_status <> 'scheduled'`)
	}
	feed := k.Outlet(without())
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	feed.Say(strings.Replace(without(4), "DTSTART:20300104T", "DTSTART:garbage", 1))
	if of := k.ReadSource(id); fmt.Sprint(of.At("counts.refused"), of.At("counts.cancelled")) != "1 1" || state() != "Event 4 cancelled" {
		t.Errorf("%s: %s", of.Raw, state())
	}
	rows := "title,start_date,end_date\nFirst,2030-05-01 10:00,2030-05-01 11:00\nSecond,%s,2030-05-02 11:00\nThird,2030-05-03 10:00,2030-05-03 11:00\n"
	table := k.Outlet(fmt.Sprintf(rows, "2030-05-02 10:00"))
	id = k.Source(kit.Object{"url": table.URL, "kind": "table"})
	k.ReadSources()
	table.Say(fmt.Sprintf(rows, "soon"))
	if of := k.ReadSource(id); fmt.Sprint(of.At("counts.refused"), of.At("counts.cancelled")) != "1 0" || state() != "Event 4 cancelled" {
		t.Errorf("%s: %s", of.Raw, state())
	}
}

// An event that two sources have belongs to the first, and is not gone because the second has it no more.
func TestSourcesWithTheSameEvent(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 12, 1, 12, 0, 0, 0, time.UTC)
	off := func() string {
		return k.Peek("demo", `SELECT count(*)::text FROM events WHERE event_status = 'cancelled'`)
	}
	first, second := k.Outlet(without()), k.Outlet(without())
	k.Source(kit.Object{"url": first.URL})
	k.ReadSources()
	other := k.Source(kit.Object{"url": second.URL})
	k.ReadSources()
	second.Say(without(4))
	if of := k.ReadSource(other); fmt.Sprint(of.At("counts.same"), of.At("counts.cancelled")) != "19 0" || off() != "0" {
		t.Errorf("%s: %s cancelled", of.Raw, off())
	}
}

package server_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// Lists and pages computed while the clock was ahead are not served after it is corrected, nor those computed with
// the correct time while it is behind.
func TestCachedClocks(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	right := k.Clock // a day in February 2030
	for day := 18; day <= 26; day += 4 {
		date := fmt.Sprintf("2030-02-%d", day)
		k.Event(map[string]any{"title": "On " + date, "slug": date, "start_date": date + " 10:00:00", "end_date": date + " 11:00:00"})
	}
	for i, step := range []struct {
		ahead time.Duration
		total float64
		over  bool
	}{{0, 2, false}, {3 * 24 * time.Hour, 1, true}, {0, 2, false}, {-4 * 24 * time.Hour, 3, false}, {0, 2, false}, {30 * 24 * time.Hour, 0, true}, {0, 2, false}} {
		k.Clock = right.Add(step.ahead)
		for range 2 {
			if a := k.Get("/events", "").Want(t, 200, ""); a.Body["total"] != step.total {
				t.Errorf("step %d, %s ahead: %v events, want %v", i, step.ahead, a.Body["total"], step.total)
			}
			p := k.Browser().Get("/en/event/2030-02-22/")
			if p.Status != 200 || p.Shows("This event is over") != step.over {
				t.Errorf("step %d, %s ahead: the page says %d, over: %v", i, step.ahead, p.Status, !step.over)
			}
		}
	}
}

// What a clock that was ahead has published stays published and can be edited; the rest is published on time.
func TestScheduleAndClocks(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	right := k.Clock
	publish := func(ahead time.Duration, want int) {
		t.Helper()
		k.Clock = right.Add(ahead)
		if n, err := k.DB.PublishDue(t.Context(), k.Clock); err != nil || n != want {
			t.Errorf("%s ahead %d are published, %v, want %d", ahead, n, err, want)
		}
	}
	total := func(want float64) {
		t.Helper()
		if a := k.Get("/events", ""); a.Body["total"] != want {
			t.Errorf("%v events, want %v", a.Body["total"], want)
		}
	}
	soon := k.Event(map[string]any{"title": "Soon", "status": "publish", "date": "2030-02-21 12:00:00"})
	k.Event(map[string]any{"title": "Later", "status": "publish", "date": "2030-02-27 12:00:00"})
	publish(-5*time.Hour, 0)
	total(0)
	publish(3*24*time.Hour, 1)
	total(1)
	publish(0, 0)
	total(1)
	if a := k.Patch(kit.Item("events", soon), "administrator", map[string]any{"title": "Soon enough"}).Want(t, 200, ""); a.Body["status"] != "publish" {
		t.Errorf("changed after the clock was put right: %v", a.Body["status"])
	}
	total(1)
	publish(24*time.Hour, 0)
	publish(8*24*time.Hour, 1)
	total(2)
}

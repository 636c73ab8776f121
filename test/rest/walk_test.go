package rest

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestWalk pages through a list by place while events come and go: every event that stays is returned exactly once,
// which page numbers cannot guarantee.
func TestWalk(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"asc", "desc"} {
		k := kit.NewWithFixedClock(t)
		var stay []int64
		for i := range 9 {
			stay = append(stay, k.Event(kit.Object{"title": "Stays", "start_date": fmt.Sprintf("2030-03-%02d 10:00:00", 10+i/2), "end_date": "2030-03-20 10:00:00"}))
		}
		goes := k.Event(kit.Object{"title": "Goes", "start_date": "2030-03-09 10:00:00", "end_date": "2030-03-20 10:00:00"})
		var met []int64
		path := "/events?per_page=2&after=&order=" + order
		for steps := 0; path != "" && steps < 20; steps++ {
			a := k.Get(path, "").Want(t, 200, "")
			for _, one := range a.Body["events"].([]any) {
				met = append(met, int64(one.(map[string]any)["id"].(float64)))
			}
			path = ""
			if next, ok := a.Body["next_rest_url"].(string); ok {
				to, err := url.Parse(next)
				k.Must(err)
				path = "/events?" + to.RawQuery
			}
			switch steps {
			case 1:
				k.Del(kit.Item("events", goes)+"?force=true", "administrator").Want(t, 200, "")
			case 2:
				k.Event(kit.Object{"title": "Comes", "start_date": "2030-03-08 10:00:00", "end_date": "2030-03-20 10:00:00"})
				k.Event(kit.Object{"title": "Comes", "start_date": "2030-03-19 10:00:00", "end_date": "2030-03-20 10:00:00"})
			}
		}
		for _, id := range stay {
			times := 0
			for _, one := range met {
				if one == id {
					times++
				}
			}
			if times != 1 {
				t.Errorf("%s: %d was met %d times in %v", order, id, times, met)
			}
		}
		if sorted := slices.Compact(slices.Sorted(slices.Values(met))); len(sorted) != len(met) {
			t.Errorf("%s: met twice: %v", order, met)
		}
		k.Get("/events?after=yesterday", "").Want(t, 400, "rest_invalid_param")
		k.Get("/events?after=&orderby=title", "").Want(t, 400, "rest_invalid_param")
	}
}

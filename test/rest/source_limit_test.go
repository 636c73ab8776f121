package rest_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What the plan had no room for comes as soon as there is room, although the source has not changed since.
func TestSourceOfFullPlan(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(20, nil))
	room := func(n any) {
		k.Provider("PATCH", "/sites/demo", kit.Object{"limits": kit.Object{"events": n}}).Want(t, 200, "")
	}
	room(12)
	id := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	reports := func() string { return k.Peek("demo", `SELECT count(*)::text FROM imports`) }
	for range 2 {
		of := k.ReadSource(id)
		if got := fmt.Sprint(of.At("counts.refused"), of.At("problem"), reports()); got != "8 <nil>1" {
			t.Errorf("%s: %s", got, of.Raw)
		}
	}
	room(nil)
	if of := k.ReadSource(id); fmt.Sprint(of.At("counts.created"), of.At("counts.same"), of.At("counts.refused")) != "8 12 0" {
		t.Errorf("there is room: %s", of.Raw)
	}
	feed.Asked()
	if k.ReadSource(id); reports() != "2" || feed.Asked()[0].Header.Get("If-None-Match") == "" {
		t.Errorf("nothing is new: %s reports", reports())
	}
}

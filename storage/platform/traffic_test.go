package platform_test

import (
	"testing"
	"time"

	store "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/sitetest"
)

// Nodes add what they have counted. A list shows the last 24 hours or 30 days of the sites that are searched for, in the order asked for.
func TestTraffic(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	found(t, b, "arts", "Arts")
	found(t, b, "zoo", "Zoo")
	add := func(by map[string]platform.Traffic) {
		t.Helper()
		if err := store.AddTraffic(t.Context(), b.DB.Engine(), by); err != nil {
			t.Fatal(err)
		}
	}
	zoo := platform.Traffic{Requests: 10, Limited: 1, Full: 2, Busy: 3, Errors: 4}
	add(nil)
	add(map[string]platform.Traffic{"zoo": zoo, "gone": zoo})
	add(map[string]platform.Traffic{"zoo": zoo, "arts": {Requests: 30}})
	back := func(by time.Duration) {
		t.Helper()
		if _, err := b.DB.Across("a test lets time pass").Exec(t.Context(), `UPDATE provider_traffic SET begins = begins - $1::interval`, by); err != nil {
			t.Fatal(err)
		}
	}
	list := func(by string, month bool, search string) (slugs string, first platform.Traffic) {
		t.Helper()
		page, err := b.DB.Sites().Traffic(provider(t), tenancy.Query{Page: 1, PerPage: 50, Search: search, Sort: by}, month)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range page.Items {
			if one.Slug == "zoo" || one.Slug == "arts" {
				slugs += one.Slug + " "
			}
		}
		return slugs, page.Items[0].Traffic
	}
	for by, want := range map[string]string{"name": "arts zoo ", "requests": "arts zoo ", "limited": "zoo arts ", "full": "zoo arts ", "busy": "zoo arts ", "errors": "zoo arts "} {
		if got, _ := list(by, false, ""); got != want {
			t.Errorf("by %s: %s", by, got)
		}
	}
	if got, first := list("requests", false, "zoo"); got != "zoo " || first != zoo.Plus(zoo) {
		t.Errorf("%s %+v", got, first)
	}
	back(25 * time.Hour)
	if _, first := list("name", false, "zoo"); first != (platform.Traffic{}) {
		t.Errorf("a day later: %+v", first)
	}
	if _, first := list("name", true, "zoo"); first != zoo.Plus(zoo) {
		t.Errorf("of the month: %+v", first)
	}
	rows := func(want int) {
		t.Helper()
		if err := store.PurgeTraffic(t.Context(), b.DB.Engine()); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := b.DB.Across("a test looks at what is there").QueryRow(t.Context(), `SELECT count(*) FROM provider_traffic`).Scan(&n); err != nil || n != want {
			t.Errorf("%d rows are left, want %d: %v", n, want, err)
		}
	}
	rows(4)
	back(48 * time.Hour)
	rows(2)
	back(31 * 24 * time.Hour)
	if _, first := list("name", true, "zoo"); first != (platform.Traffic{}) {
		t.Errorf("a month later: %+v", first)
	}
	rows(2)
	back(68 * 24 * time.Hour)
	rows(0)
}

package server_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// onStandby returns two nodes on their own database: one without cache that reads from the primary, and one with a
// cache that reads from a standby.
func onStandby(t *testing.T) (plain, reading *kit.Kit, standby *storagetest.StandbyProcess) {
	t.Helper()
	cluster := storagetest.Cluster(t)
	if err := migrations.Up(t.Context(), cluster.URL()); err != nil {
		t.Fatal(err)
	}
	standby = cluster.Standby()
	plain = kit.NewOn(t, cluster.URL())
	reading = plain.WithCache(standby.URL())
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		reading.DB.FollowReplica(ctx)
	}()
	t.Cleanup(func() { stop(); <-done })
	storagetest.Until(t, "the replica is used", func() bool {
		_, why, _ := reading.DB.Replica()
		return why == ""
	})
	return plain, reading, standby
}

// Responses are the same from both databases, and most public reads do not reach the primary.
func TestReplica(t *testing.T) {
	t.Parallel()
	plain, reading, standby := onStandby(t)
	constant := map[string]bool{"": true, "/": true, "/doc": true} // read nothing of the site
	paths := append(whole(plain), "//events/", "//de/events/past/", "//events/month/2030-03/", "//events/day/2030-03-01/", "//event/concert/",
		"//event/concert/event.ics", "//venue/hall/", "//organizer/club/", "//tag/loud/", "//events/category/music/", "//sitemap.xml")
	standby.Follow()
	for _, path := range paths {
		before, _, _ := reading.DB.Replica()
		r := kit.Request{Method: "GET", Path: path}
		want, got := plain.Send(r), reading.Send(r)
		if got.Status != want.Status || !bytes.Equal(got.Raw, want.Raw) || got.Header.Get("ETag") != want.Header.Get("ETag") {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if s, _, _ := reading.DB.Replica(); s.Reads == before.Reads && !constant[path] {
			t.Errorf("%s: %d, not read from the replica", path, got.Status)
		}
	}
	if s, _, _ := reading.DB.Replica(); s.Behind+s.Failed+s.Closed+s.Other != 0 {
		t.Errorf("%+v", s)
	}
}

// While the standby lags, writes are visible immediately, with and without credentials, because such reads bypass it.
func TestReplicaIsNoExcuse(t *testing.T) {
	t.Parallel()
	_, k, standby := onStandby(t)
	id := k.Event(map[string]any{"title": "Before"})
	standby.Follow()
	shows := func(path, as, title string, headers map[string]string) {
		t.Helper()
		a := k.Send(kit.Request{Method: "GET", Path: path, As: as, Headers: headers}).Want(t, 200, "")
		if !bytes.Contains(a.Raw, []byte(title)) {
			t.Errorf("%s as %q: no %q in %s", path, as, title, a)
		}
	}
	shows("/events", "", "Before", nil)
	noCache := map[string]string{"Cache-Control": "no-cache"}
	before, _, _ := k.DB.Replica()
	shows(kit.Item("events", id), "", "Before", noCache)
	shows(kit.Item("events", id), "editor", "Before", nil)
	if s, _, _ := k.DB.Replica(); before.Reads == 0 || s.Reads != before.Reads {
		t.Errorf("%+v, before %+v", s, before)
	}
	standby.Hold()
	for _, title := range []string{"After", "Later"} {
		k.Patch(kit.Item("events", id), "editor", kit.Object{"title": title}).Want(t, 200, "")
		for _, path := range []string{"/events", kit.Item("events", id), "//events", "/events?search=" + title} {
			shows(path, "", title, nil)
			shows(path, "", title, noCache)
		}
	}
	k.Del(kit.Item("events", id)+"?force=true", "editor").Want(t, 200, "")
	k.Get(kit.Item("events", id), "").Want(t, 404, "rest-event-not-found")
	if s, _, _ := k.DB.Replica(); s.Reads != before.Reads || s.Behind == 0 {
		t.Errorf("held: %+v, before %+v", s, before)
	}
	standby.Release()
}

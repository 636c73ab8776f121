package server_test

import (
	"fmt"
	"maps"
	"net/url"
	"sync"
	"testing"
	"time"
)

// everywhere runs do n times on each of two nodes, all at once.
func everywhere(n int, nodes [2]*browser, do func(b *browser)) {
	var all sync.WaitGroup
	for _, b := range nodes {
		for range n {
			one := &browser{k: b.k, host: b.host, cookies: map[string]string{}}
			maps.Copy(one.cookies, nodes[0].cookies)
			all.Go(func() { do(one) })
		}
	}
	all.Wait()
}

func TestAdminSignInIsThrottledOnAllNodes(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.tries = time.Now()
	k.password("editor")
	var mu sync.Mutex
	statuses := map[int]int{}
	everywhere(6, [2]*browser{k.browser(), k.twin().browser()}, func(b *browser) {
		p := b.signIn("editor", "wrong")
		mu.Lock()
		defer mu.Unlock()
		statuses[p.Status]++
	})
	if statuses[422] != 5 || statuses[429] != 7 {
		t.Errorf("twelve wrong ones at once: %v", statuses)
	}
	if p := k.twin().browser().signIn("editor", adminPassword); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("the right one on a third node: %d", p.Status)
	}
	if got := k.peek("demo", "SELECT string_agg(DISTINCT octet_length(id)::text, ' ') FROM attempts"); got != "32" {
		t.Errorf("who tried is kept as %s bytes", got)
	}
}

func TestAdminFormsMakeOneThingOnAllNodes(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	b.get("/admin/venues/new")
	var mu sync.Mutex
	made := map[string]int{}
	everywhere(5, [2]*browser{b, k.twin().browser()}, func(b *browser) {
		p := b.post("/admin/venues/new", url.Values{"once": {"the same"}, "venue": {"Hall"}, "status": {"publish"}, "do": {"save"}})
		mu.Lock()
		defer mu.Unlock()
		made[fmt.Sprint(p.Status, " ", p.Header.Get("Location"))]++
	})
	if len(made) != 1 {
		t.Errorf("one form leads to %v", made)
	}
	for what := range made {
		var id int64
		if _, err := fmt.Sscanf(what, "303 /admin/venues/%d", &id); err != nil || id == 0 {
			t.Errorf("it leads to %q", what)
		}
	}
	if n := k.peek("demo", "SELECT count(*)::text FROM venues"); n != "1" {
		t.Errorf("%s venues", n)
	}
	wrong := url.Values{"once": {"mended"}, "venue": {""}, "do": {"save"}}
	if p := b.post("/admin/venues/new", wrong); p.Status != 422 {
		t.Errorf("a wrong one: %d", p.Status)
	}
	wrong.Set("venue", "Mended")
	if p := b.post("/admin/venues/new", wrong); p.Status != 303 {
		t.Errorf("mended: %d", p.Status)
	}
}

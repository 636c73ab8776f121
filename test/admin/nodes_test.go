package admin

import (
	"fmt"
	"maps"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// everywhere runs do n times on each of two nodes, all at once.
func everywhere(n int, nodes [2]*kit.Browser, do func(b *kit.Browser)) {
	var all sync.WaitGroup
	for _, b := range nodes {
		for range n {
			one := &kit.Browser{K: b.K, Host: b.Host, Cookies: map[string]string{}}
			maps.Copy(one.Cookies, nodes[0].Cookies)
			all.Go(func() { do(one) })
		}
	}
	all.Wait()
}

func TestAdminSignInIsThrottledOnAllNodes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Tries = time.Now()
	k.Password("editor")
	var mu sync.Mutex
	statuses := map[int]int{}
	everywhere(6, [2]*kit.Browser{k.Browser(), k.SecondNode().Browser()}, func(b *kit.Browser) {
		p := b.SignIn("editor", "wrong")
		mu.Lock()
		defer mu.Unlock()
		statuses[p.Status]++
	})
	if statuses[422] != 5 || statuses[429] != 7 {
		t.Errorf("twelve wrong ones at once: %v", statuses)
	}
	if p := k.SecondNode().Browser().SignIn("editor", kit.AdminPassword); p.Status != 429 || p.Header.Get("Retry-After") == "" {
		t.Errorf("the right one on a third node: %d", p.Status)
	}
	if got := k.Peek("demo", "SELECT string_agg(DISTINCT octet_length(id)::text, ' ') FROM attempts"); got != "32" {
		t.Errorf("who tried is kept as %s bytes", got)
	}
}

func TestAdminFormsMakeOneThingOnAllNodes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/venues/new")
	var mu sync.Mutex
	made := map[string]int{}
	everywhere(5, [2]*kit.Browser{b, k.SecondNode().Browser()}, func(b *kit.Browser) {
		p := b.Post("/admin/venues/new", url.Values{"once": {"the same"}, "venue": {"Hall"}, "status": {"publish"}, "do": {"save"}})
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
	if n := k.Peek("demo", "SELECT count(*)::text FROM venues"); n != "1" {
		t.Errorf("%s venues", n)
	}
	wrong := url.Values{"once": {"mended"}, "venue": {""}, "do": {"save"}}
	if p := b.Post("/admin/venues/new", wrong); p.Status != 422 {
		t.Errorf("a wrong one: %d", p.Status)
	}
	wrong.Set("venue", "Mended")
	if p := b.Post("/admin/venues/new", wrong); p.Status != 303 {
		t.Errorf("mended: %d", p.Status)
	}
}

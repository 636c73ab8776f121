package rest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestChangesBesideWriters has followers of every role and several filters follow, on two nodes, what writers do to events, series,
// venues and categories all at once. When the writers are done, each follower has exactly what a list with its filter shows, was told
// of nothing twice in a chain, and of no draft that it never could see.
func TestChangesBesideWriters(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	other := k.SecondNode()
	other.Clock = k.Clock
	nodes := []*kit.Kit{k, other}
	w := newWorld(k)
	var followers []*follower
	for i, role := range []string{"", "subscriber", "contributor", "author", "editor", "administrator"} {
		for j, filter := range []string{"types=event", fmt.Sprintf("categories=%d", w.categories[0]), "search=jazz", "featured=true",
			fmt.Sprintf("venue=%d", w.venues[0])} {
			f := following(nodes[(i+j)%2], role, filter)
			followers = append(followers, f)
		}
	}
	done := make(chan struct{})
	var writers, readers sync.WaitGroup
	for i := range 6 {
		writers.Go(func() { w.write(nodes[i%2], rand.New(rand.NewPCG(uint64(i), 18)), 25) })
	}
	for _, f := range followers {
		readers.Go(func() {
			for {
				f.catchUp()
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	for _, f := range followers {
		f.catchUp()
		want := f.listed()
		if got := slices.Sorted(maps.Keys(f.objects)); !slices.Equal(got, want) {
			t.Errorf("%q with %q has\n%v\nlisted are\n%v", f.as, f.filter, got, want)
		}
		for name, object := range f.objects {
			now := f.k.Get("/events/"+strings.TrimPrefix(name, "event "), f.as).Want(t, 200, "")
			if object["title"] != now.Body["title"] || object["status"] != now.Body["status"] {
				t.Errorf("%q with %q has of %s %v, it is %v", f.as, f.filter, name, object["title"], now.Body["title"])
			}
		}
		if f.wants("nothing new"); f.as == "" {
			f.neverToldOf(w)
		}
	}
}

// listed returns what a list with the follower's filter shows, series by their own id.
func (f *follower) listed() []string {
	seen := map[string]bool{}
	for page := 1; ; page++ {
		path := fmt.Sprintf("/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&page=%d&%s", page, f.filter)
		a := f.k.Get(path, f.as).Want(f.k.T, 200, "")
		for _, one := range kit.ListOf(a.At("events")) {
			event := one.(map[string]any)
			id := event["id"]
			if series, ok := event["series"].(map[string]any); ok && series["id"] != nil {
				id = series["id"]
			}
			seen[fmt.Sprintf("event %v", id)] = true
		}
		if float64(page) >= a.At("total_pages").(float64) {
			return slices.Sorted(maps.Keys(seen))
		}
	}
}

// neverToldOf fails the test if the follower was told of something that was never public.
func (f *follower) neverToldOf(w *world) {
	for id := range w.secret {
		if f.ever[fmt.Sprintf("event %d", id)] {
			f.k.T.Errorf("the public with %q was told of draft %d", f.filter, id)
		}
	}
}

// world is what writers write to.
type world struct {
	categories, venues []int64

	mu     sync.Mutex
	events []int64
	secret map[int64]bool // drafts that were never public
}

func newWorld(k *kit.Kit) *world {
	w := &world{secret: map[int64]bool{}}
	for _, name := range []string{"Music", "Sport", "Talks"} {
		w.categories = append(w.categories, k.Post("/categories", "editor", kit.Object{"name": name}).Want(k.T, 201, "").ID())
	}
	for _, name := range []string{"Hall", "Park"} {
		w.venues = append(w.venues, k.Post("/venues", "editor", kit.Object{"venue": name}).Want(k.T, 201, "").ID())
	}
	for i := range 12 {
		w.events = append(w.events, k.Event(kit.Object{"title": fmt.Sprintf("Jazz %d", i), "categories": w.categories[:1], "venue": w.venues[0]}))
	}
	return w
}

// pick returns one of the events; several writers may take the same.
func (w *world) pick(by *rand.Rand) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events[by.IntN(len(w.events))]
}

func (w *world) add(id int64, secret bool) {
	if id == 0 {
		return // refused, as another writer took away what it names
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if secret {
		w.secret[id] = true
	} else {
		w.events = append(w.events, id)
	}
}

// write does so many things by chance. What others took away meanwhile is refused, which is fine.
func (w *world) write(k *kit.Kit, by *rand.Rand, times int) {
	title := func() string { return []string{"Jazz", "Blues", "Chess"}[by.IntN(3)] + fmt.Sprint(by.IntN(1000)) }
	for range times {
		path := kit.Item("events", w.pick(by))
		switch by.IntN(14) {
		case 0, 1:
			w.add(k.Post("/events", "editor", kit.Times(kit.Object{"title": title(), "categories": []int64{w.categories[by.IntN(3)]}})).ID(), false)
		case 2:
			draft := k.Post("/events", "editor", kit.Times(kit.Object{"title": title(), "status": "draft"})).ID()
			w.add(draft, true)
			k.Patch(kit.Item("events", draft), "editor", kit.Object{"title": title()})
		case 3:
			w.add(k.Post("/events", "editor", kit.Times(kit.Object{"title": title(), "featured": true,
				"recurrence": kit.Object{"every": "week", "count": 4}})).ID(), false)
		case 4, 5:
			k.Patch(path, "editor", kit.Object{"title": title()})
		case 6:
			k.Patch(path, "editor", kit.Object{"categories": []int64{w.categories[by.IntN(3)]}, "venue": w.venues[by.IntN(2)]})
		case 7:
			k.Patch(path, "editor", kit.Object{"status": []string{"draft", "publish", "private", "pending"}[by.IntN(4)]})
		case 8:
			k.Patch(path, "editor", kit.Object{"hide_from_listings": by.IntN(2) == 0})
		case 9:
			k.Del(path, "editor")
		case 10:
			k.Patch(path, "editor", kit.Object{"status": "publish"}) // back from the trash
		case 11:
			k.Del(path+"?force=true", "editor")
		case 12:
			k.Patch(kit.Item("categories", w.categories[1]), "editor", kit.Object{"parent": []int64{0, w.categories[0]}[by.IntN(2)]})
		case 13:
			k.Patch(kit.Item("venues", w.venues[0]), "editor", kit.Object{"venue": "Hall " + title()})
		}
	}
}

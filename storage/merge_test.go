package storage_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// happens makes a published event linked to these places, in this order.
func (p placeTest[T]) happens(ids ...int64) (int64, error) {
	e := &calendar.Event{Post: newPost(""), Title: "E", Timezone: "UTC", Start: noon, End: noon, StartUTC: noon, EndUTC: noon}
	of := calendar.EventLinks{}
	if p.kind == "venue" {
		of.Venues = &[]calendar.Link[calendar.Venue]{}
		for _, id := range ids {
			*of.Venues = append(*of.Venues, calendar.Link[calendar.Venue]{ID: id})
		}
	} else {
		of.Organizers = &[]calendar.Link[calendar.Organizer]{}
		for _, id := range ids {
			*of.Organizers = append(*of.Organizers, calendar.Link[calendar.Organizer]{ID: id})
		}
	}
	err := p.db.Events().Create(p.ctx, e, of)
	return e.ID, err
}

// linkedTo returns the links of an event as its table and as its row have them.
func (p placeTest[T]) linkedTo(event int64) string {
	p.Helper()
	return strings.Join(p.texts(fmt.Sprintf(`
		SELECT array_agg(x.%[1]s_id ORDER BY x.position)::text || ' ' || e.%[1]s_ids::text || ' ' || e.version
		FROM events e
		JOIN event_%[1]ss x ON x.site_id = e.site_id AND x.event_id = e.id
		WHERE e.id = $1
		GROUP BY e.%[1]s_ids, e.version`, p.kind), event), "")
}

func same[T any](*T, []*T) error { return nil }

func TestMergePlaces(t *testing.T) {
	both(t, mergesPlaces[calendar.Venue], mergesPlaces[calendar.Organizer])
}

func mergesPlaces[T any](p placeTest[T]) {
	ids := []int64{p.id("keep"), p.id("b"), p.id("c"), p.id("d")}
	keep, b, c, d := ids[0], ids[1], ids[2], ids[3]
	events := map[string][]int64{"alone": {b}, "first": {b, d, keep}, "last": {keep, d, c}, "two": {d, b, c}, "none": {d}, "has": {keep}}
	made := map[string]int64{}
	for name, links := range events {
		id, err := p.happens(links...)
		p.must(err)
		made[name] = id
	}
	each, together, err := p.Linked(p.ctx, []int64{b, c})
	p.must(err)
	p.equal("linked", []any{each, together}, []any{map[int64]int{b: 3, c: 2}, 4})

	version := p.version.Load() + 1
	got, moved, err := p.Merge(p.ctx, keep, []int64{b, c}, func(one *T, others []*T) error {
		name, _, phone := p.fields(one)
		other, _, _ := p.fields(others[1])
		*phone = *name + *other
		return nil
	})
	p.must(err)
	_, _, phone := p.fields(got)
	p.equal("moved", []any{moved, *phone, p.post(got).Version}, []any{4, "keepc", version})
	stored, err := p.Get(p.ctx, calendar.Key{ID: keep})
	p.must(err)
	p.equal("stored", stored, got)
	for name, want := range map[string][]int64{"alone": {keep}, "first": {keep, d}, "last": {keep, d}, "two": {d, keep}} {
		list := strings.ReplaceAll(strings.Trim(fmt.Sprint(want), "[]"), " ", ",")
		p.equal(name, p.linkedTo(made[name]), fmt.Sprintf("{%s} {%s} %d", list, list, version))
	}
	for _, name := range []string{"none", "has"} {
		if strings.HasSuffix(p.linkedTo(made[name]), fmt.Sprint(" ", version)) {
			p.Errorf("%s is touched", name)
		}
	}
	for _, id := range []int64{b, c} {
		_, err := p.Get(p.ctx, calendar.Key{ID: id})
		p.wants(err, calendar.ErrNotFound)
	}
	log := p.changes(p.kind)
	p.equal("changes", log[len(log)-3:], []string{fmt.Sprint(version, " update ", keep), fmt.Sprint(version, " delete ", b),
		fmt.Sprint(version, " delete ", c)})
	noted := p.texts(`SELECT id::text || (before -> $1)::text FROM changes WHERE kind = 'event' AND version = $2 AND id = $3`, p.kind, version, made["two"])
	if len(noted) != 1 || !strings.Contains(noted[0], fmt.Sprintf(`{"id": %d, "name": "b"}`, b)) {
		p.Errorf("the history of an event: %v", noted)
	}
}

func TestMergedSlugs(t *testing.T) {
	both(t, mergedSlugs[calendar.Venue], mergedSlugs[calendar.Organizer])
}

func mergedSlugs[T any](p placeTest[T]) {
	a, b, c := p.id("a"), p.id("b"), p.id("c")
	finds := func(what, slug string, want int64) {
		p.Helper()
		item, err := p.Get(p.ctx, calendar.Key{Slug: slug, Former: true})
		if want == 0 {
			p.wants(err, calendar.ErrNotFound)
			return
		}
		p.must(err)
		p.equal(what, p.post(item).ID, want)
	}
	rename := func(id int64, slug string) {
		_, err := p.Update(p.ctx, calendar.Key{ID: id}, func(item *T) error { p.post(item).Slug = slug; return nil })
		p.must(err)
	}
	rename(b, "b2")
	finds("renamed", "b", b)
	_, _, err := p.Merge(p.ctx, a, []int64{b}, same)
	p.must(err)
	finds("merged", "b2", a)
	finds("renamed and then merged", "b", a)
	_, _, err = p.Merge(p.ctx, c, []int64{a}, same)
	p.must(err)
	finds("merged twice", "b", c)
	_, err = p.Get(p.ctx, calendar.Key{Slug: "b"})
	p.wants(err, calendar.ErrNotFound)
	_, err = p.Update(p.ctx, calendar.Key{Slug: "b"}, func(*T) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	later := p.id("b")
	finds("who takes the slug", "b", later)
	rename(later, "elsewhere")
	finds("who had it last", "b", later)
	_, err = p.Delete(p.ctx, calendar.Key{ID: later}, func(*T) error { return nil })
	p.must(err)
	finds("gone", "b", 0)
	rename(c, "c2")
	_, err = p.Get(p.as(p.newSite("two"), 1), calendar.Key{Slug: "c", Former: true})
	p.wants(err, calendar.ErrNotFound)
}

func TestMergeRefused(t *testing.T) {
	both(t, mergeRefused[calendar.Venue], mergeRefused[calendar.Organizer])
}

func mergeRefused[T any](p placeTest[T]) {
	a, b := p.id("a"), p.id("b")
	event, err := p.happens(a, b)
	p.must(err)
	before, version := p.linkedTo(event), p.version.Load()
	foreign := p.as(p.newSite("two"), 1)
	for name, ids := range map[string][]int64{"gone": {a, 9999}, "keep is gone": {9999, a}, "an event": {a, event}} {
		if _, _, err := p.Merge(p.ctx, ids[0], ids[1:], same); err == nil {
			p.Errorf("%s: merged", name)
		}
	}
	_, _, err = p.Merge(foreign, a, []int64{b}, same)
	p.wants(err, calendar.ErrNotFound)
	_, _, err = p.Merge(p.ctx, a, []int64{b}, func(*T, []*T) error { return errStop })
	p.wants(err, errStop)
	p.equal("nothing has happened", []any{p.linkedTo(event), p.version.Load()}, []any{before, version})
}

// TestMergeAtOnce merges the same twice while events are made with the one
// that goes: every event there is in the end is linked to the one that stays.
func TestMergeAtOnce(t *testing.T) {
	both(t, mergesAtOnce[calendar.Venue], mergesAtOnce[calendar.Organizer])
}

func mergesAtOnce[T any](p placeTest[T]) {
	keep, gone := p.id("keep"), p.id("gone")
	var wg sync.WaitGroup
	var mu sync.Mutex
	var made []int64
	merged, refused := 0, 0
	for range 8 {
		wg.Go(func() {
			id, err := p.happens(gone)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made = append(made, id)
			} else {
				p.refuses(err, p.kind, "problem."+p.kind+".unknown")
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			_, _, err := p.Merge(p.ctx, keep, []int64{gone}, same)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				merged++
			} else {
				p.wants(err, calendar.ErrNotFound)
				refused++
			}
		})
	}
	wg.Wait()
	p.equal("one of the merges", []int{merged, refused}, []int{1, 1})
	for _, id := range made {
		if want := fmt.Sprintf("{%d} {%[1]d} ", keep); !strings.HasPrefix(p.linkedTo(id), want) {
			p.Errorf("event %d is linked to %s, want %s", id, p.linkedTo(id), want)
		}
	}
}

func TestTwins(t *testing.T) {
	both(t, findsTwins[calendar.Venue], findsTwins[calendar.Organizer])
}

func findsTwins[T any](p placeTest[T]) {
	p.add("Café Central")
	p.add("other")
	p.add("CAFE  central")
	p.add("cafe central", p.with(1, calendar.Trash, 0))
	twins := func(ctx context.Context) (names []string) {
		list, err := p.Twins(ctx)
		p.must(err)
		for _, one := range list {
			for _, m := range one.Items {
				names = append(names, m.Name)
			}
		}
		return names
	}
	p.equal("twins", twins(p.ctx), []string{"Café Central", "CAFE  central"})
	last := p.id("café CENTRAL")
	p.equal("with a new one", len(twins(p.ctx)), 3)
	_, err := p.Delete(p.ctx, calendar.Key{ID: last}, func(*T) error { return nil })
	p.must(err)
	p.equal("without it", len(twins(p.ctx)), 2)
	p.must(p.Apart(p.ctx, []int64{p.id("Zoo"), p.id("zoo")}))
	p.equal("told apart", len(twins(p.ctx)), 2)
	p.equal("of another site", len(twins(p.as(p.newSite("two"), 1))), 0)
}

// tagged makes an event that carries these terms.
func (p termTest) tagged(status calendar.Status, ids ...int64) int64 {
	p.Helper()
	post := newPost("")
	post.Status = status
	e := &calendar.Event{Post: post, Title: "E", Timezone: "UTC", Start: noon, End: noon, StartUTC: noon, EndUTC: noon}
	refs := args.Refs{}
	for _, id := range ids {
		refs = append(refs, args.Ref{ID: id})
	}
	p.must(p.db.Events().Create(p.ctx, e, calendar.EventLinks{Categories: &calendar.TermLinks{Refs: refs}}))
	return e.ID
}

func TestMergeTerms(t *testing.T) {
	p := newTermTest(t)
	keep, b, c, d := p.add("Keep", "keep", 0).ID, p.add("B", "b", 0).ID, p.add("C", "c", 0).ID, p.add("D", "d", 0).ID
	child := p.add("Child", "child", b).ID
	p.add("Deep", "deep", c)
	two, draft := p.tagged(calendar.Publish, b, c, d), p.tagged(calendar.Draft, b)
	p.tagged(calendar.Publish, keep, c)
	p.tagged(calendar.Publish, d)
	got, moved, err := p.Merge(p.ctx, keep, []int64{b, c}, func(one *calendar.Term, others []*calendar.Term) error {
		one.Description = others[0].Name + others[1].Name
		return nil
	})
	p.must(err)
	p.equal("moved", []any{moved, got.Count, got.Description}, []any{3, 2, "BC"})
	stored, err := p.Get(p.ctx, keep)
	p.must(err)
	p.equal("stored", stored, got)
	p.equal("children", p.paths(child)[child], "keep/child")
	links := func(id int64) string {
		return strings.Join(p.texts(`SELECT (SELECT array_agg(x.term_id ORDER BY x.term_id)::text FROM event_terms x WHERE x.site_id = e.site_id AND x.event_id = e.id)
			|| (SELECT array_agg(x ORDER BY x)::text FROM unnest(e.term_ids) x) FROM events e WHERE e.id = $1`, id), "")
	}
	p.equal("links", []string{links(two), links(draft)}, []string{fmt.Sprintf("{%d,%d}{%[1]d,%[2]d}", keep, d), fmt.Sprintf("{%d}{%[1]d}", keep)})
	former, err := p.Former(p.ctx, "c")
	p.must(err)
	p.equal("slug", former.ID, keep)
	_, err = p.tags.Former(p.ctx, "c")
	p.wants(err, calendar.ErrNotFound)
	_, _, err = p.Merge(p.ctx, keep, []int64{b}, func(*calendar.Term, []*calendar.Term) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	tag := &calendar.Term{Name: "Tag", Slug: "tag"}
	p.must(p.tags.Create(p.ctx, tag, false))
	_, _, err = p.Merge(p.ctx, keep, []int64{tag.ID}, func(*calendar.Term, []*calendar.Term) error { return nil })
	p.wants(err, calendar.ErrNotFound)
}

// TestMergeUpwards merges a category into one below it, and others of one line.
func TestMergeUpwards(t *testing.T) {
	p := newTermTest(t)
	top := p.add("Top", "top", 0).ID
	a := p.add("A", "a", top).ID
	b := p.add("B", "b", a).ID
	c := p.add("C", "c", b).ID
	keep := p.add("Keep", "keep", c).ID
	leaf := p.add("Leaf", "leaf", keep).ID
	_, _, err := p.Merge(p.ctx, keep, []int64{a, c}, func(*calendar.Term, []*calendar.Term) error { return nil })
	p.must(err)
	p.equal("paths", p.paths(top, b, keep, leaf), map[int64]string{top: "top", keep: "top/keep", b: "top/keep/b", leaf: "top/keep/leaf"})
	_, _, err = p.Merge(p.ctx, b, []int64{keep, top}, func(*calendar.Term, []*calendar.Term) error { return nil })
	p.must(err)
	p.equal("the whole line", p.paths(b, leaf), map[int64]string{b: "b", leaf: "b/leaf"})
}

// TestMergeMany merges a venue of ten thousand events.
func TestMergeMany(t *testing.T) {
	both(t, mergesMany[calendar.Venue], func(placeTest[calendar.Organizer]) {})
}

func mergesMany[T any](p placeTest[T]) {
	keep, gone := p.id("keep"), p.id("gone")
	p.exec(`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title,
			timezone, start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids)
		SELECT $1, n, 0, 1, 'publish', n::text, $3::timestamptz, true, $3, 'E', 'UTC', $4::timestamp, $4, $3, $3, 'e', ARRAY[$2::bigint], '{}', '{}'
		FROM generate_series(1001, 11000) n`, p.site, gone, noon, noon)
	p.exec(`INSERT INTO event_venues (site_id, event_id, venue_id, position) SELECT $1, n, $2, 1 FROM generate_series(1001, 11000) n`, p.site, gone)
	_, moved, err := p.Merge(p.ctx, keep, []int64{gone}, same)
	p.must(err)
	p.equal("moved", moved, 10_000)
	p.equal("linked", p.texts(`SELECT count(*)::text FROM events WHERE venue_ids = ARRAY[$1::bigint]`, keep), []string{"10000"})
	p.equal("noted", p.texts(`SELECT count(*)::text FROM changes WHERE kind = 'event'`), []string{"10000"})
}

// TestMergeIsSeen lists an event whose links are remembered before and after.
func TestMergeIsSeen(t *testing.T) {
	both(t, func(p placeTest[calendar.Venue]) {
		keep, gone := p.id("keep"), p.id("gone")
		_, err := p.happens(gone)
		p.must(err)
		seen := func() (list []int64) {
			page, err := p.db.Events().List(p.ctx, calendar.EventQuery{PerPage: 10})
			p.must(err)
			for _, v := range page.Items[0].Venues {
				list = append(list, v.ID)
			}
			return list
		}
		for range 2 {
			p.equal("before", seen(), []int64{gone})
		}
		_, _, err = p.Merge(p.ctx, keep, []int64{gone}, same)
		p.must(err)
		for range 2 {
			if got := seen(); !slices.Equal(got, []int64{keep}) {
				p.Errorf("after: %v", got)
			}
		}
	}, func(placeTest[calendar.Organizer]) {})
}

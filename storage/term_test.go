package storage_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// termTest is one test of the categories, with the tags beside.
type termTest struct {
	*placeBench
	calendar.TermStore
	tags calendar.TermStore
}

func newTermTest(t *testing.T) termTest {
	t.Helper()
	t.Parallel()
	b := newPlaceBench(t)
	return termTest{b, b.db.Terms(calendar.Categories), b.db.Terms(calendar.Tags)}
}

// add stores a category.
func (p termTest) add(name, slug string, parent int64) *calendar.Term {
	p.Helper()
	term := &calendar.Term{Name: name, Slug: slug, Parent: parent}
	p.must(p.Create(p.ctx, term, false))
	return term
}

// paths returns the categories' paths by id.
func (p termTest) paths(ids ...int64) map[int64]string {
	p.Helper()
	found := map[int64]string{}
	for _, id := range ids {
		term, err := p.Get(p.ctx, id)
		p.must(err)
		found[id] = term.Path
	}
	return found
}

func TestTermCreate(t *testing.T) {
	p := newTermTest(t)
	top := &calendar.Term{Name: "Ärzte", Slug: "aerzte", Description: "<b>d</b>"}
	p.must(p.Create(p.ctx, top, true))
	want := &calendar.Term{ID: 1, Version: 1, Taxonomy: calendar.Categories, Name: "Ärzte", Slug: "aerzte",
		Description: "<b>d</b>", Path: "aerzte"}
	p.equal("made", top, want)
	got, err := p.Get(p.ctx, 1)
	p.must(err)
	p.equal("stored", got, want)
	child := p.add("Child", "child", 1)
	p.equal("path", p.add("Grandchild", "g", child.ID).Path, "aerzte/child/g")
	p.equal("stored path", p.paths(3)[3], "aerzte/child/g")
	_, err = p.tags.Get(p.ctx, 1)
	p.wants(err, calendar.ErrNotFound)
	_, err = p.Get(p.as(p.newSite("two"), 1), 1)
	p.wants(err, calendar.ErrNotFound)
	tag := &calendar.Term{Name: "Ärzte", Slug: "aerzte"}
	p.must(p.tags.Create(p.ctx, tag, false))
	p.equal("a tag's slug", tag.Slug, "aerzte")
	p.equal("changes", append(p.changes("category"), p.changes("tag")...),
		[]string{"1 create 1", "2 create 2", "3 create 3", "4 create 4"})
	brought := &calendar.Term{ID: 20, Name: "Imported", Slug: "i"}
	p.must(p.Create(p.ctx, brought, false))
	p.equal("next id", p.add("Next", "n", 0).ID, int64(21))
}

func TestTermCreateRefused(t *testing.T) {
	p := newTermTest(t)
	top := p.add("Top", "top", 0)
	tag := &calendar.Term{Name: "Tag", Slug: "tag"}
	p.must(p.tags.Create(p.ctx, tag, false))
	for _, parent := range []int64{99, tag.ID} {
		refused := &calendar.Term{Name: "x", Slug: "x", Parent: parent}
		p.refuses(p.Create(p.ctx, refused, true), "parent", "problem.category.unknown")
		p.equal("the refused one's id", refused.ID, int64(0))
	}
	var exists *calendar.ExistsError
	if err := p.Create(p.ctx, &calendar.Term{Name: "TOP", Slug: "other"}, false); !errors.As(err, &exists) || exists.ID != top.ID {
		p.Errorf("the same name: %v", err)
	}
	if err := p.tags.Create(p.ctx, &calendar.Term{Name: "tAG", Slug: "other"}, false); !errors.As(err, &exists) || exists.ID != tag.ID {
		p.Errorf("the same name of a tag: %v", err)
	}
	p.equal("version", p.version.Load(), int64(2))
	p.must(p.Create(p.ctx, &calendar.Term{Name: "Top", Slug: "top-two"}, true))
}

func TestConcurrentTermSlugs(t *testing.T) {
	p := newTermTest(t)
	long := strings.Repeat("l", 199)
	for _, c := range []struct {
		name, slug string
		parent     int64
		own        bool
		want       string
	}{
		{"Alpha", "alpha", 0, false, "alpha"},
		{"Full", "full", 0, false, "full"},
		{"Alpha", "alpha", 2, false, "alpha-full"},
		{"Alpha!", "alpha", 2, false, "alpha-full-2"},
		{"Alpha", "alpha", 2, true, "alpha-2"},
		{"Gamma", "alpha", 0, true, "alpha-3"},
		{"Delta", "alpha-2", 0, true, "alpha-2-2"},
		{"?", "", 0, false, "8"},
		{"Long", long, 0, false, long},
		{"Long", long, 2, false, wording.SlugSuffix(long, 2)},
	} {
		term := &calendar.Term{Name: c.name, Slug: c.slug, Parent: c.parent}
		p.must(p.Create(p.ctx, term, c.own))
		p.equal(fmt.Sprintf("%+v", c), term.Slug, c.want)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := p.tags.Create(p.ctx, &calendar.Term{Name: "same", Slug: "same"}, true); err != nil {
				p.Error(err)
			}
		})
	}
	all.Wait()
	p.equal("made together", p.texts(`SELECT slug FROM terms WHERE taxonomy = 'tag' ORDER BY id`),
		[]string{"same", "same-2", "same-3", "same-4", "same-5", "same-6", "same-7", "same-8"})
}

func TestTermUpdate(t *testing.T) {
	p := newTermTest(t)
	top, other := p.add("Top", "top", 0), p.add("Other", "other", 0)
	child := p.add("Child", "child", top.ID)
	leaf := p.add("Leaf", "leaf", child.ID)
	p.exec(`UPDATE terms SET count = 4 WHERE site_id = $1`, p.site)
	set := func(id int64, change func(*calendar.Term)) (*calendar.Term, error) {
		return p.Update(p.ctx, id, func(t *calendar.Term) error { change(t); return nil })
	}
	got, err := set(child.ID, func(t *calendar.Term) { t.Name, t.Slug, t.Description, t.Parent = "Ünder", "under", "d", other.ID })
	p.must(err)
	p.equal("changed", got, &calendar.Term{ID: child.ID, Version: 5, Taxonomy: calendar.Categories, Name: "Ünder", Slug: "under",
		Description: "d", Parent: other.ID, Path: "other/under", Count: 4})
	p.equal("below", p.paths(leaf.ID)[leaf.ID], "other/under/leaf")
	_, err = set(child.ID, func(t *calendar.Term) { t.Slug = "top" })
	p.wants(err, calendar.ErrSlugTaken)
	for _, parent := range []int64{child.ID, leaf.ID} {
		_, err = set(child.ID, func(t *calendar.Term) { t.Parent = parent })
		p.refuses(err, "parent", "problem.parent.loop")
	}
	_, err = set(child.ID, func(t *calendar.Term) { t.Parent = 99 })
	p.refuses(err, "parent", "problem.category.unknown")
	_, err = p.Update(p.ctx, child.ID, func(t *calendar.Term) error { t.Name = "lost"; return errStop })
	p.wants(err, errStop)
	_, err = set(99, func(*calendar.Term) {})
	p.wants(err, calendar.ErrNotFound)
	_, err = p.tags.Update(p.ctx, child.ID, func(*calendar.Term) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	stored, err := p.Get(p.ctx, child.ID)
	p.must(err)
	p.equal("after refusals", stored, got)
	_, err = set(child.ID, func(t *calendar.Term) { t.Name, t.Parent = "Top", 0 })
	p.must(err)
	p.equal("on top", p.paths(child.ID, leaf.ID), map[int64]string{child.ID: "under", leaf.ID: "under/leaf"})
	p.equal("changes", p.changes("category")[4:], []string{"5 update 3", "6 update 3"})
}

func TestTermDelete(t *testing.T) {
	p := newTermTest(t)
	top := p.add("Top", "top", 0)
	middle := p.add("Middle", "middle", top.ID)
	a, b := p.add("A", "a", middle.ID), p.add("B", "b", middle.ID)
	leaf := p.add("Leaf", "leaf", a.ID)
	event := p.event(50, calendar.Publish, 1, 0)
	p.exec(`INSERT INTO event_terms (site_id, event_id, term_id) VALUES ($1, $2, $3)`, p.site, event, middle.ID)
	_, err := p.Delete(p.ctx, middle.ID, func(*calendar.Term) error { return errStop })
	p.wants(err, errStop)
	_, err = p.tags.Delete(p.ctx, middle.ID, func(*calendar.Term) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	last, err := p.Delete(p.ctx, middle.ID, func(*calendar.Term) error { return nil })
	p.must(err)
	p.equal("last state", last, middle)
	_, err = p.Get(p.ctx, middle.ID)
	p.wants(err, calendar.ErrNotFound)
	p.equal("moved up", p.paths(a.ID, b.ID, leaf.ID),
		map[int64]string{a.ID: "top/a", b.ID: "top/b", leaf.ID: "top/a/leaf"})
	p.equal("links", p.texts(`SELECT 'linked' FROM event_terms`), []string{})
	p.equal("changes", p.changes("category")[5:], []string{"6 delete 2", "6 update 3", "6 update 4"})
	_, err = p.Delete(p.ctx, top.ID, func(*calendar.Term) error { return nil })
	p.must(err)
	p.equal("on top", p.paths(a.ID, leaf.ID), map[int64]string{a.ID: "a", leaf.ID: "a/leaf"})
}

func TestTermColor(t *testing.T) {
	p := newTermTest(t)
	term := &calendar.Term{Name: "Music", Slug: "music", Color: "#a1b2c3"}
	p.must(p.Create(p.ctx, term, false))
	got, err := p.Get(p.ctx, term.ID)
	p.must(err)
	p.equal("stored", got.Color, "#a1b2c3")
	page, err := p.List(p.ctx, calendar.TermQuery{PerPage: 10})
	p.must(err)
	p.equal("listed", page.Items[0].Color, "#a1b2c3")
	event := &calendar.Event{Post: newPost("e"), Title: "E", Timezone: "UTC", Start: noon, End: noon, StartUTC: noon, EndUTC: noon}
	p.must(p.db.Events().Create(p.ctx, event, calendar.EventLinks{Categories: &calendar.TermLinks{Refs: args.Refs{{ID: term.ID}}}}))
	e, err := p.db.Events().Get(p.ctx, calendar.Key{ID: event.ID})
	p.must(err)
	p.equal("in an event", e.Categories[0].Color, "#a1b2c3")
	_, err = p.Update(p.ctx, term.ID, func(c *calendar.Term) error { c.Color = ""; return nil })
	p.must(err)
	got, err = p.Get(p.ctx, term.ID)
	p.must(err)
	p.equal("taken away", got.Color, "")
	for _, wrong := range []string{"red", "#ABCDEF", "#12345"} {
		_, err = p.Update(p.ctx, term.ID, func(c *calendar.Term) error { c.Color = wrong; return nil })
		p.refuses(err, "color", "problem.color")
	}
	p.refuses(p.tags.Create(p.ctx, &calendar.Term{Name: "T", Slug: "t", Color: "#a1b2c3"}, false), "color", "problem.color")
}

package storage_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
)

var errStop = errors.New("stop")

func TestPlaceCreate(t *testing.T) {
	both(t, placeCreate[calendar.Venue], placeCreate[calendar.Organizer])
}

func placeCreate[T any](p placeTest[T]) {
	item := *p.full
	p.post(&item).Image = &calendar.Image{Key: "k", File: "a.png", MIME: "image/png", Extension: "png", Width: 2, Height: 3,
		Bytes: 4, Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "b.png", Width: 1, Height: 1}}, Author: 1, Created: noon}
	made, err := p.Create(p.ctx, calendar.Link[T]{New: &item})
	p.must(err)
	if made != &item || p.post(made).ID == 0 || p.post(made).Image.ID == 0 || p.post(made).Version != 1 || p.version.Load() != 1 {
		p.Errorf("made %+v", p.post(made))
	}
	for _, key := range []calendar.Key{{ID: p.post(made).ID}, {Slug: "full"}, {ID: p.post(made).ID, Slug: "other"}} {
		got, err := p.Get(p.ctx, key)
		p.must(err)
		p.equal(fmt.Sprint("get ", key), got, made)
	}
	for _, key := range []calendar.Key{{ID: 99}, {Slug: "Full"}, {ID: 99, Slug: "full"}, {}} {
		_, err := p.Get(p.ctx, key)
		p.wants(err, calendar.ErrNotFound)
	}
	_, err = p.Get(p.as(p.newSite("two"), 1), calendar.Key{Slug: "full"})
	p.wants(err, calendar.ErrNotFound)
	p.equal("changes", p.changes(p.kind), []string{fmt.Sprint("1 create ", p.post(made).ID)})
}

func TestPlaceCreateRefused(t *testing.T) {
	both(t, placeCreateRefused[calendar.Venue], placeCreateRefused[calendar.Organizer])
}

func placeCreateRefused[T any](p placeTest[T]) {
	picture := &calendar.Image{Key: "k", Created: noon}
	item := p.named("refused")
	p.post(item).Image, p.post(item).Author = picture, 77
	_, err := p.Create(p.ctx, calendar.Link[T]{New: item})
	p.refuses(err, "author", "problem.author")
	if p.post(item).ID != 0 || picture.ID != 0 {
		p.Error("the refused item or its picture has an id")
	}
	p.equal("pictures", p.texts(`SELECT key FROM images`), []string{})
	p.post(item).Author, p.post(item).Image = 1, &calendar.Image{ID: 5}
	_, err = p.Create(p.ctx, calendar.Link[T]{New: item})
	p.refuses(err, "image", "problem.image.unknown")
	p.equal("version", p.version.Load(), int64(0))
}

func TestPlaceSame(t *testing.T) {
	both(t, placeSame[calendar.Venue], placeSame[calendar.Organizer])
}

func placeSame[T any](p placeTest[T]) {
	p.add("Hall", func(item *T) { p.post(item).Slug = "hall" })
	second := p.id("HALL", func(item *T) { p.post(item).Slug = "hall" })
	p.add("Hall 2")
	version := p.version.Load()
	asked := 0
	same := func(existing *T) bool { asked++; return p.post(existing).ID == second }
	item := p.named("hall")
	got, err := p.Create(p.ctx, calendar.Link[T]{New: item, Same: same})
	p.must(err)
	if p.post(got).ID != second || p.post(item).ID != 0 || asked != 2 || p.version.Load() != version {
		p.Errorf("found %d asking %d, version %d", p.post(got).ID, asked, p.version.Load())
	}
	got, err = p.Create(p.ctx, calendar.Link[T]{New: item, Same: func(*T) bool { return false }})
	p.must(err)
	p.equal("slug", p.post(got).Slug, "hall-3")
	p.equal("link.New", got, item)
}

func TestPlaceSlugs(t *testing.T) {
	both(t, placeSlugs[calendar.Venue], placeSlugs[calendar.Organizer])
}

func placeSlugs[T any](p placeTest[T]) {
	long := strings.Repeat("%e3%81%82", 22) // 198 bytes
	for _, c := range []struct{ base, want string }{
		{"a", "a"}, {"a", "a-2"}, {"a", "a-3"}, {"a-2", "a-2-2"}, {"a-2", "a-2-3"}, {"", "6"}, {"7", "7"}, {"", "8"}, {"9", "9"},
		{"11", "11"}, {"", "11-2"}, {"%e3%81%82", "%e3%81%82"}, {"%e3%81%82", "%e3%81%82-2"},
		{long, long}, {long, wording.SlugSuffix(long, 2)},
	} {
		made := p.add("x", func(item *T) { p.post(item).Slug = c.base })
		p.equal(fmt.Sprintf("slug of %d from %q", p.post(made).ID, c.base), p.post(made).Slug, c.want)
	}
}

func TestPlaceSlugsTogether(t *testing.T) {
	both(t, placeSlugsTogether[calendar.Venue], placeSlugsTogether[calendar.Organizer])
}

func placeSlugsTogether[T any](p placeTest[T]) {
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if _, err := p.Create(p.ctx, calendar.Link[T]{New: p.named("same")}); err != nil {
				p.Error(err)
			}
		})
	}
	all.Wait()
	want := []string{"same"}
	for n := 2; n <= 12; n++ {
		want = append(want, fmt.Sprint("same-", n))
	}
	p.equal("slugs", p.texts(`SELECT slug FROM `+p.kind+`s ORDER BY id`), want)
	p.equal("version", p.version.Load(), int64(12))
}

func TestPlaceImportedID(t *testing.T) {
	both(t, placeImportedID[calendar.Venue], placeImportedID[calendar.Organizer])
}

func placeImportedID[T any](p placeTest[T]) {
	p.equal("brought", p.id("a", func(item *T) { p.post(item).ID = 40 }), int64(40))
	p.equal("lower", p.id("b", func(item *T) { p.post(item).ID = 7 }), int64(7))
	p.equal("next", p.id("c"), int64(41))
}

func TestPlaceUpdate(t *testing.T) {
	both(t, placeUpdate[calendar.Venue], placeUpdate[calendar.Organizer])
}

func placeUpdate[T any](p placeTest[T]) {
	p.add("taken")
	id := p.id("place")
	later := noon.Add(time.Hour)
	got, err := p.Update(p.ctx, calendar.Key{Slug: "place"}, func(item *T) error {
		name, description, phone := p.fields(item)
		*name, *description, *phone = "New", "d", "5"
		post := p.post(item)
		post.Slug, post.Author, post.Status, post.Dated, post.Modified = "taken", 2, calendar.Draft, false, later
		post.Image = &calendar.Image{Key: "k", Created: noon}
		return nil
	})
	p.must(err)
	stored, err := p.Get(p.ctx, calendar.Key{ID: id})
	p.must(err)
	p.post(got).Image.Sizes = p.post(stored).Image.Sizes
	p.equal("stored", got, stored)
	post := p.post(stored)
	if post.Slug != "taken-2" || post.Version != 3 || post.Author != 2 || !post.Modified.Equal(later) || post.Image.Key != "k" {
		p.Errorf("stored %+v", post)
	}
	_, err = p.Update(p.ctx, calendar.Key{ID: id}, func(item *T) error { p.post(item).Slug = "lost"; return errStop })
	p.wants(err, errStop)
	_, err = p.Update(p.ctx, calendar.Key{ID: id}, func(item *T) error {
		p.post(item).Image = &calendar.Image{Key: "rolled back", Created: noon}
		p.post(item).Author = 77
		return nil
	})
	p.refuses(err, "author", "problem.author")
	_, err = p.Update(p.ctx, calendar.Key{ID: 99}, func(*T) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	again, err := p.Get(p.ctx, calendar.Key{ID: id})
	p.must(err)
	p.equal("after refusals", again, stored)
	p.equal("pictures", p.texts(`SELECT key FROM images`), []string{"k"})
	_, err = p.Update(p.ctx, calendar.Key{ID: id}, func(item *T) error { p.post(item).Image = nil; return nil })
	p.must(err)
	again, err = p.Get(p.ctx, calendar.Key{ID: id})
	p.must(err)
	p.equal("no picture", p.post(again).Image, (*calendar.Image)(nil))
}

func TestPlaceLife(t *testing.T) {
	both(t, placeLife[calendar.Venue], placeLife[calendar.Organizer])
}

func placeLife[T any](p placeTest[T]) {
	due := func() []string {
		return p.texts(`SELECT kind || ' ' || id || ' ' || (due_at AT TIME ZONE 'UTC') FROM schedule`)
	}
	id := p.id("x", p.with(1, calendar.Future, 1))
	p.equal("scheduled", due(), []string{p.kind + " 1 2027-03-02 12:00:00"})
	set := func(status calendar.Status, slug string, days int) *calendar.Post {
		p.Helper()
		got, err := p.Update(p.ctx, calendar.Key{ID: id}, func(item *T) error {
			p.with(1, status, days)(item)
			p.post(item).Slug = slug
			return nil
		})
		p.must(err)
		return p.post(got)
	}
	set(calendar.Future, "x", 2)
	p.equal("moved", due(), []string{p.kind + " 1 2027-03-03 12:00:00"})
	set(calendar.Trash, "x__trashed", 2)
	p.equal("in the trash", due(), []string{})
	p.add("x")
	p.equal("restored", set(calendar.Future, "x", 3).Slug, "x-2")
	p.equal("scheduled again", due(), []string{p.kind + " 1 2027-03-04 12:00:00"})
	_, err := p.Delete(p.ctx, calendar.Key{ID: id}, func(*T) error { return nil })
	p.must(err)
	p.equal("deleted", due(), []string{})
	p.equal("changes", p.changes(p.kind),
		[]string{"1 create 1", "2 update 1", "3 trash 1", "4 create 2", "5 restore 1", "6 delete 1"})
}

func TestPlaceDelete(t *testing.T) {
	both(t, placeDelete[calendar.Venue], placeDelete[calendar.Organizer])
}

func placeDelete[T any](p placeTest[T]) {
	made := p.add("gone")
	id := p.post(made).ID
	p.link(p.event(50, calendar.Publish, 1, 0), id)
	_, err := p.Delete(p.ctx, calendar.Key{ID: id}, func(*T) error { return errStop })
	p.wants(err, errStop)
	got, err := p.Delete(p.ctx, calendar.Key{Slug: "gone"}, func(*T) error { return nil })
	p.must(err)
	p.equal("last state", got, made)
	p.equal("links", p.texts(`SELECT 'linked' FROM event_`+p.kind+`s`), []string{})
	p.equal("events", p.texts(`SELECT title FROM events`), []string{"An event"})
	_, err = p.Delete(p.ctx, calendar.Key{ID: id}, func(*T) error { return nil })
	p.wants(err, calendar.ErrNotFound)
}

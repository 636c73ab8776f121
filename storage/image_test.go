package storage_test

import (
	"testing"

	"github.com/kalends/kalends/calendar"
)

func TestImages(t *testing.T) {
	t.Parallel()
	p := newPlaceBench(t)
	images := p.db.Images()
	image := &calendar.Image{Key: "k", File: "a.png", MIME: "image/png", Extension: "png", Width: 2, Height: 3, Bytes: 4,
		Sizes: []calendar.ImageSize{{Name: "thumbnail", File: "b.png", MIME: "image/png", Width: 1, Height: 1, Bytes: 2}},
		Alt:   "alt", Source: "https://example.com/a.png", Author: 1, Created: noon}
	p.must(images.Create(p.ctx, image))
	if image.ID == 0 || image.Version != 1 {
		p.Errorf("made %+v", image)
	}
	p.must(images.Create(p.ctx, &calendar.Image{Key: "k2", Sizes: []calendar.ImageSize{}, Created: noon}))
	got, err := images.Get(p.ctx, image.ID)
	p.must(err)
	p.equal("by id", got, image)
	got, err = images.BySource(p.ctx, "https://example.com/a.png")
	p.must(err)
	p.equal("by source", got, image)
	got, err = images.ByKey(p.ctx, "k")
	p.must(err)
	p.equal("by key", got, image)

	_, err = images.Get(p.ctx, 99)
	p.wants(err, calendar.ErrNotFound)
	_, err = images.BySource(p.ctx, "")
	p.wants(err, calendar.ErrNotFound)
	_, err = images.ByKey(p.as(p.newSite("two"), 1), "k")
	p.wants(err, calendar.ErrNotFound)

	refused := &calendar.Image{Key: "k", Created: noon}
	if err := images.Create(p.ctx, refused); err == nil || refused.ID != 0 {
		p.Errorf("a second of one key: %v, id %d", err, refused.ID)
	}
}

func TestImageDelete(t *testing.T) {
	t.Parallel()
	p := newPlaceBench(t)
	images := p.db.Images()
	image := &calendar.Image{Key: "k", Sizes: []calendar.ImageSize{}, Created: noon}
	p.must(images.Create(p.ctx, image))
	v, err := p.db.Venues().Create(p.ctx, calendar.Link[calendar.Venue]{
		New: &calendar.Venue{Name: "v", Post: calendar.Post{Status: calendar.Publish, Image: &calendar.Image{ID: image.ID}}}})
	p.must(err)
	p.equal("the venue's picture", v.Image, image)
	_, err = images.Delete(p.ctx, image.ID, func(*calendar.Image) error { return errStop })
	p.wants(err, errStop)
	got, err := images.Delete(p.ctx, image.ID, func(*calendar.Image) error { return nil })
	p.must(err)
	p.equal("last state", got, image)
	v, err = p.db.Venues().Get(p.ctx, calendar.Key{ID: v.ID})
	p.must(err)
	p.equal("a venue without picture", v.Image, (*calendar.Image)(nil))
	_, err = images.Delete(p.ctx, image.ID, func(*calendar.Image) error { return nil })
	p.wants(err, calendar.ErrNotFound)
	p.equal("changes", p.changes("image"), []string{"1 create 1", "3 delete 1"})
}

func TestImageList(t *testing.T) {
	t.Parallel()
	p := newPlaceBench(t)
	images := p.db.Images()
	var ids []int64
	for _, one := range []calendar.Image{{Key: "k1", File: "Hall.png"}, {Key: "k2", File: "b.png", Alt: "The great HALL"}, {Key: "k3", File: "c.png"},
		{Key: "k4", File: "d_%.png"}} {
		one.Sizes, one.Created = []calendar.ImageSize{}, noon
		p.must(images.Create(p.ctx, &one))
		ids = append(ids, one.ID)
	}
	found := func(q calendar.ImageQuery) (list []int64) {
		if q.PerPage == 0 {
			q.PerPage = 10
		}
		page, err := images.List(p.ctx, q)
		p.must(err)
		for _, i := range page.Items {
			list = append(list, i.ID)
		}
		return list
	}
	p.equal("all, the newest first", found(calendar.ImageQuery{}), []int64{ids[3], ids[2], ids[1], ids[0]})
	p.equal("words", found(calendar.ImageQuery{Words: []string{"hall"}}), []int64{ids[1], ids[0]})
	p.equal("all of the words", found(calendar.ImageQuery{Words: []string{"hall", "great"}}), []int64{ids[1]})
	p.equal("no patterns", found(calendar.ImageQuery{Words: []string{"_%"}}), []int64{ids[3]})
	p.equal("the second page", found(calendar.ImageQuery{Page: 2, PerPage: 3}), []int64{ids[0]})
	_, err := images.List(p.ctx, calendar.ImageQuery{Page: 3, PerPage: 3})
	p.wants(err, calendar.ErrPage)
	page, err := images.List(p.as(p.newSite("two"), 1), calendar.ImageQuery{PerPage: 10})
	p.must(err)
	p.equal("of another site", page.Total, 0)

	p.event(100, calendar.Draft, 2, 0)
	p.exec(`UPDATE events SET image_id = $2, description = '<img src="/media/k3/c.png" />' WHERE site_id = $1`, p.site, ids[0])
	_, err = p.db.Venues().Create(p.ctx, calendar.Link[calendar.Venue]{New: &calendar.Venue{Name: "V", Post: calendar.Post{
		Status: calendar.Publish, Image: &calendar.Image{ID: ids[0]}}}})
	p.must(err)
	p.equal("unused", found(calendar.ImageQuery{Unused: true}), []int64{ids[3], ids[1]})
	uses, err := images.Uses(p.ctx, ids[0])
	p.must(err)
	p.equal("uses", len(uses), 2)
	p.equal("an event", []any{uses[0].Kind, uses[0].ID, uses[0].Author, uses[0].Text}, []any{"event", int64(100), int64(2), false})
	p.equal("a venue", []any{uses[1].Kind, uses[1].Name}, []any{"venue", "V"})
	uses, err = images.Uses(p.ctx, ids[2])
	p.must(err)
	p.equal("in a text", len(uses) == 1 && uses[0].Text, true)

	changed, err := images.Update(p.ctx, ids[2], func(i *calendar.Image) error { i.Alt = "new"; return nil })
	p.must(err)
	p.equal("changed", changed.Alt, "new")
	got, err := images.Get(p.ctx, ids[2])
	p.must(err)
	p.equal("stored", got, changed)
}

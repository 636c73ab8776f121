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

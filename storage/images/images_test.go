package images_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/test/sitetest"
)

// bench is a site and its images.
type bench struct {
	*sitetest.Site
	images calendar.ImageStore
}

// site is where one case takes place.
func site(t *testing.T, b *sitetest.Bench) bench {
	t.Helper()
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, strings.ToLower(t.Name()[strings.LastIndexByte(t.Name(), '/')+1:])), "-")
	return bench{b.Site(t, name), b.DB.Images()}
}

// add stores an image whose key is its file without the ending.
func (b bench) add(file string, with ...func(*calendar.Image)) *calendar.Image {
	b.Helper()
	i := &calendar.Image{Key: strings.TrimSuffix(file, ".png"), File: file, MIME: "image/png", Extension: "png", Created: sitetest.Noon,
		Sizes: []calendar.ImageSize{}}
	for _, change := range with {
		change(i)
	}
	b.Must(b.images.Create(b.Ctx, i))
	return i
}

func alt(text string) func(*calendar.Image) { return func(i *calendar.Image) { i.Alt = text } }

// found lists the files of the images that a query finds.
func (b bench) found(q calendar.ImageQuery) []string {
	b.Helper()
	if q.PerPage == 0 {
		q.PerPage = 50
	}
	page, err := b.images.List(b.Ctx, q)
	b.Must(err)
	list := []string{}
	for _, i := range page.Items {
		list = append(list, i.File)
	}
	if q.Page < 2 && len(list) < q.PerPage && page.Total != len(list) {
		b.Errorf("%d images, %d in all", len(list), page.Total)
	}
	return list
}

func words(text string) calendar.ImageQuery {
	return calendar.ImageQuery{Words: strings.Fields(wording.Fold(text))}
}

// Images are found by the words of their file names and alternative texts, written as all other searches read them.
func TestSearch(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t))
	b.add("straße.png")
	b.add("smørrebrød.png", alt("Œuvre d’art"))
	b.add("plakat.png", alt("Плакат\nКОНЦЕРТ"))
	b.add("hall.png", alt("हिन्दी नाटक"), func(i *calendar.Image) {
		i.Texts = sitetest.Texts("de", translations.Text{Title: "Große Halle"}, "ar", translations.Text{Title: "مُؤتَمَر"})
	})
	b.add("cafe_100%.png", alt("Café au lait"))
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"straße", []string{"straße.png"}},
		{"STRASSE", []string{"straße.png"}},
		{"smorrebrod", []string{"smørrebrød.png"}},
		{"smørrebrød oeuvre", []string{"smørrebrød.png"}},
		{"œuvre d'art", []string{"smørrebrød.png"}},
		{"ПЛАКАТ концерт", []string{"plakat.png"}},
		{"हिंदी", []string{"hall.png"}},
		{"grosse halle", []string{"hall.png"}},
		{"مؤتمر", []string{"hall.png"}},
		{"café", []string{"cafe_100%.png"}},
		{"cafe\u0301", []string{"cafe_100%.png"}},
		{"0%", []string{"cafe_100%.png"}},
		{"_", []string{"cafe_100%.png"}},
		{"png", []string{"cafe_100%.png", "hall.png", "plakat.png", "smørrebrød.png", "straße.png"}},
		{"hall cafe", []string{}},
		{"title", []string{}}, // nothing of how texts are stored
		{"", []string{"cafe_100%.png", "hall.png", "plakat.png", "smørrebrød.png", "straße.png"}},
	} {
		b.Equal(c.words, b.found(words(c.words)), c.want)
	}
}

// Pages of what is searched for follow one another, the newest image first, and each says how many there are in all.
func TestSearchPages(t *testing.T) {
	t.Parallel()
	of := sitetest.New(t)
	b := site(t, of)
	for n := range 5 {
		b.add(fmt.Sprintf("hall-%d.png", n))
		b.add(fmt.Sprintf("other-%d.png", n))
	}
	q := words("hall")
	for q.Page = 1; q.Page <= 3; q.Page++ {
		q.PerPage = 2
		page, err := b.images.List(b.Ctx, q)
		b.Must(err)
		b.Equal("in all", page.Total, 5)
		want := map[int][]string{1: {"hall-4.png", "hall-3.png"}, 2: {"hall-2.png", "hall-1.png"}, 3: {"hall-0.png"}}[q.Page]
		b.Equal(fmt.Sprint("page ", q.Page), b.found(q), want)
	}
	_, err := b.images.List(b.Ctx, q)
	b.Wants(err, calendar.ErrPage)
	q.Page, q.Words = 1, []string{"nowhere"}
	page, err := b.images.List(b.Ctx, q)
	b.Must(err)
	b.Equal("none", []int{page.Total, len(page.Items)}, []int{0, 0})
	other := bench{of.Site(t, "other"), b.images}
	b.Equal("of another site", other.found(words("hall")), []string{})
}

// An image is used, and never among the unused, wherever pages show it: as the image of an entry, in its texts in any language, on the
// site itself. What only resembles its address doesn't count.
func TestUnused(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	shows := func(key string) string { return `<p><img src="/media/` + key + `/x.png" alt="" /></p>` }
	german := func(text translations.Text) func(*calendar.Event) {
		return func(e *calendar.Event) { e.Texts = sitetest.Texts("de", text) }
	}
	for name, c := range map[string]struct {
		use  func(b bench, i *calendar.Image)
		uses []string // kind and name, and whether it is in a text
	}{
		"nowhere": {func(bench, *calendar.Image) {}, nil},
		"event": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Image = i })
		}, []string{"event E false"}},
		"trashed event": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Trash, calendar.EventLinks{}, func(e *calendar.Event) { e.Image = i })
		}, []string{"event E false"}},
		"description": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Draft, calendar.EventLinks{}, func(e *calendar.Event) { e.Description = shows(i.Key) })
		}, []string{"event E true"}},
		"excerpt": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Draft, calendar.EventLinks{}, func(e *calendar.Event) { e.Excerpt = shows(i.Key) })
		}, []string{"event E true"}},
		"german description": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, german(translations.Text{Title: "D", Description: shows(i.Key)}))
		}, []string{"event E true"}},
		"german excerpt": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, german(translations.Text{Excerpt: shows(i.Key)}))
		}, []string{"event E true"}},
		"image and text": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Image, e.Description = i, shows(i.Key) })
		}, []string{"event E false"}},
		"venue in german": {func(b bench, i *calendar.Image) {
			b.Venue("V", func(v *calendar.Venue) { v.Texts = sitetest.Texts("de", translations.Text{Description: shows(i.Key)}) })
		}, []string{"venue V true"}},
		"organizer in german": {func(b bench, i *calendar.Image) {
			o := &calendar.Organizer{Post: sitetest.Post("", calendar.Publish), Name: "O"}
			o.Texts = sitetest.Texts("de", translations.Text{Description: shows(i.Key)})
			_, err := b.DB.Organizers().Create(b.Ctx, calendar.Link[calendar.Organizer]{New: o})
			b.Must(err)
		}, []string{"organizer O true"}},
		"category": {func(b bench, i *calendar.Image) {
			b.Must(b.DB.Terms(calendar.Categories).Create(b.Ctx, &calendar.Term{Name: "C", Slug: "c", Description: shows(i.Key)}, true))
		}, []string{"category C true"}},
		"tag in german": {func(b bench, i *calendar.Image) {
			t := &calendar.Term{Name: "T", Slug: "t"}
			t.Texts = sitetest.Texts("de", translations.Text{Description: shows(i.Key)})
			b.Must(b.DB.Terms(calendar.Tags).Create(b.Ctx, t, true))
		}, []string{"tag T true"}},
		"key begins alike": {func(b bench, _ *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Description = shows("pict") + shows("pictures") })
		}, nil},
		"word in a text": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Description = "<p>media/" + i.Key + "</p>" })
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := site(t, all)
			i := b.add("picture.png")
			c.use(b, i)
			unused := []string{}
			if c.uses == nil {
				unused = append(unused, "picture.png")
			}
			b.Equal("unused", b.found(calendar.ImageQuery{Unused: true}), unused)
			uses, err := b.images.Uses(b.Ctx, i.ID)
			b.Must(err)
			list := []string{}
			for _, u := range uses {
				list = append(list, fmt.Sprint(u.Kind, " ", u.Name, " ", u.Text))
			}
			b.Equal("uses", list, append([]string{}, c.uses...))
		})
	}
	t.Run("logo", func(t *testing.T) {
		b := site(t, all)
		logo, header, rest := b.add("logo.png"), b.add("header.png"), b.add("rest.png")
		b.Exec(`UPDATE sites SET logo = '/media/logo/logo.png', header = 'https://example.org/media/header/h.png' WHERE id = $1`, b.ID)
		b.Equal("unused", b.found(calendar.ImageQuery{Unused: true}), []string{"rest.png"})
		q := words("png")
		q.Unused = true
		b.Equal("unused and searched for", b.found(q), []string{"rest.png"})
		for _, i := range []*calendar.Image{logo, header} {
			uses, err := b.images.Uses(b.Ctx, i.ID)
			b.Must(err)
			b.Equal("uses of "+i.File, len(uses) == 1 && uses[0].Kind == "site" && !uses[0].Text, true)
		}
		uses, err := b.images.Uses(b.Ctx, rest.ID)
		b.Must(err)
		b.Equal("uses of the rest", len(uses), 0)
	})
	t.Run("elsewhere", func(t *testing.T) {
		b := site(t, all)
		i := b.add("picture.png")
		other := bench{all.Site(t, "neighbour"), b.images}
		other.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Description = shows("picture") })
		b.Equal("unused", b.found(calendar.ImageQuery{Unused: true}), []string{"picture.png"})
		uses, err := b.images.Uses(b.Ctx, i.ID)
		b.Must(err)
		b.Equal("uses", len(uses), 0)
		uses, err = b.images.Uses(b.Ctx, 999)
		b.Must(err)
		b.Equal("uses of none", len(uses), 0)
	})
}

// Everybody may see an image that a published entry has, unless a password hides it.
func TestShown(t *testing.T) {
	t.Parallel()
	all := sitetest.New(t)
	for name, c := range map[string]struct {
		use  func(b bench, i *calendar.Image)
		want bool
	}{
		"nowhere": {func(bench, *calendar.Image) {}, false},
		"published": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) { e.Image = i })
		}, true},
		"draft": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Draft, calendar.EventLinks{}, func(e *calendar.Event) { e.Image = i })
		}, false},
		"future": {func(b bench, i *calendar.Image) {
			b.Venue("V", func(v *calendar.Venue) {
				v.Image, v.Status, v.Date = i, calendar.Future, sitetest.Noon.AddDate(0, 0, 1)
			})
		}, false},
		"protected": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) {
				e.Image, e.Password = i, []byte(strings.Repeat("x", 48))
			})
		}, false},
		"protected and beside": {func(b bench, i *calendar.Image) {
			b.Event("E", calendar.Publish, calendar.EventLinks{}, func(e *calendar.Event) {
				e.Image, e.Password = i, []byte(strings.Repeat("x", 48))
			})
			b.Venue("V", func(v *calendar.Venue) { v.Image = i })
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := site(t, all)
			i := b.add("picture.png")
			c.use(b, i)
			shown, err := b.images.Shown(b.Ctx, i.ID)
			b.Must(err)
			b.Equal("shown", shown, c.want)
		})
	}
}

// An image without a source is no copy of another, the oldest of a source is the one, and a source is its whole address.
func TestBySource(t *testing.T) {
	t.Parallel()
	of := sitetest.New(t)
	b := site(t, of)
	from := func(address string) func(*calendar.Image) { return func(i *calendar.Image) { i.Source = address } }
	b.add("own.png")
	first := b.add("first.png", from("https://example.org/a.png"))
	b.add("second.png", from("https://example.org/a.png"))
	long := "https://example.org/" + strings.Repeat("a", 5000)
	b.add("long.png", from(long))
	for address, want := range map[string]string{"https://example.org/a.png": first.File, long: "long.png", "": "",
		"https://example.org/A.png": "", "https://example.org/a.pn": "", long + "a": ""} {
		i, err := b.images.BySource(b.Ctx, address)
		if want == "" {
			b.Wants(err, calendar.ErrNotFound)
			continue
		}
		b.Must(err)
		b.Equal(address, i.File, want)
	}
	other := of.Site(t, "other")
	_, err := b.images.BySource(other.Ctx, "https://example.org/a.png")
	b.Wants(err, calendar.ErrNotFound)
}

// Storage counts an image with all its sizes, when it is made and when it goes; a write that fails counts nothing.
func TestUsage(t *testing.T) {
	t.Parallel()
	b := site(t, sitetest.New(t))
	used := func(what, want string) {
		b.Helper()
		b.Equal(what, b.Rows(`SELECT used_media_bytes::text FROM sites WHERE id = $1`, b.ID), []string{want})
	}
	sized := func(i *calendar.Image) {
		i.Bytes, i.Sizes = 1000, []calendar.ImageSize{{Name: "thumbnail", Bytes: 20}, {Name: "medium", Bytes: 300}}
	}
	i := b.add("a.png", sized)
	used("made", "1320")
	if err := b.images.Create(b.Ctx, &calendar.Image{Key: "a", Bytes: 5, Created: sitetest.Noon}); err == nil {
		t.Error("two images of one key")
	}
	used("a second of its key", "1320")
	_, err := b.images.Update(b.Ctx, i.ID, func(i *calendar.Image) error { i.Alt, i.Bytes, i.Key = "alt", 7, "other"; return nil })
	b.Must(err)
	used("described", "1320")
	b.Equal("only its text changes", b.Rows(`SELECT key || ' ' || bytes || ' ' || alt FROM images WHERE id = $1`, i.ID), []string{"a 1000 alt"})
	if _, err := b.images.Delete(b.Ctx, i.ID, func(*calendar.Image) error { return context.Canceled }); err == nil {
		t.Error("removed although it was refused")
	}
	used("not removed", "1320")
	_, err = b.images.Delete(b.Ctx, i.ID, func(*calendar.Image) error { return nil })
	b.Must(err)
	used("removed", "0")
}

package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/ui"
)

// picturesPerPage is how many pictures of the library are shown at once.
const picturesPerPage = 24

// library is a page of the site's pictures, to choose from.
type library struct {
	search string
	page   int
	images []*calendar.Image
	total  int
}

func (l *library) pages() int { return (l.total + picturesPerPage - 1) / picturesPerPage }

// searchImages offers the pictures of the library.
func (w *admin) searchImages(v *visit) (*reply, error) {
	l, err := w.library(v.ctx, v.query.Get("q"), v.query.Get("page"))
	if err != nil {
		return nil, err
	}
	return partReply(0, libraryPart(l)), nil
}

// library returns a page of the pictures with words in their names; a page that
// isn't there is empty.
func (w *admin) library(ctx context.Context, search, page string) (*library, error) {
	l := &library{search: strings.TrimSpace(cut(search, longestPick)), page: int(min(max(idIn(page), 1), 1_000_000))}
	found, err := w.calendar.Images().List(ctx, calendar.ImageFilter{Search: l.search, Page: l.page, PerPage: picturesPerPage})
	if err != nil && !errors.Is(err, calendar.ErrPage) {
		return nil, err
	}
	l.images, l.total = found.Items, found.Total
	return l, nil
}

// addImage stores a picture at once, sent as a file or named by its address, and
// shows it; or says what is wrong with it.
func (w *admin) addImage(v *visit) (*reply, error) {
	f := v.form
	var image *calendar.Image
	var err error
	if header := f.files["image_file"]; header != nil {
		if err = w.upload(v, f); err == nil && f.problem("image") == "" {
			image, err = w.calendar.Images().Get(v.ctx, idIn(f.get("image")))
		}
	} else {
		image, err = w.takeImage(v.ctx, f)
	}
	if err != nil && !f.refuse(v.ctx, err) {
		return nil, err
	}
	if f.problem("image") != "" {
		return partReply(http.StatusUnprocessableEntity, imageWrong(f.problem("image"))), nil
	}
	return partReply(0, chosenImage(image)), nil
}

// takeImage stores the picture at the address in a form, or finds the one whose
// id is there.
func (w *admin) takeImage(ctx context.Context, f *form) (*calendar.Image, error) {
	if f.get("image") == "" {
		return nil, args.Invalid("image", "problem.missing", nil)
	}
	fields := &calendar.EventFields{}
	if err := eventTable.Parse(args.Values{"image": f.get("image")}, args.Updating, fields); err != nil {
		return nil, err
	}
	asked := fields.Image.Or(args.Image{})
	if asked.ID != 0 {
		image, err := w.calendar.Images().Get(ctx, asked.ID)
		if errors.Is(err, calendar.ErrNotFound) {
			err = args.Invalid("image", "problem.image.unknown", nil)
		}
		return image, err
	}
	return w.calendar.Images().Take(ctx, asked)
}

// picked is the picture a form names, and those it can be chosen from when they
// were asked for without scripts.
type picked struct {
	image *calendar.Image
	shelf *library
}

// shelfButton is the beginning of what a form does to show pictures to choose
// from; the number of their page follows.
const shelfButton = "row_image"

// pickedIn returns the picture of a form, and the pictures it asks for.
func (w *admin) pickedIn(ctx context.Context, f *form) (p picked, err error) {
	if p.image, err = w.formImage(ctx, f); err != nil {
		return p, err
	}
	if page, asked := strings.CutPrefix(f.get("do"), shelfButton); asked {
		p.shelf, err = w.library(ctx, f.get("image_search"), page)
	}
	return p, err
}

// formImage is the picture a form names by its id, nil for none.
func (w *admin) formImage(ctx context.Context, f *form) (*calendar.Image, error) {
	id := idIn(f.get("image"))
	if id == 0 {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	image, err := w.calendar.Images().Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) {
		return nil, nil //nolint:nilnil // its field says so when the form is sent
	}
	if err == nil && !f.has("image_alt") {
		f.set("image_alt", image.Alt)
		f.set("image_alt_was", image.Alt)
	}
	return image, err
}

// settleImage finds the picture that a form names anew, or stores the one at the
// address in it, and the words for it: from then on the form names it by its id.
// What is wrong with it is noted.
func (w *admin) settleImage(v *visit, f, now *form) error {
	if text := f.canonical("image"); text != "" && (now == nil || text != now.canonical("image")) {
		image, err := w.takeImage(v.ctx, f)
		switch {
		case err != nil && !f.refuse(v.ctx, err):
			return err
		case err == nil:
			f.set("image", idText(image.ID))
		}
	}
	return w.describeImage(v, f)
}

// describeImage stores what was typed as the words for a picture; what nobody
// touched stays as it is.
func (w *admin) describeImage(v *visit, f *form) error {
	id := idIn(f.get("image"))
	if id == 0 || f.get("image_alt") == f.get("image_alt_was") {
		return nil
	}
	_, err := w.calendar.Images().Describe(v.ctx, id, f.get("image_alt"), nil)
	within := &form{}
	switch {
	case errors.Is(err, calendar.ErrNotFound): // beside the picture's own field
	case err != nil && !within.refuse(v.ctx, err):
		return err
	case err != nil:
		f.wrong("image_alt", within.problem("alt"))
	default:
		f.set("image_alt_was", f.get("image_alt"))
	}
	return nil
}

// largeImage says that a file is too large.
func largeImage(ctx context.Context) string {
	return i18n.T(ctx, "problem.image.large", map[string]any{"Max": calendar.LargestImage >> 20})
}

// smallest is the address of the smallest size of a picture.
func smallest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "thumbnail" {
			return ui.BlobPath(i, s.File)
		}
	}
	return ui.Largest(i)
}

package admin

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/frame"
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
func (w *Pages) searchImages(v *frame.Visit) (*frame.Reply, error) {
	l, err := w.library(v.Ctx, v.Query.Get("q"), v.Query.Get("page"))
	if err != nil {
		return nil, err
	}
	return frame.PartReply(0, libraryPart(l)), nil
}

// library returns a page of the pictures with words in their names; a page that
// isn't there is empty.
func (w *Pages) library(ctx context.Context, search, page string) (*library, error) {
	l := &library{search: strings.TrimSpace(frame.Cut(search, longestPick)), page: int(min(max(frame.IDIn(page), 1), 1_000_000))}
	found, err := w.calendar.Images().List(ctx, calendar.ImageFilter{Search: l.search, Page: l.page, PerPage: picturesPerPage})
	if err != nil && !errors.Is(err, calendar.ErrPage) {
		return nil, err
	}
	l.images, l.total = found.Items, found.Total
	return l, nil
}

// addImage stores a picture at once, sent as a file or named by its address, and
// shows it; or says what is wrong with it.
func (w *Pages) addImage(v *frame.Visit) (*frame.Reply, error) {
	f := v.Form
	var image *calendar.Image
	var err error
	if header := f.Files["image_file"]; header != nil {
		if err = w.upload(v, f); err == nil && f.Problem("image") == "" {
			image, err = w.calendar.Images().Get(v.Ctx, frame.IDIn(f.Get("image")))
		}
	} else {
		image, err = w.takeImage(v.Ctx, f)
	}
	if err != nil && !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	if f.Problem("image") != "" {
		return frame.PartReply(http.StatusUnprocessableEntity, imageWrong(f.Problem("image"))), nil
	}
	return frame.PartReply(0, chosenImage(image)), nil
}

// takeImage stores the picture at the address in a form, or finds the one whose
// id is there.
func (w *Pages) takeImage(ctx context.Context, f *frame.Form) (*calendar.Image, error) {
	if f.Get("image") == "" {
		return nil, args.Invalid("image", "problem.missing", nil)
	}
	fields := &calendar.EventFields{}
	if err := eventTable.Parse(args.Values{"image": f.Get("image")}, args.Updating, fields); err != nil {
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
// from; the name of the field and the number of their page follow.
const shelfButton = "row_"

// pickedIn returns the picture of a form, and the pictures it asks for.
func (w *Pages) pickedIn(ctx context.Context, f *frame.Form) (p picked, err error) {
	if p.image, err = w.formImage(ctx, f); err != nil {
		return p, err
	}
	p.shelf, err = w.shelfOf(ctx, f, "image")
	return p, err
}

// shelfOf are the pictures to choose from for a field when a form asks for them, else nil.
func (w *Pages) shelfOf(ctx context.Context, f *frame.Form, name string) (*library, error) {
	page, asked := strings.CutPrefix(f.Get("do"), shelfButton+name)
	if !asked {
		return nil, nil //nolint:nilnil // none were asked for
	}
	return w.library(ctx, f.Get(name+"_search"), page)
}

// formImage is the picture a form names by its id, nil for none.
func (w *Pages) formImage(ctx context.Context, f *frame.Form) (*calendar.Image, error) {
	id := frame.IDIn(f.Get("image"))
	if id == 0 {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	image, err := w.calendar.Images().Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) {
		return nil, nil //nolint:nilnil // its field says so when the form is sent
	}
	if err == nil && !f.Has("image_alt") {
		f.Set("image_alt", image.Alt)
		f.Set("image_alt_was", image.Alt)
	}
	return image, err
}

// settleImage finds the picture that a form names anew, or stores the one at the
// address in it, and the words for it: from then on the form names it by its id.
// What is wrong with it is noted.
func (w *Pages) settleImage(v *frame.Visit, f, now *frame.Form) error {
	if text := canonical(f, "image"); text != "" && (now == nil || text != canonical(now, "image")) {
		image, err := w.takeImage(v.Ctx, f)
		switch {
		case err != nil && !f.Refuse(v.Ctx, err):
			return err
		case err == nil:
			f.Set("image", frame.IDText(image.ID))
		}
	}
	return w.describeImage(v, f)
}

// describeImage stores what was typed as the words for a picture; what nobody
// touched stays as it is.
func (w *Pages) describeImage(v *frame.Visit, f *frame.Form) error {
	id := frame.IDIn(f.Get("image"))
	if id == 0 || f.Get("image_alt") == f.Get("image_alt_was") {
		return nil
	}
	_, err := w.calendar.Images().Describe(v.Ctx, id, f.Get("image_alt"), nil, nil)
	within := &frame.Form{}
	switch {
	case errors.Is(err, calendar.ErrNotFound): // beside the picture's own field
	case err != nil && !within.Refuse(v.Ctx, err):
		return err
	case err != nil:
		f.Wrong("image_alt", within.Problem("alt"))
	default:
		f.Set("image_alt_was", f.Get("image_alt"))
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

// Package pictures has the pages of a site's picture library, and the fields of forms for a picture, which is sent as a file,
// named by its address or chosen from the library.
package pictures

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Pages are the pages about the pictures of a site. They also process the picture fields of other forms.
type Pages struct{ images services.Images }

// New returns the pages over the pictures of a calendar.
func New(c *services.Calendar) *Pages { return &Pages{c.Images()} }

// Routes returns the routes of these pages, to be added to those of the administration.
func (w *Pages) Routes() []frame.Route {
	return []frame.Route{
		frame.GetPage("/images", tenancy.EditOwn, w.searchImages),
		frame.PostPage("/images", uploadRight, w.addImage),
		frame.GetPage("/media", tenancy.EditOwn, w.listMedia),
		frame.PostPage("/media", uploadRight, w.uploadMedia),
		frame.GetPage("/media/#", tenancy.EditOwn, w.showMedia),
		frame.FormPage("/media/#", uploadRight, w.changeMedia),
	}
}

// uploadRight is the right to add pictures.
const uploadRight = tenancy.Upload

// perPage is how many pictures a page of the library has.
const perPage = 24

// longestSearch is how many characters of a search are used.
const longestSearch = 100

// library is one page of the site's pictures to choose from.
type library struct {
	search string
	page   int
	images []*calendar.Image
	total  int
}

func (l *library) pages() int { return (l.total + perPage - 1) / perPage }

// library returns a page of the pictures whose names contain words. A page that does not exist is empty.
func (w *Pages) library(ctx context.Context, search, page string) (*library, error) {
	l := &library{search: strings.TrimSpace(frame.Cut(search, longestSearch)), page: int(min(max(frame.IDIn(page), 1), 1_000_000))}
	found, err := w.images.List(ctx, services.ImageFilter{Search: l.search, Page: l.page, PerPage: perPage})
	if err != nil && !errors.Is(err, calendar.ErrPage) {
		return nil, err
	}
	l.images, l.total = found.Items, found.Total
	return l, nil
}

// searchImages returns a page of the library to a script.
func (w *Pages) searchImages(v *frame.Visit) (*frame.Reply, error) {
	l, err := w.library(v.Ctx, v.Query.Get("q"), v.Query.Get("page"))
	if err != nil {
		return nil, err
	}
	return frame.PartReply(0, libraryPart(l)), nil
}

// addImage stores a picture immediately, sent as a file or named by its address. It returns the picture, or the problem with
// it, to a script.
func (w *Pages) addImage(v *frame.Visit) (*frame.Reply, error) {
	f := v.Form
	var image *calendar.Image
	var err error
	if f.Files["image_file"] != nil {
		image, err = w.sent(v, f, "image")
	} else {
		image, err = w.take(v.Ctx, f)
	}
	if err != nil && !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	if f.Problem("image") != "" {
		return frame.PartReply(http.StatusUnprocessableEntity, imageWrong(f.Problem("image"))), nil
	}
	return frame.PartReply(0, chosenImage(image)), nil
}

// sent stores the file that was sent for a field and returns the picture, or nil. It adds problems to the field.
func (w *Pages) sent(v *frame.Visit, f *frame.Form, name string) (*calendar.Image, error) {
	header := f.Files[name+"_file"]
	if header == nil {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	image, err := w.store(v, header)
	if err == nil {
		return image, nil
	}
	within := &frame.Form{}
	if !within.Refuse(v.Ctx, err) {
		return nil, err
	}
	for _, text := range within.Problems {
		f.Wrong(name, text)
	}
	return nil, nil //nolint:nilnil // it is noted
}

// store stores one file of a form.
func (w *Pages) store(v *frame.Visit, header *args.File) (*calendar.Image, error) {
	return w.images.Upload(v.Ctx, header.Filename, header.Open())
}

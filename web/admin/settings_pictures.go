package admin

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// facePictures are the pictures of a site's face. Unlike those of events, they are known by
// their address, which may be that of a picture elsewhere.
var facePictures = []string{"logo", "header"}

// clearButton is the beginning of what a form does to take a picture away; the name of its
// field follows.
const clearButton = "row_clear_"

// widestHeader is the width up to which a header image is shown as it was uploaded.
const widestHeader = 2560

// takeFacePictures puts into the form the addresses of pictures that were sent as files,
// and takes away what is to be removed.
func (w *Pages) takeFacePictures(v *frame.Visit, f *frame.Form) error {
	for _, name := range facePictures {
		if f.Get("do") == clearButton+name {
			f.Set(name, "")
			continue
		}
		image, err := w.sentPicture(v, f, name)
		if err != nil {
			return err
		}
		if image != nil {
			f.Set(name, namedAs(name, image))
			delete(f.Files, name+"_file")
		}
	}
	return nil
}

// shelvesOf are the pictures to choose from that a form asks for, by the name of the field.
func (w *Pages) shelvesOf(ctx context.Context, f *frame.Form) (map[string]*library, error) {
	shelves := map[string]*library{}
	for _, name := range facePictures {
		l, err := w.shelfOf(ctx, f, name)
		if err != nil {
			return nil, err
		}
		shelves[name] = l
	}
	return shelves, nil
}

// namedAs is what a form's field says to name a picture of the site: its id, or the address
// of the size that a face needs.
func namedAs(name string, i *calendar.Image) string {
	switch {
	case name == "logo":
		for _, s := range i.Sizes {
			if s.Name == "medium" {
				return ui.BlobPath(i, s.File)
			}
		}
		return ui.BlobPath(i, i.File)
	case name == "header" && i.Width <= widestHeader:
		return ui.BlobPath(i, i.File)
	case name == "header":
		return ui.Largest(i)
	}
	return frame.IDText(i.ID)
}

// pictureData tells scripts what names a picture in each field, and the words for it.
func pictureData(i *calendar.Image) templ.Attributes {
	data := templ.Attributes{"data-alt": i.Alt}
	for _, name := range append([]string{"image"}, facePictures...) {
		data["data-"+name] = namedAs(name, i)
	}
	return data
}

// pictureShown is the address in a field when a picture can be shown from there, else "".
func pictureShown(f *frame.Form, name string) string {
	text := strings.TrimSpace(f.Get(name))
	if f.Problem(name) == "" && (strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "/")) {
		return text
	}
	return ""
}

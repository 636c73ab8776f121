package pictures

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// faceFields are the fields for the pictures of a site's face. Unlike those of events, they are known by
// their address, which may be that of a picture elsewhere.
var faceFields = []string{"logo", "header"}

// clearButton is the beginning of what a form does to take a picture away; the name of its
// field follows.
const clearButton = "row_clear_"

// Face is what the pictures of a site's face can be chosen from when that was asked for without scripts.
type Face struct{ shelves map[string]*library } // by the name of the field

// UploadFace puts into a form the addresses of pictures that were sent as files,
// and takes away what is to be removed. What is wrong with them is noted.
func (w *Pages) UploadFace(v *frame.Visit, f *frame.Form) error {
	for _, name := range faceFields {
		if f.Get("do") == clearButton+name {
			f.Set(name, "")
			continue
		}
		image, err := w.sent(v, f, name)
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

// FaceIn returns the pictures that a form asks for.
func (w *Pages) FaceIn(ctx context.Context, f *frame.Form) (Face, error) {
	face := Face{map[string]*library{}}
	for _, name := range faceFields {
		l, err := w.shelfOf(ctx, f, name)
		if err != nil {
			return face, err
		}
		face.shelves[name] = l
	}
	return face, nil
}

// namedAs is what a form's field says to name a picture of the site: its id, or the address
// of the size that a face needs.
func namedAs(name string, i *calendar.Image) string {
	switch {
	case name == "logo":
		return ui.BlobPath(i, i.Size("medium").File)
	case name == "header":
		return ui.BlobPath(i, i.Large().File)
	}
	return frame.IDText(i.ID)
}

// pictureData tells scripts what names a picture in each field, and the words for it.
func pictureData(i *calendar.Image) templ.Attributes {
	data := templ.Attributes{"data-alt": i.Alt}
	for _, name := range append([]string{"image"}, faceFields...) {
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

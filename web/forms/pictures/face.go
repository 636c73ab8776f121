package pictures

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// faceFields are the kinds of fields for the pictures of a site's face. Unlike the picture of an event, they are stored as
// URLs, which may be on another server.
var faceFields = []string{"logo", "header"}

// UploadFace stores pictures that were sent as files, and sets their URLs in the form. It adds problems to the
// form.
func (w *Pages) UploadFace(v *frame.Visit, f *frame.Form) error {
	for file := range f.Files {
		name := strings.TrimSuffix(file, "_file")
		if !slices.Contains(faceFields, kindOf(name)) {
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

// kindOf returns which of faceFields a field is: "season_2_header" is a "header".
func kindOf(name string) string { return name[strings.LastIndexByte(name, '_')+1:] }

// namedAs returns the value for a picture in a form's field: its id or, for a field of the face, the URL of the
// suitable size.
func namedAs(name string, i *calendar.Image) string {
	switch kindOf(name) {
	case "logo":
		return logoOf(i, i.Size("medium"))
	case "header":
		return ui.BlobPath(i, i.Large().File)
	}
	return frame.IDText(i.ID)
}

// logoOf returns the URL of a logo. It ends with the size, so that pages can reserve space for the logo: the names
// of resized files contain it, and other files get it after "#".
func logoOf(i *calendar.Image, s calendar.ImageSize) string {
	size := strconv.Itoa(s.Width) + "x" + strconv.Itoa(s.Height)
	address := ui.BlobPath(i, s.File)
	if s.Width == 0 || strings.Contains(s.File, "-"+size+".") {
		return address
	}
	return address + "#" + size
}

// pictureData returns data for scripts: the value for a picture in each field, and its alternative text.
func pictureData(i *calendar.Image) templ.Attributes {
	data := templ.Attributes{"data-alt": i.Alt}
	for _, name := range append([]string{"image"}, faceFields...) {
		data["data-"+name] = namedAs(name, i)
	}
	return data
}

// pictureShown returns the address in a field if a picture can be shown from it, otherwise "".
func pictureShown(f *frame.Form, name string) string {
	text := strings.TrimSpace(f.Get(name))
	if f.Problem(name) == "" && (strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "/")) {
		return text
	}
	return ""
}

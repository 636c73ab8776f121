package pictures

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
)

func TestFacesNamePicturesBySize(t *testing.T) {
	t.Parallel()
	small := &calendar.Image{ID: 7, Key: "k", File: "mark.png", Width: 200, Height: 50}
	mark := &calendar.Image{ID: 9, Key: "k", File: "words.png", Width: 900, Height: 300, Sizes: []calendar.ImageSize{{Name: "medium", File: "words-300x100.png", Width: 300, Height: 100}}}
	wide := &calendar.Image{ID: 8, Key: "k", File: "lake.jpg", Width: 4000,
		Sizes: []calendar.ImageSize{{Name: "medium", File: "lake-300.jpg"}, {Name: "large", File: "lake-1024.jpg"}}}
	for _, c := range []struct {
		field, want string
		image       *calendar.Image
	}{
		{"image", "8", wide},
		{"logo", "/media/k/mark.png#200x50", small},
		{"logo", "/media/k/words-300x100.png", mark},
		{"logo", "/media/k/lake-300.jpg", wide},
		{"header", "/media/k/mark.png", small},
		{"header", "/media/k/lake-1024.jpg", wide},
	} {
		if got := namedAs(c.field, c.image); got != c.want {
			t.Errorf("%s of %s: %s, not %s", c.field, c.image.File, got, c.want)
		}
	}
}

func TestOnlyAddressesOfPicturesAreShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{" /media/k/a.png ": "/media/k/a.png", "https://example.org/a.png": "https://example.org/a.png",
		"javascript:alert(1)": "", "http://example.org/a.png": "", "": ""} {
		f := &frame.Form{Values: map[string][]string{"logo": {text}}}
		if got := pictureShown(f, "logo"); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
	f := &frame.Form{Values: map[string][]string{"logo": {"/a.png"}}}
	f.Wrong("logo", "It is wrong.")
	if got := pictureShown(f, "logo"); got != "" {
		t.Errorf("what is wrong is shown: %s", got)
	}
}

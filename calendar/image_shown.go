package calendar

// The public sees an image in sizes of at most 2048 pixels that were made from it. The uploaded original may be as large as
// uploads may be. Its URL is in the API, as in TEC.

// Names of sizes with a special use (rule 6.1).
const (
	SizeThumbnail = "thumbnail" // cropped
	SizePreview   = "preview"   // cropped, for previews of links in other programs
	SizeLargest   = "2048x2048" // the largest that is shown
)

// Limits of images for link previews, in pixels and bytes.
const (
	PreviewWidth  = 1200
	PreviewHeight = 630
	PreviewBytes  = 300_000
)

// mostShown is the maximum width and height up to which an original is shown.
const mostShown = 1024

// original returns the image itself as a size.
func (i *Image) original() ImageSize {
	return ImageSize{File: i.File, MIME: i.MIME, Width: i.Width, Height: i.Height, Bytes: i.Bytes}
}

// Shown returns the sizes in which the whole image is shown, smallest first, at least one. They include the
// original only if it is small.
func (i *Image) Shown() []ImageSize {
	var list []ImageSize
	largest := false
	for _, s := range i.Sizes {
		if s.Name != SizeThumbnail && s.Name != SizePreview {
			list = append(list, s)
			largest = largest || s.Name == SizeLargest
		}
	}
	if len(list) == 0 || !largest && i.Width <= mostShown && i.Height <= mostShown {
		list = append(list, i.original())
	}
	return list
}

// Large returns the largest size that is shown.
func (i *Image) Large() ImageSize {
	list := i.Shown()
	return list[len(list)-1]
}

// Size returns the size with a name, or the largest that is shown if there is none.
func (i *Image) Size(name string) ImageSize {
	for _, s := range i.Sizes {
		if s.Name == name {
			return s
		}
	}
	return i.Large()
}

// Preview returns the size for link previews. For older images, which have no such size, it is the largest one that is small
// enough.
func (i *Image) Preview() ImageSize {
	small := func(s ImageSize) bool {
		return s.Width <= PreviewWidth && s.Height <= PreviewHeight && s.Bytes <= PreviewBytes
	}
	best := i.Size(SizeThumbnail)
	for _, s := range append(i.Shown(), i.Sizes...) {
		switch {
		case s.Name == SizePreview:
			return s
		case small(s) && (!small(best) || s.Width*s.Height > best.Width*best.Height):
			best = s
		}
	}
	return best
}

package ui

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// BlobPath returns the address of a file of an image.
func BlobPath(i *calendar.Image, file string) string {
	return "/media/" + i.Key + "/" + PathEscape(file)
}

// Largest returns the address of the image in the size of a page's text.
func Largest(i *calendar.Image) string { return BlobPath(i, i.Size("large").File) }

// Smallest returns the address of the smallest size, which is cropped.
func Smallest(i *calendar.Image) string { return BlobPath(i, i.Size(calendar.SizeThumbnail).File) }

// SourceSet returns the srcset of an image.
func SourceSet(i *calendar.Image) string {
	var set []string
	for _, s := range i.Shown() {
		set = append(set, BlobPath(i, s.File)+" "+strconv.Itoa(s.Width)+"w")
	}
	return strings.Join(set, ", ")
}

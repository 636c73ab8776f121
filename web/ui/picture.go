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

// Largest returns the address of the largest size that pages need.
func Largest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "large" {
			return BlobPath(i, s.File)
		}
	}
	return BlobPath(i, i.File)
}

// Smallest returns the address of the smallest size, which is cropped.
func Smallest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "thumbnail" {
			return BlobPath(i, s.File)
		}
	}
	return BlobPath(i, i.File)
}

// SourceSet returns the srcset of an image, without the thumbnail, which is cropped.
func SourceSet(i *calendar.Image) string {
	var set []string
	for _, s := range i.Sizes {
		if s.Name != "thumbnail" {
			set = append(set, BlobPath(i, s.File)+" "+strconv.Itoa(s.Width)+"w")
		}
	}
	return strings.Join(append(set, BlobPath(i, i.File)+" "+strconv.Itoa(i.Width)+"w"), ", ")
}

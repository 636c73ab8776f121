package ui

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// BlobPath is the address of a file of a picture.
func BlobPath(i *calendar.Image, file string) string {
	return "/media/" + i.Key + "/" + PathEscape(file)
}

// Largest is the address of the largest size a page needs.
func Largest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "large" {
			return BlobPath(i, s.File)
		}
	}
	return BlobPath(i, i.File)
}

// SourceSet names the sizes of a picture a browser may choose from; the
// thumbnail is cut and is none of them.
func SourceSet(i *calendar.Image) string {
	var set []string
	for _, s := range i.Sizes {
		if s.Name != "thumbnail" {
			set = append(set, BlobPath(i, s.File)+" "+strconv.Itoa(s.Width)+"w")
		}
	}
	return strings.Join(append(set, BlobPath(i, i.File)+" "+strconv.Itoa(i.Width)+"w"), ", ")
}

package calendar

import (
	"context"
	"io"
)

// Pictures creates and removes the blobs of images.
type Pictures interface {
	// Fetch downloads the image at a user-supplied address. Problems with the address or the image are args.Problems
	// on "image".
	Fetch(ctx context.Context, url string) (*Image, error)
	// Make processes an uploaded image. Problems are args.Problems on "file".
	Make(ctx context.Context, name string, r io.Reader) (*Image, error)
	// Remove deletes the blobs of an image.
	Remove(ctx context.Context, image *Image) error
	// Local returns the key of the site's own image with the address url, or "".
	Local(ctx context.Context, url string) string
}

// Pictures returns the images of new venues and organizers.
func (l *EventLinks) Pictures() []*Image {
	var list []*Image
	if l.Venues != nil {
		for _, link := range *l.Venues {
			if link.New != nil {
				list = append(list, link.New.Image)
			}
		}
	}
	if l.Organizers != nil {
		for _, link := range *l.Organizers {
			if link.New != nil {
				list = append(list, link.New.Image)
			}
		}
	}
	return list
}

// BlobKey returns the folder of the image's blobs, or "" for no image.
func (i *Image) BlobKey() string {
	if i == nil {
		return ""
	}
	return i.Key
}

type picturesKey struct{}

// TakingPictures returns a context in which images may be copied from another site of the installation. 0 means no site.
func TakingPictures(ctx context.Context, giver int64) context.Context {
	return context.WithValue(ctx, picturesKey{}, giver)
}

// PicturesOf returns the ID of the site from which images may be copied, 0 for none.
func PicturesOf(ctx context.Context) int64 {
	giver, _ := ctx.Value(picturesKey{}).(int64)
	return giver
}

// LargestImage is the maximum size of an image file in bytes.
const LargestImage = 20 << 20

// ImageUse is an item that uses an image, or the site itself as its logo or header image.
type ImageUse struct {
	Kind string // event, venue, organizer, category, tag or site
	Name string // plain text
	Text bool   // used in its description or excerpt, not as its image
	Post        // without its own image; for categories, tags and the site only the identifying fields
}

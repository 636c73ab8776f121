package calendar

import (
	"context"
	"fmt"
	"io"

	"github.com/kalends/kalends/tenancy"
)

// LargestImage is how many bytes the file of a picture has at most.
const LargestImage = 20 << 20

// Images are the services over a site's pictures.
type Images struct{ *Calendar }

// Images returns the services over pictures.
func (c *Calendar) Images() Images { return Images{c} }

// Get returns one picture. To those who write no entries it is ErrNotFound unless
// it is their own, or everybody sees it as the picture of something.
func (s Images) Get(ctx context.Context, id int64) (*Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	image, err := s.store.Images().Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("get image: %w", err)
	}
	p := scope.Principal
	if p.MayRead(tenancy.EditOwn) || !p.Anonymous() && image.Author == p.UserID {
		return image, nil
	}
	shown, err := s.store.Images().Shown(ctx, id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get image: %w", err)
	case !shown:
		return nil, ErrNotFound
	}
	return image, nil
}

// Upload stores a picture read from r (rule 6.1).
func (s Images) Upload(ctx context.Context, name string, r io.Reader) (*Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.Upload); err != nil {
		return nil, err
	}
	image, err := s.pictures.Make(ctx, name, r)
	if err != nil {
		return nil, err
	}
	image.Author, image.Created = scope.Principal.UserID, s.Now()
	if err := s.store.Images().Create(ctx, image); err != nil {
		image.ID = 0
		return nil, s.undo(ctx, image, fmt.Errorf("upload image: %w", err))
	}
	return image, nil
}

// Delete removes a picture: its uploader's, or anybody's for those who edit
// others' work. What showed it shows none.
func (s Images) Delete(ctx context.Context, id int64) (*Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.Upload); err != nil {
		return nil, err
	}
	image, err := s.store.Images().Delete(ctx, id, func(i *Image) error {
		return ownImage(scope.Principal, i)
	})
	if err != nil {
		return nil, fmt.Errorf("delete image: %w", err)
	}
	return image, s.pictures.Remove(context.WithoutCancel(ctx), image)
}

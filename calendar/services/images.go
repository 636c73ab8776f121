package services

import (
	"context"
	"fmt"
	"io"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Images is the service over a site's images.
type Images struct{ *Calendar }

// Images returns the service over images.
func (c *Calendar) Images() Images { return Images{c} }

// Get returns one image. For principals who cannot write entries it is ErrNotFound, unless the image is their own or
// publicly used by an item.
func (s Images) Get(ctx context.Context, id int64) (*calendar.Image, error) {
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
		return nil, calendar.ErrNotFound
	}
	return image, nil
}

// Make creates the files of an image from the data of r. The first item that uses the image creates its row. Make
// requires no permission.
func (s Images) Make(ctx context.Context, name string, r io.Reader) (*calendar.Image, error) {
	image, err := s.pictures.Make(ctx, name, r)
	if err != nil {
		return nil, err
	}
	image.Created = s.Now()
	return image, nil
}

// Upload stores an image read from r (rule 6.1).
func (s Images) Upload(ctx context.Context, name string, r io.Reader) (*calendar.Image, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteImages, tenancy.Upload)
	if err != nil {
		return nil, err
	}
	image, err := s.Make(ctx, name, r)
	if err != nil {
		return nil, err
	}
	image.Author = scope.Principal.UserID
	if err := s.store.Images().Create(ctx, image); err != nil {
		image.ID = 0
		return nil, s.DropImage(ctx, image, fmt.Errorf("upload image: %w", err))
	}
	return image, nil
}

// Delete removes an image. Users may remove their own; those who edit others' work everywhere may remove any. Items that used it have no
// image afterwards.
func (s Images) Delete(ctx context.Context, id int64, cond calendar.Condition) (*calendar.Image, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteImages, tenancy.Upload)
	if err != nil {
		return nil, err
	}
	image, err := s.store.Images().Delete(ctx, id, func(i *calendar.Image) error {
		if err := ownImage(scope.Principal, i); err != nil {
			return err
		}
		return cond.Check(i.Version)
	})
	if err != nil {
		return nil, fmt.Errorf("delete image: %w", err)
	}
	return image, s.pictures.Remove(context.WithoutCancel(ctx), image)
}

// Take stores the image at an address unless the site already has it. Problems, including a missing permission, are
// args.Problems on "image".
func (s Images) Take(ctx context.Context, address args.Image) (*calendar.Image, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteImages, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	image, err := s.picture(ctx, scope, args.Some(address))
	switch {
	case err != nil:
		return nil, err
	case image == nil:
		return nil, args.Invalid("image", "problem.missing", nil)
	case image.ID != 0:
		return image, nil
	}
	if err := s.store.Images().Create(ctx, image); err != nil {
		image.ID = 0
		return nil, s.DropImage(ctx, image, fmt.Errorf("take image: %w", err))
	}
	return image, nil
}

package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Take stores the image at an address unless the site already has it. Problems, including a missing permission, are
// args.Problems on "image".
func (s Images) Take(ctx context.Context, address args.Image) (*Image, error) {
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

package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Take stores the picture at an address, unless the site has it already;
// problems are args.Problems on "image".
func (s Images) Take(ctx context.Context, address args.Image) (*Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.Upload); err != nil {
		return nil, err
	}
	image, err := s.picture(ctx, scope, args.Some(address))
	if err != nil || image.ID != 0 {
		return image, err
	}
	if err := s.store.Images().Create(ctx, image); err != nil {
		image.ID = 0
		return nil, s.undo(ctx, image, fmt.Errorf("take image: %w", err))
	}
	return image, nil
}

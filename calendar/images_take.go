package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Take stores the picture at an address, unless the site has it already;
// problems are args.Problems on "image", the right to add pictures among them.
func (s Images) Take(ctx context.Context, address args.Image) (*Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
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
		return nil, s.undo(ctx, image, fmt.Errorf("take image: %w", err))
	}
	return image, nil
}

package api

import (
	"context"
	"io"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Upload is the file in a request.
type Upload struct {
	Name    string
	Content io.ReadSeekCloser
}

func (a *API) uploadImage(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	if c.Upload == nil {
		found := &args.Problems{}
		found.Missing("file")
		return nil, found
	}
	defer func() { _ = c.Upload.Content.Close() }()
	i, err := a.calendar.Images().Upload(ctx, c.Upload.Name, c.Upload.Content)
	if err != nil {
		return nil, err
	}
	answer, err := imageAnswer(ctx, i, nil)
	return answer.at(ctx, "/media", i.ID), err
}

func (a *API) getImage(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	i, err := a.calendar.Images().Get(ctx, c.Key.ID)
	return imageAnswer(ctx, i, err)
}

func (a *API) deleteImage(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	i, err := a.calendar.Images().Delete(ctx, c.Key.ID, c.Condition)
	return imageAnswer(ctx, i, err)
}

func imageAnswer(ctx context.Context, i *calendar.Image, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.Item()
	v.image(i)
	v.Close('}')
	answer := v.Answer(i.Version)
	answer.May = func(p tenancy.Principal) bool { return services.MayEditImage(p, i) }
	return answer, nil
}

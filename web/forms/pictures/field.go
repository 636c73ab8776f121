package pictures

import (
	"context"
	"errors"
	"reflect"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Named returns the picture whose id is in a form, or nil. It fills in the alternative text if the form has none.
func (w *Pages) Named(ctx context.Context, f *frame.Form) (*calendar.Image, error) {
	id := frame.IDIn(f.Get("image"))
	if id == 0 {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	image, err := w.images.Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) {
		return nil, nil //nolint:nilnil // its field says so when the form is sent
	}
	if err == nil && !f.Has("image_alt") {
		f.Set("image_alt", image.Alt)
		f.Set("image_alt_was", image.Alt)
	}
	return image, err
}

// Shown returns the address of the picture whose id is in a form, or what the form has instead, for people to see which it is.
func (w *Pages) Shown(ctx context.Context, f *frame.Form) string {
	if image, err := w.images.Get(ctx, frame.IDIn(f.Get("image"))); err == nil {
		return ui.Smallest(image)
	}
	return f.Get("image")
}

// Upload stores the picture that was sent with a form. It sets the picture's id in the form, so that the file is
// not sent twice, and adds problems to the form.
func (w *Pages) Upload(v *frame.Visit, f *frame.Form) error {
	image, err := w.sent(v, f, "image")
	if image == nil {
		return err
	}
	f.Set("image", frame.IDText(image.ID))
	f.Set("image_alt_was", "")
	f.Files = nil
	return nil
}

// Settle stores the picture at the address in a form, if it has changed, and its alternative text. It sets the
// picture's id in the form, and adds problems to the form. now is nil for a new item.
func (w *Pages) Settle(v *frame.Visit, f, now *frame.Form) error {
	if text := f.Text("image"); text != "" && (now == nil || text != now.Text("image")) {
		image, err := w.take(v.Ctx, f)
		switch {
		case err != nil && !f.Refuse(v.Ctx, err):
			return err
		case err == nil:
			f.Set("image", frame.IDText(image.ID))
		}
	}
	return w.describe(v, f)
}

// imageTable reads the argument "image" of events.
var imageTable = args.TableOf(reflect.TypeFor[calendar.EventFields]())

// take stores the picture at the address in a form, or finds the picture whose id is in the form.
func (w *Pages) take(ctx context.Context, f *frame.Form) (*calendar.Image, error) {
	if f.Get("image") == "" {
		return nil, args.Invalid("image", "problem.missing", nil)
	}
	fields := &calendar.EventFields{}
	if err := imageTable.Parse(args.Values{"image": f.Get("image")}, args.Updating, fields); err != nil {
		return nil, err
	}
	asked := fields.Image.Or(args.Image{})
	if asked.ID != 0 {
		image, err := w.images.Get(ctx, asked.ID)
		if errors.Is(err, calendar.ErrNotFound) {
			err = args.Invalid("image", "problem.image.unknown", nil)
		}
		return image, err
	}
	return w.images.Take(ctx, asked)
}

// describe stores the alternative text of a picture if the form changes it.
func (w *Pages) describe(v *frame.Visit, f *frame.Form) error {
	id := frame.IDIn(f.Get("image"))
	if id == 0 || f.Get("image_alt") == f.Get("image_alt_was") {
		return nil
	}
	_, err := w.images.Describe(v.Ctx, id, f.Get("image_alt"), nil, nil, nil)
	within := &frame.Form{}
	switch {
	case errors.Is(err, calendar.ErrNotFound): // shown at the picture's own field
	case err != nil && !within.Refuse(v.Ctx, err):
		return err
	case err != nil:
		f.Wrong("image_alt", within.Problem("alt"))
	default:
		f.Set("image_alt_was", f.Get("image_alt"))
	}
	return nil
}

// tooLarge returns the message that a file is too large.
func tooLarge(ctx context.Context) string {
	return i18n.T(ctx, "problem.image.large", map[string]any{"Max": i18n.Number(tenancy.Current(ctx).Language, calendar.LargestImage>>20)})
}

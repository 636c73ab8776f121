package public

import (
	"context"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/web/public/forms"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// ofEvent finds an event. It does not find events with a password, because the form cannot ask for one.
func (w *Pages) ofEvent(ctx context.Context, a layout.Asked) (*forms.Reported, error) {
	a.Password = ""
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	return &forms.Reported{
		Subject: submissions.Subject{Kind: "event", ID: e.ID},
		Title:   e.Title,
		Given:   e.Given().Title,
		Event:   e,
		Path:    e.Path(),
		In:      func(language string) string { return e.In(ui.SiteOf(ctx), language).Path() },
		Version: e.Version,
		Passing: movedTo(a, e),
	}, nil
}

func (w *Pages) ofVenue(ctx context.Context, a layout.Asked) (*forms.Reported, error) {
	v, err := w.venueOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return &forms.Reported{
		Subject: submissions.Subject{Kind: "venue", ID: v.ID},
		Title:   v.Name,
		Given:   v.Given().Title,
		Path:    ui.VenuePath(v),
		In:      func(language string) string { return ui.VenuePath(v.In(ui.SiteOf(ctx), language)) },
		Version: v.Version,
	}, nil
}

func (w *Pages) ofOrganizer(ctx context.Context, a layout.Asked) (*forms.Reported, error) {
	o, err := w.organizerOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return &forms.Reported{
		Subject: submissions.Subject{Kind: "organizer", ID: o.ID},
		Title:   o.Name,
		Given:   o.Given().Title,
		Path:    ui.OrganizerPath(o),
		In:      func(language string) string { return ui.OrganizerPath(o.In(ui.SiteOf(ctx), language)) },
		Version: o.Version,
	}, nil
}

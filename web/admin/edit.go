package admin

import (
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/frame"
)

// editor is a form that was sent to change something, beside what is stored of it.
type editor struct {
	*conflict

	kind  string                       // of what is changed, in the history; "": the history doesn't say who saved it
	post  *calendar.Post               // as it is stored, if it has a kind
	again func() (*frame.Reply, error) // shows the form
	save  func() (*frame.Reply, error)
}

// edit saves a form. load returns its editor, or a reply where there is nothing to
// edit. A form that asks for more rows is shown again; if somebody else has saved since it
// was opened, both versions are shown, also if they did while the form was being saved.
func (w *Pages) edit(v *frame.Visit, load func() (*editor, *frame.Reply, error)) (*frame.Reply, error) {
	for {
		ed, r, err := load()
		if ed == nil || err != nil {
			return r, err
		}
		ed.resolve()
		switch {
		case reshape(ed.form):
			return ed.again()
		case ed.met():
			if err := w.savedBy(v, ed); err != nil {
				return nil, err
			}
			return ed.settle(v), nil
		}
		if r, err = ed.save(); !errors.Is(err, calendar.ErrPrecondition) && !errors.Is(err, platform.ErrChanged) {
			return r, err
		}
	}
}

// savedBy notes who wrote the version that is stored.
func (w *Pages) savedBy(v *frame.Visit, ed *editor) error {
	if ed.kind == "" {
		return nil
	}
	past, err := w.editing.Revisions(v.Ctx, ed.kind, ed.post.ID)
	if err != nil {
		return err
	}
	for i := range past.Events {
		if past.Events[i].Place.Version == ed.post.Version {
			ed.by = past.Events[i]
		}
	}
	return nil
}

package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// revisions is the past of an event, venue or organizer.
type revisions struct {
	kind, section string
	id            int64
	past          *calendar.Past
	from, to      int64 // versions that are compared
	form          *form // what went wrong with restoring
	lost          []calendar.Lost
	restored      bool
}

func (r *revisions) address() string { return adminRoot + "/" + r.section + "/" + idText(r.id) }

// title names the page; the name in it keeps its own direction.
func (r *revisions) title(ctx context.Context) string {
	return tellWith(ctx, "revisions.of", "Name", r.past.Name)
}

// revisionRoutes are the pages of a kind's past.
func (w *admin) revisionRoutes(kind, section string) []adminRoute {
	path := "/" + section + "/#/revisions"
	show := func(v *visit) (*reply, error) { return w.revisions(v, kind, section) }
	restore := func(v *visit) (*reply, error) { return w.restoreRevision(v, kind, section) }
	return []adminRoute{{http.MethodGet, path, tenancy.EditOwn, show, false}, {http.MethodPost, path, tenancy.EditOwn, restore, false}}
}

// revisions shows the past and compares two versions, the last with the one
// before unless others are asked for.
func (w *admin) revisions(v *visit, kind, section string) (*reply, error) {
	r := &revisions{kind: kind, section: section, id: v.id, form: &form{}}
	return w.showRevisions(v, r)
}

func (w *admin) showRevisions(v *visit, r *revisions) (*reply, error) {
	var err error
	if r.past, err = w.calendar.Revisions(v.ctx, r.kind, r.id); err != nil {
		return nil, err
	}
	r.from, r.to = versionAsked(v, "from"), versionAsked(v, "to")
	if list := r.past.Events; r.to == 0 && len(list) > 0 {
		r.to = list[0].Place.Version
		if len(list) > 1 && r.from == 0 {
			r.from = list[1].Place.Version
		}
	}
	if r.from > r.to {
		r.from, r.to = r.to, r.from
	}
	return &reply{title: r.title(v.ctx), section: r.section, body: revisionsPage(r)}, nil
}

func versionAsked(v *visit, name string) int64 {
	n, err := strconv.ParseInt(v.query.Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// restoreRevision makes an object what it was, if it is still what the page
// showed. What is lost on the way is named.
func (w *admin) restoreRevision(v *visit, kind, section string) (*reply, error) {
	r := &revisions{kind: kind, section: section, id: v.id, form: &form{kind: kind}}
	version, err := strconv.ParseInt(v.form.get("version"), 10, 64)
	expected, also := strconv.ParseInt(v.form.get("expected"), 10, 64)
	if err != nil || also != nil {
		return nil, calendar.ErrNotFound
	}
	r.lost, err = w.calendar.Restore(v.ctx, kind, v.id, version, still(expected))
	status := 0
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		r.form.wrong("version", tell(v.ctx, "revisions.changed"))
		status = http.StatusConflict
	case err != nil && !r.form.refuse(v.ctx, err):
		return nil, err
	case err != nil:
		status = http.StatusUnprocessableEntity
	case len(r.lost) == 0:
		return &reply{redirect: r.address(), say: "restored.revision"}, nil
	default:
		r.restored = true
	}
	answer, err := w.showRevisions(v, r)
	if err == nil {
		answer.status = status
	}
	return answer, err
}

// lostName is what a lost link led to, as far as the reader may know.
func lostName(ctx context.Context, l calendar.Lost) string {
	if l.Name == "" {
		return tell(ctx, "history.hidden")
	}
	return l.Name
}

package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// revisions is the page with the versions of an event, venue or organizer.
type revisions struct {
	kind, section string
	id            int64
	past          *editing.Past
	from, to      int64             // versions that are compared
	form          *frame.Form       // problems with restoring
	restored      *editing.Restored // if links were lost
}

func (r *revisions) address() string {
	return frame.Address(r.section, r.id)
}

// title is the title of the page. The name of the item keeps its own text direction.
func (r *revisions) title(ctx context.Context) string {
	return frame.TellWith(ctx, "revisions.of", "Name", r.past.Name)
}

// revisionRoutes are the routes of the versions of a kind.
func (w *Pages) revisionRoutes(kind, section string) []frame.Route {
	path := "/" + section + "/#/revisions"
	show := func(v *frame.Visit) (*frame.Reply, error) { return w.revisions(v, kind, section) }
	restore := func(v *frame.Visit) (*frame.Reply, error) { return w.restoreRevision(v, kind, section) }
	return []frame.Route{frame.GetPage(path, tenancy.EditOwn, show), frame.PostPage(path, tenancy.EditOwn, restore)}
}

// revisions lists the versions and compares two of them. By default it compares the last two.
func (w *Pages) revisions(v *frame.Visit, kind, section string) (*frame.Reply, error) {
	r := &revisions{kind: kind, section: section, id: v.ID, form: &frame.Form{}}
	return w.showRevisions(v, r)
}

func (w *Pages) showRevisions(v *frame.Visit, r *revisions) (*frame.Reply, error) {
	var err error
	if r.past, err = w.editing.Revisions(v.Ctx, r.kind, r.id); err != nil {
		return nil, err
	}
	r.from, r.to = versionAsked(v, "from"), versionAsked(v, "to")
	if list := r.past.Events; r.to == 0 && len(list) > 0 {
		r.to = list[0].Position.Version
		if len(list) > 1 && r.from == 0 {
			r.from = list[1].Position.Version
		}
	}
	if r.from > r.to {
		r.from, r.to = r.to, r.from
	}
	return &frame.Reply{Title: r.title(v.Ctx), Section: r.section, Body: revisionsPage(r)}, nil
}

func versionAsked(v *frame.Visit, name string) int64 {
	n, err := strconv.ParseInt(v.Query.Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// restoreRevision restores a version of an item, unless the item has changed since the page showed it. It reports
// links that could not be restored.
func (w *Pages) restoreRevision(v *frame.Visit, kind, section string) (*frame.Reply, error) {
	r := &revisions{kind: kind, section: section, id: v.ID, form: &frame.Form{Kind: kind}}
	version, err := strconv.ParseInt(v.Form.Get("version"), 10, 64)
	expected, also := strconv.ParseInt(v.Form.Get("expected"), 10, 64)
	if err != nil || also != nil {
		return nil, calendar.ErrNotFound
	}
	only := v.Form.Get("only")
	done, err := w.editing.Restore(v.Ctx, kind, v.ID, version, only, frame.Still(expected))
	status := 0
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		r.form.Wrong("version", frame.Tell(v.Ctx, "revisions.changed"))
		status = http.StatusConflict
	case err != nil && !r.form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		status = http.StatusUnprocessableEntity
	case len(done.Lost) == 0:
		return restoredReply(v.Ctx, r, only, done), nil
	default:
		r.restored = done
	}
	answer, err := w.showRevisions(v, r)
	if err == nil {
		answer.Status = status
	}
	return answer, err
}

// restoredReply says what was restored: a version, or only one field of it. An event offers to undo it.
func restoredReply(ctx context.Context, r *revisions, only string, done *editing.Restored) *frame.Reply {
	reply := &frame.Reply{Redirect: r.address(), Say: "restored.revision"}
	if only != "" {
		reply.Say, reply.By = "restored.field", history.FieldLabel(ctx, r.kind, only)
	}
	if r.kind == "event" && done.Version != 0 {
		reply.Undo = frame.UndoOf(editing.Write{ID: r.id, Version: done.Version})
	}
	return reply
}

// comparing is the address that compares a version with the current one.
func (r *revisions) comparing(i int) string {
	return r.address() + "/revisions?from=" + frame.IDText(r.past.Events[i].Position.Version)
}

// changing is the address that shows what changed in a version, or "" if the version before it is unknown.
func (r *revisions) changing(i int) string {
	if len(r.past.Events[i].Before) == 0 || i+1 == len(r.past.Events) || r.past.States[i] == nil || r.past.States[i+1] == nil {
		return ""
	}
	return r.comparing(i+1) + "&to=" + frame.IDText(r.past.Events[i].Position.Version)
}

// shows reports whether the page shows what changed in a version.
func (r *revisions) shows(i int) bool {
	return r.to == r.past.Events[i].Position.Version && i+1 < len(r.past.Events) && r.from == r.past.Events[i+1].Position.Version
}

// sides are the compared versions: the earlier one, until it was changed, and the later one. Each field can be restored to its value on
// either side.
func (r *revisions) sides(ctx context.Context) *history.Sides {
	at := func(version int64) int {
		return slices.IndexFunc(r.past.Events, func(e tenancy.Entry) bool { return e.Position.Version == version })
	}
	when := func(key string, i int) string {
		return frame.TellWith(ctx, key, "Date", frame.ShortTime(ctx, r.past.Events[i].At))
	}
	s := &history.Sides{Before: when("revisions.until", max(at(r.from)-1, 0)), After: frame.Tell(ctx, "revisions.now")}
	if i := at(r.to); i > 0 {
		s.After = when("revisions.from", i)
	}
	s.Below = func(name string, after bool) templ.Component {
		version := r.from
		if after {
			version = r.to
		}
		if !r.past.Restores(version, name) {
			return templ.NopComponent
		}
		return restoreButton(r, version, name)
	}
	return s
}

// lostName returns the name of the entry of a lost link, if the user may see it.
func lostName(ctx context.Context, l editing.Lost) string {
	if l.Name == "" {
		return frame.Tell(ctx, "history.hidden")
	}
	return l.Name
}

package api

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Repeating enables keeping answers to requests that may come again and returns the API.
func (a *API) Repeating(store tenancy.AnswerStore, clock func() time.Time) *API {
	a.repeats = NewRepeats(store, clock, a.again)
	return a
}

// listChanges returns the changes of a site that a follower asks for (rules 18).
func (a *API) listChanges(ctx context.Context, c Call, in *changes.Filter) (*Answer, error) {
	if err := refuseMoving(c.Values); err != nil {
		return nil, err
	}
	if a.Changes == nil {
		return nil, ErrNoRoute
	}
	page, err := a.Changes.List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.Item()
	v.Open("changes", '[')
	for i := range page.Changes {
		var object []byte
		if in.Whole() && page.Changes[i].Action != changes.Deleted {
			if object, err = a.changed(ctx, &page.Changes[i]); err != nil {
				return nil, err
			}
			if object == nil { // it has left meanwhile, as the next answer says
				continue
			}
		}
		v.change(&page.Changes[i], object)
	}
	v.Close(']')
	v.Text("next", page.Next)
	v.Bool("more", page.More)
	v.Close('}')
	return v.Answer(page.Version), nil
}

// refuseMoving returns a problem for each argument that would make the followed events depend on the time of the
// request.
func refuseMoving(values args.Values) error {
	found := &args.Problems{}
	for _, name := range changes.Refused() {
		if value, given := values[name]; given && value != nil && value != "" {
			found.Invalid(name, "problem.changes.moving", nil)
		}
	}
	return found.Err()
}

// Object returns an object of one of the history's kinds as the scope's principal sees it, nil if it is not there for them.
func (a *API) Object(ctx context.Context, kind string, id int64) ([]byte, error) {
	if a.reader(kind) == nil {
		return nil, nil
	}
	return a.changed(ctx, &changes.Change{Type: kind, ID: id})
}

// changed returns the object of a change as it is now, or nil if the follower no longer sees it; the next page then
// reports that.
func (a *API) changed(ctx context.Context, c *changes.Change) ([]byte, error) {
	answer, err := a.reader(c.Type)(ctx, c.ID)
	switch {
	case isGone(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return answer.Body, nil
}

// reader returns the handler that responds with an object of a kind, as named in the history, or nil if the kind
// has none.
func (a *API) reader(kind string) func(ctx context.Context, id int64) (*Answer, error) {
	var get func(context.Context, Call) (*Answer, error)
	switch kind {
	case changes.Event:
		get = func(ctx context.Context, c Call) (*Answer, error) {
			e, err := a.calendar.Events().Listed(ctx, c.Key)
			return a.eventAnswer(ctx, e, &calendar.Speaking{}, err)
		}
	case changes.Venue:
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getVenue(ctx, c, &speaking{}) }
	case changes.Organizer:
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getOrganizer(ctx, c, &speaking{}) }
	case changes.Category:
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getCategory(ctx, c, &speaking{}) }
	case changes.Tag:
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getTag(ctx, c, &speaking{}) }
	case changes.Image:
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getImage(ctx, c, &Nothing{}) }
	case "webhook":
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getWebhook(ctx, c, &Nothing{}) }
	case "source":
		get = func(ctx context.Context, c Call) (*Answer, error) { return a.getSource(ctx, c, &Nothing{}) }
	default:
		return nil
	}
	return func(ctx context.Context, id int64) (*Answer, error) { return get(ctx, Call{Key: calendar.Key{ID: id}}) }
}

// isGone reports whether an object cannot be read because it no longer exists, or because the caller may no longer
// see it.
func isGone(err error) bool {
	return slices.ContainsFunc(unseen, func(gone error) bool { return errors.Is(err, gone) })
}

// unseen are the reasons for which an object that was visible is not any more.
var unseen = []error{calendar.ErrNotFound, calendar.ErrGone, calendar.ErrTrashed, calendar.ErrNotReadable, calendar.ErrPassword,
	calendar.ErrWrongType, tenancy.ErrForbidden, tenancy.ErrUnauthenticated}

// change writes a change.
func (v *View) change(c *changes.Change, object []byte) {
	v.Item()
	v.Text("type", c.Type)
	v.Int("id", c.ID)
	v.Text("action", c.Action)
	v.Int("version", c.Version)
	v.Text("at", c.At.UTC().Format(time.RFC3339))
	if c.MergedInto != 0 {
		v.Int("merged_into", c.MergedInto)
	}
	if object != nil {
		v.Raw("object", strings.TrimSpace(string(object)))
	}
	v.Close('}')
}

package admin

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// mostFoundAnywhere is how many entries of a kind the search finds.
const mostFoundAnywhere = 5

// target is an entry that was found, with the path of its form and, for an event, the path of the form for copying it.
type target struct{ kind, name, note, path, copy string }

// searchAnywhere finds what the user can edit by its name: events, venues, organizers, users and settings.
func (w *Pages) searchAnywhere(v *frame.Visit) (*frame.Reply, error) {
	typed := strings.TrimSpace(frame.Cut(v.Query.Get("q"), editor.LongestPick))
	if typed == "" {
		return frame.PartReply(0, targetList(nil)), nil
	}
	list, err := w.eventsNamed(v, typed)
	if err != nil {
		return nil, err
	}
	venues, err := w.calendar.Venues().Suggest(v.Ctx, typed, mostFoundAnywhere)
	if err != nil {
		return nil, err
	}
	p := v.Scope().Principal
	for _, one := range venues {
		if calendar.MayEdit(p, &one.Post) {
			list = append(list, placeTarget(v.Ctx, "venue", one.Names(), one.City, frame.Address("venues", one.ID)))
		}
	}
	organizers, err := w.calendar.Organizers().Suggest(v.Ctx, typed, mostFoundAnywhere)
	if err != nil {
		return nil, err
	}
	for _, one := range organizers {
		if calendar.MayEdit(p, &one.Post) {
			list = append(list, placeTarget(v.Ctx, "organizer", one.Names(), one.Email, frame.Address("organizers", one.ID)))
		}
	}
	if p.May(tenancy.ManageUsers) {
		users, err := w.usersNamed(v, typed)
		if err != nil {
			return nil, err
		}
		list = append(list, users...)
	}
	if p.May(tenancy.ManageSite) {
		for _, one := range w.settings.Find(v.Ctx, typed, mostFoundAnywhere) {
			list = append(list, target{kind: "setting", name: one.Name, note: one.Page, path: one.Path})
		}
	}
	return frame.PartReply(0, targetList(append(list, copiesOffered(list)...))), nil
}

// placeTarget is a venue or organizer. Its note begins with its own name, if it is shown under another name.
func placeTarget(ctx context.Context, kind string, names calendar.Naming, note, path string) target {
	name, own := names.Shown(offers.Languages(ctx))
	if own != "" && note != "" {
		own += frame.Tell(ctx, "comma") + " "
	}
	return target{kind: kind, name: name, note: own + note, path: path}
}

// mostCopiesOffered is the most events that the search also offers to copy.
const mostCopiesOffered = 2

// copiesOffered are entries that copy the first events found, once for each title.
func copiesOffered(found []target) (list []target) {
	for _, one := range found {
		if one.copy != "" && len(list) < mostCopiesOffered &&
			!slices.ContainsFunc(list, func(t target) bool { return t.name == one.name }) {
			list = append(list, target{kind: "copy", name: one.name, note: one.note, path: one.copy})
		}
	}
	return list
}

// kindText names the kind of a target, such as "Venue".
func kindText(ctx context.Context, t target) string {
	switch t.kind {
	case "copy":
		return frame.Tell(ctx, "copy")
	case "setting":
		return frame.Tell(ctx, "nav.settings")
	}
	return frame.Tell(ctx, "history.kind."+t.kind)
}

// eventsNamed finds events by words in their texts: first upcoming events, then the latest past events. It returns
// each series only once.
func (w *Pages) eventsNamed(v *frame.Visit, typed string) (list []target, err error) {
	everywhere := calendar.Speaking{Every: true}
	coming := &calendar.EventFilter{Search: args.Some(typed), Ended: args.Some(false), Speaking: everywhere}
	past := &calendar.EventFilter{Search: args.Some(typed), Ended: args.Some(true), Order: args.Some("desc"), Speaking: everywhere}
	for _, f := range []*calendar.EventFilter{coming, past} {
		left := mostFoundAnywhere - len(list)
		if left <= 0 {
			break
		}
		page, err := w.calendar.Events().Shelf(v.Ctx, f, left)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Items {
			if calendar.MayEdit(v.Scope().Principal, &e.Post) && !e.Trashed() {
				list = append(list, target{"event", e.Title, frame.ShortSpan(v.Ctx, e), frame.EventAddress(e.ID), editor.CopyAddress(e)})
			}
		}
	}
	return list, nil
}

// usersNamed finds users by name, login or e-mail address.
func (w *Pages) usersNamed(v *frame.Visit, typed string) (list []target, err error) {
	f := &accounts.UserFilter{}
	f.Search, f.PerPage = args.Some(typed), args.Some(mostFoundAnywhere)
	page, err := w.platform.Users.List(v.Ctx, f)
	for _, u := range page.Items {
		list = append(list, target{kind: "user", name: u.Name, note: u.Email, path: frame.Address("users", u.ID)})
	}
	return list, err
}

package admin

import (
	"context"
	"net/url"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/ui"
)

// mostOnDesk is how many events each list of the overview has.
const mostOnDesk = 6

// overview is the page that shows what there is to do.
type overview struct {
	*editing.Desk
	stranded []*tenancy.User // users whose invitation has expired
	first    bool            // the administration starts with this page
	reports  int             // number of mistakes that visitors have reported
	steps    firstSteps
}

// startAt stores in this browser which page the administration starts with.
func (w *Pages) startAt(v *frame.Visit) (*frame.Reply, error) {
	r := &frame.Reply{Redirect: frame.AdminRoot + "/desk"}
	switch start := v.Form.Get("start"); start {
	case "desk", "calendar":
		r.Start = &start
	}
	return r, nil
}

// showOverview shows the next events, pending events, fields that are missing in events, reported mistakes, and
// expired invitations.
func (w *Pages) showOverview(v *frame.Visit) (*frame.Reply, error) {
	found, err := w.editing.Desk(v.Ctx, mostOnDesk)
	if err != nil {
		return nil, err
	}
	d := &overview{Desk: found, first: v.Desk}
	if d.steps, err = w.firstSteps(v.Ctx); err != nil {
		return nil, err
	}
	if v.Scope().Principal.May(tenancy.ManageUsers) {
		if d.stranded, err = w.platform.Vouchers.Stranded(v.Ctx); err != nil {
			return nil, err
		}
	}
	if v.Scope().Principal.May(submissions.Right) {
		if d.reports, err = w.review.Reported(v.Ctx); err != nil {
			return nil, err
		}
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.desk"), Section: "desk", Body: overviewPage(d)}, nil
}

// lacksField narrows the list to events without an image or without a venue.
const lacksField = "lacks"

// lackOf reads the value of lacksField.
func lackOf(text string) calendar.Lack {
	return calendar.Lack{Image: text == "image", Place: text == "place"}
}

// lackChoices are the choices of lacksField.
func lackChoices(ctx context.Context) []frame.Pair {
	return []frame.Pair{{Name: "image", Value: frame.Tell(ctx, "desk.image")}, {Name: "place", Value: frame.Tell(ctx, "desk.place")}}
}

// lackText says what events lack.
func lackText(ctx context.Context, l editing.Lacking) string {
	switch {
	case l.Language != "":
		return frame.TellWith(ctx, "desk.text", "Language", ui.LanguageName(ctx, l.Language))
	case l.Check.Asked():
		return frame.Tell(ctx, "desk.check")
	case l.Image:
		return frame.Tell(ctx, "desk.image")
	}
	return frame.Tell(ctx, "desk.place")
}

// lackAddress is the address of the list of upcoming events in which l is missing.
func lackAddress(l editing.Lacking) string {
	q := url.Values{"view": {"upcoming"}}
	switch {
	case l.Check.Asked():
		q.Set("view", toConfirm)
	case l.Language != "":
		q.Set(texts.Lacking, l.Language)
	case l.Image:
		q.Set(lacksField, "image")
	default:
		q.Set(lacksField, "place")
	}
	return frame.AdminRoot + "/events?" + q.Encode()
}

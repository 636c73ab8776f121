package public

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// clickPath is the path at which browsers report clicks on links that leave the site. The links themselves do not change.
const clickPath = "/events/click"

// clicks are the kinds of such links, by the values of the parameter "kind".
var clicks = map[string]numbers.Kind{"tickets": numbers.Tickets, "calendar": numbers.Calendars}

// clicked returns the ping attribute with which browsers report clicks on a link of an event, or of the site if
// event is 0. It returns nil if the site does not count clicks.
func (w *Pages) clicked(ctx context.Context, event int64, kind string) templ.Attributes {
	if !w.numbers.Counts(ctx) {
		return nil
	}
	query := url.Values{"kind": {kind}}
	if event != 0 {
		query.Set("event", strconv.FormatInt(event, 10))
	}
	return templ.Attributes{"ping": ui.Href(ctx, clickPath+"?"+query.Encode())}
}

// click counts a click that a page of this site reports.
func (w *Pages) click(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Foreign {
		return nil, tenancy.ErrForbidden
	}
	kind, known := clicks[a.Query("kind")]
	event, err := int64(0), error(nil)
	if text := a.Query("event"); text != "" {
		event, err = strconv.ParseInt(text, 10, 64)
	}
	if !known || err != nil || event < 0 || event == 0 && kind != numbers.Calendars {
		return nil, calendar.ErrNotFound
	}
	counted, err := w.numbers.Click(ctx, numbers.Of{Event: event, Kind: kind}, a.Agent)
	switch {
	case err != nil:
		return nil, err
	case !counted:
		return &layout.Shown{Status: http.StatusTooManyRequests, Secret: true}, nil
	}
	return &layout.Shown{Status: http.StatusNoContent, Secret: true}, nil
}

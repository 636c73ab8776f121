package public

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// PreviewPath returns the path of a preview of an event.
func PreviewPath(token string) string { return "/preview/" + ui.PathEscape(token) + "/" }

// preview shows the current state of an event to visitors with its preview address. It is neither cached nor indexed.
func (w *Pages) preview(ctx context.Context, a asked) (*shown, error) {
	e, p, err := w.calendar.Previews().Open(ctx, a.param("token"))
	if err != nil {
		return nil, err
	}
	if e.Status == calendar.Publish {
		return w.asPreview(ctx, e, ui.Say(ctx, "preview.published")), nil
	}
	l := ui.DatesIn(ctx)
	at := ui.WallAt(p.Expires, ui.SiteOf(ctx).Location)
	return w.asPreview(ctx, e, ui.SayWith(ctx, "preview.until", "Date", l.At(l.Short(at), l.Time(at)))), nil
}

// asPreview returns the page of an event as it would look, with a note. The page has no address of its own, so there
// are no links to it or to other versions of it.
func (w *Pages) asPreview(ctx context.Context, e *calendar.Event, note string) *shown {
	v := &eventView{Event: e, now: w.calendar.Now()}
	v.over = !v.now.Before(e.EndUTC)
	v.online, _ = e.OnlineAt(v.now, false)
	if e.Recurring() {
		v.dates, v.over = &seriesDates{rule: ruleOf(ctx, e)}, false
	}
	p := &page{title: headline(ctx, e), robots: "noindex, nofollow"}
	return &shown{page: p, body: previewPage(note, eventPage(p, v)), version: e.Version, secret: true, unseen: true}
}

// ShowPreview responds with the page of an event as it would look, stored or not, with a note.
func (w *Pages) ShowPreview(c *fiber.Ctx, e *calendar.Event, note string) error {
	return sendShown(c, w.asPreview(c.UserContext(), e, note))
}

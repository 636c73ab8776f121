package public

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// PreviewPath returns the path of a preview of an event.
func PreviewPath(token string) string { return "/preview/" + ui.PathEscape(token) + "/" }

// preview shows the current state of an event to visitors with its preview address. It is neither cached nor indexed.
func (w *Pages) preview(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, p, err := w.calendar.Previews().Open(ctx, a.Param("token"))
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

// asPreview returns the page of an event as it will look, with a note. The page has no public address, so it has no
// links to itself or to its versions in other languages.
func (w *Pages) asPreview(ctx context.Context, e *calendar.Event, note string) *layout.Shown {
	v := &eventView{Event: e, now: w.calendar.Now()}
	v.over = !v.now.Before(e.EndUTC)
	v.online, _ = e.OnlineAt(v.now, false)
	if e.Recurring() {
		v.dates, v.over = &seriesDates{rule: ruleOf(ctx, e)}, false
	}
	p := &layout.Page{Title: lists.Headline(ctx, e)}
	return &layout.Shown{Page: p, Body: previewPage(note, eventPage(p, v)), Version: e.Version, Secret: true, Unseen: true}
}

// ShowPreview responds with the page of an event as it will look, with a note. The event need not be stored.
func (w *Pages) ShowPreview(c *fiber.Ctx, e *calendar.Event, note string) error {
	a := w.asPreview(c.UserContext(), e, note)
	w.complete(c.UserContext(), a)
	return layout.Send(c, a)
}

// framedPolicy allows a page to be shown in a frame of the administration, without scripts, links and forms.
const framedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; form-action 'none'; " +
	"base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin"

// ShowFront responds with the front page of a site as visitors would see it, for a frame of the administration.
// site may differ from the stored site, so the response is neither cached nor shown to anyone else.
func (w *Pages) ShowFront(c *fiber.Ctx, site *tenancy.Site, season int) error {
	scope := tenancy.Scope{Site: site, Language: site.Language, Base: tenancy.Current(c.UserContext()).Base}
	scope.At(site.Language)
	scope.Base.Prefix = "/" + site.Language
	ctx := tenancy.With(c.UserContext(), scope)
	none := func(string) string { return "" }
	a, err := w.home(ctx, layout.Asked{Path: "/", Param: none, Query: none})
	if err != nil {
		return err
	}
	a.Page.Robots, a.Page.Still = "noindex, nofollow", true
	if w.complete(ctx, a); season > 0 {
		a.Page.Season = season
	}
	body, err := a.Bytes(ctx)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, framedPolicy)
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(body)
}

package public

import (
	"context"
	"errors"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// embedded turns the handler of a page into the handler of its embeddable form, which other sites show in a frame
// or with the web component of embed.js.
func embedded(show layout.Handler) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		a.Embedded, a.Calendar = true, false
		made, err := show(ctx, a)
		if errors.Is(layout.Told(err), calendar.ErrNotFound) { // the embedding page should show it rather than the browser
			p := &layout.Page{Title: ui.Say(ctx, "embed.missing")}
			made, err = &layout.Shown{Page: p, Body: missingPage(), Status: fiber.StatusNotFound}, nil
		}
		if err == nil && made.Page != nil {
			made.Page.Embedded, made.Open = true, true
		}
		return made, err
	}
}

// card shows a single event in the style of the photo view; for a series it shows the next date.
func (w *Pages) card(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	v := &eventView{Event: e, now: w.calendar.Now()}
	p := &layout.Page{Title: lists.Headline(ctx, e), Path: layout.EmbedPath(e.Path())}
	answer := &layout.Shown{Page: p, Version: e.Version}
	if err := w.surround(ctx, a, v, answer); err != nil {
		return nil, err
	}
	if v.dates != nil && v.dates.next != nil {
		v.Event = v.dates.next
	}
	query, err := url.ParseQuery(a.All)
	if err != nil {
		return nil, calendar.ErrNotFound
	}
	c := &layout.Choice{Values: url.Values{}}
	c.OfEmbed(query)
	p.Tint(c.Values)
	answer.Body = cardPage(lists.Entry{Event: v.Event, Day: args.DayOf(v.Start)})
	return answer, nil
}

// embedScript returns the web component. Its address never changes, because other sites refer to it.
func (w *Pages) embedScript(context.Context, layout.Asked) (*layout.Shown, error) {
	return &layout.Shown{File: ui.File("embed.js"), Kind: "text/javascript; charset=utf-8", Open: true}, nil
}

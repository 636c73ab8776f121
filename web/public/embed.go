package public

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// embedded turns the handler of a page into the handler of its embeddable form, which other sites show in a frame
// or with the web component of embed.js.
func embedded(show handler) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		a.embedded, a.calendar = true, false
		made, err := show(ctx, a)
		if errors.Is(told(err), calendar.ErrNotFound) { // the embedding page should show it rather than the browser
			made, err = &shown{page: &page{title: ui.Say(ctx, "embed.missing")}, body: missingPage(), status: fiber.StatusNotFound}, nil
		}
		if err == nil && made.page != nil {
			made.page.embedded, made.open = true, true
		}
		return made, err
	}
}

// at returns the path of a list, or of its embeddable form if that was requested.
func (a asked) at(path string) string {
	if !a.embedded {
		return path
	}
	return strings.Replace(path, "/events/", "/embed/", 1)
}

// embedPath returns the path of a page's embeddable form, or "" if it has none.
func embedPath(path string) string {
	first, rest, _ := strings.Cut(strings.Trim(path, "/"), "/")
	view, below, _ := strings.Cut(rest, "/")
	switch {
	case first == "event" && rest != "":
		return "/embed/event/" + rest + "/"
	case first == "events" && (view == "month" || view == "week"):
		return "/embed/" + rest + "/"
	case first == "events" && view == "category" && below != "":
		return "/embed/list/?" + url.Values{"category": {ui.Decoded(below[strings.LastIndexByte(below, '/')+1:])}}.Encode()
	case first == "tag" && rest != "":
		return "/embed/list/?" + url.Values{"tag": {ui.Decoded(rest)}}.Encode()
	case first == "", first == "events" && (view == "" || view == "list" || view == "photo"):
		return "/embed/list/"
	}
	return ""
}

// ofEmbed reads the parameters that only embedded pages have: several slugs in one parameter, and colors, which
// links to other embedded pages repeat.
func (c *choice) ofEmbed(query url.Values) {
	c.embedded = true
	for from, to := range map[string]string{"categories": "category", "tags": "tag"} {
		for slug := range strings.SplitSeq(query.Get(from), ",") {
			if slug = strings.TrimSpace(slug); slug != "" && len(c.values[to]) < mostChosen && !c.has(to, slug) {
				c.values.Add(to, shorten(slug))
			}
		}
	}
	if theme := query.Get("theme"); theme == "light" || theme == "dark" {
		c.values.Set("theme", theme)
	}
	if accent := "#" + strings.TrimPrefix(query.Get("accent"), "#"); ui.AccentAddress(accent) != "" {
		c.values.Set("accent", accent[1:])
	}
}

// tint applies the colors in an embedded page's address instead of the site's.
func (p *page) tint(values url.Values) {
	p.scheme, p.accent = values.Get("theme"), ui.AccentAddress("#"+values.Get("accent"))
}

// card shows a single event in the style of the photo view; for a series it shows the next date.
func (w *Pages) card(ctx context.Context, a asked) (*shown, error) {
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	v := &eventView{Event: e, now: w.calendar.Now()}
	p := &page{title: headline(ctx, e), path: embedPath(e.Path())}
	answer := &shown{page: p, version: e.Version}
	if err := w.surround(ctx, a, v, answer); err != nil {
		return nil, err
	}
	if v.dates != nil && v.dates.next != nil {
		v.Event = v.dates.next
	}
	query, err := url.ParseQuery(a.all)
	if err != nil {
		return nil, calendar.ErrNotFound
	}
	c := &choice{values: url.Values{}}
	c.ofEmbed(query)
	p.tint(c.values)
	answer.body = cardPage(agendaEntry{Event: v.Event, day: args.DayOf(v.Start)})
	return answer, nil
}

// embedScript returns the web component. Its address never changes, because other sites refer to it.
func (w *Pages) embedScript(context.Context, asked) (*shown, error) {
	return &shown{file: ui.File("embed.js"), kind: "text/javascript; charset=utf-8", open: true}, nil
}

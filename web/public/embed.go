package public

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// embedded turns the handler of a page into that of the form of the page which other
// sites show within theirs: in a frame, or by the web component of embed.js.
func embedded(show handler) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		a.embedded, a.calendar = true, false
		made, err := show(ctx, a)
		if errors.Is(told(err), calendar.ErrNotFound) { // the page around shall say so, and not the browser
			made, err = &shown{page: &page{title: ui.Say(ctx, "embed.missing")}, body: missingPage(), status: fiber.StatusNotFound}, nil
		}
		if err == nil && made.page != nil {
			made.page.embedded, made.open = true, true
		}
		return made, err
	}
}

// at is the path of a list, or of its form for other sites where that is asked for.
func (a asked) at(path string) string {
	if !a.embedded {
		return path
	}
	return strings.Replace(path, "/events/", "/embed/", 1)
}

// embedPath is the form of a page that other sites can show, by the path of the page,
// "" for a page that has none.
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

// ofEmbed adds what addresses of embedded pages say and others don't: several slugs in one
// argument, and colors, which every link to another page of it repeats.
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

// tint gives an embedded page the colors its address asks for, instead of the site's.
func (p *page) tint(values url.Values) {
	p.scheme, p.accent = values.Get("theme"), ui.AccentAddress("#"+values.Get("accent"))
}

// card shows one event as it stands among pictures, of a series its next date.
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
	answer.body = cardPage(agendaEntry{Event: v.Event, day: ui.DayOf(v.Start)})
	return answer, nil
}

// embedScript is the web component. Its address stays the same for ever, for it stands in
// pages of others.
func (w *Pages) embedScript(context.Context, asked) (*shown, error) {
	return &shown{file: ui.File("embed.js"), kind: "text/javascript; charset=utf-8", open: true}, nil
}

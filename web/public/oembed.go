package public

import (
	"context"
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// Default size of frames in CSS pixels.
const (
	FrameWidth  = 800
	FrameHeight = 720
	cardWidth   = 400
	cardHeight  = 460
)

// rich is an oEmbed 1.0 response of type rich (§2.3.4.4): a frame, for programs that embed a pasted address.
type rich struct {
	Version  string `json:"version"`
	Type     string `json:"type"`
	Provider string `json:"provider_name"`
	Home     string `json:"provider_url"`
	Title    string `json:"title"`
	HTML     string `json:"html"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	CacheAge int    `json:"cache_age"`
}

// oEmbed describes how to embed a page of this site.
func (w *Pages) oEmbed(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if format := a.Query("format"); format != "" && format != "json" {
		return &layout.Shown{File: []byte{}, Kind: fiber.MIMETextPlainCharsetUTF8, Status: fiber.StatusNotImplemented}, nil
	}
	to, err := url.Parse(a.Query("url"))
	base := tenancy.Current(ctx).Base
	if err != nil || to.Scheme+"://"+to.Host != base.Origin {
		return nil, calendar.ErrNotFound
	}
	tag, language, path := i18n.Cut(to.EscapedPath())
	if tag != "" && tenancy.Current(ctx).Site != nil {
		scope := *tenancy.Current(ctx)
		scope.Language, scope.Texts = tag, scope.Site.Texts(tag)
		ctx = tenancy.With(ctx, scope)
	}
	embed := layout.EmbedPath(path)
	if embed == "" {
		return nil, calendar.ErrNotFound
	}
	title, version, err := w.titleOf(ctx, path)
	if err != nil {
		return nil, err
	}
	made := rich{Version: "1.0", Type: "rich", Provider: ui.SiteName(ctx), Home: base.Origin + "/", Title: title, CacheAge: 3600,
		Width: FrameWidth, Height: FrameHeight}
	if strings.HasPrefix(embed, "/embed/event/") {
		made.Width, made.Height = cardWidth, cardHeight
	}
	made.Width, made.Height = atMost(made.Width, a.Query("maxwidth")), atMost(made.Height, a.Query("maxheight"))
	if to.RawQuery != "" && !strings.Contains(embed, "?") {
		embed += "?" + to.RawQuery
	}
	made.HTML = Frame(base.Origin+language+embed, title, made.Width, made.Height)
	body, err := json.Marshal(made)
	return &layout.Shown{File: body, Kind: "application/json", Open: true, Version: version}, err
}

// titleOf returns the accessible title of a frame with a page.
func (w *Pages) titleOf(ctx context.Context, path string) (string, int64, error) {
	slug, day, _ := strings.Cut(strings.Trim(strings.TrimPrefix(path, "/event/"), "/"), "/")
	if !strings.HasPrefix(path, "/event/") {
		return ui.SiteName(ctx), 0, nil
	}
	e, err := w.find(ctx, layout.Asked{Param: func(name string) string {
		if name == "day" {
			return ui.Decoded(day)
		}
		return ui.Decoded(slug)
	}})
	if err != nil {
		return "", 0, err
	}
	return lists.Headline(ctx, e), e.Version, nil
}

// atMost returns a length in pixels, or the requested maximum if that is smaller.
func atMost(length int, text string) int {
	if most, err := strconv.Atoi(text); err == nil && most > 0 {
		return min(length, most)
	}
	return length
}

// Frame returns the HTML that embeds an address.
func Frame(address, title string, width, height int) string {
	return `<iframe src="` + html.EscapeString(address) + `" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) +
		`" height="` + strconv.Itoa(height) + `" loading="lazy" style="border:0;max-width:100%"></iframe>`
}

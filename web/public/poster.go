package public

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"rsc.io/qr"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// posterOf returns the path of the poster of an event.
func posterOf(e *calendar.Event) string { return e.Path() + "poster/" }

// poster shows an event as a printable poster, with a QR code of its page's URL.
func (w *Pages) poster(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	if e.Protected() { // everybody can read a poster
		return nil, calendar.ErrNotFound
	}
	if to := layout.Moved(ctx, a, posterOf(e)); to != nil {
		return to, nil
	}
	p := &layout.Page{
		Title:       e.Title,
		Path:        posterOf(e),
		Robots:      "noindex",
		Sheet:       "poster.css",
		Description: layout.Excerpt(e.Excerpt, e.Description),
		Image:       e.Image,
	}
	p.In = func(language string) string { return posterOf(e.In(ui.SiteOf(ctx), language)) }
	v := &eventView{Event: e, now: w.calendar.Now()}
	answer := &layout.Shown{Page: p, Version: e.Version}
	if err := w.surround(ctx, a, v, answer); err != nil {
		return nil, err
	}
	p.Query = ""
	answer.Body = posterPage(v)
	return answer, nil
}

// spoken returns the URL of an event's page for people to read: without scheme and percent-encoding.
func (v *eventView) spoken(ctx context.Context) string {
	_, rest, _ := strings.Cut(v.address(ctx), "://")
	if text, err := url.PathUnescape(rest); err == nil {
		rest = text
	}
	return strings.TrimSuffix(rest, "/")
}

// code is a QR code (ISO/IEC 18004): the number of modules per side, including the quiet zone, and the path that
// draws the dark modules.
type code struct {
	side int
	path string
}

// quiet is the width of the quiet zone of a code in modules.
const quiet = 4

// codeOf returns the QR code of an address, or nil if the address is too long.
func codeOf(address string) *code {
	made, err := qr.Encode(address, qr.M)
	if err != nil {
		if made, err = qr.Encode(address, qr.L); err != nil {
			return nil
		}
	}
	var b strings.Builder
	for y := range made.Size {
		for x := 0; x < made.Size; x++ {
			from := x
			for x < made.Size && made.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return &code{made.Size + 2*quiet, b.String()}
}

// box is the code's viewBox.
func (c *code) box() string { return fmt.Sprintf("0 0 %d %d", c.side, c.side) }

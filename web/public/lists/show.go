package lists

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/web/ui"
)

// ShortAddress returns a web address in readable form.
func ShortAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
}

// Dialled returns a telephone number in dialable form.
func Dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, wording.ASCIIDigits(phone))
}

// trimQuery returns a query without question mark.
func trimQuery(query string) string { return strings.TrimPrefix(query, "?") }

// pictured reports whether lists show an image of an event.
func pictured(e *calendar.Event) bool { return e.Image != nil && !e.Masked && e.Image.Width > 0 }

// prominent reports whether the entry is featured.
func (e Entry) prominent() bool { return e.Featured && !e.Masked }

// ToneOf returns the tone of a category, or 0 for a tag.
func ToneOf(t *calendar.Term) int {
	if t.Taxonomy == calendar.Tags {
		return 0
	}
	return ui.ToneOf(t)
}

// smallest returns the address of the smallest uncropped size of an image.
func smallest(i *calendar.Image) string { return ui.BlobPath(i, i.Size("medium").File) }

// Cropped adds to the class of an image the classes that keep its focus visible, in steps of ten percent.
func Cropped(class string, i *calendar.Image) string {
	if i.Focus == calendar.Middle {
		return class
	}
	step := func(percent int) string { return strconv.Itoa((percent + 5) / 10 * 10) }
	return class + " fx-" + step(i.Focus.X) + " fy-" + step(i.Focus.Y)
}

// loading returns the attributes of an image that make browsers load it with priority and show it with the text around it, or load it only
// when it becomes visible, and show it when it is decoded.
func loading(eager bool) templ.Attributes {
	if eager {
		return templ.Attributes{"fetchpriority": "high", "decoding": "sync"}
	}
	return templ.Attributes{"loading": "lazy", "decoding": "async"}
}

// inColumn lets a line break after the dash of a time.
var inColumn = strings.NewReplacer(
	"\u2060–\u2060\u00a0", "– ",
	"\u2060–\u2060", "–\u200b",
	"\u2060～\u2060", "～\u200b",
	"\u2060~\u2060", "~\u200b",
)

// daysInColumn formats the days of an event for a narrow column, where lines break within a date, too.
func daysInColumn(ctx context.Context, e *calendar.Event) string {
	return strings.ReplaceAll(inColumn.Replace(ui.DatesIn(ctx).ShortSpan(e.Start, ui.LastDay(e.Start, e.End))), "\u00a0", " ")
}

// marked reports whether a list shows more about an event than its title, time, place and price.
func marked(e *calendar.Event) bool {
	return e.Happening.Status != "" || e.Featured || e.Masked ||
		e.Attendance.Mode == "online" || e.Attendance.Mode == "mixed" || e.Series != nil
}

// within marks a link of an embedded page to another embedded page.
func within(embedded bool) templ.Attributes {
	if !embedded {
		return nil
	}
	return templ.Attributes{"target": "_self"}
}

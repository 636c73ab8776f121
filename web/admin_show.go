package web

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// What the templates of the administration ask for.

// lengths are the page lengths to choose from.
func lengths(ctx context.Context) []pair {
	list := make([]pair, 0, len(boardLengths))
	for _, n := range boardLengths {
		list = append(list, pair{strconv.Itoa(n), number(ctx, n)})
	}
	return list
}

// shortTime writes a moment on the site's clock.
func shortTime(ctx context.Context, at time.Time) string {
	local := ui.WallAt(at, ui.SiteOf(ctx).Location)
	l := ui.DatesIn(ctx)
	return l.At(l.Short(local), l.Time(local))
}

// shortDay writes the day of a moment on the site's clock.
func shortDay(ctx context.Context, at time.Time) string {
	return ui.DatesIn(ctx).Short(ui.WallAt(at, ui.SiteOf(ctx).Location))
}

// namedChoices are texts to choose from, by the beginning of their keys.
func namedChoices(ctx context.Context, start string, names []string) []pair {
	list := make([]pair, 0, len(names))
	for _, name := range names {
		list = append(list, pair{name, tell(ctx, start+name)})
	}
	return list
}

// emptyOr is a value, or the word for none.
func emptyOr(ctx context.Context, text string) string {
	if text == "" {
		return tell(ctx, "history.empty")
	}
	return text
}

// comma separates entries of a list but the last.
func comma(ctx context.Context, i, n int) string {
	if i == n-1 {
		return ""
	}
	return tell(ctx, "comma") + " "
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// editorAddress is where the form of an event is sent.
func editorAddress(ed *eventEditor) string {
	if ed.event == nil {
		return adminRoot + "/events/new"
	}
	return eventAddress(ed.event.ID)
}

// previewAddress is where the form of an event is shown while it is typed.
func previewAddress(ed *eventEditor) string {
	if ed.event == nil {
		return adminRoot + "/events/preview"
	}
	return adminRoot + "/events/preview?id=" + idText(ed.event.ID)
}

// depthClass is the class of a category at a depth of the tree.
func depthClass(depth int) string { return "depth-" + strconv.Itoa(min(depth, 5)) }

// ticketRowsShown are the rows that have anything in them and one more.
func ticketRowsShown(f *form) []int { return append(f.ticketRows(), f.blankTicket()) }

// ticketType is the type of the input of a ticket's field.
func ticketType(field string) string {
	switch field {
	case "available_from", "available_until":
		return "datetime-local"
	case "url":
		return "url"
	}
	return "text"
}

func ticketDirection(field string) string {
	if field == "name" {
		return field
	}
	return "website"
}

// shownOr is a text, or the word for none.
func shownOr(ctx context.Context, text string) string {
	if text == "" {
		return tell(ctx, "empty")
	}
	return text
}

// publicPlace is the public page of a place.
func publicPlace(ed *placeEditor) string {
	return "/" + ed.kind.kind + "/" + calendar.EncodedSlug(ed.entry.Slug) + "/"
}

// placeAction is where the form of a place is sent.
func placeAction(ed *placeEditor) string {
	if ed.entry == nil {
		return adminRoot + "/" + ed.kind.section + "/new"
	}
	return ed.kind.address(ed.entry.ID)
}

// tryLine is a command that uses a key just made.
func tryLine(ctx context.Context, a access) string {
	address := tenancy.Current(ctx).Base.API() + "/events"
	if a.made.Kind == tenancy.APIKey {
		return keyLine(ctx, a.secret)
	}
	return "curl -u '" + a.user.Login + ":" + a.secret + "' " + address
}

// keyLine is a command that uses a key.
func keyLine(ctx context.Context, key string) string {
	return "curl -H 'Authorization: Bearer " + key + "' " + tenancy.Current(ctx).Base.API() + "/events"
}

// keyUse says when a key was last used.
func keyUse(ctx context.Context, last time.Time) string {
	if last.IsZero() {
		return tell(ctx, "access.unused")
	}
	return tellWith(ctx, "access.used", "Time", shortTime(ctx, last))
}

// browsers are found in what a browser says of itself, in this order: most name
// others too.
var browsers = []string{"Firefox", "Edg", "OPR", "Chrome", "Safari", "curl"}

// systems are what browsers run on.
var systems = []string{"Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"}

var betterNames = map[string]string{"Edg": "Edge", "OPR": "Opera", "Mac OS": "macOS"}

// browserName is a browser as its owner knows it again.
func browserName(ctx context.Context, agent string) string {
	var parts []string
	for _, names := range [][]string{browsers, systems} {
		for _, name := range names {
			if strings.Contains(agent, name) {
				parts = append(parts, ui.FirstText(betterNames[name], name))
				break
			}
		}
	}
	if len(parts) == 0 {
		return tell(ctx, "sessions.unknown")
	}
	return strings.Join(parts, ", ")
}

// shortSpan is when an event happens, in few words.
func shortSpan(ctx context.Context, e *calendar.Event) string {
	l := ui.DatesIn(ctx)
	switch last := ui.LastDay(e.Start, e.End); {
	case !ui.DayOf(e.Start).Equal(last):
		return l.ShortSpan(e.Start, last)
	case e.AllDay:
		return l.Short(e.Start)
	}
	return l.At(l.Short(e.Start), l.Times(e.Start, e.End))
}

// noAuthor names the choice of nobody, for items that have no author; the
// others keep one.
func noAuthor(ctx context.Context, f *form) string {
	if f.get("author") == "" {
		return tell(ctx, "author.none")
	}
	return ""
}

package frame

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// SecondForm is a wall clock to the second.
const SecondForm = "2006-01-02T15:04:05"

// IDIn is the id a text holds, 0 for none.
func IDIn(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// Cut is a text of at most so many letters.
func Cut(text string, most int) string {
	letters := []rune(text)
	return string(letters[:min(len(letters), most)])
}

// ShortTime writes a moment on the site's clock.
func ShortTime(ctx context.Context, at time.Time) string {
	local := ui.WallAt(at, ui.SiteOf(ctx).Location)
	l := ui.DatesIn(ctx)
	return l.At(l.Short(local), l.Time(local))
}

// ShortDay writes the day of a moment on the site's clock.
func ShortDay(ctx context.Context, at time.Time) string {
	return ui.DatesIn(ctx).Short(ui.WallAt(at, ui.SiteOf(ctx).Location))
}

// NamedChoices are texts to choose from, by the beginning of their keys.
func NamedChoices(ctx context.Context, start string, names []string) []Pair {
	list := make([]Pair, 0, len(names))
	for _, name := range names {
		list = append(list, Pair{name, Tell(ctx, start+name)})
	}
	return list
}

// EmptyOr is a value, or the word for none.
func EmptyOr(ctx context.Context, text string) string {
	if text == "" {
		return Tell(ctx, "history.empty")
	}
	return text
}

// Comma separates entries of a list but the last.
func Comma(ctx context.Context, i, n int) string {
	if i == n-1 {
		return ""
	}
	return Tell(ctx, "comma") + " "
}

// LastPart is what follows the last dot of a key.
func LastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// KeyLine is a command that uses a key.
func KeyLine(ctx context.Context, key string) string {
	return "curl -H 'Authorization: Bearer " + key + "' " + tenancy.Current(ctx).Base.API() + "/events"
}

// KeyUse says when a key was last used.
func KeyUse(ctx context.Context, last time.Time) string {
	if last.IsZero() {
		return Tell(ctx, "access.unused")
	}
	return TellWith(ctx, "access.used", "Time", ShortTime(ctx, last))
}

// browsers are found in what a browser says of itself, in this order: most name
// others too.
var browsers = []string{"Firefox", "Edg", "OPR", "Chrome", "Safari", "curl"}

// systems are what browsers run on.
var systems = []string{"Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"}

var betterNames = map[string]string{"Edg": "Edge", "OPR": "Opera", "Mac OS": "macOS"}

// BrowserName is a browser as its owner knows it again.
func BrowserName(ctx context.Context, agent string) string {
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
		return Tell(ctx, "sessions.unknown")
	}
	return strings.Join(parts, ", ")
}

// ShortSpan is when an event happens, in few words.
func ShortSpan(ctx context.Context, e *calendar.Event) string {
	l := ui.DatesIn(ctx)
	switch last := ui.LastDay(e.Start, e.End); {
	case !ui.DayOf(e.Start).Equal(last):
		return l.ShortSpan(e.Start, last)
	case e.AllDay:
		return l.Short(e.Start)
	}
	return l.At(l.Short(e.Start), l.Times(e.Start, e.End))
}

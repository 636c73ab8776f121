package frame

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// SecondForm is the layout of a wall-clock time with seconds.
const SecondForm = "2006-01-02T15:04:05"

// IDIn returns the id in a text, or 0.
func IDIn(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// Address returns the address of the page of an entry in a section, such as "events".
func Address(section string, id int64) string { return AdminRoot + "/" + section + "/" + IDText(id) }

// WholeID returns the id of the series that an event belongs to, or its own.
func WholeID(e *calendar.Event) int64 {
	if e.Series != nil {
		return e.Series.ID
	}
	return e.ID
}

// Cut truncates a text to a number of characters.
func Cut(text string, most int) string {
	letters := []rune(text)
	return string(letters[:min(len(letters), most)])
}

// ShortTime formats a moment in the site's time zone.
func ShortTime(ctx context.Context, at time.Time) string {
	local := ui.WallAt(at, ui.SiteOf(ctx).Location)
	l := ui.DatesIn(ctx)
	return l.At(l.Short(local), l.Time(local))
}

// NamedTime formats a moment in the site's time zone with its weekday.
func NamedTime(ctx context.Context, at time.Time) string {
	local := ui.WallAt(at, ui.SiteOf(ctx).Location)
	l := ui.DatesIn(ctx)
	return l.At(l.Named(local), l.Time(local))
}

// ShortDay formats the day of a moment in the site's time zone.
func ShortDay(ctx context.Context, at time.Time) string {
	return ui.DatesIn(ctx).Short(ui.WallAt(at, ui.SiteOf(ctx).Location))
}

// NamedChoices returns choices whose texts have keys with a common prefix.
func NamedChoices(ctx context.Context, start string, names []string) []Pair {
	list := make([]Pair, 0, len(names))
	for _, name := range names {
		list = append(list, Pair{name, Tell(ctx, start+name)})
	}
	return list
}

// EmptyOr returns a value, or the word for none.
func EmptyOr(ctx context.Context, text string) string {
	if text == "" {
		return Tell(ctx, "empty")
	}
	return text
}

// Comma returns the separator after all entries of a list but the last.
func Comma(ctx context.Context, i, n int) string {
	if i == n-1 {
		return ""
	}
	return Tell(ctx, "comma") + " "
}

// LastPart returns the text after the last dot of a key.
func LastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// ShortSpan describes briefly when an event takes place.
func ShortSpan(ctx context.Context, e *calendar.Event) string {
	l := ui.DatesIn(ctx)
	switch last := ui.LastDay(e.Start, e.End); {
	case !args.DayOf(e.Start).Equal(last):
		return l.ShortSpan(e.Start, last)
	case e.AllDay:
		return l.Named(e.Start)
	}
	return l.At(l.Named(e.Start), l.HoursOf(e))
}

// DepthClass returns the CSS class of a category at a depth of the tree.
func DepthClass(depth int) string { return "depth-" + strconv.Itoa(min(depth, 5)) }

// SomeID returns an ID as text, or "" for 0.
func SomeID(id int64) string {
	if id == 0 {
		return ""
	}
	return IDText(id)
}

// EventAddress is the address of the form of an event.
func EventAddress(id int64) string { return Address("events", id) }

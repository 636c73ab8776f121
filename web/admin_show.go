package web

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// What the templates of the administration ask for.

// lengths are the page lengths to choose from.
func lengths(ctx context.Context) []pair {
	var list []pair
	for _, n := range boardLengths {
		list = append(list, pair{strconv.Itoa(n), number(ctx, n)})
	}
	return list
}

// shortTime writes a moment on the site's clock.
func shortTime(ctx context.Context, at time.Time) string {
	local := wallAt(at, siteOf(ctx).Location)
	l := datesIn(ctx)
	return l.at(l.short(local), l.time(local))
}

// comma separates entries of a list but the last.
func comma(ctx context.Context, i, n int) string {
	if i == n-1 {
		return ""
	}
	return tell(ctx, "comma") + " "
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

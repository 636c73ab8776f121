package ui

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/tenancy"
)

// WordsIn returns the words of dates, times, prices and places in the language of the request, as this site writes dates.
func WordsIn(ctx context.Context) *words.Vocabulary {
	return asWritten(ctx, words.In(tenancy.Current(ctx).Language))
}

// SearchedIn is WordsIn for searches.
func SearchedIn(ctx context.Context) *words.Vocabulary {
	return asWritten(ctx, words.SearchedIn(tenancy.Current(ctx).Language))
}

func asWritten(ctx context.Context, v words.Vocabulary) *words.Vocabulary {
	dates := DatesIn(ctx)
	if sign, first := dates.MonthFirst(); first {
		v.MonthFirst = sign
	}
	v.First = time.Weekday(dates.WeekStart() % 7)
	return &v
}

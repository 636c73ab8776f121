package history

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// Megabyte is what forms count pictures in.
const Megabyte = 1_000_000

// LimitText is a limit as a form holds it, "" for none.
func LimitText(name string, limit *int64) string {
	switch {
	case limit == nil:
		return ""
	case name == "media_bytes":
		return strconv.FormatFloat(float64(*limit)/Megabyte, 'f', -1, 64)
	}
	return strconv.FormatInt(*limit, 10)
}

// LimitShown is a limit in words.
func LimitShown(ctx context.Context, name string, limit *int64) string {
	if limit == nil {
		return frame.Tell(ctx, "console.limit.none")
	}
	text := ui.DatesIn(ctx).Digits(LimitText(name, limit))
	if name == "media_bytes" {
		return frame.TellWith(ctx, "console.megabytes", "Number", text)
	}
	return text
}

// LimitLabel names a limit.
func LimitLabel(ctx context.Context, name string) string {
	return (&frame.Form{Kind: "limit"}).Label(ctx, name)
}

// ShownLabel names a limit whose unit stands with its number.
func ShownLabel(ctx context.Context, name string) string {
	if name == "media_bytes" {
		return frame.Tell(ctx, "console.pictures")
	}
	return LimitLabel(ctx, name)
}

// limitList lists limits of the history.
func limitList(ctx context.Context, limits map[string]any) string {
	parts := make([]string, 0, len(limits))
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		text := frame.Tell(ctx, "console.limit.none")
		if n, ok := limits[name].(float64); ok {
			whole := int64(n)
			text = LimitShown(ctx, name, &whole)
			if name == "geo" {
				text = frame.Tell(ctx, map[bool]string{true: "yes", false: "no"}[n != 0])
			}
		}
		parts = append(parts, ShownLabel(ctx, name)+": "+text)
	}
	return strings.Join(parts, "\n")
}

// deletionText says of the history when a deleted site is removed, "" for one
// that isn't deleted.
func deletionText(ctx context.Context, deletion map[string]any) string {
	text, _ := deletion["purge"].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return frame.TellWith(ctx, "console.purge", "Time", frame.ShortTime(ctx, at))
}

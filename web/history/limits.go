package history

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Megabyte is the unit of image sizes in forms.
const Megabyte = 1_000_000

// LimitText formats a limit for a form; "" means unlimited.
func LimitText(name string, limit *int64) string {
	switch {
	case limit == nil:
		return ""
	case name == "media_bytes":
		return strconv.FormatFloat(float64(*limit)/Megabyte, 'f', -1, 64)
	}
	return strconv.FormatInt(*limit, 10)
}

// LimitShown describes a limit.
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

// LimitLabel returns the label of a limit.
func LimitLabel(ctx context.Context, name string) string {
	return (&frame.Form{Kind: "limit"}).Label(ctx, name)
}

// ShownLabel returns the label of a limit whose unit follows the number.
func ShownLabel(ctx context.Context, name string) string {
	if name == "media_bytes" {
		return frame.Tell(ctx, "console.pictures")
	}
	return LimitLabel(ctx, name)
}

// limitList describes limits in the history.
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

// deletionText describes when a deleted site is removed, or returns "" for a site that is not deleted.
func deletionText(ctx context.Context, deletion map[string]any) string {
	text, _ := deletion["purge"].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return frame.TellWith(ctx, "console.purge", "Time", frame.ShortTime(ctx, at))
}

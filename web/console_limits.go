package web

import (
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// limitNames are the limits, in the order they are shown in.
var limitNames = []string{"events", "occurrences", "users", "media_bytes", "requests_per_minute"}

var (
	limitTable = args.TableOf(reflect.TypeFor[tenancy.LimitFields]())
	grantTable = args.TableOf(reflect.TypeFor[tenancy.GrantFields]())
)

// megabyte is what forms count pictures in.
const megabyte = 1_000_000

// limitsOf are the limits of a plan by name; nil is none.
func limitsOf(p *tenancy.Plan) map[string]*int64 {
	list := map[string]*int64{"events": p.Events, "occurrences": p.Occurrences, "users": p.Users, "media_bytes": p.MediaBytes,
		"requests_per_minute": nil}
	if n := int64(p.RequestsPerMinute); n > 0 {
		list["requests_per_minute"] = &n
	}
	return list
}

// limitText is a limit as a form holds it, "" for none.
func limitText(name string, limit *int64) string {
	switch {
	case limit == nil:
		return ""
	case name == "media_bytes":
		return strconv.FormatFloat(float64(*limit)/megabyte, 'f', -1, 64)
	}
	return strconv.FormatInt(*limit, 10)
}

// readLimit reads a limit from a field; an empty one is none, which is null.
func (f *form) readLimit(ctx context.Context, name, field string, values args.Values) {
	text := strings.TrimSpace(f.get(field))
	values[name] = text
	switch {
	case text == "":
		values[name] = nil
	case name == "media_bytes":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || math.Abs(n) > 1e9 {
			f.wrong(field, i18n.T(ctx, "problem.type.number", nil))
			n = 0
		}
		values[name] = strconv.FormatFloat(math.Round(n*megabyte), 'f', 0, 64)
	}
}

// limitShown is a limit in words.
func limitShown(ctx context.Context, name string, limit *int64) string {
	if limit == nil {
		return tell(ctx, "console.limit.none")
	}
	text := ui.DatesIn(ctx).Digits(limitText(name, limit))
	if name == "media_bytes" {
		return tellWith(ctx, "console.megabytes", "Number", text)
	}
	return text
}

// limitLabel names a limit.
func limitLabel(ctx context.Context, name string) string {
	return (&form{kind: "limit"}).label(ctx, name)
}

// limitSummary is what a plan allows, in a line.
func limitSummary(ctx context.Context, p *tenancy.Plan) string {
	var parts []string
	limits := limitsOf(p)
	for _, name := range limitNames {
		if limits[name] != nil {
			parts = append(parts, shownLabel(ctx, name)+": "+limitShown(ctx, name, limits[name]))
		}
	}
	if !p.Geo {
		parts = append(parts, tell(ctx, "console.geo.off"))
	}
	if len(parts) == 0 {
		return tell(ctx, "console.limit.none")
	}
	return strings.Join(parts, " · ")
}

// shownLabel names a limit whose unit stands with its number.
func shownLabel(ctx context.Context, name string) string {
	if name == "media_bytes" {
		return tell(ctx, "console.pictures")
	}
	return limitLabel(ctx, name)
}

// limitList lists limits of the history.
func limitList(ctx context.Context, limits map[string]any) string {
	parts := make([]string, 0, len(limits))
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		text := tell(ctx, "console.limit.none")
		if n, ok := limits[name].(float64); ok {
			whole := int64(n)
			text = limitShown(ctx, name, &whole)
			if name == "geo" {
				text = tell(ctx, map[bool]string{true: "yes", false: "no"}[n != 0])
			}
		}
		parts = append(parts, shownLabel(ctx, name)+": "+text)
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
	return tellWith(ctx, "console.purge", "Time", shortTime(ctx, at))
}

// leastOf and stepOf are what the field of a limit takes.
func leastOf(name string) string {
	if name == "requests_per_minute" {
		return "1"
	}
	return "0"
}

func stepOf(name string) string {
	if name == "media_bytes" {
		return "any"
	}
	return "1"
}

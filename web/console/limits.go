package console

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// limitNames are the limits in display order.
var limitNames = []string{"events", "occurrences", "users", "media_bytes", "webhooks", "letters", "requests_per_minute"}

var (
	limitTable = args.TableOf(reflect.TypeFor[platform.LimitFields]())
	grantTable = args.TableOf(reflect.TypeFor[platform.GrantFields]())
)

// limitsOf returns the limits of a plan by name; nil means unlimited.
func limitsOf(p *tenancy.Plan) map[string]*int64 {
	list := map[string]*int64{"events": p.Events, "occurrences": p.Occurrences, "users": p.Users, "media_bytes": p.MediaBytes,
		"webhooks":            p.Webhooks,
		"letters":             p.Letters,
		"requests_per_minute": nil}
	if n := int64(p.RequestsPerMinute); n > 0 {
		list["requests_per_minute"] = &n
	}
	return list
}

// readLimit reads a limit from a field. An empty field means unlimited, which is null.
func readLimit(ctx context.Context, f *frame.Form, name, field string, values args.Values) {
	text := strings.TrimSpace(f.Get(field))
	values[name] = text
	switch {
	case text == "":
		values[name] = nil
	case name == "media_bytes":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || math.Abs(n) > 1e9 {
			f.Wrong(field, i18n.T(ctx, "problem.type.number", nil))
			n = 0
		}
		values[name] = strconv.FormatFloat(math.Round(n*history.Megabyte), 'f', 0, 64)
	}
}

// limitSummary returns the limits of a plan on one line.
func limitSummary(ctx context.Context, p *tenancy.Plan) string {
	var parts []string
	limits := limitsOf(p)
	for _, name := range limitNames {
		if limits[name] != nil {
			parts = append(parts, history.ShownLabel(ctx, name)+": "+history.LimitShown(ctx, name, limits[name]))
		}
	}
	if !p.Geo {
		parts = append(parts, frame.Tell(ctx, "console.geo.off"))
	}
	if len(parts) == 0 {
		return frame.Tell(ctx, "console.limit.none")
	}
	return strings.Join(parts, " · ")
}

// leastOf and stepOf return the minimum and the step of the field for a limit.
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

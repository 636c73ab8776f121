package merging

import (
	"context"
	"strconv"
	"strings"

	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/words"
)

// mergeLabel is the label of a compared field.
func mergeLabel(ctx context.Context, m *merging, name string) string {
	if name == "geo" {
		return frame.Tell(ctx, "merge.geo")
	}
	return (&frame.Form{Kind: m.kind.Kind}).Label(ctx, name)
}

// mergeText returns the field that determines the text direction of a compared field.
func mergeText(name string) string {
	if name == "geo" || name == "color" {
		return "geo_lat"
	}
	return name
}

// mergeOf says to which entry a value belongs.
func mergeOf(ctx context.Context, m *merging, one *Entry) string {
	if one == m.keep {
		return frame.TellWith(ctx, "merge.stays", "Name", one.Name)
	}
	return frame.TellWith(ctx, "merge.goes", "Name", one.Name)
}

func idsOfPairs(list []frame.Pair) []int64 {
	ids := make([]int64, 0, len(list))
	for _, p := range list {
		if id, err := strconv.ParseInt(p.Name, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// mergeShown is the value of a field as people read it.
func mergeShown(ctx context.Context, one *Entry, name string) string {
	if name == "fields" {
		return added.Shown(ctx, one.Fields[name])
	}
	if words.Is(name) {
		return words.Text(ctx, name, strings.FieldsFunc(one.Fields[name], func(r rune) bool { return r == ',' }))
	}
	return one.text(name)
}

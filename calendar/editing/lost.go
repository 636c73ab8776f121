package editing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// Lost is a link of an earlier version to an item that no longer exists.
type Lost struct{ Arg, Name string }

// dropLost removes links to items that no longer exist from a state. A link to an item that was merged becomes a link to the item that
// is left.
func (c *Service) dropLost(ctx context.Context, state map[string]any) ([]Lost, error) {
	return c.dropLostAmong(ctx, map[link]error{}, state)
}

// link is a link in a state: the argument, and the ID of its target.
type link struct {
	arg string
	id  int64
}

// target describes where the links of an argument lead: the kind of object in the history, and how to look one up.
type target struct {
	arg, kind string
	get       func(id int64) error
}

// dropLostAmong is dropLost with a cache of the targets already looked up.
func (c *Service) dropLostAmong(ctx context.Context, known map[link]error, state map[string]any) ([]Lost, error) {
	var lost []Lost
	for _, to := range []target{
		{"categories", "category", func(id int64) error { return second(c.store.Terms(calendar.Categories).Get(ctx, id)) }},
		{"image", "image", func(id int64) error { return second(c.store.Images().Get(ctx, id)) }},
		{"organizer", "organizer", func(id int64) error { return second(c.store.Organizers().Get(ctx, calendar.Key{ID: id})) }},
		{"tags", "tag", func(id int64) error { return second(c.store.Terms(calendar.Tags).Get(ctx, id)) }},
		{"venue", "venue", func(id int64) error { return second(c.store.Venues().Get(ctx, calendar.Key{ID: id})) }},
	} {
		gone, err := c.dropLostOf(ctx, known, to, state)
		if err != nil {
			return nil, err
		}
		lost = append(lost, gone...)
	}
	if id, ok := state["post_parent"].(float64); ok {
		if err := second(c.store.Events().Get(ctx, calendar.Key{ID: int64(id)})); absent(err) {
			state["post_parent"], lost = nil, append(lost, Lost{"post_parent", fmt.Sprint(int64(id))})
		} else if err != nil {
			return nil, err
		}
	}
	return lost, nil
}

// dropLostOf is dropLostAmong for the links of one argument.
func (c *Service) dropLostOf(ctx context.Context, known map[link]error, to target, state map[string]any) (lost []Lost, err error) {
	list := linksOf(state[to.arg])
	missing := map[int64]int64{} // the items that are gone, and those they were merged into
	for _, one := range list {
		at := link{to.arg, idOf(one)}
		err, looked := known[at]
		if !looked {
			err = to.get(at.id)
			known[at] = err
		}
		switch {
		case absent(err):
			missing[at.id] = 0
		case err != nil:
			return nil, err
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	into, err := c.store.History().MergedInto(ctx, to.kind, slices.Collect(maps.Keys(missing)))
	if err != nil {
		return nil, err
	}
	maps.Copy(missing, into)
	kept, has := []any{}, map[int64]bool{}
	for _, one := range list {
		id := idOf(one)
		left, gone := missing[id]
		switch {
		case gone && left == 0:
			name, _ := one["name"].(string)
			lost = append(lost, Lost{to.arg, strings.TrimSpace(name)})
			continue
		case gone:
			one = map[string]any{"id": float64(left)}
		}
		if id = idOf(one); !has[id] {
			kept = append(kept, one)
			has[id] = true
		}
	}
	state[to.arg] = kept
	if to.arg == "image" {
		state[to.arg] = nil
	}
	return lost, nil
}

func idOf(one map[string]any) int64 {
	id, _ := one["id"].(float64)
	return int64(id)
}

// linksOf returns the links in a field's value: a list, a single one or none.
func linksOf(value any) []map[string]any {
	var list []map[string]any
	switch v := value.(type) {
	case map[string]any:
		list = append(list, v)
	case []any:
		for _, one := range v {
			if link, ok := one.(map[string]any); ok {
				list = append(list, link)
			}
		}
	}
	return list
}

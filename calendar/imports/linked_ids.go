package imports

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
)

// counterpartOf returns the id on this site for {"old": id}, and 0 for anything else.
func (r *run) counterpartOf(kind string, v any) int64 {
	id, _ := oldID(v)
	return r.linked.here[linkedKey{kind, id}]
}

// numberOf returns an id as an argument.
func numberOf(id int64) json.Number { return json.Number(strconv.FormatInt(id, 10)) }

// oldID returns the id of {"old": id}.
func oldID(v any) (int64, bool) {
	object, is := v.(map[string]any)
	if !is || len(object) != 1 || object[reading.OldID] == nil {
		return 0, false
	}
	var id int64
	_, err := fmt.Sscan(fmt.Sprint(object[reading.OldID]), &id)
	return id, err == nil
}

// settled returns the arguments of an event in which its links have the ids of this site instead of those of the copied
// site. In a dry run, items that would be created are included in full.
func (r *run) settled(values args.Values) args.Values {
	if r.linked == nil {
		return values
	}
	values = maps.Clone(values)
	for name, kind := range map[string]string{"venue": "venue", "organizer": "organizer", "categories": "category", "tags": "tag"} {
		list, is := values[name].([]any)
		if !is {
			continue
		}
		now := make([]any, 0, len(list))
		for _, one := range list {
			id, old := oldID(one)
			key := linkedKey{kind, id}
			switch item := r.linked.file[key]; {
			case !old:
				now = append(now, one)
			case r.linked.here[key] != 0:
				now = append(now, numberOf(r.linked.here[key]))
			case item == nil || !r.in.DryRun: // it was refused, as reported
			case kind == "venue", kind == "organizer":
				object := map[string]any(maps.Clone(item.Values))
				delete(object, "image")
				now = append(now, object)
			default:
				now = append(now, map[string]any{"name": item.Name})
			}
		}
		values[name] = now
	}
	return values
}

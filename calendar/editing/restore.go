package editing

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// stays are the fields that restoring does not change: the status with the note of an editor, the slug, the date, the author,
// and the password, which the history does not have.
var stays = []string{"status", "review_note", "author", "slug", "date", "post_password"}

// wallFields are restored together, because each depends on the others.
var wallFields = []string{"start_date", "end_date", "timezone", "all_day", "recurrence"}

// Restored is what Restore wrote.
type Restored struct {
	Version int64  // of the item after the write; 0 if nothing had to be written
	Lost    []Lost // links that could not be restored, because their targets no longer exist
}

// Restores reports whether Restore can restore a field alone to its value at a version, and the field differs now.
func (p *Past) Restores(version int64, name string) bool {
	value, known := p.At(version)[name]
	return known && p.restorable(name) && !reflect.DeepEqual(p.Now[name], value)
}

// restorable reports whether a field is one that restoring changes.
func (p *Past) restorable(name string) bool {
	return !slices.Contains(stays, name) && args.TableOf(fieldsOf[p.kind]).Field(name) != nil
}

// fieldsOf are the arguments of the kinds that have revisions.
var fieldsOf = map[string]reflect.Type{
	"event":     reflect.TypeFor[calendar.EventFields](),
	"venue":     reflect.TypeFor[calendar.VenueFields](),
	"organizer": reflect.TypeFor[calendar.OrganizerFields](),
}

// staysBut returns whether a field stays as it is while the field named only is restored, or all fields if only is "".
// Dates and times are restored together, because each depends on the others.
func staysBut(only string) func(name string) bool {
	return func(name string) bool {
		together := name == only || slices.Contains(wallFields, name) && slices.Contains(wallFields, only)
		return slices.Contains(stays, name) || only != "" && !together
	}
}

// Restore resets an event, venue or organizer to its state after the write of a version, as an ordinary update. If only is
// not "", it resets just that field. It returns ErrNotFound if the version is unknown, or the field is none that it restores.
func (c *Service) Restore(ctx context.Context, kind string, id, version int64, only string, cond calendar.Condition) (*Restored, error) {
	past, err := c.Revisions(ctx, kind, id)
	if err != nil {
		return nil, err
	}
	state := past.At(version)
	if state == nil || only != "" && !past.restorable(only) {
		return nil, calendar.ErrNotFound
	}
	then, done := maps.Clone(state), &Restored{}
	if done.Lost, err = c.dropLost(ctx, then); err != nil {
		return nil, err
	}
	done.Lost = slices.DeleteFunc(done.Lost, func(l Lost) bool { return only != "" && l.Arg != only })
	key, site, staying := calendar.Key{ID: id}, tenancy.Current(ctx).Site, staysBut(only)
	now := apart(past.Now, site.Language)
	then = apart(then, site.Language)
	switch kind {
	case "event":
		err = restore(staying, now, then, func(f *calendar.EventFields) error {
			stored, err := c.Events().Update(ctx, key, f, cond)
			if err == nil {
				done.Version = stored.Version
			}
			return err
		})
	case "venue":
		err = restore(staying, now, then, func(f *calendar.VenueFields) error {
			_, err := c.Venues().Update(ctx, key, f, cond)
			return err
		})
	case "organizer":
		err = restore(staying, now, then, func(f *calendar.OrganizerFields) error {
			_, err := c.Organizers().Update(ctx, key, f, cond)
			return err
		})
	}
	return done, err
}

// restore compares the states now and then. It writes the fields that differ, with their values in then, except those that
// stay.
func restore[F any](staying func(name string) bool, now, then map[string]any, update func(*F) error) error {
	table := args.TableOf(reflect.TypeFor[F]())
	values := args.Values{}
	moved := slices.ContainsFunc(wallFields, func(name string) bool { return !reflect.DeepEqual(now[name], then[name]) })
	for i := range table.Fields {
		field := &table.Fields[i]
		value, ok := then[field.Name]
		same := reflect.DeepEqual(now[field.Name], value) && (!moved || !slices.Contains(wallFields, field.Name))
		if !ok || same || staying(field.Name) {
			continue
		}
		switch field.Name {
		case "translations":
			values[field.Name] = textsBack(now[field.Name], value)
			continue
		case "fields":
			values[field.Name] = addedBack(now[field.Name], value)
			continue
		}
		if value = argument(value); (value == nil || value == "") && field.NoNull {
			continue
		}
		if value == "" && !field.Required {
			value = nil
		}
		values[field.Name] = value
	}
	if len(values) == 0 {
		return nil
	}
	f := new(F)
	if err := table.Parse(values, args.Updating, f); err != nil {
		return err
	}
	switch f := any(f).(type) {
	case *calendar.EventFields:
		f.Past = true
	case *calendar.VenueFields:
		f.Past = true
	}
	return update(f)
}

// addedBack returns the argument that restores the added fields to their values in the state then. It also clears the fields
// that are only in the state now.
func addedBack(now, then any) map[string]any {
	back := map[string]any{}
	if values, ok := now.(map[string]any); ok {
		for key := range values {
			back[key] = nil
		}
	}
	values, _ := then.(map[string]any)
	for key, value := range values {
		if number, is := value.(float64); is {
			value = json.Number(strconv.FormatFloat(number, 'f', -1, 64))
		}
		back[key] = value
	}
	return back
}

// textsBack returns the argument that restores the translations of the state then, and removes languages that it does not
// have. It keeps slugs.
func textsBack(now, then any) map[string]any {
	back := map[string]any{}
	if texts, ok := now.(map[string]any); ok {
		for language := range texts {
			back[language] = nil
		}
	}
	texts, _ := then.(map[string]any)
	for language, one := range texts {
		if said, ok := one.(map[string]any); ok {
			fields := maps.Clone(said)
			delete(fields, "slug")
			if known, ok := nowOf(now, language); ok {
				for name := range known {
					if _, there := fields[name]; !there && name != "slug" {
						fields[name] = nil
					}
				}
			}
			back[language] = fields
		}
	}
	return back
}

// nowOf returns the texts of a state in a language.
func nowOf(texts any, language string) (map[string]any, bool) {
	all, _ := texts.(map[string]any)
	one, ok := all[language].(map[string]any)
	return one, ok
}

// argument converts a value of the history to the value of an argument: an object with an ID becomes this ID.
func argument(value any) any {
	switch v := value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		if id, ok := v["id"]; ok {
			return argument(id)
		}
	case []any:
		list := make([]any, 0, len(v))
		for _, one := range v {
			list = append(list, argument(one))
		}
		return list
	}
	return value
}

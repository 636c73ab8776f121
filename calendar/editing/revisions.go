package editing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/tenancy"
)

// Past is the history of changes of an event, venue or organizer, newest first.
type Past struct {
	Post   *calendar.Post
	Name   string
	Now    map[string]any   // current state by argument; names that the reader may not know are ""
	Events []tenancy.Entry  // without the origin of the writes
	States []map[string]any // state after each of Events; nil if unknown

	kind   string
	merged map[link]int64 // what the items were merged into that the states link to
}

// AsSeries is the action of the first entry in the history of an occurrence: its state as part of the series, before its first
// own change.
const AsSeries = "series"

// begin adds the state of an occurrence before its first change.
func (p *Past) begin() {
	n := len(p.Events)
	if n == 0 || p.Now["series"] == nil || p.Events[n-1].Action != "update" || p.States[n-1] == nil || p.Events[n-1].Before == nil {
		return
	}
	first := p.Events[n-1]
	state := maps.Clone(p.States[n-1])
	maps.Copy(state, first.Before)
	first.Position.Version--
	p.Events = append(p.Events, tenancy.Entry{Position: first.Position, At: first.At, Action: AsSeries})
	p.States = append(p.States, state)
}

// At returns the state after the write of a version, or nil.
func (p *Past) At(version int64) map[string]any {
	for i := range p.Events {
		if p.Events[i].Position.Version == version {
			return p.States[i]
		}
	}
	return nil
}

// Seen returns the state at a version of the site, or nil if it is unknown.
func (p *Past) Seen(upTo int64) map[string]any {
	for i := range p.Events {
		if p.Events[i].Position.Version <= upTo {
			return p.States[i]
		}
	}
	return nil
}

// Returned reports whether an entry brought back the state after an earlier one, apart from what restoring does not change.
func (p *Past) Returned(i int) bool {
	if p.Events[i].Action != "update" || len(p.Events[i].Before) == 0 || p.States[i] == nil {
		return false
	}
	of := func(state map[string]any) map[string]any {
		state = maps.Clone(state)
		for _, name := range stays {
			delete(state, name)
		}
		for arg := range linkKinds {
			if value, there := state[arg]; there {
				state[arg] = p.linked(arg, value)
			}
		}
		return state
	}
	is := of(p.States[i])
	return slices.ContainsFunc(p.States[min(i+2, len(p.States)):], func(was map[string]any) bool {
		return was != nil && reflect.DeepEqual(of(was), is)
	})
}

// linkKinds are the kinds of objects that the links of events lead to, by argument.
var linkKinds = map[string]string{"venue": "venue", "organizer": "organizer", "categories": "category", "tags": "tag"}

// linked returns the IDs of the links in a field's value, once each. Items that were merged have the IDs of those that are left.
func (p *Past) linked(arg string, value any) []int64 {
	ids := []int64{}
	for _, one := range linksOf(value) {
		id := idOf(one)
		if left := p.merged[link{arg, id}]; left != 0 {
			id = left
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// findMerged finds out what the items were merged into that the states link to.
func (c *Service) findMerged(ctx context.Context, p *Past) error {
	p.merged = map[link]int64{}
	for arg, kind := range linkKinds {
		ids := map[int64]bool{}
		for _, state := range p.States {
			for _, one := range linksOf(state[arg]) {
				ids[idOf(one)] = true
			}
		}
		if len(ids) < 2 {
			continue
		}
		into, err := c.store.History().MergedInto(ctx, kind, slices.Collect(maps.Keys(ids)))
		if err != nil {
			return err
		}
		for id, left := range into {
			p.merged[link{arg, id}] = left
		}
	}
	return nil
}

// Revisions returns the history of an "event", "venue" or "organizer" to principals who may edit it.
func (c *Service) Revisions(ctx context.Context, kind string, id int64) (*Past, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	past := &Past{kind: kind}
	if past.Post, past.Name, err = c.subject(ctx, kind, calendar.Key{ID: id}); err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	if err := calendar.Editable(scope.Principal, past.Post, nil); err != nil {
		return nil, err
	}
	if past.Events, past.Now, err = c.store.History().Of(ctx, kind, id, tenancy.Now); err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	past.States = tenancy.Settle(past.Events, past.Now)
	past.begin()
	for i := range past.Events {
		past.Events[i].Address, past.Events[i].Key = "", ""
	}
	if err := c.hideNames(ctx, scope.Principal, past); err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	if err := c.findMerged(ctx, past); err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	return past, nil
}

func (c *Service) subject(ctx context.Context, kind string, key calendar.Key) (*calendar.Post, string, error) {
	switch kind {
	case "event":
		e, err := c.store.Events().Get(ctx, key)
		if err != nil {
			return nil, "", err
		}
		return &e.Post, e.Title, nil
	case "venue":
		v, err := c.store.Venues().Get(ctx, key)
		if err != nil {
			return nil, "", err
		}
		return &v.Post, v.Name, nil
	case "organizer":
		o, err := c.store.Organizers().Get(ctx, key)
		if err != nil {
			return nil, "", err
		}
		return &o.Post, o.Name, nil
	}
	return nil, "", calendar.ErrNotFound
}

// SpokenIn is the member of a state with the site's language at that time. A state has it if the site has since
// changed its language.
const SpokenIn = "content_language"

// apart converts a state so that its own texts are in the site's language. Texts in other languages become
// translations.
func apart(state map[string]any, site string) map[string]any {
	out, texts := maps.Clone(state), map[string]any{}
	all, _ := state["translations"].(map[string]any)
	for language, one := range all {
		said, _ := one.(map[string]any)
		said = maps.Clone(said)
		list, _ := said["original"].([]any)
		delete(said, "original")
		for _, name := range list {
			field := titleOr(fmt.Sprint(name), state)
			said[field] = out[field]
			delete(out, field)
		}
		texts[language] = said
	}
	language, _ := state[SpokenIn].(string)
	delete(out, SpokenIn)
	if language != "" && language != site {
		old, _ := texts[language].(map[string]any)
		if old = maps.Clone(old); old == nil {
			old = map[string]any{}
		}
		own, _ := texts[site].(map[string]any)
		for _, name := range translations.FieldNames() {
			field := titleOr(name, state)
			if value, there := out[field]; there {
				old[field] = value
				delete(out, field)
			}
			if value, there := own[field]; there && value != "" {
				out[field] = value
			}
		}
		delete(texts, site)
		texts[language] = old
	}
	if len(all) > 0 || len(texts) > 0 {
		out["translations"] = texts
	}
	return out
}

// titleOr returns the name of a text in a state. The title has a different name in each kind.
func titleOr(name string, state map[string]any) string {
	if name != "title" {
		return name
	}
	for _, title := range []string{"title", "venue", "organizer", "name"} {
		if _, there := state[title].(string); there {
			return title
		}
	}
	return name
}

func second[T any](_ T, err error) error { return err }

// absent reports whether an error means that something does not exist.
func absent(err error) bool {
	return errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType)
}

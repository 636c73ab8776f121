package sources

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// giving is the work of passing events from one site to another.
type giving struct {
	from, to *tenancy.Site
	source   *Source
	home     string

	belongs map[string]*calendar.Elsewhere // by UID
	named   map[string][]any               // categories here, by UID
}

// take records an event, and reports whether the site gives it.
func (g *giving) take(ctx context.Context, e *calendar.Event) bool {
	there := services.GivesTo(ctx, e, g.home, g.to)
	if there == nil {
		return false
	}
	uid := services.UIDOf(g.from, e)
	g.belongs[uid] = there
	for i := range e.Categories {
		if name := g.here(&e.Categories[i]); name != "" {
			g.named[uid] = append(g.named[uid], map[string]any{"name": name})
		}
	}
	return true
}

// here returns the name that a category has on this site, or "" if this site does not take it.
func (g *giving) here(c *calendar.Term) string {
	for theirs, ours := range g.source.Mapping {
		if folded := wording.Fold(theirs); folded == wording.Fold(c.Name) || theirs == c.Slug {
			return ours
		}
	}
	return ""
}

// spoken removes texts in languages that the gathering site does not use.
func (g *giving) spoken(v any) {
	switch v := v.(type) {
	case args.Values:
		g.spoken(map[string]any(v))
	case map[string]any:
		for name, value := range v {
			texts, is := value.(map[string]any)
			if name != "translations" || !is {
				g.spoken(value)
				continue
			}
			maps.DeleteFunc(texts, func(language string, _ any) bool { return !g.to.Speaks(language) })
			if len(texts) == 0 {
				delete(v, name)
			}
		}
	case []any:
		for _, one := range v {
			g.spoken(one)
		}
	}
}

// entries reads the written table as entries, and adds where their events belong.
func (g *giving) entries(table []byte) ([]reading.Entry, error) {
	file, err := reading.Read(table, reading.Options{Format: reading.CSV, Zone: g.from.Location, Now: time.Time{}})
	if err != nil {
		return nil, fmt.Errorf("read given events: %w", err)
	}
	var list []reading.Entry
	for e := range file.Entries {
		there := g.belongs[e.UID]
		if there == nil || e.Values == nil {
			continue
		}
		for _, name := range services.OwnOfGiven() {
			if name != "slug" { // its slug begins with the giver's
				delete(e.Values, name)
			}
		}
		g.spoken(map[string]any(e.Values))
		e.Values[reading.Belongs] = there
		if named := g.named[e.UID]; len(named) > 0 && e.Recurrence == "" {
			e.Values["categories"] = named
		}
		e.Cells, e.Warnings = nil, nil
		list = append(list, e)
	}
	return list, nil
}

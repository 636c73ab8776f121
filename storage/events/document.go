package events

import (
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// wallClock is the format in which the history writes local times of an event.
const wallClock = "2006-01-02T15:04:05"

// Document returns the fields of an event as the history keeps them.
func Document(e *calendar.Event) pg.Document {
	d := content.PostDocument(&e.Post, "title")
	fields := calendar.AllEventFields()
	for i := range fields {
		if value := fields[i].Value(e); value != nil {
			d[fields[i].Name] = value
		}
	}
	maps.Copy(d, pg.Document{
		"start_date":    e.Start.Format(wallClock),
		"end_date":      e.End.Format(wallClock),
		"cost":          append([]string{}, e.Cost...),
		"post_parent":   content.IDOrNil(e.Parent),
		"post_password": pg.Protection(e.Password),
		"recurrence":    recurrenceDocument(e),
		"tickets":       append([]calendar.Ticket{}, e.Tickets...),
		"venue":         content.NamesOf(e.Venues, func(v *calendar.Venue) (int64, string) { return v.ID, v.Name }),
		"organizer":     content.NamesOf(e.Organizers, func(o *calendar.Organizer) (int64, string) { return o.ID, o.Name }),
		"categories":    linkedTerms(e.Categories),
		"tags":          linkedTerms(e.Tags),
	})
	if e.Series != nil {
		d["series"] = dateOf(e)
	}
	if e.UID != "" { // imported; calendar programs recognize a deleted event by it
		d["uid"] = e.UID
	}
	return d
}

// dateOf returns the series of an occurrence, and which date of the series it is.
func dateOf(e *calendar.Event) any {
	return map[string]any{"id": e.Series.ID, "original_start": e.Series.OriginalStart.Format(wallClock)}
}

// changesOf returns the fields of was that differ from e. For an occurrence it also returns its dateOf.
func changesOf(was, e *calendar.Event) pg.Document {
	d := Document(was).Unlike(Document(e))
	if e.Series != nil {
		d["series"] = dateOf(was)
	}
	return d
}

// recurrenceDocument returns the recurrence as the history keeps it, or nil for an event that happens once.
func recurrenceDocument(e *calendar.Event) any {
	if e.Recurrence == nil {
		return nil
	}
	clock := e.Clock()
	rules := make([]string, 0, len(e.Recurrence.Rules))
	for _, rule := range e.Recurrence.Rules {
		rules = append(rules, rule.Text(clock))
	}
	dates := func(list []time.Time) []string {
		texts := make([]string, 0, len(list))
		for _, date := range list {
			texts = append(texts, date.Format(wallClock))
		}
		return texts
	}
	return map[string]any{"rrule": rules, "rdate": dates(e.Recurrence.Dates), "exdate": dates(e.Recurrence.Except)}
}

func linkedTerms(list []calendar.Term) []content.NamedID {
	ids := content.NamesOf(list, func(t *calendar.Term) (int64, string) { return t.ID, t.Name })
	slices.SortFunc(ids, func(a, b content.NamedID) int { return int(a.ID - b.ID) })
	return ids
}

package storage

import (
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// namedID is what an object is linked to, as the history keeps it.
type namedID struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// wallClock is how the history writes the wall clock of an event.
const wallClock = "2006-01-02T15:04:05"

func eventDocument(e *calendar.Event) pg.Document {
	d := postDocument(&e.Post, "title")
	maps.Copy(d, pg.Document{
		"title":               e.Title,
		"description":         e.Description,
		"excerpt":             e.Excerpt,
		"seo_title":           e.SEO.Title,
		"seo_description":     e.SEO.Description,
		"timezone":            e.Timezone,
		"all_day":             e.AllDay,
		"start_date":          e.Start.Format(wallClock),
		"end_date":            e.End.Format(wallClock),
		"cost":                append([]string{}, e.Cost...),
		"website":             e.Website,
		"show_map":            e.ShowMap,
		"show_map_link":       e.ShowMapLink,
		"hide_from_listings":  e.Hidden,
		"sticky":              e.Sticky,
		"featured":            e.Featured,
		"post_parent":         idOrNil(e.Parent),
		"post_password":       pg.Protection(e.Password),
		"recurrence":          recurrenceDocument(e),
		"event_status":        or(e.Happening.Status, "scheduled"),
		"event_status_reason": e.Happening.Reason,
		"attendance_mode":     or(e.Attendance.Mode, "offline"),
		"virtual_url":         e.Attendance.URL,
		"virtual_url_shown":   or(e.Attendance.Shown, "always"),
		"tickets":             append([]calendar.Ticket{}, e.Tickets...),
		"venue":               namesOf(e.Venues, func(v *calendar.Venue) namedID { return namedID{v.ID, v.Name} }),
		"organizer":           namesOf(e.Organizers, func(o *calendar.Organizer) namedID { return namedID{o.ID, o.Name} }),
		"categories":          linkedTerms(e.Categories),
		"tags":                linkedTerms(e.Tags),
	})
	if e.Series != nil {
		d["series"] = dateOf(e)
	}
	if e.UID != "" { // of an import: calendars know the event by it when it is gone
		d["uid"] = e.UID
	}
	return d
}

// dateOf says of which series an occurrence is, and which of its dates.
func dateOf(e *calendar.Event) any {
	return map[string]any{"id": e.Series.ID, "original_start": e.Series.OriginalStart.Format(wallClock)}
}

// changesOf are the fields of an event that differ from what it is now. Those of an
// occurrence say which one it is.
func changesOf(was, e *calendar.Event) pg.Document {
	d := eventDocument(was).Unlike(eventDocument(e))
	if e.Series != nil {
		d["series"] = dateOf(was)
	}
	return d
}

// recurrenceDocument is nothing for what happens once.
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

func namesOf[T any](list []T, name func(*T) namedID) []namedID {
	ids := make([]namedID, 0, len(list))
	for i := range list {
		ids = append(ids, name(&list[i]))
	}
	return ids
}

func linkedTerms(list []calendar.Term) []namedID {
	ids := namesOf(list, func(t *calendar.Term) namedID { return namedID{t.ID, t.Name} })
	slices.SortFunc(ids, func(a, b namedID) int { return int(a.ID - b.ID) })
	return ids
}

// postDocument has what events, venues and organizers share; title is the name of that
// argument. Version and the
// time of the change are in the entry itself.
func postDocument(p *calendar.Post, title string) pg.Document {
	d := pg.Document{
		"author":       idOrNil(p.Author),
		"status":       string(p.Status),
		"translations": textsDocument(p.Texts, title),
		"slug":         p.Slug,
		"date":         nil,
		"image":        nil,
	}
	if p.Dated {
		d["date"] = p.Date.UTC().Truncate(0)
	}
	if p.Image != nil {
		d["image"] = namedID{p.Image.ID, p.Image.File}
	}
	return d
}

// textsDocument is nothing for an item that has texts in one language alone.
// title is the name of that argument.
func textsDocument(t calendar.Texts, title string) any {
	all := t.All()
	if len(all) == 0 {
		return nil
	}
	d := map[string]any{}
	for language, text := range all {
		d[language] = map[string]any{title: text.Title, "description": text.Description, "excerpt": text.Excerpt, "slug": text.Slug,
			"cost": append([]string{}, text.Cost...), "seo_title": text.SEOTitle, "seo_description": text.SEODesc,
			"outdated": text.Outdated}
	}
	return d
}

func venueDocument(v *calendar.Venue) pg.Document {
	d := postDocument(&v.Post, "venue")
	maps.Copy(d, pg.Document{
		"venue":         v.Name,
		"description":   v.Description,
		"excerpt":       v.Excerpt,
		"address":       v.Address,
		"city":          v.City,
		"country":       v.Country,
		"province":      v.Province,
		"state":         v.State,
		"stateprovince": v.StateProvince,
		"zip":           v.Zip,
		"phone":         v.Phone,
		"website":       v.Website,
		"geo_lat":       v.GeoLat,
		"geo_lng":       v.GeoLng,
		"show_map":      v.ShowMap,
		"show_map_link": v.ShowMapLink,
	})
	return d
}

func organizerDocument(o *calendar.Organizer) pg.Document {
	d := postDocument(&o.Post, "organizer")
	maps.Copy(d, pg.Document{
		"organizer":   o.Name,
		"description": o.Description,
		"excerpt":     o.Excerpt,
		"phone":       o.Phone,
		"website":     o.Website,
		"email":       o.Email,
	})
	return d
}

func termDocument(t *calendar.Term) pg.Document {
	return pg.Document{"name": t.Name, "slug": t.Slug, "description": t.Description, "parent": idOrNil(t.Parent),
		"color": t.Color, "translations": textsDocument(t.Texts, "name")}
}

func imageDocument(i *calendar.Image) pg.Document {
	return pg.Document{"file": i.File, "mime": i.MIME, "width": i.Width, "height": i.Height, "alt": i.Alt, "source": i.Source,
		"author": idOrNil(i.Author), "translations": textsDocument(i.Texts, "alt")}
}

func idOrNil(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

package storage

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// document is an object as the history keeps it: field by field, never a secret.
// Times are instants, wall clocks have no zone.
type document map[string]any

// text returns the document as JSON, nil for none.
func (d document) text() *string {
	if d == nil {
		return nil
	}
	raw, err := json.Marshal(d)
	if err != nil { // of numbers that are none, which no column holds
		raw = []byte("{}")
	}
	text := string(raw)
	return &text
}

// unlike returns the fields of d that have another value in now.
func (d document) unlike(now document) document {
	differs := maps.Clone(d)
	maps.DeleteFunc(differs, func(name string, value any) bool { return reflect.DeepEqual(value, now[name]) })
	return differs
}

// namedID is what an object is linked to, as the history keeps it.
type namedID struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// wallClock is how the history writes the wall clock of an event.
const wallClock = "2006-01-02T15:04:05"

func eventDocument(e *calendar.Event) document {
	d := postDocument(&e.Post, "title")
	maps.Copy(d, document{
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
		"post_password":       protection(e.Password),
		"recurrence":          recurrenceDocument(e),
		"event_status":        or(e.Happening.Status, "scheduled"),
		"event_status_reason": e.Happening.Reason,
		"attendance_mode":     or(e.Attendance.Mode, "offline"),
		"virtual_url":         e.Attendance.URL,
		"virtual_url_shown":   or(e.Attendance.Shown, "always"),
		"tickets":             append([]calendar.Ticket{}, e.Tickets...),
		"venue":               linked(e.Venues, func(v *calendar.Venue) namedID { return namedID{v.ID, v.Name} }),
		"organizer":           linked(e.Organizers, func(o *calendar.Organizer) namedID { return namedID{o.ID, o.Name} }),
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
func changesOf(was, e *calendar.Event) document {
	d := eventDocument(was).unlike(eventDocument(e))
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

// protection tells one password from another within the program: as JSON both
// are the same word.
type protection []byte

// MarshalJSON implements json.Marshaler.
func (p protection) MarshalJSON() ([]byte, error) {
	if len(p) == 0 {
		return []byte("null"), nil
	}
	return []byte(`"set"`), nil
}

func linked[T any](list []T, name func(*T) namedID) []namedID {
	ids := make([]namedID, 0, len(list))
	for i := range list {
		ids = append(ids, name(&list[i]))
	}
	return ids
}

func linkedTerms(list []calendar.Term) []namedID {
	ids := linked(list, func(t *calendar.Term) namedID { return namedID{t.ID, t.Name} })
	slices.SortFunc(ids, func(a, b namedID) int { return int(a.ID - b.ID) })
	return ids
}

// postDocument has what events, venues and organizers share; title is the name of that
// argument. Version and the
// time of the change are in the entry itself.
func postDocument(p *calendar.Post, title string) document {
	d := document{
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
			"cost": append([]string{}, text.Cost...), "seo_title": text.SEOTitle, "seo_description": text.SEODesc, "outdated": text.Outdated}
	}
	return d
}

func venueDocument(v *calendar.Venue) document {
	d := postDocument(&v.Post, "venue")
	maps.Copy(d, document{
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

func organizerDocument(o *calendar.Organizer) document {
	d := postDocument(&o.Post, "organizer")
	maps.Copy(d, document{
		"organizer":   o.Name,
		"description": o.Description,
		"excerpt":     o.Excerpt,
		"phone":       o.Phone,
		"website":     o.Website,
		"email":       o.Email,
	})
	return d
}

func termDocument(t *calendar.Term) document {
	return document{"name": t.Name, "slug": t.Slug, "description": t.Description, "parent": idOrNil(t.Parent),
		"color": t.Color, "translations": textsDocument(t.Texts, "name")}
}

func imageDocument(i *calendar.Image) document {
	return document{"file": i.File, "mime": i.MIME, "width": i.Width, "height": i.Height, "alt": i.Alt, "source": i.Source,
		"author": idOrNil(i.Author), "translations": textsDocument(i.Texts, "alt")}
}

func userDocument(u *tenancy.User) document {
	return document{"login": u.Login, "email": u.Email, "name": u.Name, "role": string(u.Role),
		"password": protection(u.PasswordHash), "language": u.Language, "theme": string(u.Theme)}
}

func keyDocument(c *tenancy.Credential) document {
	return document{"user": c.UserID, "kind": string(c.Kind), "name": c.Name, "read_only": c.ReadOnly}
}

func passkeyDocument(user int64, name string) document {
	return document{"user": user, "name": name}
}

func siteDocument(s *tenancy.Site) document {
	return document{
		"slug":              s.Slug,
		"name":              s.Name,
		"timezone":          s.Timezone,
		"language":          s.Language,
		"domains":           append([]string{}, s.Domains...),
		"state":             string(s.State),
		"plan":              s.Plan.Name,
		"limits":            ownLimits(s.Overrides),
		"deleted":           deletionDocument(&s.Deletion),
		"per_page":          s.Settings.PerPage,
		"currency_symbol":   s.Settings.CurrencySymbol,
		"currency_code":     s.Settings.CurrencyCode,
		"currency_position": s.Settings.CurrencyPosition,
		"languages":         append([]string{}, s.Settings.Languages...),
		"week_start":        s.Settings.WeekStart,
		"date_form":         s.Settings.DateForm,
		"time_form":         s.Settings.TimeForm,
		"english":           s.Settings.English,
		"calendar":          s.Settings.Calendar,
		"accent":            s.Settings.Accent,
		"tagline":           s.Settings.Face.Tagline,
		"theme":             s.Settings.Face.Theme,
		"corners":           s.Settings.Face.Corners,
		"font":              s.Settings.Face.Font,
		"logo":              s.Settings.Face.Logo,
		"header":            s.Settings.Face.Header,
		"links":             s.Settings.Face.Links,
		"footer_links":      s.Settings.Face.Footer,
		"map_tiles":         s.Settings.Map.Tiles,
		"map_credit":        s.Settings.Map.Credit,
		"submissions":       s.Settings.Submissions.On,
		"submission_terms":  s.Settings.Submissions.Terms,
		"content_languages": append([]string{}, s.Settings.ContentLanguages...),
		"translations":      siteTextsDocument(s.Settings.Texts),
	}
}

// siteTextsDocument is nothing for a site that says all in one language.
func siteTextsDocument(all map[string]tenancy.SiteText) any {
	if len(all) == 0 {
		return nil
	}
	d := map[string]any{}
	for language, t := range all {
		d[language] = map[string]any{"name": t.Name, "tagline": t.Tagline, "links": t.Links, "footer_links": t.Footer,
			"submission_terms": t.Terms, "outdated": t.Outdated}
	}
	return d
}

// deletionDocument is nothing for a site that isn't deleted.
func deletionDocument(d *tenancy.Deletion) any {
	if *d == (tenancy.Deletion{}) {
		return nil
	}
	return map[string]any{"at": d.At.UTC().Format(time.RFC3339), "purge": d.Purge.UTC().Format(time.RFC3339), "state": string(d.Before)}
}

// ownLimits are the limits a site has instead of its plan's.
func ownLimits(o tenancy.Overrides) map[string]any {
	list := map[string]any{}
	for name, limit := range o {
		list[name] = nil
		if limit != nil {
			list[name] = *limit
		}
	}
	return list
}

// planDocument writes a limit that isn't as null.
func planDocument(p *tenancy.Plan) document {
	requests := any(nil)
	if p.RequestsPerMinute > 0 {
		requests = p.RequestsPerMinute
	}
	return document{"name": p.Name, "geo": p.Geo, "events": p.Events, "occurrences": p.Occurrences, "users": p.Users,
		"media_bytes": p.MediaBytes, "requests_per_minute": requests}
}

func idOrNil(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

package api

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// event writes an event object (rule 8.1). Single reads include json_ld.
func (v *View) event(e *calendar.Event, single bool) {
	address := v.EventPage(e)
	v.Item()
	v.Int("id", e.ID)
	v.globalID(e.ID)
	v.post(&e.Post)
	v.Text("url", address)
	v.Text("rest_url", v.Root+"/events/"+strconv.FormatInt(e.ID, 10))
	v.HTML("title", e.Title)
	v.Text("description", masked(e, e.Description))
	v.Text("excerpt", masked(e, e.Excerpt))
	v.Slug(e.Slug)
	v.eventImage(e)
	v.flag("all_day", e, e.AllDay)
	v.times(e)
	cost := v.cost(e)
	v.Text("website", masked(e, website(e, address)))
	v.flag("show_map", e, e.ShowMap)
	v.flag("show_map_link", e, e.ShowMapLink)
	v.flag("hide_from_listings", e, e.Hidden)
	v.flag("sticky", e, e.Sticky)
	v.flag("featured", e, e.Featured)
	v.linked(e, single)
	v.Raw("custom_fields", "[]")
	if single && !e.Masked {
		v.eventLD(e, cmp.Or(e.Canonical(), address), cost)
	}
	v.beyond(e)
	v.happening(e)
	if _, there := v.Scope.Site.Sources[e.Origin]; there {
		v.origin(e.Origin, e)
	}
	v.said(e)
	v.series(e)
	if !e.Masked {
		v.translated(&e.Translated, "title", e.Text)
	}
	v.Close('}')
}

// words writes a list of words, if there are any.
func (v *View) words(key string, list []string) {
	if len(list) == 0 {
		return
	}
	v.Open(key, '[')
	for _, word := range list {
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, word)
	}
	v.Close(']')
}

// said writes the fields of an event that are members where they are set.
func (v *View) said(e *calendar.Event) {
	fields := calendar.AllEventFields()
	for i := range fields {
		f := &fields[i]
		switch {
		case !f.Said, f.Masked && e.Masked:
		case f.Added != nil:
			v.added(*f.Added(e), tenancy.FieldOfEvents)
		case f.Words != nil:
			v.words(f.Name, *f.Words(e))
		case f.Kind == calendar.Names:
			if text := *f.Text(e); text != "" {
				v.words(f.Name, strings.Split(text, "\n"))
			}
		case f.Flag == nil:
			v.Some(f.Name, *f.Text(e))
		case *f.Flag(e):
			v.Bool(f.Name, true)
		}
	}
}

// masked returns text, or "" for a masked event (rule 8.5).
func masked(e *calendar.Event, text string) string {
	if e.Masked {
		return ""
	}
	return text
}

func website(e *calendar.Event, address string) string {
	if e.Website == "" {
		return address
	}
	return e.Website
}

// flag writes a boolean, or null if the event is masked.
func (v *View) flag(key string, e *calendar.Event, on bool) {
	if e.Masked {
		v.Raw(key, "null")
		return
	}
	v.Bool(key, on)
}

func (v *View) eventImage(e *calendar.Event) {
	if e.Image == nil || e.Masked {
		v.Bool("image", false)
		return
	}
	v.Open("image", '{')
	v.image(e.Image)
	v.Close('}')
}

func (v *View) times(e *calendar.Event) {
	v.moment("start_date", e.Start)
	v.moment("end_date", e.End)
	v.moment("utc_start_date", e.StartUTC.UTC())
	v.moment("utc_end_date", e.EndUTC.UTC())
	v.Text("timezone", e.Timezone)
	v.Text("timezone_abbr", abbreviation(e))
}

func abbreviation(e *calendar.Event) string {
	zone, err := args.ParseZone(e.Timezone)
	if err != nil {
		return ""
	}
	return zone.Abbreviation(e.StartUTC)
}

// moment writes a time and its parts.
func (v *View) moment(key string, t time.Time) {
	v.Time(key, t)
	text := v.Bytes[len(v.Bytes)-len(jsontext.TimeFormat)-1 : len(v.Bytes)-1]
	var parts [len(jsontext.TimeFormat)]byte
	copy(parts[:], text)
	v.Open(key+"_details", '{')
	v.Text("year", string(parts[0:4]))
	v.Text("month", string(parts[5:7]))
	v.Text("day", string(parts[8:10]))
	v.Text("hour", string(parts[11:13]))
	v.Text("minutes", string(parts[14:16]))
	v.Text("seconds", string(parts[17:19]))
	v.Close('}')
}

func (v *View) cost(e *calendar.Event) (cost prices.Cost) {
	if !e.Masked {
		cost = prices.Format(e.Cost, prices.CurrencyOf(v.Scope.Site))
	}
	v.Text("cost", cost.Text)
	v.Open("cost_details", '{')
	v.Text("currency_symbol", cost.Symbol)
	v.Text("currency_code", cost.Code)
	v.Text("currency_position", cost.Position)
	v.Open("values", '[')
	for _, value := range cost.Values {
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, value)
	}
	v.Close(']')
	v.Close('}')
	return cost
}

// linked writes terms, venue and organizers. The venue is an object, [] if there is none, and a list if there are
// several.
func (v *View) linked(e *calendar.Event, single bool) {
	var empty calendar.Event
	if e.Masked {
		e = &empty
	}
	v.nestedTerms("categories", e.Categories)
	v.nestedTerms("tags", e.Tags)
	if len(e.Venues) == 1 {
		v.Key("venue")
		v.venue(&e.Venues[0], single)
	} else {
		v.Open("venue", '[')
		for i := range e.Venues {
			v.venue(&e.Venues[i], single)
		}
		v.Close(']')
	}
	v.Open("organizer", '[')
	for i := range e.Organizers {
		v.organizer(&e.Organizers[i], single)
	}
	v.Close(']')
}

// beyond writes the fields that TEC lacks, if they are set (rule 4.2).
func (v *View) beyond(e *calendar.Event) {
	if e.Parent != 0 {
		v.Int("post_parent", e.Parent)
	}
	if len(e.Tickets) == 0 || e.Masked {
		return
	}
	v.Open("tickets", '[')
	for _, t := range e.Tickets {
		v.Item()
		v.HTML("name", t.Name)
		v.Some("url", t.URL)
		if t.Price != nil {
			v.Float("price", *t.Price)
		}
		v.Some("currency", t.Currency)
		v.ticketTime("available_from", t.Available)
		v.ticketTime("available_until", t.Until)
		v.Some("status", t.Status)
		v.Close('}')
	}
	v.Close(']')
}

func (v *View) ticketTime(key string, t *time.Time) {
	if t != nil {
		v.Text(key, t.In(v.Scope.Site.Location).Format(time.RFC3339))
	}
}

package reading

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// readSchema reads the schema.org events in a page, or in a JSON-LD file.
func readSchema(data []byte, o Options) (*File, error) {
	found := &schemaFile{options: o}
	if json.Valid(data) {
		found.walk(data, 0)
	} else if err := found.page(data); err != nil {
		return nil, err
	}
	switch {
	case len(found.events) > MaxEntries:
		return nil, ErrMany
	case len(found.events) == 0:
		return nil, ErrPage
	}
	return &File{Format: Schema, Product: found.product, Entries: found.entries()}, nil
}

// schemaFile holds the events of a page, in its order, as JSON-LD texts.
type schemaFile struct {
	options Options
	product string
	events  [][]byte
}

// deepest is the maximum nesting depth of objects.
const deepest = 64

// around are the members of other objects that may contain events.
var around = setOf("@graph itemListElement item mainEntity event events subjectOf about hasPart")

// walk adds the events of a JSON-LD text. The text must be valid JSON and must not change afterwards.
func (f *schemaFile) walk(text []byte, depth int) {
	if text = bytes.TrimSpace(text); depth > deepest || len(f.events) > MaxEntries || len(text) == 0 {
		return
	}
	event := text[0] == '{' && isEvent(text)
	if event {
		f.events = append(f.events, text)
	}
	for name, part := range parts(text) {
		if name == "" || event && (name == "subEvent" || name == "subEvents") || !event && around[name] {
			f.walk(part, depth+1)
		}
	}
}

// otherEvents are the types of events whose names do not end in Event.
var otherEvents = setOf("Festival Hackathon CourseInstance EventSeries")

// isEvent reports whether a text in JSON-LD is an Event or one of its subtypes.
func isEvent(text []byte) bool {
	for name, part := range parts(text) {
		if name != "@type" || len(part) > MaxEntry {
			continue
		}
		kinds, _ := decoded(part)
		for _, one := range listOf(kinds) {
			kind, _ := one.(string)
			if kind = localName(kind); strings.HasSuffix(kind, "Event") || otherEvents[kind] {
				return true
			}
		}
	}
	return false
}

// localName returns a name of schema.org without its address or prefix.
func localName(name string) string { return name[strings.LastIndexAny(name, "/:#")+1:] }

func (f *schemaFile) entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		seen := map[string]bool{}
		for n, text := range f.events {
			e := &schemaEvent{options: f.options, entry: &Entry{Number: n + 1, Values: args.Values{}}}
			e.read(text)
			if uid := e.entry.UID; seen[uid] {
				e.entry.UID = "" // the name of the page, not of the event
			} else {
				seen[uid] = true
			}
			if len(e.entry.Problems) > 0 {
				e.entry.Values = nil
			}
			if !yield(*e.entry) {
				return
			}
		}
	}
}

// schemaEvent is the state of reading an Event.
type schemaEvent struct {
	object  map[string]any
	options Options
	entry   *Entry
}

// textOf returns a member that is a text or number. Of an object, it takes the value or the name; of a list, the first text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	case []any:
		for _, one := range v {
			if text := textOf(one); text != "" {
				return text
			}
		}
	case map[string]any:
		return cmp.Or(textOf(v["@value"]), textOf(v["name"]))
	}
	return ""
}

func (e *schemaEvent) text(name string) string { return textOf(e.object[name]) }

func (e *schemaEvent) read(text []byte) {
	if len(text) > MaxEntry {
		e.entry.refuse("entry-long", "", "")
		return
	}
	value, _ := decoded(text)
	e.object, _ = value.(map[string]any)
	title := oneLine(cmp.Or(e.text("name"), e.text("headline")))
	e.entry.Title = wording.CleanTitle(title)
	if e.entry.Title == "" {
		e.entry.refuse("title-missing", "title", "")
	}
	v := e.entry.Values
	v["title"] = title
	if text := descriptionOf(e.text("description")); text != "" {
		v["description"] = text
	}
	if id := cmp.Or(e.text("@id"), e.text("identifier")); id != "" {
		e.entry.UID = id
	}
	e.times()
	e.status()
	e.place()
	e.people()
	e.offers()
	if link, ok := webAddress(e.text("url")); ok {
		v["website"] = link
	}
	if link := linkOf(e.object["image"]); link != "" {
		if picture, ok := webAddress(link); ok {
			v["image"] = picture
		} else {
			e.entry.warn("picture-left-out", "image", link)
		}
	}
	e.keywords()
	e.languages()
	e.performers()
	e.video()
}

// performers reads who performs: texts, or objects with a name.
func (e *schemaEvent) performers() {
	list := []any{}
	for _, one := range append(listOf(e.object["performer"]), listOf(e.object["performers"])...) {
		text := textOf(one)
		if object, is := one.(map[string]any); is {
			text = textOf(object["name"])
		}
		if text = oneLine(text); text != "" && text != "Organization" { // The Events Calendar writes this if it does not know the organizer
			list = append(list, text)
		}
	}
	if len(list) > 0 && len(list) <= mostPerformers {
		e.entry.Values["performers"] = list
	}
}

// mostPerformers is the number of performers up to which a page is believed.
const mostPerformers = 100

// video reads the URL of a video about the event.
func (e *schemaEvent) video() {
	for _, name := range []string{"subjectOf", "recordedIn", "video"} {
		for _, one := range listOf(e.object[name]) {
			object, _ := one.(map[string]any)
			if kind := textOf(object["@type"]); kind != "VideoObject" && kind != "MediaObject" {
				continue
			}
			if link, ok := webAddress(cmp.Or(textOf(object["url"]), textOf(object["contentUrl"]), textOf(object["embedUrl"]))); ok {
				e.entry.Values["video_url"] = link
				return
			}
		}
	}
}

// languages reads inLanguage, which holds language tags or Language objects. It takes the languages that an event can have.
func (e *schemaEvent) languages() {
	known := calendar.EventFieldNamed("event_language").Choices()
	list := []any{}
	for _, one := range listOf(e.object["inLanguage"]) {
		tag := textOf(one)
		if object, is := one.(map[string]any); is {
			tag = cmp.Or(textOf(object["alternateName"]), tag)
		}
		base, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if slices.Contains(known, base) && !slices.Contains(list, any(base)) {
			list = append(list, base)
		}
	}
	if len(list) > 0 {
		e.entry.Values["event_language"] = list
	}
}

func (e *schemaEvent) keywords() {
	list := []any{}
	for _, one := range listOf(e.object["keywords"]) {
		for word := range strings.SplitSeq(textOf(one), ",") {
			if word = oneLine(word); word != "" {
				list = append(list, word)
			}
		}
	}
	if len(list) > 0 {
		e.entry.Values["tags"] = list
	}
}

// times reads startDate, endDate and duration.
func (e *schemaEvent) times() {
	text := e.text("startDate")
	if text == "" {
		e.entry.refuse("start-missing", "start_date", "")
		return
	}
	e.oneOnly("startDate", "start_date")
	e.oneOnly("endDate", "end_date")
	start, ok := moments.ParseISO(text)
	if !ok {
		e.entry.refuse("date-unreadable", "start_date", text)
		return
	}
	zone := e.zone(text, start)
	from := when{ISO: start, zone: nil}
	if start.UTC {
		from.zone = time.UTC
	}
	first := from.in(zone)
	last := first
	switch until, length := e.text("endDate"), e.text("duration"); {
	case until != "":
		end, ok := moments.ParseISO(until)
		if !ok {
			e.entry.refuse("date-unreadable", "end_date", until)
			return
		}
		to := when{ISO: end}
		if end.UTC {
			to.zone = time.UTC
		}
		if last = to.in(zone); end.Day && !start.Day {
			last = last.Add(first.Sub(args.DayOf(first)))
		}
	case length != "":
		if d, ok := moments.ParseDuration(length); ok {
			last = d.After(first, zone)
		} else {
			e.entry.warn("value-left-out", "end_date", length)
		}
	}
	form := layout
	if start.Day {
		form = time.DateOnly
	}
	v := e.entry.Values
	v["all_day"], v["timezone"] = start.Day, zone.String()
	v["start_date"], v["end_date"] = first.Format(form), last.Format(form)
	e.entry.Start = first.Format(layout)
	if e.object["eventSchedule"] != nil {
		e.entry.warn("value-left-out", "recurrence", "eventSchedule")
	}
}

// oneOnly warns of all values of a property but the first, because an entry has one start and one end.
func (e *schemaEvent) oneOnly(name, param string) {
	list, _ := e.object[name].([]any)
	for _, one := range list[min(1, len(list)):] {
		if text := textOf(one); text != "" && text != e.text(name) {
			e.entry.warn("value-left-out", param, text)
		}
	}
}

// zone returns the zone of the event: that of the calendar, unless a time has another offset.
func (e *schemaEvent) zone(text string, start moments.ISO) *time.Location {
	own := e.options.Zone
	if start.Day || !start.UTC || strings.HasSuffix(strings.ToUpper(text), "Z") {
		return own
	}
	at := strings.LastIndexAny(text, "+-")
	offset, ok := moments.ParseOffset(strings.ReplaceAll(text[max(at, 0):], ":", ""))
	if _, is := start.Wall.In(own).Zone(); !ok || time.Duration(is)*time.Second == offset {
		return own
	}
	zone := fixedZone(offset)
	if zone == nil {
		return own
	}
	e.entry.warn("zone-matched", "timezone", text[at:])
	return zone
}

// status reads eventStatus and eventAttendanceMode.
func (e *schemaEvent) status() {
	v := e.entry.Values
	switch localName(e.text("eventAttendanceMode")) {
	case "OnlineEventAttendanceMode":
		v["attendance_mode"] = "online"
	case "MixedEventAttendanceMode":
		v["attendance_mode"] = "mixed"
	}
	switch localName(e.text("eventStatus")) {
	case "EventCancelled":
		v["event_status"], e.entry.Cancelled = "cancelled", true
	case "EventPostponed":
		v["event_status"] = "postponed"
	case "EventRescheduled":
		v["event_status"] = "rescheduled"
	case "EventMovedOnline":
		v["attendance_mode"] = "online"
	}
}

// place reads location, which holds places, addresses for online attendance, or texts.
func (e *schemaEvent) place() {
	v := e.entry.Values
	list := []any{}
	for _, one := range listOf(e.object["location"]) {
		object, is := one.(map[string]any)
		switch {
		case is && strings.HasSuffix(textOf(object["@type"]), "VirtualLocation"):
			e.online(textOf(object["url"]))
		case is:
			if venue := schemaVenue(object); venue["venue"] != nil {
				list = append(list, venue)
			}
		default:
			text := textOf(one)
			if _, online := webAddress(oneLine(text)); online {
				e.online(text)
			} else if venue := venueOf(text); venue["venue"] != nil {
				list = append(list, venue)
			}
		}
	}
	if len(list) > 0 {
		v["venue"] = list
	}
	if v["virtual_url"] != nil && v["attendance_mode"] == nil {
		v["attendance_mode"] = "online"
		if len(list) > 0 {
			v["attendance_mode"] = "mixed"
		}
	}
}

func (e *schemaEvent) online(text string) {
	if link, ok := webAddress(text); ok && e.entry.Values["virtual_url"] == nil {
		e.entry.Values["virtual_url"] = link
	}
}

// schemaVenue returns a Place as a venue.
func schemaVenue(place map[string]any) map[string]any {
	venue := map[string]any{}
	set := func(name, text string) {
		if text = oneLine(text); text != "" {
			venue[name] = text
		}
	}
	address, _ := place["address"].(map[string]any)
	if list, is := place["address"].([]any); is && len(list) > 0 {
		address, _ = list[0].(map[string]any)
	}
	if address == nil {
		set("address", joined(textOf(place["address"])))
	}
	set("address", textOf(address["streetAddress"]))
	set("city", textOf(address["addressLocality"]))
	set("zip", textOf(address["postalCode"]))
	set("stateprovince", textOf(address["addressRegion"]))
	set("country", textOf(address["addressCountry"]))
	set("phone", textOf(place["telephone"]))
	if link, ok := webAddress(cmp.Or(textOf(place["url"]), textOf(place["sameAs"]))); ok {
		venue["website"] = link
	}
	if set("venue", textOf(place["name"])); venue["venue"] == nil && venue["address"] != nil {
		set("venue", textOf(venue["address"]))
		delete(venue, "address")
	}
	if geo, is := place["geo"].(map[string]any); is {
		coordinates(venue, []string{textOf(geo["latitude"]), textOf(geo["longitude"])})
	}
	return venue
}

// people reads organizer.
func (e *schemaEvent) people() {
	list := []any{}
	for _, one := range listOf(e.object["organizer"]) {
		organizer := map[string]any{}
		if name := oneLine(textOf(one)); name != "" {
			organizer["organizer"] = name
		}
		if object, is := one.(map[string]any); is && organizer["organizer"] != nil {
			if email, _ := cutFold(textOf(object["email"]), "mailto:"); strings.Contains(email, "@") {
				organizer["email"] = email
			}
			if phone := oneLine(textOf(object["telephone"])); phone != "" {
				organizer["phone"] = phone
			}
			if link, ok := webAddress(textOf(object["url"])); ok {
				organizer["website"] = link
			}
		}
		if len(organizer) > 0 {
			list = append(list, organizer)
		}
	}
	if len(list) > 0 {
		e.entry.Values["organizer"] = list
	}
}

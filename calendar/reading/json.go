package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// jsonPart is an entry of a file as written.
type jsonPart struct {
	raw  []byte
	line int
}

// jsonFile holds the entries of a file in JSON.
type jsonFile struct {
	options Options
	parts   []jsonPart
	cut     bool            // the file ends within an entry, or cannot be read further
	series  map[string]bool // ids of the series that the file has
}

// readJSON reads an array of events, an object whose member events is such an array, or one event per line.
func readJSON(data []byte, o Options) (*File, error) {
	f := &jsonFile{options: o, series: map[string]bool{}}
	if err := f.split(data); err != nil {
		return nil, err
	}
	for _, part := range f.parts {
		var head struct {
			ID         json.Number     `json:"id"`
			Recurrence json.RawMessage `json:"recurrence"`
		}
		if json.Unmarshal(part.raw, &head) == nil && len(head.Recurrence) > 0 && head.ID != "" {
			f.series[head.ID.String()] = true
		}
	}
	return &File{Format: JSON, Cut: f.cut, Entries: f.entries()}, nil
}

// split splits the file into entries.
func (f *jsonFile) split(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	first, err := d.Token()
	switch {
	case err != nil:
		return ErrDamaged
	case first == json.Delim('['):
		return f.list(data, d)
	case first != json.Delim('{'):
		return ErrFormat
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return f.lines(data)
		}
		if name == "events" {
			if open, err := d.Token(); err == nil && open == json.Delim('[') {
				return f.list(data, d)
			}
			return ErrFormat
		}
		if d.Decode(&passed{}) != nil {
			break
		}
	}
	return f.lines(data)
}

// passed skips a value.
type passed struct{}

// UnmarshalJSON does nothing.
func (*passed) UnmarshalJSON([]byte) error { return nil }

// list adds the entries of the open array.
func (f *jsonFile) list(data []byte, d *json.Decoder) error {
	counted, line := 0, 1
	for d.More() {
		at := nextPart(data, int(d.InputOffset()))
		line += lines(data[counted:at])
		counted = at
		var raw []byte
		if err := d.Decode(&passed{}); err != nil {
			f.cut = true
		} else {
			raw = data[at:d.InputOffset()]
		}
		if err := f.add(jsonPart{raw, line}); err != nil || f.cut {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		f.cut = true
	}
	return nil
}

func (f *jsonFile) add(part jsonPart) error {
	if len(f.parts) == MaxEntries {
		return ErrMany
	}
	f.parts = append(f.parts, part)
	return nil
}

// lines adds one entry per line, or the single entry of the file.
func (f *jsonFile) lines(data []byte) error {
	if json.Valid(data) {
		for name := range parts(data) {
			if name == "title" || name == "start_date" {
				return f.add(jsonPart{data, 1})
			}
		}
		return ErrFormat
	}
	readable, line := false, 0
	for at := 0; at < len(data); {
		end, next := lineEnd(data, at)
		line++
		if text := bytes.TrimSpace(data[at:end]); len(text) > 0 {
			if err := f.add(jsonPart{text, line}); err != nil {
				return err
			}
			readable = readable || json.Valid(text)
		}
		at = next
	}
	if !readable {
		return ErrDamaged
	}
	return nil
}

func (f *jsonFile) entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for n, part := range f.parts {
			if !yield(f.entry(n+1, part)) {
				return
			}
		}
	}
}

// decoded decodes a JSON value. Numbers stay as written.
func decoded(raw []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err = d.Decode(&value); err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = ErrDamaged
		}
	}
	return value, err
}

func (f *jsonFile) entry(n int, part jsonPart) Entry {
	e := Entry{Number: n, Line: part.line}
	if len(part.raw) > MaxEntry {
		e.refuse("entry-long", "", "")
		return e
	}
	value, err := decoded(part.raw)
	object, is := value.(map[string]any)
	switch {
	case err != nil:
		e.refuse("json-unreadable", "", string(part.raw))
		return e
	case !is:
		e.refuse("object-expected", "", string(part.raw))
		return e
	}
	e.Values = args.Values(object)
	if isAnswer(object) {
		f.readResponse(&e, object)
	}
	if uid, ok := object["uid"].(string); ok {
		e.UID = uid
		delete(e.Values, "uid")
	}
	f.describe(&e)
	return e
}

// describe sets the title and start for reports, and refuses an event without a title or start.
func (f *jsonFile) describe(e *Entry) {
	title, _ := e.Values["title"].(string)
	start, _ := e.Values["start_date"].(string)
	e.Title = wording.CleanTitle(title)
	e.Cancelled = e.Values["event_status"] == "cancelled" || e.Values["event_status"] == "canceled"
	if date, err := args.ParseDate(start); err == nil && date.Fixed() {
		e.Start = date.Wall(f.options.Zone, time.Time{}).Format(layout)
	}
	if e.Title == "" {
		e.refuse("title-missing", "title", "")
	}
	if start == "" {
		e.refuse("start-missing", "start_date", "")
	}
	if len(e.Problems) > 0 {
		e.Values = nil
	}
}

// isAnswer reports whether an object is an event in the form of GET /events, whose ids are those of its site.
func isAnswer(object map[string]any) bool {
	_, named := object["rest_url"]
	_, global := object["global_id"]
	return named || global
}

// The members of responses that are also arguments.
var (
	eventMembers = setOf(saidMembers() + "title description excerpt slug status all_day start_date end_date timezone cost website " +
		"show_map show_map_link hide_from_listings sticky featured tickets recurrence event_status event_status_reason " +
		"attendance_mode virtual_url virtual_url_shown content_language translations date_utc")
	venueMembers     = setOf(placeMembers(calendar.AllVenueFields()))
	organizerMembers = setOf(placeMembers(calendar.AllOrganizerFields()))
)

// placeMembers returns the members of venues or organizers that follow from the table of fields, and those that all items have.
func placeMembers[T, F any](fields []calendar.PlaceField[T, F]) string {
	names := []string{"status", "content_language", "translations"}
	for i := range fields {
		if fields[i].Added == nil {
			names = append(names, fields[i].Name)
		}
	}
	return strings.Join(names, " ")
}

// saidMembers returns the members of events that follow from the table of fields and that files contain.
func saidMembers() string {
	var names strings.Builder
	for _, f := range calendar.AllEventFields() {
		if f.Said && f.Sheet != "" {
			names.WriteString(f.Name + " ")
		}
	}
	return names.String()
}

// readResponse converts an event in the form of GET /events to arguments.
func (f *jsonFile) readResponse(e *Entry, object map[string]any) {
	values := chosen(object, eventMembers)
	if global, ok := object["global_id"].(string); ok {
		e.UID = global
	}
	if values["website"] == object["url"] {
		delete(values, "website")
	}
	if link := linkOf(object["image"]); link != "" {
		values["image"] = link
	}
	for _, name := range []string{"categories", "tags"} {
		if list := named(object[name]); len(list) > 0 {
			values[name] = list
		}
	}
	for name, members := range map[string]map[string]bool{"venue": venueMembers, "organizer": organizerMembers} {
		list := []any{}
		for _, one := range listOf(object[name]) {
			if place, is := one.(map[string]any); is && place[name] != nil {
				of := chosen(place, members)
				if link := linkOf(place["image"]); link != "" {
					of["image"] = link
				}
				list = append(list, map[string]any(of))
			}
		}
		if len(list) > 0 {
			values[name] = list
		}
	}
	if series, is := object["series"].(map[string]any); is {
		id, _ := series["id"].(json.Number)
		if original, ok := series["original_start"].(string); ok && f.series[id.String()] {
			e.Recurrence = original
			e.UID = strings.TrimSuffix(e.UID, "="+numberOf(object["id"])) + "=" + id.String()
			for _, name := range ofSeries {
				delete(values, name)
			}
		}
	}
	e.Values = values
}

func numberOf(v any) string {
	n, _ := v.(json.Number)
	return n.String()
}

// chosen returns the members of an object that are in a list and not empty.
func chosen(object map[string]any, members map[string]bool) args.Values {
	values := args.Values{}
	for name, value := range object {
		if members[name] && value != nil && value != "" {
			values[name] = value
		}
	}
	if rule, is := values["recurrence"].(map[string]any); is {
		values["recurrence"] = map[string]any(chosen(rule, setOf("rrule rdate exdate")))
	}
	if list, is := values["translations"].([]any); is && list != nil {
		delete(values, "translations") // names of languages, in lists
		delete(values, "content_language")
	}
	return values
}

// linkOf returns the address of an image, as responses and schema.org have it, or "".
func linkOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return linkOf(v[0])
		}
	case map[string]any:
		for _, name := range []string{"url", "contentUrl", "@id"} {
			if link := linkOf(v[name]); link != "" {
				return link
			}
		}
	}
	return ""
}

// named returns the names of terms.
func named(v any) []any {
	list := []any{}
	for _, one := range listOf(v) {
		if term, is := one.(map[string]any); is {
			one = term["name"]
		}
		if name, is := one.(string); is && name != "" {
			list = append(list, map[string]any{"name": name})
		}
	}
	return list
}

// listOf returns the entries of a list, or the only one.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

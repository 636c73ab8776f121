package reading

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// cells holds the non-blank texts of one row by meaning.
type cells map[string]string

// values sets the arguments of an event.
func (r *row) values() {
	c, v := r.cells, r.entry.Values
	for _, name := range []string{"image", "venue.website", "organizer.website"} {
		if text, ok := c[name]; ok {
			c[name] = encoded(text)
		}
	}
	for _, name := range []string{"image", "status", "date", "slug"} {
		if text, ok := c[name]; ok {
			v[name] = text
		}
	}
	fields := calendar.AllEventFields()
	for i := range fields {
		f := &fields[i]
		text, ok := c[f.Name]
		switch {
		case !ok || f.Name == "event_status":
		case f.Flag != nil:
			v[f.Name] = yesOrNo(text)
		case f.Words != nil:
			v[f.Name] = strings.ToLower(text)
		case f.Kind == calendar.Clock:
			r.deadline(f.Name)
		case f.Text != nil && f.Kind == calendar.Address:
			v[f.Name] = encoded(text)
		case f.Text != nil:
			v[f.Name] = text
		}
	}
	c.added(v, AddedColumn, r.table.options.Fields)
	for _, name := range []string{"categories", "tags"} {
		if text, ok := c[name]; ok {
			v[name] = termList(text)
		}
	}
	r.times()
	if texts := c.texts("", EventTexts); texts != nil {
		v["translations"] = texts
	}
	r.repeats()
	c.location(v)
	c.venue(v)
	if list, _ := v["venue"].([]any); c["venue"] != "" && len(list) > 0 {
		c.added(list[0].(map[string]any), VenueColumn, r.table.options.VenueFields) //nolint:forcetypeassert // as place makes it
	}
	c.organizers(v)
	if cost := c.cost(); cost != "" {
		v["cost"] = cost
	}
	r.state()
	r.tickets()
	r.clear()
}

// added sets the fields that the site has added, from their columns.
func (c cells) added(object map[string]any, column func(key string) string, keys map[string]bool) {
	for key, says := range keys {
		if text, ok := c[column(key)]; ok && says {
			within(object, "fields")[key] = yesOrNo(text)
		} else if ok {
			within(object, "fields")[key] = text
		}
	}
}

// deadline sets an argument that is a date and time, or a day.
func (r *row) deadline(name string) {
	switch s, ok := r.moment(name); {
	case !ok:
	case s.Timed:
		r.entry.Values[name] = s.Day.Add(s.At).Format(layout)
	default:
		r.entry.Values[name] = s.Day.Format(time.DateOnly)
	}
}

// termList returns the terms of a cell. Outlook separates them by semicolons.
func termList(text string) []any {
	if strings.Contains(text, ";") && !strings.ContainsAny(text, `,"`) {
		text = strings.ReplaceAll(text, ";", ",")
	}
	return commaList(text)
}

// statuses maps the words of programs for the status of an event, folded, to event_status. "" marks words that mean
// no status.
var statuses = map[string]string{
	"live": "", "started": "", "ended": "", "completed": "", "confirmed": "", "active": "", "published": "", "on sale": "",
	"canceled": "cancelled", "cancelled": "cancelled", "abgesagt": "cancelled", "annule": "cancelled", "cancelado": "cancelled",
	"annullato": "cancelled", "geannuleerd": "cancelled",
}

// state sets whether the event happens, and who may see it.
func (r *row) state() {
	c, v := r.cells, r.entry.Values
	if text, ok := c["event_status"]; ok {
		folded := wording.Fold(text)
		status, known := statuses[folded]
		switch {
		case !known && folded == "draft":
			v["status"] = "draft"
		case !known:
			v["event_status"] = folded
		case status != "":
			v["event_status"] = status
		}
		r.entry.Cancelled = v["event_status"] == "cancelled"
	}
	hidden := map[string]bool{"private": true, "confidential": true, "privat": true, "vertraulich": true, "personal": true}
	if yesOrNo(c["private"]) == true || strings.EqualFold(c["private"], "true") || hidden[wording.Fold(c["sensitivity"])] {
		v["status"] = "private"
	}
}

// repeats sets how an event repeats: rules, one per line, and dates.
func (r *row) repeats() {
	rule := map[string]any{}
	if text, ok := r.cells["recurrence.rrule"]; ok {
		list := []any{}
		for line := range strings.Lines(text) {
			list = append(list, strings.TrimSpace(line))
		}
		rule["rrule"] = list
	}
	for _, name := range []string{"rdate", "exdate"} {
		if text, ok := r.cells["recurrence."+name]; ok {
			rule[name] = r.dates(text)
		}
	}
	if len(rule) > 0 {
		r.entry.Values["recurrence"] = rule
	}
}

// dates returns the dates of a list. It leaves entries that are not dates unchanged; the parser of rules refuses
// them.
func (r *row) dates(text string) []any {
	list := commaList(text)
	for i, entry := range list {
		text, _ := entry.(string)
		switch s, ok := moments.Read(text, r.table.order); {
		case s.Unsure:
			r.entry.refuse("date-ambiguous", "recurrence", text)
		case !ok || s.Day.IsZero():
		case s.Timed:
			list[i] = s.Day.Add(s.At).Format(layout)
		default:
			list[i] = s.Day.Format(time.DateOnly)
		}
	}
	return list
}

// tickets reads ticket offers in the format of the API.
func (r *row) tickets() {
	text, ok := r.cells["tickets"]
	if !ok {
		return
	}
	var list []any
	numbers := json.NewDecoder(strings.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&list); err != nil || numbers.More() {
		r.entry.refuse("json-unreadable", "tickets", text)
		return
	}
	r.entry.Values["tickets"] = list
}

// clear sets the arguments that an occurrence clears.
func (r *row) clear() {
	for _, entry := range commaList(r.cells["cleared"]) {
		name, _ := entry.(string)
		if strings.HasPrefix(name, "translations.") && r.cells["original_start"] != "" {
			clearText(r.entry.Values, name)
			continue
		}
		if key, is := strings.CutPrefix(name, AddedColumn("")); is && r.cells["original_start"] != "" {
			within(r.entry.Values, "fields")[key] = nil
			continue
		}
		if f := calendar.EventFieldNamed(name); f == nil || !f.Clearable() || r.cells["original_start"] == "" {
			r.entry.refuse("cleared-unknown", "cleared", name)
			continue
		}
		r.entry.Values[name] = nil
	}
}

// truths are words for TRUE and FALSE, in upper case, that people type, or that spreadsheets and Outlook write in
// languages other than English.
var truths = map[string]bool{
	"YES": true, "Y": true, "ON": true, "NO": false, "N": false, "OFF": false,
	"نعم": true, "لا": false, // ar
	"ANO": true, "PRAVDA": true, "NE": false, "NEPRAVDA": false, // cs
	"JA": true, "SAND": true, "NEJ": false, "FALSK": false, // da
	"WAHR": true, "EIN": true, "NEIN": false, "FALSCH": false, "AUS": false, // de
	"ΝΑΙ": true, "ΑΛΗΘΗΣ": true, "ΑΛΗΘΕΣ": true, "ΌΧΙ": false, "ΟΧΙ": false, "ΨΕΥΔΗΣ": false, "ΨΕΥΔΕΣ": false, // el
	"SÍ": true, "SÌ": true, "SI": true, "SIM": true, "NÃO": false, "NAO": false, // es, it, pt
	"VERDADERO": true, "VERO": true, "VERDADEIRO": true, "FALSO": false, // es, it, pt
	"بله": true, "خیر": false, // fa
	"KYLLÄ": true, "TOSI": true, "EI": false, "EPÄTOSI": false, // fi
	"OUI": true, "VRAI": true, "NON": false, "FAUX": false, // fr
	"כן": true, "לא": false, // he
	"हां": true, "हाँ": true, "नहीं": false, // hi
	"IGEN": true, "IGAZ": true, "NEM": false, "HAMIS": false, // hu
	"YA": true, "BENAR": true, "TIDAK": false, "SALAH": false, // id
	"はい": true, "いいえ": false, // ja
	"예": true, "네": true, "아니요": false, "아니오": false, // ko
	"WAAR": true, "NEE": false, "ONWAAR": false, // nl
	"TAK": true, "PRAWDA": true, "NIE": false, "FAŁSZ": false, // pl
	"ДА": true, "ИСТИНА": true, "НЕТ": false, "ЛОЖЬ": false, // ru
	"SANT": true, "FALSKT": false, // sv
	"EVET": true, "DOĞRU": true, "HAYIR": false, "YANLIŞ": false, // tr
	"ТАК": true, "ІСТИНА": true, "НІ": false, "ХИБНІСТЬ": false, // uk
	"是": true, "否": false, // zh
}

// yesOrNo parses a cell that says yes or no. It leaves other words to the validation of the argument.
func yesOrNo(text string) any {
	if truth, known := truths[strings.ToUpper(text)]; known {
		return truth
	}
	return text
}

// placeOf returns the fields of a venue or organizer that have columns.
func placeOf[T, F any](c cells, kind string, fields []calendar.PlaceField[T, F]) map[string]any {
	place := map[string]any{kind: c[kind]}
	for i := range fields {
		if text, ok := c[kind+"."+fields[i].Name]; ok && fields[i].Sheet != "" {
			place[fields[i].Name] = text
		}
	}
	if texts := c.texts(kind+".", placeTexts[kind]); texts != nil {
		place["translations"] = texts
	}
	return place
}

// location sets the place from a single text, as calendars have it.
func (c cells) location(v args.Values) {
	text := c["location"]
	if text == "" || c["venue"] != "" {
		return
	}
	if link, ok := webAddress(oneLine(text)); ok {
		v["virtual_url"], v["attendance_mode"] = link, "online"
		return
	}
	place := venueOf(text)
	for name, value := range place {
		if name == "venue" {
			c["venue"] = value.(string) //nolint:forcetypeassert // venueOf returns texts
		} else if c["venue."+name] == "" {
			c["venue."+name] = value.(string) //nolint:forcetypeassert // as above
		}
	}
}

// venue sets the venues. Other venue cells are ignored without a name.
func (c cells) venue(v args.Values) {
	var list []any
	if c["venue"] != "" {
		list = append(list, placeOf(c, "venue", calendar.AllVenueFields()))
	}
	for _, entry := range listEntries(c["venues"]) {
		list = append(list, map[string]any{"venue": entry.text})
	}
	if len(list) > 0 {
		v["venue"] = list
	}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// organizers sets the organizers. The column for a single organizer holds a name that may contain commas; the one for
// several holds a list of names and ids.
func (c cells) organizers(v args.Values) {
	var list []any
	if c["organizer"] != "" {
		list = append(list, placeOf(c, "organizer", calendar.AllOrganizerFields()))
	}
	for _, entry := range listEntries(c["organizers"]) {
		if digits.MatchString(entry.text) && !entry.quoted {
			list = append(list, entry.text)
		} else {
			list = append(list, map[string]any{"organizer": entry.text})
		}
	}
	if len(list) > 0 {
		v["organizer"] = list
	}
}

var bareAmount = regexp.MustCompile(`^[0-9][0-9., ]*$`)

// cost returns the cost with the currency of the row: a bare amount gets the currency symbol, at the position that
// the row gives, otherwise the currency code.
func (c cells) cost() string {
	cost, symbol := c["cost"], c["currency_symbol"]
	if !bareAmount.MatchString(cost) {
		return cost
	}
	switch position := strings.ToLower(c["currency_position"]); {
	case symbol == "" && c["currency_code"] != "":
		return strings.ToUpper(c["currency_code"]) + " " + cost
	case position == "postfix", position == "suffix", position == "after":
		return cost + symbol
	}
	return symbol + cost
}

// texts returns the translations in a row whose meanings begin with a prefix, or nil if there are none.
func (c cells) texts(before string, fields []string) map[string]any {
	var all map[string]any
	for meaning, text := range c {
		rest, is := strings.CutPrefix(meaning, before+"translations.")
		language, name, _ := strings.Cut(rest, ".")
		for _, field := range fields {
			if !is || field != name {
				continue
			}
			if all == nil {
				all = map[string]any{}
			}
			within(all, language)[field] = text
		}
	}
	return all
}

// clearText clears the texts of an occurrence in a language, "translations.de", or one of them,
// "translations.de.excerpt".
func clearText(v args.Values, name string) {
	all := within(v, "translations")
	_, rest, _ := strings.Cut(name, ".")
	language, field, one := strings.Cut(rest, ".")
	if !one {
		all[language] = nil
		return
	}
	within(all, language)[field] = nil
}

// within returns the object stored under a name, creating it if necessary.
func within(object map[string]any, name string) map[string]any {
	inner, there := object[name].(map[string]any)
	if !there {
		inner = map[string]any{}
		object[name] = inner
	}
	return inner
}

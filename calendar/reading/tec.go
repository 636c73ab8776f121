package reading

import (
	"encoding/json"
	"fmt"
	"html"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// TEC is the format of a copy of a site with The Events Calendar. It is only read if requested explicitly.
const TEC Format = "tec"

// Linked is a venue, organizer, category or tag of a copied site.
type Linked struct {
	Kind   string // venue, organizer, category, tag
	ID     int64  // there
	Parent int64  // for a category: the id of its parent
	Name   string
	Values args.Values // as POST /venues and the like take them
}

// OldID is the member that refers to an item of the copied site in the arguments of its events: {"old": 12} is the item with
// the id 12 there.
const OldID = "old"

// readSite reads the copy of a site.
func readSite(data []byte, o Options) (*File, error) {
	site := &Site{}
	if json.Unmarshal(data, site) != nil || site.Root == "" {
		return nil, ErrFormat
	}
	file := &File{Format: TEC}
	if root, err := url.Parse(site.Root); err == nil {
		file.Name = root.Host
		file.Product = strings.TrimPrefix(site.Root, root.Scheme+"://")
	}
	for i := range site.Linked {
		if item, ok := linkedOf(&site.Linked[i]); ok {
			file.Linked = append(file.Linked, item)
		}
	}
	file.Entries = site.entries(&jsonFile{options: o, series: map[string]bool{}})
	file.Cut = len(site.Missed) > 0
	return file, nil
}

// linkedOf returns an item with its arguments.
func linkedOf(of *SiteLinked) (Linked, bool) {
	value, err := decoded(of.Object)
	object, is := value.(map[string]any)
	if err != nil || !is {
		return Linked{}, false
	}
	members, name := termMembers, "name"
	switch of.Kind {
	case "venue":
		members, name = venueMembers, "venue"
	case "organizer":
		members, name = organizerMembers, "organizer"
	}
	values := chosen(object, members)
	slug, _ := object["slug"].(string)
	if slug = slugOf(slug); slug != "" {
		values["slug"] = slug
	}
	if link := linkOf(object["image"]); link != "" && name != "name" {
		values["image"] = link
	}
	text, _ := values[name].(string)
	item := Linked{Kind: of.Kind, ID: of.ID, Name: wording.CleanTitle(text), Values: values}
	if parent, is := object["parent"].(json.Number); is {
		item.Parent, _ = parent.Int64()
	}
	return item, true
}

var termMembers = setOf("name description")

// slugOf decodes a slug: WordPress percent-encodes letters of other scripts.
func slugOf(slug string) string {
	if plain, err := url.PathUnescape(slug); err == nil {
		return plain
	}
	return slug
}

// entries returns the events, and a refused entry for each range that the site did not return.
func (s *Site) entries(f *jsonFile) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for n, raw := range s.Events {
			if !yield(f.copiedEntry(n+1, raw)) {
				return
			}
		}
		n := len(s.Events)
		for _, m := range s.Missed {
			n++
			e := Entry{Number: n}
			switch {
			case m.ID != 0:
				e.refuse("tec-missed", "", strconv.FormatInt(m.ID, 10))
			case m.From == 0:
				e.refuse("tec-missed", "", m.List)
			case m.From == m.To:
				e.refuse("tec-missed", "", fmt.Sprintf("%s %d", m.List, m.From))
			default:
				e.refuse("tec-missed", "", fmt.Sprintf("%s %d–%d", m.List, m.From, m.To))
			}
			if !yield(e) {
				return
			}
		}
	}
}

// copiedEntry returns an event of the site.
func (f *jsonFile) copiedEntry(n int, raw []byte) Entry {
	e := Entry{Number: n}
	value, err := decoded(raw)
	object, is := value.(map[string]any)
	if err != nil || !is {
		e.refuse("json-unreadable", "", string(raw))
		return e
	}
	site, of := object["url"], map[string]any{}
	for _, name := range []string{"categories", "tags", "venue", "organizer"} {
		of[name] = object[name]
		delete(object, name)
	}
	if object["website"] == site {
		delete(object, "website")
	}
	protected := object["all_day"] == nil
	f.readResponse(&e, object)
	for name, ids := range of {
		list := []any{}
		for _, id := range listOf(ids) {
			list = append(list, map[string]any{OldID: id})
		}
		if len(list) > 0 {
			e.Values[name] = list
		}
	}
	if website, ok := e.Values["website"].(string); ok {
		e.Values["website"] = html.UnescapeString(website)
	}
	if slug, ok := e.Values["slug"].(string); ok {
		e.Values["slug"] = slugOf(slug)
	}
	start, _ := object["start_date"].(string)
	if id, _ := strconv.ParseInt(numberOf(object["id"]), 10, 64); id < MostID {
		e.ID = id
	} else { // provisional ids, which the site may change at any time
		slug, _ := e.Values["slug"].(string)
		host, _, _ := strings.Cut(e.UID, "?")
		e.UID = host + "?event=" + slug + "&date=" + start
	}
	if date, ok := e.Values["date_utc"].(string); ok && strings.HasPrefix(date, "0000") {
		delete(e.Values, "date_utc") // of a draft
	}
	f.describe(&e)
	if protected && len(e.Problems) == 0 {
		e.refuse("tec-protected", "", "")
		e.Values = nil
	}
	return e
}

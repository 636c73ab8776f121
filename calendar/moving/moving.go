// Package moving copies a whole site with The Events Calendar over its REST interface, page by page: past and
// future events, venues, organizers, categories and tags. A site may be slow, respond with errors for a while, or
// fail to return some of its events; the copy then says which are missing. Package reading reads the copy.
package moving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading"
)

// Reasons why a site cannot be copied.
var (
	ErrNoSite = errors.New("no site with The Events Calendar answers at the address")
	ErrLogin  = errors.New("the site refuses the user or the password")
	ErrAway   = errors.New("the site does not answer any more")
)

// Door sends requests to other servers. It refuses forbidden addresses.
type Door interface {
	// Ask requests an address, with HTTP Basic authentication if user is not empty, and returns any response of the
	// server.
	Ask(ctx context.Context, address, user, password string) (status int, header http.Header, body []byte, err error)
}

// Reader copies sites.
type Reader struct {
	Door           Door
	User, Password string                                     // of the site, or ""
	Only           url.Values                                 // parameters of the list of events; nil: all of the site is copied
	Wait           func(context.Context, time.Duration) error // nil: it waits
}

// Limits on requests to a site.
const (
	perPage     = 50              // maximum of The Events Calendar
	tries       = 4               // for one page
	mostWaits   = 10              // waits that a server may ask for, per page
	longestWait = 2 * time.Minute // of these
	firstPause  = time.Second     // before the second try; each is four times as long
	mostAway    = 3               // consecutive pages of a list without any result
	mostPages   = reading.MaxEntries / perPage
)

// lists are the lists of a site, with the parameters that make each complete.
var lists = []struct {
	name, kind string
	all        url.Values
}{
	{"venues", "venue", nil},
	{"organizers", "organizer", nil},
	{"categories", "category", url.Values{"hide_empty": {"0"}}},
	{"tags", "tag", url.Values{"hide_empty": {"0"}}},
	{"events", "", url.Values{"start_date": {"1000-01-01 00:00:00"}, "end_date": {"2999-12-31 23:59:59"}}},
}

// copying is the work on one site.
type copying struct {
	*Reader
	root   string // of its API
	site   reading.Site
	linked map[string]bool // by kind and id
	events map[int64]bool
	bytes  int
	total  int // events of the list
	shown  int // number of those that were returned
}

// Copy returns a copy of the site at an address: its home page, its calendar, or its API.
func (r *Reader) Copy(ctx context.Context, address string) ([]byte, error) {
	c := &copying{Reader: r, linked: map[string]bool{}, events: map[int64]bool{}}
	var err error
	if c.root, err = c.find(ctx, address); err != nil {
		return nil, err
	}
	c.site = reading.Site{Root: c.root, Linked: []reading.SiteLinked{}, Missed: []reading.Missed{}, Events: []json.RawMessage{}}
	for _, list := range lists {
		if len(r.Only) > 0 && list.name != "events" {
			continue // linked items come with the events
		}
		list.all = with(list.all, r.Only)
		take := func(raw json.RawMessage) error { return c.addLinked(list.kind, raw) }
		if list.name == "events" {
			take = c.event
		}
		if err := c.list(ctx, list.name, list.all, take); err != nil {
			return nil, err
		}
	}
	if len(r.Only) == 0 {
		if err := c.unlisted(ctx); err != nil {
			return nil, err
		}
	}
	named := 0
	for _, m := range c.site.Missed {
		if m.ID != 0 {
			named++
		}
	}
	if c.shown+named >= c.total { // the missing ones came one by one, or are recorded as missing
		c.site.Missed = slices.DeleteFunc(c.site.Missed, func(m reading.Missed) bool { return m.List == "events" && m.ID == 0 })
	}
	return json.Marshal(c.site)
}

// with merges two sets of parameters.
func with(all, more url.Values) url.Values {
	both := maps.Clone(all)
	if both == nil {
		both = url.Values{}
	}
	maps.Copy(both, more)
	return both
}

// roots returns the URLs at which the API of a site may be, given any address of the site.
func roots(address string) ([]string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return nil, ErrNoSite
	}
	const api = "/wp-json/tribe/events/v1"
	if before, _, found := strings.Cut(u.Path, "/wp-json/"); found {
		u.Path = before
	}
	var list []string
	path := strings.TrimSuffix(u.Path, "/")
	for {
		base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}
		list = append(list, base.String()+api)
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			break
		}
		path = path[:at]
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host}
	return append(list, base.String()+"/?rest_route=/tribe/events/v1"), nil // without pretty addresses
}

// mostRoots is the maximum number of URLs tried, so that a long address does not cause a flood of requests.
const mostRoots = 5

// find returns the root of the site's API.
func (c *copying) find(ctx context.Context, address string) (string, error) {
	list, err := roots(address)
	if err != nil {
		return "", err
	}
	if len(list) > mostRoots {
		list = append(list[:2], list[len(list)-mostRoots+2:]...)
	}
	err = ErrNoSite
	for _, most := range []int{1, tries} { // if one root fails at the first attempt, another may work
		for _, root := range list {
			_, failed := c.page(ctx, at(root, "events", lists[len(lists)-1].all, 1, 1), "events", most)
			switch {
			case failed == nil:
				return root, nil
			case ctx.Err() != nil:
				return "", ctx.Err()
			case errors.Is(failed, ErrLogin):
				return "", failed
			}
			err = errors.Join(ErrNoSite, failed)
		}
	}
	return "", err
}

// at returns the address of a page of a list.
func at(root, list string, all url.Values, page, perPage int) string {
	query := url.Values{"page": {strconv.Itoa(page)}, "per_page": {strconv.Itoa(perPage)}}
	maps.Copy(query, all)
	if strings.Contains(root, "?") {
		return root + "/" + list + "&" + query.Encode()
	}
	return root + "/" + list + "?" + query.Encode()
}

// list reads all pages of a list and passes each entry to take.
func (c *copying) list(ctx context.Context, name string, all url.Values, take func(json.RawMessage) error) error {
	away := 0
	for n, last := 1, 1; n <= last; n++ {
		p, err := c.page(ctx, at(c.root, name, all, n, perPage), name, tries)
		switch {
		case err == nil:
			if away, last = 0, max(last, p.Pages); last > mostPages {
				return reading.ErrMany
			}
			if name == "events" {
				c.total = p.Total
			}
			if err := each(p.items, take); err != nil {
				return err
			}
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrLogin):
			return err
		case errors.Is(err, errEnd) && c.shorter(ctx, name, all, n):
			return nil
		case n == 1 && name != "events": // the interface has no such list
			c.site.Missed = append(c.site.Missed, reading.Missed{List: name})
			return nil
		}
		some, err := c.parts(ctx, name, all, n, take)
		if err != nil {
			return err
		}
		if away++; some {
			away = 0
		}
		if away >= mostAway || n == 1 && !some {
			return ErrAway
		}
	}
	return nil
}

// shorter reports whether a list now has fewer than n pages.
func (c *copying) shorter(ctx context.Context, name string, all url.Values, n int) bool {
	p, err := c.page(ctx, at(c.root, name, all, 1, perPage), name, tries)
	return err == nil && p.Pages < n
}

func each(items []json.RawMessage, take func(json.RawMessage) error) error {
	for _, raw := range items {
		if err := take(raw); err != nil {
			return err
		}
	}
	return nil
}

// parts reads a page that the site does not return as a whole: in tens and, if that fails, one by one. It reports
// whether any entry came, and records those that did not.
func (c *copying) parts(ctx context.Context, name string, all url.Values, n int, take func(json.RawMessage) error) (some bool, err error) {
	first := (n - 1) * perPage
	var missed []reading.Missed
	one := func(from, length int) (bool, error) { // entries from+1 to from+length
		p, err := c.page(ctx, at(c.root, name, all, from/length+1, length), name, 1)
		switch {
		case err == nil:
			some = some || len(p.items) > 0
			return true, each(p.items, take)
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, errEnd):
			return true, nil
		}
		return false, nil
	}
	for from := first; from < first+perPage; from += 10 {
		came, err := one(from, 10)
		if err != nil {
			return some, err
		}
		for single := from; !came && single < from+10; single++ {
			if some || single < first+10 { // otherwise the site is down, and gets no fifty requests
				came, err := one(single, 1)
				if err != nil {
					return some, err
				}
				if came {
					continue
				}
			}
			if k := len(missed); k > 0 && missed[k-1].To == single {
				missed[k-1].To++
			} else {
				missed = append(missed, reading.Missed{List: name, From: single + 1, To: single + 1})
			}
		}
	}
	c.site.Missed = append(c.site.Missed, missed...)
	return some, nil
}

// addLinked adds a venue, organizer, category or tag to the copy, unless it is already there.
func (c *copying) addLinked(kind string, raw json.RawMessage) error {
	var head struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.ID <= 0 {
		return nil //nolint:nilerr // something else than an item
	}
	key := kind + strconv.FormatInt(head.ID, 10)
	if c.linked[key] {
		return nil
	}
	c.linked[key] = true
	kept, err := trimmed(raw, linkedMembers)
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	c.site.Linked = append(c.site.Linked, reading.SiteLinked{Kind: kind, ID: head.ID, Object: kept})
	return c.more(len(kept))
}

// more adds to the size of the copy. It returns reading.ErrLarge if the copy gets too large.
func (c *copying) more(bytes int) error {
	if c.bytes += bytes; c.bytes > reading.MaxBytes {
		return reading.ErrLarge
	}
	return nil
}

// event adds an event, with its venues, organizers, categories and tags, to the copy, unless it is already there.
func (c *copying) event(raw json.RawMessage) error {
	var object map[string]json.RawMessage
	var head struct {
		ID     int64 `json:"id"`
		Hidden any   `json:"hide_from_listings"`
	}
	if json.Unmarshal(raw, &object) != nil || json.Unmarshal(raw, &head) != nil || head.ID <= 0 || c.events[head.ID] {
		return nil //nolint:nilerr // what is no event is left out
	}
	c.events[head.ID] = true
	if head.Hidden != true {
		c.shown++
	}
	for name, kind := range map[string]string{"venue": "venue", "organizer": "organizer", "categories": "category", "tags": "tag"} {
		ids := []int64{}
		for _, one := range linked(object[name]) {
			var of struct {
				ID int64 `json:"id"`
			}
			if json.Unmarshal(one, &of) != nil || of.ID <= 0 {
				continue
			}
			ids = append(ids, of.ID)
			if err := c.addLinked(kind, one); err != nil {
				return err
			}
		}
		text, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		object[name] = text
	}
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	kept, err := trimmed(text, eventMembers)
	if err != nil {
		return err
	}
	if len(c.site.Events) == reading.MaxEntries {
		return reading.ErrMany
	}
	c.site.Events = append(c.site.Events, kept)
	return c.more(len(kept))
}

// linked returns the objects that an event is linked to. raw is a list or a single object.
func linked(raw json.RawMessage) (list []json.RawMessage) {
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return []json.RawMessage{raw}
}

// The members that a copy keeps.
var (
	eventMembers = strings.Fields("id global_id status date_utc url rest_url title description excerpt slug image all_day " +
		"start_date end_date timezone cost website show_map show_map_link hide_from_listings sticky featured categories tags venue " +
		"organizer event_status event_status_reason attendance_mode virtual_url virtual_url_shown")
	linkedMembers = strings.Fields("id status slug image venue organizer name description excerpt address city country province " +
		"state zip phone website email stateprovince geo_lat geo_lng show_map show_map_link parent")
)

// trimmed returns an object reduced to the given members.
func trimmed(raw json.RawMessage, members []string) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	kept := make(map[string]json.RawMessage, len(members))
	for _, name := range members {
		if value, there := object[name]; there {
			kept[name] = value
		}
	}
	var image struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(kept["image"], &image) == nil && image.URL != "" {
		text, err := json.Marshal(map[string]string{"url": image.URL})
		if err != nil {
			return nil, err
		}
		kept["image"] = text
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("keep an entry: %w", err)
	}
	return text, nil
}

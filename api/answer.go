package api

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/tenancy"
)

// Answer is what a handler returns.
type Answer struct {
	Body     []byte // JSON
	ETag     string // strong, including quotes
	Location string
	Language string // of the texts; "": that of the request
	Replaced bool   // for routes that create or replace: the resource existed
	secret   bool   // must not be stored anywhere
	Once     bool   // contains a secret that is not shown again
	Paged    bool
	Family   string // how the headers with Total and Pages begin; "": as those of TEC
	Total    int
	Pages    int
	Next     string // address of the next page, or ""
	Previous string
	Until    time.Time // when time alone changes it; zero: never

	File *File                        // instead of Body
	May  func(tenancy.Principal) bool // who may edit the item shown; nil: depends on rights alone
	feed *feeds.Document              // instead of Body
}

// at adds the address of the entry that a request created, given as its path below the API.
func (a *Answer) at(ctx context.Context, path string, id int64) *Answer {
	a.Location = scopeOf(ctx).Base.API() + path
	if id != 0 {
		a.Location += "/" + strconv.FormatInt(id, 10)
	}
	return a
}

func (a *Answer) until(t time.Time) *Answer {
	a.Until = t
	return a
}

func scopeOf(ctx context.Context) *tenancy.Scope { return tenancy.Current(ctx) }

// Answer returns an answer with the text that the view has written. It is at a version of the site or, without one, at
// 0.
func (v *View) Answer(version int64) *Answer {
	return &Answer{Body: v.Bytes, ETag: etag(version, v.Bytes)}
}

// etag returns a strong tag: the item's version, which If-Match compares, and a digest of the bytes, which makes it
// strong (RFC 9110 §8.8.3). The digest only distinguishes responses and need not be secure.
func etag(version int64, body []byte) string {
	b := append(make([]byte, 0, 32), '"')
	b = strconv.AppendInt(b, version, 36)
	b = append(b, '-')
	b = strconv.AppendUint(b, xxhash.Sum64(body), 36)
	return string(append(b, '"'))
}

// taggedVersion returns the version in one of our entity tags.
func taggedVersion(tag string) (int64, bool) {
	text, _, found := strings.Cut(strings.Trim(strings.TrimSpace(tag), `"`), "-")
	version, err := strconv.ParseInt(text, 36, 64)
	return version, found && err == nil && !strings.HasPrefix(strings.TrimSpace(tag), "W/")
}

// Listing is a page of a list, without its entries.
type Listing struct {
	Collection    string
	Page, PerPage int
	Total         int
	walk          bool   // pages follow one another by place
	place         string // start of the next page of a walk; "" after the last
	Links         Params // arguments as applied, without page, beginning with per_page if given
}

// Param is one argument of an address.
type Param struct{ Name, Value string }

func (l Listing) pages() int { return (l.Total + l.PerPage - 1) / l.PerPage }

// entrySize is the approximate size of an event with everything nested.
const entrySize = 5 << 10

// List writes the entries of an envelope that begins with them.
func (v *View) List(collection string, n int, write func(i int)) {
	v.Bytes = slices.Grow(v.Bytes, n*entrySize)
	v.written = make(map[int64]span, 2*n)
	v.Bytes = append(v.Bytes, '{')
	v.Open(collection, '[')
	for i := range n {
		write(i)
	}
	v.Close(']')
}

// Paged completes the envelope of events, venues and organizers (rule 4.4).
func (v *View) Paged(l Listing, version int64) *Answer {
	v.Text("rest_url", v.here(l))
	next, previous := v.sides(l)
	v.Some("next_rest_url", next)
	v.Some("previous_rest_url", previous)
	v.totals(l)
	return v.listAnswer(l, next, previous, version)
}

// neighbours completes the envelope of terms (rule 4.4).
func (v *View) neighbours(l Listing, version int64) *Answer {
	next, previous := v.sides(l)
	v.Some("next_rest_url", next)
	v.Some("previous_rest_url", previous)
	return v.listAnswer(l, next, previous, version)
}

func (v *View) totals(l Listing) {
	v.Int("total", int64(l.Total))
	v.Int("total_pages", int64(l.pages()))
}

func (v *View) listAnswer(l Listing, next, previous string, version int64) *Answer {
	v.Close('}')
	return &Answer{Body: v.Bytes, ETag: etag(version, v.Bytes), Paged: true, Total: l.Total, Pages: l.pages(),
		Next: next, Previous: previous}
}

// sides returns the addresses of the next and previous pages, or "" if there are none.
func (v *View) sides(l Listing) (next, previous string) {
	if l.walk {
		if l.place != "" {
			next = v.Address(l.Collection, append(slices.Clip(l.Links), Param{"after", l.place}))
		}
		return next, ""
	}
	if l.Page < l.pages() {
		next = v.another(l, l.Page+1)
	}
	if l.Page > 1 && l.Total > 0 {
		previous = v.another(l, min(l.Page-1, l.pages()))
	}
	return next, previous
}

// here returns the address of the current page.
func (v *View) here(l Listing) string {
	return v.Address(l.Collection, append([]Param{{"page", strconv.Itoa(l.Page)}}, l.Links...))
}

// another returns the address of another page with all filters. The page number comes last, where clients look for
// it; page 1 has none (rule 4.4).
func (v *View) another(l Listing, n int) string {
	links := l.Links
	if n > 1 {
		links = append(slices.Clip(links), Param{"page", strconv.Itoa(n)})
	}
	return v.Address(l.Collection, links)
}

// Address returns the address of a list below the API with these arguments.
func (v *View) Address(collection string, arguments []Param) string {
	var b strings.Builder
	b.WriteString(v.Root + "/" + collection + "/")
	for i, p := range arguments {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(p.Name + "=" + url.QueryEscape(p.Value))
	}
	return b.String()
}

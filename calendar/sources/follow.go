package sources

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

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/tenancy"
)

// Another installation is followed by its list of changes. The token of the last read takes the place of an ETag.
// As soon as the list has anything new, the events that it names are read as a table and imported. All events are
// read at the beginning, when a token has expired, and after a deletion or a change that concerns many events;
// events that are then missing no longer exist.

// Limits of following.
const (
	changesPage = 500              // changes of one answer
	mostChanges = 400              // answers until there is a token
	listPage    = 50               // events of a page of an installation without tables
	mostPages   = 2000             // such pages
	mostNamed   = 100              // maximum number of events requested by id
	soon        = time.Second      // time until the next request after one that waited
	later       = 15 * time.Second // where it does not wait
)

// apiPath is the path of a site's API.
const apiPath = "/calendar/events/v1"

// errEnded says that a token has expired. errAbsent says that the other installation has no such URL.
var (
	errEnded  = errors.New("the token has ended")
	errAbsent = errors.New("there is no such address")
)

// following is the work of following another installation.
type following struct {
	*Service
	*Secret
	root string
	only url.Values // parameters of the list of events
	o    *Outcome
}

// follow asks another installation for changes and imports them.
func (s *Service) follow(ctx context.Context, w *Source, hold *Hold, o *Outcome) error {
	secret, err := s.open(tenancy.Current(ctx).Site.ID, w)
	if err != nil {
		return err
	}
	f := &following{Service: s, Secret: secret, root: rootOf(secret.URL), o: o}
	if f.only, err = url.ParseQuery(w.Filter.Query()); err != nil {
		return fmt.Errorf("read a filter: %w", err)
	}
	token := w.ETag
	if w.Digest == nil {
		token = ""
	}
	news := wholeOf()
	if token != "" {
		if token, news, err = f.since(ctx, token); err == nil && news.nothing() {
			o.ETag = token
			return nil
		}
		if errors.Is(err, errEnded) {
			token, err, news = "", nil, wholeOf()
		}
	}
	if token == "" && err == nil {
		if token, err = f.begin(ctx); errors.Is(err, errAbsent) {
			token, err = "", nil // it is read on time
		}
	}
	if err != nil {
		return s.unread(ctx, err)
	}
	list, err := f.events(ctx, news.named())
	if err != nil {
		return err
	}
	o.ETag = token
	if token != "" {
		o.Again = later
	}
	if !news.whole && len(list) == 0 {
		return nil
	}
	data, err := reading.WrapSome(list, !news.whole)
	if err != nil {
		return err
	}
	r := &imports.Reading{Format: string(reading.Kalends), Data: data}
	if !news.whole {
		r.Gone = imports.Keep
	}
	return s.hand(ctx, w, hold, o, r)
}

// told is the content of a list of changes about events.
type told struct {
	ids   []int64
	whole bool // more than single events can say
}

func wholeOf() *told { return &told{whole: true} }

func (t *told) nothing() bool { return !t.whole && len(t.ids) == 0 }

// named returns the ids of the events to request; nil means all.
func (t *told) named() []int64 {
	if t.whole {
		return nil
	}
	return t.ids
}

// take records a change. It ignores new objects that are not events, because events that use them are listed too.
func (t *told) take(c change) {
	switch {
	case c.Type == "event" && (c.Action == "created" || c.Action == "updated"):
		if !slices.Contains(t.ids, c.ID) {
			t.ids = append(t.ids, c.ID)
		}
	case c.Type != "event" && c.Action == "created":
	default:
		t.whole = true
	}
	t.whole = t.whole || len(t.ids) > mostNamed
}

// rootOf returns the root of the API of the site at an address.
func rootOf(address string) string {
	u, err := url.Parse(imports.WebAddress(address))
	if err != nil {
		return address
	}
	before, _, _ := strings.Cut(u.Path, apiPath)
	root := url.URL{Scheme: u.Scheme, Host: u.Host}
	if before != u.Path {
		root.Path = strings.TrimSuffix(before, "/")
	}
	return root.String() + apiPath
}

// page is a response with changes. It has only the members that are needed.
type page struct {
	Changes []change `json:"changes"`
	Next    string   `json:"next"`
	More    bool     `json:"more"`
}

type change struct {
	Type   string `json:"type"`
	ID     int64  `json:"id"`
	Action string `json:"action"`
}

// ask sends a request to the other installation.
func (f *following) ask(ctx context.Context, path string, query url.Values) ([]byte, error) {
	all := url.Values{}
	for _, some := range []url.Values{f.only, query} {
		maps.Copy(all, some)
	}
	answer, err := f.Web.Read(ctx, &Request{URL: f.root + path + "?" + all.Encode(), User: f.User, Password: f.Password})
	switch {
	case err != nil:
		return nil, err
	case answer.Status == http.StatusGone, answer.Status == http.StatusBadRequest && query.Has("since"):
		return nil, errEnded
	case answer.Status == http.StatusNotFound:
		return nil, errAbsent
	case answer.Status != http.StatusOK:
		f.o.After = answer.After
		return nil, fmt.Errorf("%w: status %d", imports.ErrNotFetched, answer.Status)
	}
	return imports.Unpacked(answer.Data)
}

// changes requests a page of changes.
func (f *following) changes(ctx context.Context, query url.Values) (*page, error) {
	query.Set("per_page", strconv.Itoa(changesPage))
	text, err := f.ask(ctx, "/changes", query)
	if err != nil {
		return nil, err
	}
	p := &page{}
	if json.Unmarshal(text, p) != nil || p.Next == "" || len(p.Next) > 1000 {
		return nil, fmt.Errorf("%w: no changes", imports.ErrNotFetched)
	}
	return p, nil
}

// since returns the changes since a token, and the token after them. It may wait for changes for a while.
func (f *following) since(ctx context.Context, token string) (next string, news *told, err error) {
	query, began := url.Values{"since": {token}}, f.Clock()
	if f.Wait > 0 {
		query.Set("wait", strconv.Itoa(int(f.Wait.Seconds())))
	}
	p, err := f.changes(ctx, query)
	if err != nil {
		return "", wholeOf(), err
	}
	if f.o.Again = later; f.Wait > 0 && f.Clock().Sub(began) >= f.Wait/2 {
		f.o.Again = soon
	}
	news = &told{whole: f.only.Has("include")}
	next, err = f.last(ctx, p, news)
	if len(p.Changes) == 0 && !p.More {
		news = &told{}
	}
	return next, news, err
}

// begin returns the token of the present state.
func (f *following) begin(ctx context.Context) (string, error) {
	p, err := f.changes(ctx, url.Values{})
	if err != nil {
		return "", err
	}
	return f.last(ctx, p, wholeOf())
}

// last follows a chain of pages to its end and records their changes.
func (f *following) last(ctx context.Context, p *page, news *told) (string, error) {
	for range mostChanges {
		for _, c := range p.Changes {
			news.take(c)
		}
		if !p.More {
			return p.Next, nil
		}
		var err error
		if p, err = f.changes(ctx, url.Values{"since": {p.Next}}); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%w: changes without an end", imports.ErrNotFetched)
}

// always are the parameters of a list of events that has no limit of time.
func always() url.Values {
	return url.Values{"start_date": {"1000-01-01 00:00:00"}, "end_date": {"2999-12-31 23:59:59"}}
}

// events returns the events that the other installation shows, all of them or those with these IDs. It leaves out
// events that came from this site.
func (f *following) events(ctx context.Context, ids []int64) ([]reading.Entry, error) {
	format, query := reading.CSV, always()
	if ids != nil {
		query.Set("include", joined(ids))
	}
	data, err := f.ask(ctx, "/events.csv", query)
	if errors.Is(err, errAbsent) {
		format = reading.JSON
		data, err = f.lists(ctx, query)
	}
	if err != nil {
		return nil, f.unread(ctx, err)
	}
	site := tenancy.Current(ctx).Site
	file, err := reading.Read(data, reading.Options{Format: format, Zone: site.Location})
	if err != nil {
		return nil, err
	}
	own, g := "@"+strings.ToLower(site.UID), &giving{to: site}
	var list []reading.Entry
	for e := range file.Entries {
		if strings.HasSuffix(strings.ToLower(e.UID), own) {
			continue
		}
		for _, name := range []string{"status", "date", "date_utc", "author", "post_parent", "post_password", "sticky"} {
			delete(e.Values, name) // this site decides on it
		}
		g.spoken(map[string]any(e.Values))
		e.Cells, e.Warnings = nil, nil
		list = append(list, e)
	}
	return list, nil
}

// joined returns IDs in the form of an argument.
func joined(ids []int64) string {
	list := make([]string, 0, len(ids))
	for _, id := range ids {
		list = append(list, strconv.FormatInt(id, 10))
	}
	return strings.Join(list, ",")
}

// lists returns the events of an installation that has no tables, page by page.
func (f *following) lists(ctx context.Context, of url.Values) ([]byte, error) {
	all := []json.RawMessage{}
	bytes := 0
	for n, last := 1, 1; n <= min(last, mostPages); n++ {
		query := maps.Clone(of)
		query.Set("page", strconv.Itoa(n))
		query.Set("per_page", strconv.Itoa(listPage))
		text, err := f.ask(ctx, "/events", query)
		if err != nil {
			return nil, err
		}
		var p struct {
			Events []json.RawMessage `json:"events"`
			Pages  int               `json:"total_pages"`
		}
		if json.Unmarshal(text, &p) != nil || p.Events == nil {
			return nil, fmt.Errorf("%w: no list of events", imports.ErrNotFetched)
		}
		if bytes += len(text); bytes > imports.MaxBytes {
			return nil, reading.ErrLarge
		}
		last, all = p.Pages, slices.Concat(all, p.Events)
	}
	return json.Marshal(all)
}

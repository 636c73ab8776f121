package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Another installation is followed by its list of changes: the token of what was read last is kept with it, in the place of an ETag. As
// soon as the list has anything new, the events are read as a whole, as a table, and imported; what is not among them any more goes.

// Limits of following.
const (
	changesPage = 500              // changes of one answer
	mostChanges = 400              // answers until there is a token
	listPage    = 50               // events of a page of an installation without tables
	mostPages   = 2000             // such pages
	soon        = time.Second      // until it is asked again after it waited
	later       = 15 * time.Second // where it does not wait
)

// apiPath is where the interface of a site is.
const apiPath = "/calendar/events/v1"

// errEnded says that a token is of no use any more, errAbsent that the other side has no such thing.
var (
	errEnded  = errors.New("the token has ended")
	errAbsent = errors.New("there is no such address")
)

// following is the work on one other installation.
type following struct {
	*Service
	*Secret
	root string
	only url.Values // parameters of the list of events
	o    *Outcome
}

// follow asks another installation what has changed, and has it imported.
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
	if token != "" {
		news := false
		if token, news, err = f.since(ctx, token); err == nil && !news {
			o.ETag = token
			return nil
		}
		if errors.Is(err, errEnded) {
			token, err = "", nil
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
	list, err := f.events(ctx)
	if err != nil {
		return err
	}
	data, err := reading.Wrap(0, list)
	if err != nil {
		return err
	}
	o.ETag = token
	if token != "" {
		o.Again = later
	}
	return s.hand(ctx, w, hold, o, &imports.Reading{Format: string(reading.Kalends), Data: data})
}

// rootOf returns the root of the interface of the site at an address.
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

// page is an answer with changes, as far as it matters.
type page struct {
	Changes []json.RawMessage `json:"changes"`
	Next    string            `json:"next"`
	More    bool              `json:"more"`
}

// ask requests something of the other installation.
func (f *following) ask(ctx context.Context, path string, query url.Values) ([]byte, error) {
	all := url.Values{}
	for _, some := range []url.Values{f.only, query} {
		for name, values := range some {
			all[name] = values
		}
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

// changes asks for a page of changes.
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

// since returns the token after what has changed since another one, and whether anything has. It waits for that for a while.
func (f *following) since(ctx context.Context, token string) (next string, news bool, err error) {
	query, began := url.Values{"since": {token}}, f.Clock()
	if f.Wait > 0 {
		query.Set("wait", strconv.Itoa(int(f.Wait.Seconds())))
	}
	p, err := f.changes(ctx, query)
	if err != nil {
		return "", false, err
	}
	if f.o.Again = later; f.Wait > 0 && f.Clock().Sub(began) >= f.Wait/2 {
		f.o.Again = soon
	}
	if len(p.Changes) == 0 && !p.More {
		return p.Next, false, nil
	}
	next, err = f.last(ctx, p)
	return next, true, err
}

// begin returns the token of what there is now.
func (f *following) begin(ctx context.Context) (string, error) {
	p, err := f.changes(ctx, url.Values{})
	if err != nil {
		return "", err
	}
	return f.last(ctx, p)
}

// last follows a chain of pages to its end.
func (f *following) last(ctx context.Context, p *page) (string, error) {
	for range mostChanges {
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

// always are the parameters of a list that has events of all times.
func always() url.Values {
	return url.Values{"start_date": {"1000-01-01 00:00:00"}, "end_date": {"2999-12-31 23:59:59"}}
}

// events returns all events that the other installation shows, except those that came from this site.
func (f *following) events(ctx context.Context) ([]reading.Entry, error) {
	format := reading.CSV
	data, err := f.ask(ctx, "/events.csv", always())
	if errors.Is(err, errAbsent) {
		format = reading.JSON
		data, err = f.lists(ctx)
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
			delete(e.Values, name) // which this site decides
		}
		g.spoken(map[string]any(e.Values))
		e.Cells, e.Warnings = nil, nil
		list = append(list, e)
	}
	return list, nil
}

// lists returns the events of an installation that gives no tables, page by page.
func (f *following) lists(ctx context.Context) ([]byte, error) {
	all := []json.RawMessage{}
	bytes := 0
	for n, last := 1, 1; n <= min(last, mostPages); n++ {
		query := always()
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

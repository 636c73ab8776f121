// Package history shows who changed what: the page of a history with its filter and its
// export, and the words for what an entry says. The administration and the console show
// it, each of its own.
package history

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
)

// Page is a page of the history of a site, or of the provider's.
type Page struct {
	Title        string
	Path         string // of the page
	Back         string // of what the history is about, "" for what the page before was
	Kinds, Deeds []string
	Link         func(*tenancy.Entry) string // to the object of an entry, "" for none
	Form         *frame.Form                 // the filter
	Entries      []tenancy.Entry
	Next         string
	Open         *tenancy.Entry // shown field by field
}

var table = args.TableOf(reflect.TypeFor[tenancy.HistoryFilter]())

// fields are what the address of the page can say.
var fields = []string{"who", "kind", "action", "id", "from", "to", "after"}

// The kinds and actions to choose from.
var (
	AuditKinds = []string{"event", "venue", "organizer", "category", "tag", "image", "user", "key", "passkey", "site", "session"}
	AuditDeeds = []string{"create", "update", "publish", "trash", "restore", "delete", "sign_in", "sign_in_failed"}
)

// Read reads what the page shows of the history of the site that ctx is
// inside of.
func (a *Page) Read(ctx context.Context, v *frame.Visit, h *tenancy.History) error {
	f, err := a.Filter(v)
	if err == nil {
		a.Entries, a.Next, err = h.List(ctx, f)
	}
	if err != nil && !a.Form.Refuse(v.Ctx, err) {
		return err
	}
	if at, ok := tenancy.ParsePlace(v.Query.Get("open")); ok {
		if a.Open, err = h.Entry(ctx, at); err != nil && !errors.Is(err, tenancy.ErrNoEntry) {
			return err
		}
	}
	return nil
}

// Filter reads the address as the API reads it, or returns errWrong.
func (a *Page) Filter(v *frame.Visit) (*tenancy.HistoryFilter, error) {
	values := args.Values{}
	for _, name := range fields {
		if text := strings.TrimSpace(a.Form.Get(name)); text != "" {
			values[name] = text
		}
	}
	f := &tenancy.HistoryFilter{}
	err := table.Parse(values, args.Reading, f)
	if err != nil && a.Form.Refuse(v.Ctx, err) {
		return nil, frame.ErrWrong
	}
	return f, err
}

// address is the page's with one thing else; a path below it is another's.
func (a *Page) address(below string, pairs ...string) string {
	q := url.Values{}
	for _, name := range fields {
		if text := a.Form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	path := a.Path + below
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (a *Page) filtered() bool {
	for _, name := range fields {
		if a.Form.Get(name) != "" && name != "after" {
			return true
		}
	}
	return false
}

func (a *Page) opened(e *tenancy.Entry) bool { return a.Open != nil && a.Open.Place == e.Place }

// entryTitle is what the object of an entry was called, as far as it says, or what it is
// called now.
func entryTitle(e *tenancy.Entry) string {
	for _, name := range []string{"title", "name", "venue", "organizer", "login", "file"} {
		if text, ok := e.Before[name].(string); ok && text != "" {
			return text
		}
	}
	if e.Place.Kind == "session" && tenancy.Unnamed(e.Object) {
		return ""
	}
	if e.Called != "" {
		return e.Called
	}
	return e.Object
}

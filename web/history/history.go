// Package history shows who changed what: a history page with filter and export, and descriptions of its entries.
// Both the administration and the console use it for their own history.
package history

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Page is a page of the history of a site or of the provider.
type Page struct {
	Title          string
	Path           string // of the page
	Back           string // address of the subject of the history, or "" for the previous page
	Kinds, Actions []string
	Link           func(*tenancy.Entry) string // returns the address of an entry's object, or ""
	Form           *frame.Form                 // the filter
	Deeds          []tenancy.Deed
	Next           string
	Open           *tenancy.Entry  // the entry shown field by field
	Deed           *tenancy.Deed   // the deed shown entry by entry, or nil
	Entries        []tenancy.Entry // of that deed
	Desk           bool            // deeds can be taken back here
	Own            bool            // the reader sees only what they did themselves
}

var table = args.TableOf(reflect.TypeFor[tenancy.HistoryFilter]())

// titleField is the query parameter with a part of the name of an object. The API has none.
const titleField = "title"

// fields are the query parameters of the page.
var fields = []string{"who", "kind", "action", "id", "from", "to", titleField, "after"}

// deedField is the query parameter with the deed to show entry by entry.
const deedField = "deed"

// The kinds and actions offered in the filter.
var (
	AuditKinds = []string{"event", "venue", "organizer", "category", "tag", "image", "user", "key", "passkey", "webhook", "source",
		"report", "site", "session"}
	OwnKinds     = []string{"event", "venue", "organizer", "category", "tag", "image", "session"}
	AuditActions = []string{"create", "update", "publish", "trash", "restore", "delete", "correct", "dismiss", "sign_in", "sign_in_failed"}
	OwnActions   = []string{"create", "update", "publish", "trash", "restore", "delete"}
)

// Read reads the part of the history to show. ctx determines the site.
func (a *Page) Read(ctx context.Context, v *frame.Visit, h *tenancy.History) error {
	f, err := a.Filter(v)
	if f != nil {
		f.Content = true
	}
	at, one := tenancy.ParsePosition(v.Query.Get(deedField))
	switch {
	case err != nil:
	case one:
		a.Deed, a.Entries, a.Next, err = h.Of(ctx, at, f)
	default:
		a.Deeds, a.Next, err = h.Deeds(ctx, f)
	}
	if err != nil && !a.Form.Refuse(v.Ctx, err) {
		return err
	}
	if at, ok := tenancy.ParsePosition(v.Query.Get("open")); ok && !a.Own {
		if a.Open, err = h.Entry(ctx, at); err != nil && !errors.Is(err, tenancy.ErrNoEntry) {
			return err
		}
	}
	return nil
}

// Filter parses the query like the API. It returns frame.ErrWrong if there are problems.
func (a *Page) Filter(v *frame.Visit) (*tenancy.HistoryFilter, error) {
	values := args.Values{}
	for _, name := range fields {
		if text := strings.TrimSpace(a.Form.Get(name)); text != "" && name != titleField {
			values[name] = text
		}
	}
	f := &tenancy.HistoryFilter{Titled: a.titled()}
	err := table.Parse(values, args.Reading, f)
	if err != nil && a.Form.Refuse(v.Ctx, err) {
		return nil, frame.ErrWrong
	}
	return f, err
}

// titled is the part of a name that the list is filtered by. The history of the provider has no such filter.
func (a *Page) titled() string {
	if !a.titles() {
		return ""
	}
	return strings.TrimSpace(a.Form.Get(titleField))
}

// titles reports whether the list can be filtered by names.
func (a *Page) titles() bool { return slices.Contains(a.Kinds, "event") }

// quiet reports whether the page leaves out sign-ins, which it can show.
func (a *Page) quiet() bool {
	return slices.Contains(a.Kinds, "session") && !tenancy.DecidesOnSignIns(a.Form.Get("kind"), a.Form.Get("action"))
}

// address returns the page's address with some parameters changed, or the address of a path below it.
func (a *Page) address(below string, pairs ...string) string {
	q := url.Values{}
	for _, name := range append([]string{deedField}, fields...) {
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

// entryTitle returns the former name of an entry's object or, if that is unknown, its current name.
func entryTitle(e *tenancy.Entry) string {
	for _, name := range []string{"title", "name", "venue", "organizer", "login", "file"} {
		if text, ok := e.Before[name].(string); ok && text != "" {
			return text
		}
	}
	if e.Position.Kind == "session" && tenancy.Unnamed(e.Object) {
		return ""
	}
	if e.Called != "" {
		return e.Called
	}
	return e.Object
}

package web

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// audit is a page of the history of a site, or of the provider's.
type audit struct {
	title        string
	path         string // of the page
	back         string // of what the history is about, "" for what the page before was
	kinds, deeds []string
	link         func(*tenancy.Entry) string // to the object of an entry, "" for none
	form         *form                       // the filter
	entries      []tenancy.Entry
	next         string
	open         *tenancy.Entry // shown field by field
}

var historyTable = args.TableOf(reflect.TypeFor[tenancy.HistoryFilter]())

// auditFields are what the address of the page can say.
var auditFields = []string{"who", "kind", "action", "id", "from", "to", "after"}

// The kinds and actions to choose from.
var (
	auditKinds = []string{"event", "venue", "organizer", "category", "tag", "image", "user", "key", "passkey", "site", "session"}
	auditDeeds = []string{"create", "update", "publish", "trash", "restore", "delete", "sign_in", "sign_in_failed"}
)

// showAudit shows who changed what, when and from where; everything it shows is
// in its address.
func (w *admin) showAudit(v *visit) (*reply, error) {
	a := siteAudit(v)
	if err := w.readAudit(v.ctx, v, a); err != nil {
		return nil, err
	}
	return &reply{title: a.title, section: "audit", body: auditPage(a)}, nil
}

// readAudit reads what the page shows of the history of the site that ctx is
// inside of.
func (w *admin) readAudit(ctx context.Context, v *visit, a *audit) error {
	f, err := a.filter(v)
	if err == nil {
		a.entries, a.next, err = w.platform.History.List(ctx, f)
	}
	if err != nil && !a.form.refuse(v.ctx, err) {
		return err
	}
	if at, ok := tenancy.ParsePlace(v.query.Get("open")); ok {
		if a.open, err = w.platform.History.Entry(ctx, at); err != nil && !errors.Is(err, tenancy.ErrNoEntry) {
			return err
		}
	}
	return nil
}

// siteAudit is the page for the people of the site.
func siteAudit(v *visit) *audit {
	return &audit{form: &form{kind: "audit", values: v.query}, title: tell(v.ctx, "nav.audit"), path: adminRoot + "/audit",
		kinds: auditKinds, deeds: auditDeeds, link: entryLink}
}

// filter reads the address as the API reads it, or returns errWrong.
func (a *audit) filter(v *visit) (*tenancy.HistoryFilter, error) {
	values := args.Values{}
	for _, name := range auditFields {
		if text := strings.TrimSpace(a.form.get(name)); text != "" {
			values[name] = text
		}
	}
	f := &tenancy.HistoryFilter{}
	err := historyTable.Parse(values, args.Reading, f)
	if err != nil && a.form.refuse(v.ctx, err) {
		return nil, errWrong
	}
	return f, err
}

// address is the page's with one thing else; a path below it is another's.
func (a *audit) address(below string, pairs ...string) string {
	q := url.Values{}
	for _, name := range auditFields {
		if text := a.form.get(name); text != "" {
			q.Set(name, text)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	path := a.path + below
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (a *audit) filtered() bool {
	for _, name := range auditFields {
		if a.form.get(name) != "" && name != "after" {
			return true
		}
	}
	return false
}

func (a *audit) opened(e *tenancy.Entry) bool { return a.open != nil && a.open.Place == e.Place }

// entryLink leads to the object of an entry, "" where there is no page of it.
func entryLink(e *tenancy.Entry) string {
	if e.Action == "delete" {
		return ""
	}
	switch e.Place.Kind {
	case "event":
		return eventAddress(e.Place.ID)
	case "venue":
		return adminRoot + "/venues/" + idText(e.Place.ID)
	case "organizer":
		return adminRoot + "/organizers/" + idText(e.Place.ID)
	}
	return ""
}

// entryTitle is what the object of an entry was called, as far as it says.
func entryTitle(e *tenancy.Entry) string {
	for _, name := range []string{"title", "name", "venue", "organizer", "login", "file"} {
		if text, ok := e.Before[name].(string); ok && text != "" {
			return text
		}
	}
	if e.Place.Kind == "session" && tenancy.Unnamed(e.Object) {
		return ""
	}
	return e.Object
}

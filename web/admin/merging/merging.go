// Package merging has the page on which several venues, organizers, categories or tags become one.
package merging

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
)

// Kind describes the merge of venues, organizers, categories or tags.
type Kind struct {
	Kind, Section string
	May           tenancy.Permission
	Fields        []string
	Get           func(ctx context.Context, id int64) (*Entry, error)
	Find          func(ctx context.Context, text string) ([]frame.Pair, error)
	Linked        func(ctx context.Context, ids []int64) (map[int64]int, int, error)
	// Merge returns how many events were relinked, and the version to undo. The version is 0 if the merge cannot be
	// undone.
	Merge func(ctx context.Context, m services.Merging) (moved int, version int64, err error)
	Final bool // the merge cannot be undone
}

// Entry is one of the entries to merge.
type Entry struct {
	ID, Version int64
	Name, Note  string
	Fields      map[string]string // values for comparison
	Shown       map[string]string // texts to show instead of values that people cannot read
	Image       *calendar.Image
	events      int
}

// merging is the page on which entries are merged.
type merging struct {
	kind    *Kind
	entries []*Entry
	keep    *Entry
	moved   int // number of events that will be relinked
	form    *frame.Form
	stale   bool
	other   bool   // the form was sent to keep another entry than the one it had explained
	search  string // text of the search for other entries
	found   []frame.Pair
}

// Offered is how many entries the page offers for merging.
const Offered = 30

func (k *Kind) address() string { return frame.AdminRoot + "/" + k.Section + "/merge" }

// Routes are the routes for merging entries of a kind.
func Routes(k *Kind) []frame.Route {
	path := "/" + k.Section + "/merge"
	return []frame.Route{
		frame.GetPage(path, k.May, func(v *frame.Visit) (*frame.Reply, error) { return askMerge(v, k) }),
		frame.FormPage(path, k.May, func(v *frame.Visit) (*frame.Reply, error) { return doMerge(v, k) }),
	}
}

// Address is the address of the page that merges these entries.
func Address(section string, ids []int64) string {
	q := url.Values{}
	for _, id := range ids {
		q.Add("id", frame.IDText(id))
	}
	return frame.AdminRoot + "/" + section + "/merge?" + q.Encode()
}

// askMerge compares the chosen entries. If only one is chosen, it offers others.
func askMerge(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	return mergeReply(v, k, &merging{kind: k, form: &frame.Form{Kind: k.Kind, Values: v.Query}}, 0)
}

func mergeReply(v *frame.Visit, k *Kind, m *merging, status int) (*frame.Reply, error) {
	for _, id := range chosen.IDs(m.form) {
		one, err := k.Get(v.Ctx, id)
		if err != nil {
			return nil, err
		}
		m.entries = append(m.entries, one)
	}
	if len(m.entries) == 0 {
		return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.Section, Say: "none"}, nil
	}
	var err error
	if len(m.entries) == 1 {
		err = offerMerge(v, m)
	} else {
		err = m.compare(v.Ctx)
	}
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "merge.title"), Section: k.Section, Body: mergePage(m)}, nil
}

// offerMerge finds entries that the chosen one could be merged with.
func offerMerge(v *frame.Visit, m *merging) error {
	m.search = frame.Cut(v.Query.Get("search"), 200)
	text := m.search
	if !v.Query.Has("search") {
		text = m.entries[0].Name
		m.search = text
	}
	found, err := m.kind.Find(v.Ctx, text)
	for _, p := range found {
		if p.Name != frame.IDText(m.entries[0].ID) && len(m.found) < Offered {
			m.found = append(m.found, p)
		}
	}
	return err
}

// compare chooses the entry to keep and counts events. It keeps the entry that the form names, otherwise the one with the most
// events.
func (m *merging) compare(ctx context.Context) error {
	var ids []int64
	for _, one := range m.entries {
		ids = append(ids, one.ID)
	}
	each, _, err := m.kind.Linked(ctx, ids)
	if err != nil {
		return err
	}
	for _, one := range m.entries {
		one.events = each[one.ID]
		asked := frame.IDText(one.ID) == m.form.Get("keep")
		if m.keep == nil || asked || frame.IDText(m.keep.ID) != m.form.Get("keep") && one.events > m.keep.events {
			m.keep = one
		}
	}
	var others []int64
	for _, one := range m.others() {
		others = append(others, one.ID)
	}
	_, m.moved, err = m.kind.Linked(ctx, others)
	m.forget()
	return err
}

// forget drops the values that the form had chosen by itself for another entry to keep. What a person chose stays.
func (m *merging) forget() {
	for _, was := range m.entries {
		if was == m.keep || frame.IDText(was.ID) != m.form.Get("shown") {
			continue
		}
		for _, name := range m.kind.Fields {
			if m.form.Get("take."+name) == frame.IDText(m.byItself(was, name).ID) {
				m.form.Values.Del("take." + name)
			}
		}
	}
}

// others are the entries that the merge removes.
func (m *merging) others() []*Entry {
	list := make([]*Entry, 0, len(m.entries))
	for _, one := range m.entries {
		if one != m.keep {
			list = append(list, one)
		}
	}
	return list
}

// differing are the fields in which the entries differ.
func (m *merging) differing() []string {
	var list []string
	for _, name := range m.kind.Fields {
		for _, one := range m.entries {
			if one.Fields[name] != m.keep.Fields[name] {
				list = append(list, name)
				break
			}
		}
	}
	return list
}

// taken returns the entry whose value of a field is kept: the entry that the form names, otherwise byItself.
func (m *merging) taken(name string) *Entry {
	for _, one := range m.entries {
		if m.form.Get("take."+name) == frame.IDText(one.ID) {
			return one
		}
	}
	return m.byItself(m.keep, name)
}

// byItself returns the entry whose value of a field is kept unless the form names one: the entry to keep or, if its value is empty,
// the first with a value.
func (m *merging) byItself(keep *Entry, name string) *Entry {
	if keep.Fields[name] != "" || slices.Contains(addressFields, name) && keep.addressed() {
		return keep
	}
	for _, one := range m.entries {
		if one.Fields[name] != "" {
			return one
		}
	}
	return keep
}

// addressFields are kept together: parts of two addresses would make a wrong one.
var addressFields = []string{"address", "zip", "city", "state", "province", "stateprovince", "country"}

func (e *Entry) addressed() bool {
	return slices.ContainsFunc(addressFields, func(name string) bool { return e.Fields[name] != "" })
}

func (e *Entry) text(name string) string {
	if shown, ok := e.Shown[name]; ok {
		return shown
	}
	return e.Fields[name]
}

// doMerge merges the entries according to the form.
func doMerge(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	page := &merging{kind: k, form: v.Form}
	page.form.Kind = k.Kind
	if page.form.ShownAgain() {
		return mergeReply(v, k, page, 0)
	}
	if v.Form.Values.Has("shown") && v.Form.Get("shown") != v.Form.Get("keep") {
		answer, err := mergeReply(v, k, page, http.StatusUnprocessableEntity)
		if err != nil || len(page.entries) > 1 && len(page.differing()) > 0 {
			page.other = true
			return answer, err
		}
	}
	m := services.Merging{Take: map[string]int64{}, Seen: map[int64]int64{}}
	m.Keep, _ = strconv.ParseInt(v.Form.Get("keep"), 10, 64)
	for _, id := range chosen.IDs(v.Form) {
		if id != m.Keep {
			m.Others = append(m.Others, id)
		}
		m.Seen[id], _ = strconv.ParseInt(v.Form.Get("seen."+frame.IDText(id)), 10, 64)
	}
	for _, name := range k.Fields {
		if id, err := strconv.ParseInt(v.Form.Get("take."+name), 10, 64); err == nil {
			m.Take[name] = id
		}
	}
	moved, version, err := k.Merge(v.Ctx, m)
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		page.stale = true
		return mergeReply(v, k, page, http.StatusConflict)
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrGone):
		return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.Section, Say: "unmerged"}, nil
	case err != nil && !page.form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		return mergeReply(v, k, page, http.StatusUnprocessableEntity)
	}
	r := &frame.Reply{Redirect: frame.Address(k.Section, m.Keep), Say: "merged", Count: moved}
	if moved == 0 {
		r.Say = "merged.none"
	}
	frame.OfferUndo(v, r, version)
	return r, nil
}

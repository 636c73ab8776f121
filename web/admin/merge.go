package admin

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// mergeKind describes the merge of venues, organizers, categories or tags.
type mergeKind struct {
	kind, section string
	may           tenancy.Permission
	fields        []string
	get           func(ctx context.Context, id int64) (*mergeEntry, error)
	find          func(ctx context.Context, text string) ([]frame.Pair, error)
	linked        func(ctx context.Context, ids []int64) (map[int64]int, int, error)
	// merge returns how many events were relinked, and the version to undo. The version is 0 if the merge cannot be
	// undone.
	merge func(ctx context.Context, m calendar.Merging) (moved int, version int64, err error)
	final bool // the merge cannot be undone
}

// mergeEntry is one of the entries to merge.
type mergeEntry struct {
	id, version int64
	name, note  string
	fields      map[string]string // values for comparison
	shown       map[string]string // texts to show instead of values that people cannot read
	image       *calendar.Image
	events      int
}

// merging is the page on which entries are merged.
type merging struct {
	kind    *mergeKind
	entries []*mergeEntry
	keep    *mergeEntry
	moved   int // number of events that will be relinked
	form    *frame.Form
	stale   bool
	search  string // text of the search for other entries
	found   []frame.Pair
}

// mergeOffered is how many entries the page offers for merging.
const mergeOffered = 30

func (k *mergeKind) address() string { return frame.AdminRoot + "/" + k.section + "/merge" }

// routesOfMerge are the routes for merging entries of a kind.
func (w *Pages) routesOfMerge(k *mergeKind) []frame.Route {
	path := "/" + k.section + "/merge"
	return []frame.Route{
		frame.GetPage(path, k.may, func(v *frame.Visit) (*frame.Reply, error) { return w.askMerge(v, k) }),
		frame.FormPage(path, k.may, func(v *frame.Visit) (*frame.Reply, error) { return w.doMerge(v, k) }),
	}
}

// mergeAddress is the address of the page that merges these entries.
func mergeAddress(section string, ids []int64) string {
	q := url.Values{}
	for _, id := range ids {
		q.Add("id", frame.IDText(id))
	}
	return frame.AdminRoot + "/" + section + "/merge?" + q.Encode()
}

// askMerge compares the chosen entries. If only one is chosen, it offers others.
func (w *Pages) askMerge(v *frame.Visit, k *mergeKind) (*frame.Reply, error) {
	return w.mergeReply(v, k, &merging{kind: k, form: &frame.Form{Kind: k.kind, Values: v.Query}}, 0)
}

func (w *Pages) mergeReply(v *frame.Visit, k *mergeKind, m *merging, status int) (*frame.Reply, error) {
	for _, id := range chosen.IDs(m.form) {
		one, err := k.get(v.Ctx, id)
		if err != nil {
			return nil, err
		}
		m.entries = append(m.entries, one)
	}
	if len(m.entries) == 0 {
		return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.section, Say: "none"}, nil
	}
	var err error
	if len(m.entries) == 1 {
		err = w.offerMerge(v, m)
	} else {
		err = m.compare(v.Ctx)
	}
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "merge.title"), Section: k.section, Body: mergePage(m)}, nil
}

// offerMerge finds entries that the chosen one could be merged with.
func (w *Pages) offerMerge(v *frame.Visit, m *merging) error {
	m.search = frame.Cut(v.Query.Get("search"), 200)
	text := m.search
	if !v.Query.Has("search") {
		text = m.entries[0].name
		m.search = text
	}
	found, err := m.kind.find(v.Ctx, text)
	for _, p := range found {
		if p.Name != frame.IDText(m.entries[0].id) && len(m.found) < mergeOffered {
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
		ids = append(ids, one.id)
	}
	each, _, err := m.kind.linked(ctx, ids)
	if err != nil {
		return err
	}
	for _, one := range m.entries {
		one.events = each[one.id]
		asked := frame.IDText(one.id) == m.form.Get("keep")
		if m.keep == nil || asked || frame.IDText(m.keep.id) != m.form.Get("keep") && one.events > m.keep.events {
			m.keep = one
		}
	}
	var others []int64
	for _, one := range m.others() {
		others = append(others, one.id)
	}
	_, m.moved, err = m.kind.linked(ctx, others)
	return err
}

// others are the entries that the merge removes.
func (m *merging) others() []*mergeEntry {
	list := make([]*mergeEntry, 0, len(m.entries))
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
	for _, name := range m.kind.fields {
		for _, one := range m.entries {
			if one.fields[name] != m.keep.fields[name] {
				list = append(list, name)
				break
			}
		}
	}
	return list
}

// taken returns the entry whose value of a field is kept: the entry that the form names, otherwise the entry to
// keep or, if its value is empty, the first with a value.
func (m *merging) taken(name string) *mergeEntry {
	for _, one := range m.entries {
		if m.form.Get("take."+name) == frame.IDText(one.id) {
			return one
		}
	}
	if m.keep.fields[name] != "" || slices.Contains(addressFields, name) && m.keep.addressed() {
		return m.keep
	}
	for _, one := range m.entries {
		if one.fields[name] != "" {
			return one
		}
	}
	return m.keep
}

// addressFields are kept together: parts of two addresses would make a wrong one.
var addressFields = []string{"address", "zip", "city", "state", "province", "stateprovince", "country"}

func (e *mergeEntry) addressed() bool {
	return slices.ContainsFunc(addressFields, func(name string) bool { return e.fields[name] != "" })
}

func (e *mergeEntry) text(name string) string {
	if shown, ok := e.shown[name]; ok {
		return shown
	}
	return e.fields[name]
}

// doMerge merges the entries according to the form.
func (w *Pages) doMerge(v *frame.Visit, k *mergeKind) (*frame.Reply, error) {
	page := &merging{kind: k, form: v.Form}
	page.form.Kind = k.kind
	if page.form.ShownAgain() {
		return w.mergeReply(v, k, page, 0)
	}
	m := calendar.Merging{Take: map[string]int64{}, Seen: map[int64]int64{}}
	m.Keep, _ = strconv.ParseInt(v.Form.Get("keep"), 10, 64)
	for _, id := range chosen.IDs(v.Form) {
		if id != m.Keep {
			m.Others = append(m.Others, id)
		}
		m.Seen[id], _ = strconv.ParseInt(v.Form.Get("seen."+frame.IDText(id)), 10, 64)
	}
	for _, name := range k.fields {
		if id, err := strconv.ParseInt(v.Form.Get("take."+name), 10, 64); err == nil {
			m.Take[name] = id
		}
	}
	moved, version, err := k.merge(v.Ctx, m)
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		page.stale = true
		return w.mergeReply(v, k, page, http.StatusConflict)
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrGone):
		return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.section, Say: "unmerged"}, nil
	case err != nil && !page.form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		return w.mergeReply(v, k, page, http.StatusUnprocessableEntity)
	}
	r := &frame.Reply{Redirect: frame.Address(k.section, m.Keep), Say: "merged", Count: moved}
	frame.OfferUndo(v, r, version)
	return r, nil
}

// placeMerge is the merge of venues or organizers.
func (w *Pages) placeMerge(k *placeKind) *mergeKind {
	m := &mergeKind{kind: k.kind, section: k.section, may: calendar.MergeRight, fields: calendar.OrganizerMerge,
		linked: w.calendar.Organizers().Linked,
		merge: func(ctx context.Context, m calendar.Merging) (int, int64, error) {
			kept, moved, err := w.calendar.Organizers().Merge(ctx, m)
			if err != nil {
				return 0, 0, err
			}
			return moved, kept.Version, nil
		}}
	if k.kind == "venue" {
		m.fields, m.linked = calendar.VenueMerge, w.calendar.Venues().Linked
		m.merge = func(ctx context.Context, m calendar.Merging) (int, int64, error) {
			kept, moved, err := w.calendar.Venues().Merge(ctx, m)
			if err != nil {
				return 0, 0, err
			}
			return moved, kept.Version, nil
		}
	}
	m.get = func(ctx context.Context, id int64) (*mergeEntry, error) {
		entry, err := k.get(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case entry.Trashed():
			return nil, calendar.ErrGone
		}
		return entry.merging(k), nil
	}
	m.find = func(ctx context.Context, text string) ([]frame.Pair, error) {
		f := &calendar.PlaceFilter{}
		f.Search = args.Some(text)
		found, _, err := k.list(ctx, f, mergeOffered+1)
		list := make([]frame.Pair, 0, len(found))
		for _, one := range found {
			list = append(list, frame.Pair{Name: frame.IDText(one.ID), Value: strings.Trim(one.Name+" – "+one.Note, " –")})
		}
		return list, err
	}
	return m
}

// merging returns a venue or organizer in a form in which entries can be compared.
func (e *placeEntry) merging(k *placeKind) *mergeEntry {
	m := &mergeEntry{id: e.ID, version: e.Version, name: e.Name, note: e.Note, image: e.Image,
		fields: map[string]string{k.kind: e.Name, "description": e.Description, "image": ""},
		shown:  map[string]string{"description": wording.PlainText(e.Description), "excerpt": wording.PlainText(e.texts["excerpt"])}}
	maps.Copy(m.fields, e.texts)
	m.fields["fields"] = added.Text(e.added)
	if e.Image != nil {
		m.fields["image"], m.shown["image"] = frame.IDText(e.Image.ID), e.Image.File
	}
	m.fields["geo"] = ""
	if e.texts["geo_lat"] != "" {
		m.fields["geo"] = e.texts["geo_lat"] + ", " + e.texts["geo_lng"]
	}
	return m
}

// termMerge is the merge of categories or tags.
func (w *Pages) termMerge(k *termKind) *mergeKind {
	terms := w.calendar.Terms(k.taxonomy)
	m := &mergeKind{
		kind:    k.kind,
		section: k.section,
		may:     k.taxonomy.Right(),
		fields:  calendar.TermMerge,
		linked:  terms.Linked,
		final:   true,
		merge: func(ctx context.Context, m calendar.Merging) (int, int64, error) {
			_, moved, err := terms.Merge(ctx, m)
			return moved, 0, err
		},
	}
	m.get = func(ctx context.Context, id int64) (*mergeEntry, error) {
		t, err := terms.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		return &mergeEntry{id: t.ID, version: t.Version, name: t.Name, note: t.Path,
			fields: map[string]string{"name": t.Name, "color": t.Color, "description": t.Description},
			shown:  map[string]string{"description": wording.PlainText(t.Description)}}, nil
	}
	m.find = func(ctx context.Context, text string) (list []frame.Pair, err error) {
		all, err := offers.Terms(ctx, w.calendar, k.taxonomy)
		for _, t := range all {
			if strings.Contains(wording.Fold(t.Name), wording.Fold(text)) {
				list = append(list, frame.Pair{Name: frame.IDText(t.ID), Value: t.Name + " – " + t.Path})
			}
		}
		return list, err
	}
	return m
}

package lists

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// index lists venues, organizers or terms.
type index struct {
	entries []indexEntry
	list    *Agenda // only for its pagination
	top     int     // number of entries at the top if all were read; 0: unknown
}

// indexEntry is a venue, organizer, category or tag.
type indexEntry struct {
	path, name   string
	tone         int    // of a category; 0: none
	note, noteIn string // the town of a venue, or "", and its language
	id, parent   int64  // parent: of a category
	count        int    // number of its events that visitors can find
	below        []indexEntry
}

// perIndex is the page length of an index.
const perIndex = 50

// readIndex is a function that reads a page of up to n entries. It returns the total number of entries and the
// version of the site.
type readIndex func(f *calendar.PlaceFilter, n int) (*index, int, int64, error)

// venues lists the venues.
func (w *Pages) venues(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.showIndex(ctx, a, "venues", ui.Say(ctx, "index.venues"), func(f *calendar.PlaceFilter, n int) (*index, int, int64, error) {
		page, err := w.calendar.Venues().ListLong(ctx, f, n)
		i := &index{}
		for _, v := range page.Items {
			i.entries = append(i.entries, indexEntry{path: ui.VenuePath(v), name: v.Name, note: v.City, noteIn: v.Given().City, id: v.ID})
		}
		return i, page.Total, page.Version, err
	}, w.calendar.Venues().EventCounts)
}

// organizers lists the organizers.
func (w *Pages) organizers(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.showIndex(ctx, a, "organizers", ui.Say(ctx, "organizers"), func(f *calendar.PlaceFilter, n int) (*index, int, int64, error) {
		page, err := w.calendar.Organizers().ListLong(ctx, f, n)
		i := &index{}
		for _, o := range page.Items {
			i.entries = append(i.entries, indexEntry{path: ui.OrganizerPath(o), name: o.Name, id: o.ID})
		}
		return i, page.Total, page.Version, err
	}, w.calendar.Organizers().EventCounts)
}

// categories lists the categories with events.
func (w *Pages) categories(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.termIndex(ctx, a, calendar.Categories, "categories")
}

// tags lists the tags with events.
func (w *Pages) tags(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.termIndex(ctx, a, calendar.Tags, "tags")
}

func (w *Pages) termIndex(ctx context.Context, a layout.Asked, taxonomy calendar.Taxonomy, name string) (*layout.Shown, error) {
	return w.showIndex(ctx, a, name, ui.Say(ctx, name), func(f *calendar.PlaceFilter, n int) (*index, int, int64, error) {
		by := &calendar.CategoryFilter{}
		by.Paging = f.Paging
		page, err := w.calendar.Terms(taxonomy).ListLong(ctx, by, n)
		i := &index{}
		for _, t := range page.Items {
			i.entries = append(
				i.entries,
				indexEntry{path: ui.TermPath(t), name: t.Name, tone: ToneOf(t), count: t.Count, id: t.ID, parent: t.Parent},
			)
		}
		return i, page.Total, page.Version, err
	}, nil)
}

// showIndex returns the page of an index. counts returns the numbers of events by id; it is nil if the entries
// already have them.
func (w *Pages) showIndex(ctx context.Context, a layout.Asked, name, title string, read readIndex,
	counts func(context.Context, []int64) (map[int64]int, error),
) (*layout.Shown, error) {
	number, err := PageNumber(a)
	if err != nil {
		return nil, err
	}
	f := &calendar.PlaceFilter{}
	i, total, version, err := read(f, layout.MostInOrder)
	if err == nil && total > layout.MostInOrder {
		f.Page = args.Some(number)
		i, total, version, err = read(f, perIndex)
	} else if err == nil {
		i.nest()
		err = i.order(ctx, number)
	}
	if err != nil {
		return nil, err
	}
	if counts != nil {
		if err := i.countEvents(ctx, counts); err != nil {
			return nil, err
		}
	}
	if i.top > 0 {
		total = i.top
	}
	i.list = &Agenda{Page: number, Pages: (total + perIndex - 1) / perIndex}
	i.list.Link()
	p := &layout.Page{
		Title:       title,
		Path:        "/" + name + "/",
		Query:       i.list.Query(number),
		Section:     name,
		Description: layout.Describe(ctx, title),
	}
	return &layout.Shown{Page: p, Body: indexPage(p, i), Version: version}, nil
}

// countEvents sets the numbers of events of the entries on the page, in one statement.
func (i *index) countEvents(ctx context.Context, counts func(context.Context, []int64) (map[int64]int, error)) error {
	ids := make([]int64, 0, len(i.entries))
	for _, e := range i.entries {
		ids = append(ids, e.id)
	}
	each, err := counts(ctx, ids)
	for n := range i.entries {
		i.entries[n].count = each[i.entries[n].id]
	}
	return err
}

// nest puts categories below their parents. A category whose parent is not in the index stays at the top level.
func (i *index) nest() {
	known, below := map[int64]bool{}, map[int64][]indexEntry{}
	for _, e := range i.entries {
		known[e.id] = e.id != 0
	}
	for _, e := range i.entries {
		if !known[e.parent] {
			e.parent = 0
		}
		below[e.parent] = append(below[e.parent], e)
	}
	var under func(id int64) []indexEntry
	under = func(id int64) []indexEntry {
		list := below[id]
		for n := range list {
			if list[n].id != 0 {
				list[n].below = under(list[n].id)
			}
		}
		return list
	}
	i.entries = under(0)
}

// inOrder sorts entries, and those below them, in the order of the language.
func inOrder(language string, list []indexEntry) {
	i18n.InOrder(language, list, func(e indexEntry) string { return e.name })
	for _, e := range list {
		inOrder(language, e.below)
	}
}

// order sorts the entries in the order of the language and keeps those of the page.
func (i *index) order(ctx context.Context, number int) error {
	inOrder(tenancy.Current(ctx).Language, i.entries)
	i.top = len(i.entries)
	first := (number - 1) * perIndex
	if number > 1 && first >= len(i.entries) {
		return calendar.ErrPage
	}
	i.entries = i.entries[first:min(first+perIndex, len(i.entries))]
	return nil
}

package admin

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/ui"
)

// eventList is a page of the list of events, with the choices of its filter. A series is one row, unless the list
// shows its dates.
type eventList struct {
	form       *frame.Form     // the filter
	series     *calendar.Event // the series whose dates are listed; nil for a list of events
	counts     map[calendar.Status]int
	views      []view
	events     []*calendar.Event
	now        time.Time
	writes     map[int64]tenancy.Entry // the last write of each event, on the tab of events to confirm
	total      int
	steps      firstSteps
	version    int64 // version of the site when the list was read
	page       int
	length     int
	venues     []frame.Pair
	organizers []frame.Pair
	categories []frame.Pair
	category   string // slug of the category in the filter, or ""
}

var eventFilterTable = args.TableOf(reflect.TypeFor[calendar.EventFilter]())

// boardLengths are the lengths a page of the list can have.
var boardLengths = []int{20, 50, 100}

// listEvents shows the list of events. The address holds its whole state.
func (w *Pages) listEvents(v *frame.Visit) (*frame.Reply, error) {
	b := &eventList{form: &frame.Form{Kind: "board", Values: v.Query}, length: 20, now: w.calendar.Now()}
	for _, n := range boardLengths {
		if v.Query.Get("length") == strconv.Itoa(n) {
			b.length = n
		}
	}
	f, err := b.filter(v.Ctx)
	if err == nil {
		err = w.fillEventList(v, b, f)
	}
	switch {
	case errors.Is(err, calendar.ErrPage):
		return &frame.Reply{Redirect: b.address("page", "")}, nil
	case err != nil && !b.refuse(v.Ctx, err):
		return nil, err
	}
	for _, name := range []string{"page", "sort", "order"} { // the form has no fields for these
		if b.form.Problem(name) != "" {
			return &frame.Reply{Redirect: b.address(name, "")}, nil
		}
	}
	if err := w.fillChoices(v.Ctx, b); err != nil {
		return nil, err
	}
	if b.total == 0 { // a site with an event in this list has taken the first steps
		if b.steps, err = w.firstSteps(v.Ctx); err != nil {
			return nil, err
		}
	}
	return &frame.Reply{Title: b.title(v.Ctx), Section: "events", Body: eventListPage(b)}, nil
}

func (w *Pages) fillEventList(v *frame.Visit, b *eventList, f *calendar.EventFilter) error {
	if f.Series.Given() {
		return w.fillDates(v, b, f)
	}
	wide := *f
	b.within(v.Ctx, f, b.view())
	found, err := w.calendar.Events().Shelf(v.Ctx, f, b.length)
	if err != nil {
		return err
	}
	b.events, b.total, b.version, b.page = found.Items, found.Total, found.Version, f.Page.Or(1)
	if b.view() == toConfirm {
		if b.writes, err = w.editing.LastWrites(v.Ctx, b.events); err != nil {
			return err
		}
	}
	return w.fillViews(v, b, wide)
}

// foundEvents returns the IDs of all events on all pages of the form's list. It returns at most chosen.Most + 1.
func (w *Pages) foundEvents(v *frame.Visit) ([]int64, error) {
	at, err := url.Parse(frame.Inside(cmp.Or(v.Form.Get(chosen.ListField), v.Form.Get("to"))))
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	b := &eventList{form: &frame.Form{Kind: "board", Values: at.Query()}, length: chosen.Most + 1, now: w.calendar.Now()}
	b.form.Values.Del("page")
	f, err := b.filter(v.Ctx)
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	list := w.calendar.Events().Shelf
	if f.Series.Given() {
		list = w.calendar.Events().Board
	} else {
		b.within(v.Ctx, f, b.view())
	}
	page, err := list(v.Ctx, f, chosen.Most+1)
	ids := make([]int64, 0, len(page.Items))
	for _, e := range page.Items {
		ids = append(ids, e.ID)
	}
	return ids, err
}

// fillChoices adds the choices of the filter.
func (w *Pages) fillChoices(ctx context.Context, b *eventList) error {
	o, err := offers.Of(ctx, w.calendar, calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest,
		Categories: offers.MostTerms})
	if err != nil {
		return err
	}
	b.venues, b.organizers = offers.Named(ctx, o.Venues), offers.Named(ctx, o.Organizers)
	b.categories = offers.Indented(ctx, offers.Tree(o.Categories))
	for _, one := range o.Categories {
		if frame.IDText(one.ID) == b.form.Get("category") {
			b.category = one.Slug
		}
	}
	return nil
}

// filter reads the address into arguments, as if for the API. It returns frame.ErrWrong if a field is invalid.
func (b *eventList) filter(ctx context.Context) (*calendar.EventFilter, error) {
	values := args.Values{}
	for name, arg := range boardArgs {
		if text := strings.TrimSpace(b.form.Get(name)); text != "" {
			values[arg] = text
		}
	}
	f := &calendar.EventFilter{}
	err := eventFilterTable.Parse(values, args.Reading, f)
	chosen := args.Members{}
	for _, name := range b.addedNames() {
		if text := b.form.Get(name); text != "" {
			chosen[calendar.ParamField(name)] = text
		}
	}
	if len(chosen) > 0 {
		f.Fields = args.Some(chosen)
	}
	f.Lacking = texts.LackingIn(ctx, b.form.Values)
	if err != nil && b.refuse(ctx, err) {
		return nil, frame.ErrWrong
	}
	f.Lacks = lackOf(b.form.Get(lacksField))
	return f, err
}

// boardArgs maps the fields in the address to the API's arguments.
var boardArgs = map[string]string{"search": "search", "category": "categories", "venue": "venue", "organizer": "organizer",
	"featured": "featured", "status": "status", "sort": "orderby", "order": "order", "page": "page", "from": "start_date",
	"to": "starts_before", "tag": "tags", "series": "series"}

// refuse adds the problems of an error to the form, under the names of its fields.
func (b *eventList) refuse(ctx context.Context, err error) bool {
	if errors.Is(err, frame.ErrWrong) {
		return true
	}
	return b.form.RefuseAs(ctx, err, func(arg string) string {
		for name, one := range boardArgs {
			if one == arg {
				return name
			}
		}
		if key, added := strings.CutPrefix(arg, "fields."); added {
			return calendar.FieldParam(key)
		}
		return arg
	})
}

// boardFields are the fields that the address of the list can have.
var boardFields = []string{"view", "series", "search", "status", "category", "venue", "organizer", "tag", "featured",
	texts.Lacking, lacksField, "from", "to", "sort", "order", "length", "page"}

// addedNames are the fields of the address that select values of the site's extra fields.
func (b *eventList) addedNames() (list []string) {
	for name := range b.form.Values {
		if calendar.ParamField(name) != "" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// addedChoices are the extra fields of the site by whose values the list can be filtered.
func addedChoices(ctx context.Context) []*tenancy.Field {
	return slices.DeleteFunc(
		ui.SiteOf(ctx).FieldsOf(tenancy.FieldOfEvents, false),
		func(f *tenancy.Field) bool { return len(f.Values()) == 0 },
	)
}

// addedValues are the values of an extra field to choose from.
func addedValues(ctx context.Context, f *tenancy.Field) (list []frame.Pair) {
	for _, value := range f.Values() {
		list = append(list, frame.Pair{Name: value, Value: ui.AddedOption(ctx, f, value)})
	}
	return list
}

// address returns the address of the list with some fields changed. It leads to the first page, unless one of the
// fields is the page.
func (b *eventList) address(pairs ...string) string {
	q := url.Values{}
	for _, name := range slices.Concat(boardFields, b.addedNames()) {
		if text := b.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != "page" {
			q.Del("page")
		}
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	if len(q) == 0 {
		return frame.AdminRoot + "/events"
	}
	return frame.AdminRoot + "/events?" + q.Encode()
}

// all is the number of events that are not in the trash.
func (b *eventList) all() int {
	n := 0
	for status, count := range b.counts {
		if status != calendar.Trash {
			n += count
		}
	}
	return n
}

func (b *eventList) pages() int { return (b.total + b.length - 1) / b.length }

// filtered reports whether the list has a filter besides the status.
func (b *eventList) filtered() bool {
	return b.form.Get("search") != "" || b.filteredBeyond() || b.form.Get("from") != ""
}

// unfolds reports whether the page shows its fields for filtering from the start. The first day of the dates of a
// series does not count, because every link to them has it; neither does a week, whose link shows that it is chosen.
func (b *eventList) unfolds(ctx context.Context) bool {
	if slices.ContainsFunc(b.weeks(ctx), func(w weekLink) bool { return w.here }) {
		return b.filteredBeyond("to")
	}
	return b.form.Get("search") == "" && (b.filteredBeyond() || b.series == nil && b.form.Get("from") != "")
}

// filteredBeyond reports whether a filter other than the search, the first day and some others is set.
func (b *eventList) filteredBeyond(others ...string) bool {
	for _, name := range append(b.addedNames(), "category", "venue", "organizer", "tag", "featured", texts.Lacking, lacksField, "to") {
		if b.form.Get(name) != "" && !slices.Contains(others, name) {
			return true
		}
	}
	return false
}

// sortLink is the address of the list sorted by a column. If the list is already sorted by this column, the address
// reverses the order.
func (b *eventList) sortLink(by string) string {
	if b.sorted(by) == "ascending" {
		return b.address("sort", by, "order", "desc")
	}
	return b.address("sort", by, "order", "asc")
}

// sorted is the value of aria-sort for a column.
func (b *eventList) sorted(by string) string {
	now := b.form.Get("sort")
	if now == "" {
		now = "start_date"
	}
	if now == by && b.form.Get("order") == "" && b.form.Get("sort") == "" && b.view() == "past" {
		return "descending"
	}
	switch {
	case now != by:
		return "none"
	case strings.EqualFold(b.form.Get("order"), "desc"):
		return "descending"
	}
	return "ascending"
}

// actions are the actions that the list offers for the chosen events.
func (b *eventList) actions(ctx context.Context) []string {
	if b.series != nil {
		return []string{"bulk", "drop", "cancel", "uncancel"}
	}
	if b.form.Get("status") == string(calendar.Trash) {
		return []string{"restore", "delete"}
	}
	list := []string{"bulk", "copies", "draft", "trash"}
	switch {
	case b.view() == toConfirm:
		list = slices.Insert(list, 0, "confirm")
	case frame.May(ctx, tenancy.Publish):
		list = slices.Insert(list, 0, "publish")
	}
	return list
}

// lengths are the page lengths to choose from.
func lengths(ctx context.Context) []frame.Pair {
	list := make([]frame.Pair, 0, len(boardLengths))
	for _, n := range boardLengths {
		list = append(list, frame.Pair{Name: strconv.Itoa(n), Value: frame.Number(ctx, n)})
	}
	return list
}

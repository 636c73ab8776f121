package services

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// EventWrite is a write of an event before it is stored: its arguments, and what the rules need to know about them.
type EventWrite struct {
	*calendar.EventFields
	calendar          *Calendar
	scope             *tenancy.Scope
	now               time.Time
	image             *calendar.Image    // of the image argument, if sent
	before, beforeUTC time.Time          // start of the event before the write
	beforeTickets     []calendar.Ticket  // tickets of the event before the write
	beforeCost        []string           // its cost likewise
	at                *calendar.Event    // the occurrence whose times are given, if the write is to its whole series
	imported          bool               // accept a start that the rules do not include
	missed            error              // the problem to report for such a start
	unsaid            error              // the problem with them
	said              *translations.Said // which of the texts are in which language
	isNew             bool               // the event is made by it
}

func (w *EventWrite) post() *calendar.PostWrite {
	return &calendar.PostWrite{Author: w.Author, Date: w.Date, DateUTC: w.DateUTC, Status: w.Status, Slug: w.Slug,
		Lazy: true, Unasked: calendar.Draft}
}

// Importing is Writing for an imported event. It accepts a start that the rules do not include, as an added date.
func (s Events) Importing(ctx context.Context, f *calendar.EventFields) (*EventWrite, error) {
	w, err := s.Writing(ctx, f)
	if err == nil {
		w.imported = true
	}
	return w, err
}

// Missed returns the problem with a start that became an added date, or nil.
func (w *EventWrite) Missed() error { return w.missed }

// Drop removes the files of the write's image because it failed, and returns err (see DropImage).
func (w *EventWrite) Drop(ctx context.Context, err error) error {
	return w.calendar.DropImage(ctx, w.image, err)
}

// Apply applies the write to e. It returns the problems of all rules together.
func (w *EventWrite) Apply(ctx context.Context, e *calendar.Event, isNew bool) error {
	found := &args.Problems{}
	w.isNew = isNew
	if err := found.Add(w.parted(isNew)); err != nil {
		return err
	}
	was := *e
	w.beforeTickets, w.beforeCost = e.Tickets, e.Cost
	w.before, w.beforeUTC = e.Start, e.StartUTC
	rules := []func(*calendar.Event, bool) error{w.title, w.terms, w.publish, w.review, w.texts, w.times, w.recurrence, w.length,
		w.happening, w.picture, w.added, w.cost, w.tickets, w.levels, w.parent, w.password, w.Back.Write, w.translations(*e)}
	for _, rule := range rules {
		if err := found.Add(rule(e, isNew)); err != nil {
			return err
		}
	}
	if err := found.Err(); err != nil {
		return err
	}
	return w.theirs(ctx, &was, e)
}

// parted separates the texts of the write by language and leaves those in the site's language in its fields.
func (w *EventWrite) parted(isNew bool) error {
	if w.said != nil { // the write is applied again if the event has changed in the meantime
		return w.unsaid
	}
	fields := *w.EventFields
	own := &translations.Write{Title: fields.Title, Description: fields.Description, Excerpt: fields.Excerpt, Slug: fields.Slug,
		Cost: fields.Cost, SEOTitle: fields.SEOTitle, SEODesc: fields.SEODesc}
	said, err := translations.ByLanguage(w.scope, fields.ContentLanguage, fields.Translations, own, "title", isNew)
	if w.said, w.unsaid = said, err; err != nil {
		return err
	}
	fields.Title, fields.Description, fields.Excerpt, fields.Slug, fields.Cost = own.Title, own.Description, own.Excerpt, own.Slug, own.Cost
	fields.SEOTitle, fields.SEODesc = own.SEOTitle, own.SEODesc
	fields.ContentLanguage, fields.Translations = args.Opt[string]{}, args.Opt[args.Named[translations.EventTexts]]{}
	w.EventFields = &fields
	return nil
}

// translations returns the rule for texts in other languages, given the previous state of the event.
func (w *EventWrite) translations(was calendar.Event) func(*calendar.Event, bool) error {
	return func(e *calendar.Event, _ bool) (err error) {
		before, now := was.Text(), e.Text()
		r := &translations.Update{Said: w.said, Name: "title", Clean: wording.CleanTitle, Dated: e.Series != nil}
		e.Texts, err = r.Apply(e.Texts, before, &now)
		e.SetText(now)
		return err
	}
}

// terms checks the categories and tags, which forms and imports name without parsing them as arguments.
func (w *EventWrite) terms(*calendar.Event, bool) error {
	found := &args.Problems{}
	if err := found.Add(w.Categories.Or(nil).Fit("categories")); err != nil {
		return err
	}
	if err := found.Add(w.Tags.Or(nil).Fit("tags")); err != nil {
		return err
	}
	return found.Err()
}

func (w *EventWrite) title(e *calendar.Event, _ bool) error {
	if title, ok := w.Title.Get(); ok {
		if e.Title = wording.CleanTitle(title); e.Title == "" {
			return args.Invalid("title", "problem.blank", nil)
		}
	}
	return nil
}

func (w *EventWrite) publish(e *calendar.Event, isNew bool) error {
	post := w.post()
	post.Name, post.In = e.Title, w.scope.Site.Language
	if isNew {
		return post.Create(w.scope, w.now, &e.Post)
	}
	return post.Update(w.scope, w.now, &e.Post)
}

// review sets the note in which an editor asks the author for changes. Publishing the event removes the note (rule 2.10).
func (w *EventWrite) review(e *calendar.Event, _ bool) error {
	note, given := w.ReviewNote.Or(""), w.ReviewNote.Given()
	published := e.Status == calendar.Publish || e.Status == calendar.Future || e.Status == calendar.Private
	if note = wording.TidyLines(note); given && note != e.ReviewNote {
		switch {
		case !w.scope.Principal.May(tenancy.Publish):
			return tenancy.ErrForbidden
		case published && note != "":
			return args.Invalid("review_note", "problem.review_note", nil)
		}
		e.ReviewNote = note
	}
	if published {
		e.ReviewNote = ""
	}
	return nil
}

func (w *EventWrite) picture(e *calendar.Event, _ bool) error {
	if w.Image.Given() {
		e.Image = w.image
	}
	return nil
}

// texts sets the fields that are texts, choices and flags.
func (w *EventWrite) texts(e *calendar.Event, _ bool) error {
	w.Write(e)
	return translations.Descriptions(w.Description, w.Excerpt, &e.Description, &e.Excerpt)
}

// added sets the values of the fields that the site has added.
func (w *EventWrite) added(e *calendar.Event, _ bool) (err error) {
	e.Fields, err = calendar.WriteAdded(e.Fields, w.Fields, w.scope.Site, tenancy.FieldOfEvents, w.now, w.Past)
	return err
}

func (w *EventWrite) parent(e *calendar.Event, _ bool) error {
	w.Parent.Patch(&e.Parent, 0)
	if e.Parent != 0 && e.Parent == e.ID {
		return args.Invalid("post_parent", "problem.parent.self", nil)
	}
	return nil
}

func (w *EventWrite) cost(e *calendar.Event, _ bool) error {
	if !w.Cost.Given() {
		return nil
	}
	cost, err := prices.Parse(w.Cost.Or(nil))
	if err != nil {
		return args.Invalid("cost", "problem.cost", nil)
	}
	e.Cost = cost
	return nil
}

func (w *EventWrite) tickets(e *calendar.Event, _ bool) error {
	if !w.Tickets.Given() {
		return nil
	}
	e.Tickets = nil
	for _, f := range w.Tickets.Or(nil) {
		t := calendar.Ticket{Name: wording.CleanTitle(f.Name.Or("")), URL: string(f.URL.Or("")), Status: f.Status.Or(""),
			Currency: strings.ToUpper(f.Currency.Or(""))}
		if price, ok := f.Price.Get(); ok {
			t.Price = &price
		}
		t.Available, t.Until = w.instant(f.Available), w.instant(f.Until)
		e.Tickets = append(e.Tickets, t)
	}
	return nil
}

// levels sets the cost to the prices of the tickets, so that all pages show the same price (rule 11.4). It refuses
// a write that changes only the cost, because that would have no effect.
func (w *EventWrite) levels(e *calendar.Event, _ bool) error {
	if w.Cost.Given() || w.Tickets.Given() {
		if own := prices.CurrencyOf(w.scope.Site).Code; e.Levelled() {
			levels := costOf(e.Tickets, own)
			if !w.Tickets.Given() && !slices.Equal(e.Cost, levels) && !slices.Equal(e.Cost, w.beforeCost) {
				return args.Invalid("cost", "problem.cost.tickets", nil)
			}
			e.Cost = levels
		} else if !w.Cost.Given() && slices.Equal(e.Cost, costOf(w.beforeTickets, own)) {
			e.Cost = nil
		}
	}
	return nil
}

// costOf returns the prices of tickets in ascending order, as people type them. Prices in a currency other than the site's
// include the currency.
func costOf(tickets []calendar.Ticket, own string) []string {
	var cost []string
	priced := slices.DeleteFunc(slices.Clone(tickets), func(t calendar.Ticket) bool { return t.Price == nil })
	slices.SortStableFunc(priced, func(a, b calendar.Ticket) int { return cmp.Compare(*a.Price, *b.Price) })
	for i := range priced {
		text := strings.TrimSuffix(strconv.FormatFloat(*priced[i].Price, 'f', 2, 64), ".00")
		if code := priced[i].Currency; *priced[i].Price != 0 && code != "" && code != own {
			text += " " + code
		}
		if !slices.Contains(cost, text) {
			cost = append(cost, text)
		}
	}
	return cost
}

func (w *EventWrite) instant(d args.Opt[args.Date]) *time.Time {
	date, ok := d.Get()
	if !ok {
		return nil
	}
	at := date.In(w.scope.Site.Location, w.now).UTC().Truncate(time.Second)
	return &at
}

func (w *EventWrite) password(e *calendar.Event, _ bool) error {
	if w.Password.Given() {
		e.Password = calendar.SealPassword(w.Password.Or(""))
	}
	return nil
}

// times sets zone, wall-clock times and instants (rules 3.8 to 3.10). If only the zone changes, the wall-clock
// times stay the same. A write may have only the start or only the end. All-day events fill whole days. Missing
// dates of a draft are not compared.
func (w *EventWrite) times(e *calendar.Event, isNew bool) error {
	if w.Timezone.Given() || e.Timezone == "" {
		e.Timezone = w.scope.Site.Timezone
		if zone, ok := w.Timezone.Get(); ok && zone.Name() != "" {
			e.Timezone = zone.Name()
		}
	}
	place, err := args.LocationOf(e.Timezone)
	if err != nil {
		return args.Invalid("timezone", "problem.timezone", nil)
	}
	e.SetRegistration(w.Register, place, w.now)
	start, end := e.Start, e.End
	if w.at != nil {
		start, end = w.at.Start, w.at.End
	}
	if d, ok := w.Start.Get(); ok {
		start = args.WallTime(d.In(place, w.now), place)
	}
	if d, ok := w.End.Get(); ok {
		end = args.WallTime(d.In(place, w.now), place)
	}
	if w.at != nil { // moves or lengthens all occurrences by the same amount as this one
		length := e.End.Sub(e.Start) + end.Sub(start) - w.at.End.Sub(w.at.Start)
		if length < 0 { // the occurrence was longer than the others
			length = end.Sub(start)
		}
		start = e.Start.Add(start.Sub(w.at.Start))
		end = start.Add(length)
	}
	e.Start, e.End = start, end
	if e.AllDay {
		e.Start, e.End = args.DayOf(e.Start), args.LastSecond(e.End)
	}
	e.StartUTC = args.Resolve(e.Start, place).UTC()
	e.EndUTC = args.Resolve(e.End, place).UTC()
	if e.Recurrence == nil && !e.AllDay { // a time may not exist in the new zone; the rules of a series name the nominal time
		e.Start, e.End = args.WallTime(e.StartUTC, place), args.WallTime(e.EndUTC, place)
	}
	if isNew && (!w.Start.Given() || !w.End.Given()) {
		return nil
	}
	if e.End.Before(e.Start) || e.EndUTC.Before(e.StartUTC) {
		return args.Invalid("end_date", "problem.end", nil)
	}
	if e.StartUTC.Year() < 1 {
		return args.Invalid("start_date", "problem.date", nil)
	}
	if e.EndUTC.Year() > 9999 {
		return args.Invalid("end_date", "problem.date", nil)
	}
	return nil
}

// Links returns the links of the write, with new venues, organizers and terms prepared for creation in the same
// transaction.
func (w *EventWrite) Links(ctx context.Context) (calendar.EventLinks, error) {
	var links calendar.EventLinks
	var err error
	venue, organizer, categories := w.Venue, w.Organizer, w.Categories
	if p := w.scope.Principal; w.isNew && p.Limited() {
		venue, organizer = onlyOne(venue, p.Area.Venues), onlyOne(organizer, p.Area.Organizers)
		if categories = within(categories, p.Area.Categories); p.Limits != nil {
			categories = within(categories, p.Limits.Categories)
		}
	}
	if venue.Given() {
		links.Venues, err = placeLinks(ctx, w.calendar.Venues(), w.scope, venue.Or(nil))
	}
	if organizer.Given() && err == nil {
		links.Organizers, err = placeLinks(ctx, w.calendar.Organizers(), w.scope, organizer.Or(nil))
	}
	if categories.Given() {
		links.Categories = w.termLinks(categories.Or(nil), tenancy.ManageCategories)
	}
	if w.Tags.Given() {
		links.Tags = w.termLinks(w.Tags.Or(nil), tenancy.ManageTags)
	}
	return links, err
}

// within returns the categories of a new event if a key or an area is limited to ids. If there is only one such
// category, it adds it. If there are several, it adds all of them, but only if the event has no category.
func within(asked args.Opt[args.Refs], ids []int64) args.Opt[args.Refs] {
	refs := asked.Or(nil)
	if len(ids) == 0 || len(refs) > 0 && len(ids) > 1 {
		return asked
	}
	refs = slices.Clone(refs)
	for _, id := range ids {
		refs = append(refs, args.Ref{ID: id})
	}
	return args.Some(refs)
}

// onlyOne returns the venue or organizer of a new event: if the event has none and ids has only one, it is this
// one.
func onlyOne[T any](asked args.Opt[args.Links[T]], ids []int64) args.Opt[args.Links[T]] {
	if len(asked.Or(nil)) > 0 || len(ids) != 1 {
		return asked
	}
	return args.Some(args.Links[T]{{ID: ids[0]}})
}

func (w *EventWrite) termLinks(refs args.Refs, right tenancy.Permission) *calendar.TermLinks {
	return &calendar.TermLinks{Refs: refs, Create: w.scope.Principal.May(right), Language: w.scope.Site.Language}
}

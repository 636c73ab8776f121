package calendar

import (
	"regexp"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// PostWrite is the common part of writes to events, venues and organizers.
type PostWrite struct {
	Author  args.Opt[int64]
	Date    args.Opt[args.Date]
	DateUTC args.Opt[args.Date]
	Status  args.Opt[string]
	Slug    args.Opt[string]
	Name    string // slugs are derived from it
	In      string // the language of the name
	Lazy    bool   // drafts have no slug until they are published (events)
	Unasked Status // status of new items of principals who may not publish
}

// Create sets author, date, status and slug of a new item (rules 2.4 and 9.1).
func (w *PostWrite) Create(s *tenancy.Scope, now time.Time, p *Post) error {
	p.Author, p.Date, p.Modified = s.Principal.UserID, now, now
	if err := w.author(s, p); err != nil {
		return err
	}
	w.date(s, now, p)
	asked := Status(w.Status.Or(""))
	if asked == "" {
		asked = Publish
		if !s.Principal.May(tenancy.Publish) {
			asked = w.Unasked
		}
	}
	w.status(s, now, p, asked)
	w.slug(p, true)
	return nil
}

// Update applies the given fields to an existing item (rule 3.4).
func (w *PostWrite) Update(s *tenancy.Scope, now time.Time, p *Post) error {
	asked, given := w.Status.Get()
	if p.Trashed() && (!given || Status(asked) == Trash) {
		return ErrGone
	}
	if err := w.author(s, p); err != nil {
		return err
	}
	p.changed(now)
	w.date(s, now, p)
	switch {
	case given:
		w.status(s, now, p, Status(asked))
	case w.dated() && (p.Status == Publish || p.Status == Future):
		w.status(s, now, p, Publish)
	}
	w.slug(p, false)
	return nil
}

func (w *PostWrite) author(s *tenancy.Scope, p *Post) error {
	author, given := w.Author.Get()
	if !given || author == p.Author {
		return nil
	}
	if err := s.Principal.Require(tenancy.SetAuthor); err != nil {
		return err
	}
	p.Author = author
	return nil
}

func (w *PostWrite) dated() bool { return w.Date.Given() || w.DateUTC.Given() }

// date sets the date of publication: date in the site's time zone, or date_utc in UTC, which takes precedence.
func (w *PostWrite) date(s *tenancy.Scope, now time.Time, p *Post) {
	if d, ok := w.Date.Get(); ok {
		p.Date, p.Dated = d.In(s.Site.Location, now).UTC().Truncate(time.Second), true
	}
	if d, ok := w.DateUTC.Get(); ok {
		p.Date, p.Dated = d.In(time.UTC, now).UTC().Truncate(time.Second), true
	}
}

// status adjusts the requested status to permissions and time: principals who may not publish get pending; publish
// with a future date becomes future, and future with a past date becomes publish.
func (w *PostWrite) status(s *tenancy.Scope, now time.Time, p *Post, asked Status) {
	if !s.Principal.May(tenancy.Publish) && (asked == Publish || asked == Future || asked == Private) {
		asked = Pending
	}
	dates := asked == Publish || asked == Future || asked == Private
	if !w.dated() && (dates && !p.Dated || asked == Publish && p.Status == Future) {
		p.Date = now // because no other date was set
	}
	p.Dated = p.Dated || dates
	if asked == Publish && p.Date.After(now) {
		asked = Future
	}
	if asked == Future && !p.Date.After(now) {
		asked = Publish
	}
	p.Status = asked
}

var trashed = regexp.MustCompile(`__trashed(-\d+)?$`)

// SlugOutside returns a slug without what the trash appends to it.
func SlugOutside(slug string) string { return trashed.ReplaceAllString(slug, "") }

// slug updates the slug: the trash appends "__trashed", and leaving the trash removes it; a new item or one without a
// slug gets one from its name (rule 10.1).
func (w *PostWrite) slug(p *Post, isNew bool) {
	base := SlugOutside(p.Slug)
	if text, ok := w.Slug.Get(); ok {
		base = wording.Slug(text)
	}
	fromName := isNew && base == "" || w.Slug.Given() && base == ""
	unsaved := w.Lazy && (p.Status == Draft || p.Status == Pending)
	if base == "" && (fromName || w.Lazy) && (!unsaved || w.Slug.Given()) {
		base = wording.SlugOf(w.Name, w.In)
	}
	if p.Trashed() && !isNew {
		base = strings.TrimSuffix(base, "__trashed") + "__trashed"
	}
	p.Slug = base
}

// changed records a change. The first change of an undated item always gets a later time than its creation, however
// soon it follows, because the times distinguish the two.
func (p *Post) changed(now time.Time) {
	p.Modified = now
	if !p.Dated && !now.After(p.Date) {
		p.Modified = p.Date.Add(time.Second)
	}
}

// Changed reports whether the item was changed since its creation.
func (p *Post) Changed() bool { return p.Dated || p.Modified.After(p.Date) }

// MoveToTrash moves an item to the trash. It returns ErrGone if it is there already.
func (p *Post) MoveToTrash(now time.Time) error {
	if p.Trashed() {
		return ErrGone
	}
	p.changed(now)
	p.Status = Trash
	p.Slug += "__trashed"
	return nil
}

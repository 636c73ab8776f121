package calendar

import (
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// PlaceFields are the arguments of a write to a venue or organizer.
type PlaceFields[T any] interface {
	// Apply applies the write to an item and returns all problems with it. image is the resolved argument picture.
	Apply(s *tenancy.Scope, now time.Time, item *T, image *Image, isNew bool) error
	// Matches reports whether every given field equals that of the existing item, ignoring letter case. wanted is the
	// item that the write would create.
	Matches(existing, wanted *T) bool
	Picture() args.Opt[args.Image]
}

// PlaceKind holds the differences between venues and organizers.
type PlaceKind[T any] struct {
	Name   string         // of the kind, and of the event's argument
	Access tenancy.Access // access that a key needs to write it
	Store  func(Store) PlaceStore[T]
	Fresh  func() *T // returns a new item with its initial values
	Post   func(*T) *Post
	Speak  func(*T, *tenancy.Scope)
	Text   func(*T) translations.Text
	Names  func(*T) Naming
	Fields []string // fields of Merging.Take
	Take   func(to, from *T, field string)
}

// place creates or updates the Post of a venue or organizer. On creation its modification time is the date of
// publication (rule 9.4).
func (w *PostWrite) place(s *tenancy.Scope, now time.Time, p *Post, isNew bool) error {
	if !isNew {
		return w.Update(s, now, p)
	}
	err := w.Create(s, now, p)
	if w.dated() {
		p.Modified = p.Date
	}
	return err
}

// placeWords are the texts of a venue or organizer. arg is the argument of its name.
type placeWords struct {
	arg                        string
	post                       *Post
	name, description, excerpt *string
	address, city, country     *string // of a venue; nil for none
}

// text returns the item's own texts.
func (p *placeWords) text() translations.Text {
	t := translations.Text{Title: *p.name, Description: *p.description, Excerpt: *p.excerpt, Slug: p.post.Slug}
	if p.address != nil {
		t.Address, t.City, t.Country = *p.address, *p.city, *p.country
	}
	return t
}

// take sets the item's own texts.
func (p *placeWords) take(t translations.Text) {
	*p.name, *p.description, *p.excerpt, p.post.Slug = t.Title, t.Description, t.Excerpt, t.Slug
	if p.address != nil {
		*p.address, *p.city, *p.country = t.Address, t.City, t.Country
	}
}

// worded is place for a write with a name and texts in several languages. was are the item's former texts. It
// returns all problems at once.
func (w *PostWrite) worded(s *tenancy.Scope, now time.Time, isNew bool, own *translations.Write,
	said *translations.Said, was translations.Text, p *placeWords) error {
	found := &args.Problems{}
	if asked, ok := own.Title.Get(); ok {
		if *p.name = wording.CleanTitle(asked); *p.name == "" {
			found.Invalid(p.arg, "problem.blank", nil)
		}
	}
	w.Name, w.In = *p.name, s.Site.Language
	err := found.Add(w.place(s, now, p.post, isNew), translations.Descriptions(own.Description, own.Excerpt, p.description, p.excerpt))
	if err != nil {
		return err
	}
	words := p.text()
	r := &translations.Update{Said: said, Name: p.arg, Clean: wording.CleanTitle}
	texts, err := r.Apply(p.post.Texts, was, &words)
	if err := found.Add(err); err != nil {
		return err
	}
	p.post.Texts = texts
	p.take(words)
	return found.Err()
}

// matches reports whether author, date and status, as far as they are given, are those of an existing item.
func (w *PostWrite) matches(existing, wanted *Post) bool {
	return (!w.Author.Given() || existing.Author == wanted.Author) &&
		(!w.dated() || existing.Date.Equal(wanted.Date)) &&
		(!w.Status.Given() || existing.Status == wanted.Status)
}

func sameImage(a, b *Image) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID
}

func sameNumber(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

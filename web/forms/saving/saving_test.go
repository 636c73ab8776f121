package saving

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// stored is something with a version that two people save, and what was done with the form of one of them.
type stored struct {
	t       *testing.T
	now     url.Values
	version string
	opened  *frame.Form // as it was when the form was opened
	beaten  func()      // what another person saves while the form is being stored; nil: nothing
	saved   url.Values  // what was stored of the form; nil: nothing
	shown   int         // how often the form was shown again
	by      func() (tenancy.Entry, error)
}

var fields = Fields{Names: []string{"title", "categories", "password"},
	Apart: map[string]Field{"categories": Set("categories"), "password": {Secret: true}}}

// open is the form of what is stored.
func (s *stored) open() *frame.Form {
	f := &frame.Form{Kind: "event", Values: url.Values{}}
	for name, values := range s.now {
		f.Values[name] = slices.Clone(values)
	}
	f.Set("password", "")
	fields.Stamp(f, s.version)
	return f
}

func newStored(t *testing.T) *stored {
	s := &stored{t: t, version: "1", now: url.Values{"title": {"Choir"}, "categories": {"3", "5"}}}
	s.opened = s.open()
	return s
}

// other is what another person saves.
func (s *stored) other(name string, values ...string) {
	s.now[name] = values
	if len(values) == 0 {
		delete(s.now, name)
	}
	s.version += "1"
}

// save sends the form.
func (s *stored) save() *frame.Reply {
	s.t.Helper()
	s.saved = nil
	ctx := tenancy.With(context.Background(), tenancy.Scope{Language: "en", Site: &tenancy.Site{}, Principal: tenancy.Principal{UserID: 8}})
	r, err := Save(&frame.Visit{Ctx: ctx, Form: s.opened}, func() (*Edit, *frame.Reply, error) {
		e := &Edit{Form: s.opened, Now: s.open(), Fields: fields, Action: "/form", By: s.by}
		e.Readable = func(_ *frame.Form, _, text string) string { return "<" + text + ">" }
		e.Again = func() (*frame.Reply, error) { s.shown++; return &frame.Reply{}, nil }
		e.Store = func() (*frame.Reply, error) {
			if s.beaten != nil {
				s.beaten()
				s.beaten = nil
				return nil, calendar.ErrPrecondition
			}
			s.saved = s.opened.Values
			return &frame.Reply{Redirect: "/stored", Say: "saved"}, nil
		}
		return e, nil, nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s *stored) contested(r *frame.Reply) {
	s.t.Helper()
	if r.Status != http.StatusConflict || s.saved != nil {
		s.t.Errorf("status %d, stored %v; want 409 and nothing", r.Status, s.saved)
	}
}

func TestSaveAlone(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	if r := s.save(); r.Redirect != "/stored" || s.saved.Get("title") != "Large choir" {
		t.Errorf("%+v stored %v", r, s.saved)
	}
}

// A button that changes the dates in the form stores nothing.
func TestShownAgain(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("do", "row_date_2030-12-26")
	if s.save(); s.shown != 1 || s.saved != nil {
		t.Errorf("shown %d times, stored %v", s.shown, s.saved)
	}
}

// Both versions are shown if somebody else has saved, whenever that was.
func TestSaveAfterAnother(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	s.other("title", "Small choir")
	s.contested(s.save())
	if r := s.save(); r.Redirect != "/stored" || s.saved.Get("title") != "Large choir" {
		t.Errorf("sent again without a choice: %+v, stored %v", r, s.saved)
	}

	s = newStored(t)
	s.opened.Set("title", "Large choir")
	s.beaten = func() { s.other("title", "Small choir") }
	s.contested(s.save())
}

// What differs is listed with both texts; what only the other person has changed is not for choosing.
func TestDifferences(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	s.opened.Set("categories", "5", "3")
	s.opened.Set("password", "mine")
	s.other("categories", "3")
	e := &Edit{Form: s.opened, Now: s.open(), Fields: fields}
	e.Readable = func(_ *frame.Form, _, text string) string { return "<" + text + ">" }
	want := []difference{{"title", "<Large choir>", "<Choir>", false, false}, {"categories", "<3,5>", "<3>", true, false}}
	if got := e.differences(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	s.contested(s.save())
}

// There is nothing to choose between if both wrote the same, but nobody sees whether two secrets are the same.
func TestSameTwice(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	s.other("title", "Large choir")
	if r := s.save(); r.Redirect != "/form" || r.Say != "saved" {
		t.Errorf("%+v", r)
	}
	s.opened.Set("password", "mine")
	s.other("categories", "3")
	s.contested(s.save())
}

// What was chosen of the other version replaces all controls of its field, and the rest stays as it was typed.
func TestResolve(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	s.other("title", "Small choir")
	s.other("categories", "7", "9")
	s.contested(s.save())
	s.opened.Set("do", "resolve")
	s.opened.Set("choose.title", "mine")
	s.opened.Set("choose.categories", "theirs")
	if r := s.save(); r.Redirect != "/stored" || s.saved.Get("title") != "Large choir" || !slices.Equal(s.saved["categories"], []string{"7", "9"}) {
		t.Errorf("%+v stored %v", r, s.saved)
	}

	s = newStored(t)
	s.opened.Set("title", "Large choir")
	s.other("categories")
	s.save()
	if got := s.saved["categories"]; len(got) > 1 || s.saved.Get("categories") != "" || s.saved.Get("title") != "Large choir" {
		t.Errorf("emptied categories became %q, stored %v", got, s.saved)
	}
}

// If both have changed other fields, both changes are stored, and nobody is asked. Fields that say one thing together are chosen together.
func TestSaveTogether(t *testing.T) {
	t.Parallel()
	s := newStored(t)
	s.opened.Set("title", "Large choir")
	s.other("categories", "7")
	if r := s.save(); r.Say != "together" || s.saved.Get("title") != "Large choir" || !slices.Equal(s.saved["categories"], []string{"7"}) {
		t.Errorf("%+v stored %v", r, s.saved)
	}
	for _, c := range []struct {
		by   tenancy.Entry
		want string
	}{{tenancy.Entry{UserID: 7, Who: "ann", Person: "Ann Lee", At: time.Unix(1, 0)}, "together.by Ann Lee"},
		{tenancy.Entry{UserID: 8, Who: "bob", At: time.Unix(1, 0)}, "saved "}} {
		s := newStored(t)
		s.by = func() (tenancy.Entry, error) { return c.by, nil }
		s.opened.Set("title", "Large choir")
		s.other("categories", "7")
		if r := s.save(); r.Say+" "+r.By != c.want {
			t.Errorf("%+v, want %s", r, c.want)
		}
	}
	group := Fields{Together: [][]string{{"start", "end"}}}
	list := group.together([]difference{{name: "start"}, {name: "end", keepTheirs: true}, {name: "title"}})
	if !list[0].both || !list[1].both || list[2].both {
		t.Errorf("%+v", list)
	}
}

// Other errors are returned, with nothing tried again.
func TestSaveFails(t *testing.T) {
	t.Parallel()
	want, tried := errors.New("broken"), 0
	f := &frame.Form{Values: url.Values{}}
	_, err := Save(&frame.Visit{}, func() (*Edit, *frame.Reply, error) {
		return &Edit{Form: f, Now: f, Store: func() (*frame.Reply, error) { tried++; return nil, want }}, nil, nil
	})
	if !errors.Is(err, want) || tried != 1 {
		t.Errorf("%v after %d tries", err, tried)
	}
}

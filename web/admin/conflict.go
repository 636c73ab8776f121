package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/repeats"
	"github.com/kalends/kalends/web/texts"
	"github.com/kalends/kalends/web/ui"
)

// conflict is a form of an item that someone else has saved since the form was opened.
type conflict struct {
	form, now *frame.Form // what was typed, and what is stored
	fields    []string
	action    string // where the form is sent, and where it is opened anew
	section   string
	by        tenancy.Entry                           // who saved last; zero: not known
	readable  func(f *frame.Form, name string) string // a field's content as people read it
}

// conflictField is a field in which two versions differ.
type conflictField struct {
	name, mine, theirs string
	keepTheirs         bool // the user has not changed it
}

// differences lists the fields in which both versions differ, as far as the form
// has them.
func (c *conflict) differences() []conflictField {
	base, _ := url.ParseQuery(c.form.Get("base"))
	var list []conflictField
	for _, name := range c.fields {
		a, b := canonical(c.form, name), canonical(c.now, name)
		if a == b || !wasSent(c.form, name) || name == "post_password" {
			continue
		}
		list = append(list, conflictField{name, c.readable(c.form, name), c.readable(c.now, name), hashed(a) == base.Get(name)})
	}
	return list
}

// settle shows both versions field by field. Where all that was typed is stored
// there is nothing to choose: the form was sent twice, or both wrote the same.
func (c *conflict) settle(v *frame.Visit) *frame.Reply {
	list := c.differences()
	locked := canonical(c.form, "post_password") != canonical(c.now, "post_password") // what is stored isn't known here
	if len(list) == 0 || !locked && !slices.ContainsFunc(list, func(of conflictField) bool { return !of.keepTheirs }) {
		return &frame.Reply{Redirect: c.action, Say: "saved"}
	}
	for _, name := range c.fields {
		c.form.Values.Del("choose." + name)
	}
	c.form.Set("version", c.now.Get("version"))
	c.form.Set("base", c.now.Get("base"))
	return &frame.Reply{Status: http.StatusConflict, Title: frame.Tell(v.Ctx, "conflict.title"), Section: c.section,
		Body: conflictPage(c, list)}
}

// resolve takes the other version of the fields in which that was chosen.
func (c *conflict) resolve() {
	if c.form.Get("do") != "resolve" {
		return
	}
	for _, name := range c.fields {
		if c.form.Get("choose."+name) != "theirs" {
			continue
		}
		forget(c.form, name)
		for field, values := range c.now.Values {
			if belongs(field, name) {
				c.form.Values[field] = values
			}
		}
		if !c.form.Has(name) {
			c.form.Set(name, "")
		}
	}
}

// met reports whether somebody else has saved since the form was opened.
func (c *conflict) met() bool { return c.form.Get("version") != c.now.Get("version") }

// forget removes a field with everything that belongs to it.
func forget(f *frame.Form, name string) {
	for field := range f.Values {
		if belongs(field, name) || strings.HasPrefix(field, "new_"+name+".") {
			delete(f.Values, field)
		}
	}
}

// belongs reports whether a control of a form is one of those of a field.
func belongs(control, field string) bool {
	return control == field || strings.HasPrefix(control, field+"[") ||
		field == texts.Field && strings.HasPrefix(control, field+".") ||
		field == "recurrence" && strings.HasPrefix(control, repeats.Choice)
}

// digest says in short what stands in each of the fields.
func digest(f *frame.Form, fields []string) string {
	q := url.Values{}
	for _, name := range fields {
		q.Set(name, hashed(canonical(f, name)))
	}
	return q.Encode()
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// conflictOf is the conflict over an event.
func (ed *eventEditor) conflictOf(ctx context.Context, now *frame.Form) *conflict {
	return &conflict{form: ed.form, now: now, fields: history.EventFields, action: editorAddress(ed), section: "events",
		readable: func(f *frame.Form, name string) string { return readable(ctx, f, name, ed.categories, ed.authors) }}
}

// readable is a field's content as people read it, with the categories and
// people it can name.
func readable(ctx context.Context, f *frame.Form, name string, categories []branch, authors []frame.Pair) string {
	text := canonical(f, name)
	switch name {
	case "recurrence":
		return repeats.Words(ctx, f)
	case "event_status":
		return frame.Tell(ctx, "happening.status."+ui.FirstText(text, "usual"))
	case "attendance_mode":
		return frame.Tell(ctx, "happening.mode."+ui.FirstText(text, "usual"))
	case "virtual_url_shown":
		return frame.Tell(ctx, "happening.shown."+ui.FirstText(text, "usual"))
	case "all_day", "featured", "sticky", "hide_from_listings", "show_map", "show_map_link":
		return frame.Tell(ctx, map[bool]string{true: "yes", false: "no"}[text == "1"])
	case "status":
		return frame.StatusOf(ctx, text)
	case "categories", "parent":
		var names []string
		for _, c := range categories {
			if f.Among(name, frame.IDText(c.ID)) {
				names = append(names, c.Name)
			}
		}
		return strings.Join(names, ", ")
	case "author":
		return labelOfText(authors, text)
	case "start_date", "end_date", "date":
		return strings.Replace(text, "T", " ", 1)
	case "tickets":
		return strings.ReplaceAll(text, "\t", "  ")
	}
	return text
}

func labelOfText(list []frame.Pair, id string) string {
	for _, p := range list {
		if p.Name == id {
			return p.Value
		}
	}
	return id
}

package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/web/ui"
)

// contest is a form that meets what somebody else has saved since it was
// opened.
type contest struct {
	form, now *form // what was typed, and what is stored
	fields    []string
	action    string // where the form is sent, and where it is opened anew
	section   string
	readable  func(f *form, name string) string // a field's content as people read it
}

// clash is a field in which two versions differ.
type clash struct {
	name, mine, theirs string
	keepTheirs         bool // whoever asks hadn't changed it
}

// clashes lists the fields in which both versions differ, as far as the form
// has them.
func (c *contest) clashes() []clash {
	base, _ := url.ParseQuery(c.form.get("base"))
	var list []clash
	for _, name := range c.fields {
		a, b := c.form.canonical(name), c.now.canonical(name)
		if a == b || !c.form.sent(name) || name == "post_password" {
			continue
		}
		list = append(list, clash{name, c.readable(c.form, name), c.readable(c.now, name), hashed(a) == base.Get(name)})
	}
	return list
}

// settle shows both versions field by field. Where all that was typed is stored
// there is nothing to choose: the form was sent twice, or both wrote the same.
func (c *contest) settle(v *visit) *reply {
	list := c.clashes()
	locked := c.form.canonical("post_password") != c.now.canonical("post_password") // what is stored isn't known here
	if len(list) == 0 || !locked && !slices.ContainsFunc(list, func(of clash) bool { return !of.keepTheirs }) {
		return &reply{redirect: c.action, say: "saved"}
	}
	for _, name := range c.fields {
		c.form.values.Del("choose." + name)
	}
	c.form.set("version", c.now.get("version"))
	c.form.set("base", c.now.get("base"))
	return &reply{status: http.StatusConflict, title: tell(v.ctx, "conflict.title"), section: c.section, body: conflictPage(c, list)}
}

// resolve takes the other version of the fields in which that was chosen.
func (c *contest) resolve() {
	if c.form.get("do") != "resolve" {
		return
	}
	for _, name := range c.fields {
		if c.form.get("choose."+name) != "theirs" {
			continue
		}
		c.form.clear(name)
		for field, values := range c.now.values {
			if belongs(field, name) {
				c.form.values[field] = values
			}
		}
		if !c.form.has(name) {
			c.form.set(name, "")
		}
	}
}

// met reports whether somebody else has saved since the form was opened.
func (c *contest) met() bool { return c.form.get("version") != c.now.get("version") }

// clear removes a field with everything that belongs to it.
func (f *form) clear(name string) {
	for field := range f.values {
		if belongs(field, name) || strings.HasPrefix(field, "new_"+name+".") {
			delete(f.values, field)
		}
	}
}

// belongs reports whether a control of a form is one of those of a field.
func belongs(control, field string) bool {
	return control == field || strings.HasPrefix(control, field+"[") ||
		field == translations && strings.HasPrefix(control, field+".") ||
		field == "recurrence" && strings.HasPrefix(control, repeatChoice)
}

// digest says in short what stands in each of the fields.
func (f *form) digest(fields []string) string {
	q := url.Values{}
	for _, name := range fields {
		q.Set(name, hashed(f.canonical(name)))
	}
	return q.Encode()
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// contestOf is the contest over an event.
func (ed *eventEditor) contestOf(ctx context.Context, now *form) *contest {
	return &contest{form: ed.form, now: now, fields: eventFields, action: editorAddress(ed), section: "events",
		readable: func(f *form, name string) string { return f.readable(ctx, name, ed.categories, ed.authors) }}
}

// readable is a field's content as people read it, with the categories and
// people it can name.
func (f *form) readable(ctx context.Context, name string, categories []branch, authors []pair) string {
	text := f.canonical(name)
	switch name {
	case "recurrence":
		return f.repeatWords(ctx)
	case "event_status":
		return tell(ctx, "happening.status."+ui.FirstText(text, "usual"))
	case "attendance_mode":
		return tell(ctx, "happening.mode."+ui.FirstText(text, "usual"))
	case "virtual_url_shown":
		return tell(ctx, "happening.shown."+ui.FirstText(text, "usual"))
	case "all_day", "featured", "sticky", "hide_from_listings", "show_map", "show_map_link":
		return tell(ctx, map[bool]string{true: "yes", false: "no"}[text == "1"])
	case "status":
		return statusOf(ctx, text)
	case "categories", "parent":
		var names []string
		for _, c := range categories {
			if f.among(name, idText(c.ID)) {
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

func labelOfText(list []pair, id string) string {
	for _, p := range list {
		if p.Name == id {
			return p.Value
		}
	}
	return id
}

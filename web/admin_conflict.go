package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
)

// clash is a field in which two versions of an event differ.
type clash struct {
	name, mine, theirs string
	keepTheirs         bool // whoever asks hadn't changed it
}

// conflict shows both versions of an event that somebody else has changed since
// the form was opened.
func (w *admin) conflict(v *visit, ed *eventEditor, now *form) *reply {
	mine := ed.form
	base, _ := url.ParseQuery(mine.get("base"))
	var list []clash
	for _, name := range eventFields {
		a, b := mine.canonical(name), now.canonical(name)
		if a == b || !mine.sent(name) || name == "post_password" {
			continue
		}
		list = append(list, clash{name, mine.readable(v.ctx, ed, name), now.readable(v.ctx, ed, name), hashed(a) == base.Get(name)})
	}
	for _, name := range eventFields {
		mine.values.Del("choose." + name)
	}
	mine.set("version", now.get("version"))
	mine.set("base", now.get("base"))
	return &reply{status: http.StatusConflict, title: tell(v.ctx, "conflict.title"), section: "events", body: conflictPage(ed, list)}
}

// resolve takes the other version of the fields in which that was chosen.
func (f *form) resolve(now *form) {
	for _, name := range eventFields {
		if f.get("choose."+name) != "theirs" {
			continue
		}
		f.clear(name)
		for field, values := range now.values {
			if field == name || name == "tickets" && strings.HasPrefix(field, "tickets[") {
				f.values[field] = values
			}
		}
		if !f.has(name) {
			f.set(name, "")
		}
	}
}

// clear removes a field with everything that belongs to it.
func (f *form) clear(name string) {
	for field := range f.values {
		if field == name || strings.HasPrefix(field, "new_"+name+".") || strings.HasPrefix(field, name+"[") {
			delete(f.values, field)
		}
	}
}

// digest says in short what stands in each field.
func (f *form) digest() string {
	q := url.Values{}
	for _, name := range eventFields {
		q.Set(name, hashed(f.canonical(name)))
	}
	return q.Encode()
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// readable is a field's content as people read it.
func (f *form) readable(ctx context.Context, ed *eventEditor, name string) string {
	text := f.canonical(name)
	switch name {
	case "all_day", "featured", "sticky", "hide_from_listings", "show_map", "show_map_link":
		return tell(ctx, map[bool]string{true: "yes", false: "no"}[text == "1"])
	case "status":
		return tell(ctx, "status."+text)
	case "categories":
		var names []string
		for _, c := range ed.categories {
			if f.among(name, idText(c.ID)) {
				names = append(names, c.Name)
			}
		}
		return strings.Join(names, ", ")
	case "author":
		return labelOfText(ed.authors, text)
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

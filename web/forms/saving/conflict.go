package saving

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/web/forms/frame"
)

// difference is a field in which two versions differ.
type difference struct {
	name, mine, theirs string
	keepTheirs         bool // the user has not changed it
	both               bool // both people have changed it
}

// differences lists the fields of the form in which both versions differ.
func (e *Edit) differences() []difference {
	base, _ := url.ParseQuery(e.Form.Get("base"))
	var list []difference
	for _, name := range e.Fields.Names {
		mine, theirs := e.Fields.Text(e.Form, name), e.Fields.Text(e.Now, name)
		if mine == theirs || !e.Fields.Sent(e.Form, name) || e.Fields.Apart[name].Secret {
			continue
		}
		d := difference{name: name, mine: e.Readable(e.Form, name, mine), theirs: e.Readable(e.Now, name, theirs),
			keepTheirs: hashed(mine) == base.Get(name)}
		d.both = !d.keepTheirs && hashed(theirs) != base.Get(name)
		list = append(list, d)
	}
	return e.Fields.together(list)
}

// together treats fields that belong together as one: if both people have changed any of them, all of them count as
// changed by both.
func (s Fields) together(list []difference) []difference {
	for _, group := range s.Together {
		within := func(d difference) bool { return slices.Contains(group, d.name) }
		mine := slices.ContainsFunc(list, func(d difference) bool { return within(d) && !d.keepTheirs })
		theirs := slices.ContainsFunc(list, func(d difference) bool { return within(d) && (d.keepTheirs || d.both) })
		for i := range list {
			list[i].both = list[i].both || mine && theirs && within(list[i])
		}
	}
	return list
}

// secretTyped reports whether a secret was typed, which can't be compared.
func (e *Edit) secretTyped() bool {
	return slices.ContainsFunc(e.Fields.Names, func(name string) bool {
		return e.Fields.Apart[name].Secret && e.Fields.Text(e.Form, name) != e.Fields.Text(e.Now, name)
	})
}

// settle asks which version to keep of the fields that both people have changed. It copies fields that only the
// other person has changed into the form. It returns no reply if there is nothing to choose. If all input is
// already stored, there is nothing to save: the form was sent twice, or both people made the same changes.
func (e *Edit) settle(v *frame.Visit) (*frame.Reply, error) {
	list := e.differences()
	if len(list) == 0 || !e.secretTyped() && !slices.ContainsFunc(list, func(d difference) bool { return !d.keepTheirs }) {
		return &frame.Reply{Redirect: e.Action, Say: "saved"}, nil
	}
	if !e.secretTyped() { // secrets cannot be compared
		for _, d := range list {
			if d.keepTheirs && !d.both {
				e.take(d.name)
			}
		}
		list = slices.DeleteFunc(list, func(d difference) bool { return !d.both })
	}
	e.Form.Set("version", e.Now.Get("version"))
	e.Form.Set("base", e.Now.Get("base"))
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nothing to choose
	}
	by, err := e.other()
	if err != nil {
		return nil, err
	}
	for _, name := range e.Fields.Names {
		e.Form.Values.Del("choose." + name)
	}
	return &frame.Reply{Status: http.StatusConflict, Title: frame.Tell(v.Ctx, "conflict.title"), Section: e.Section,
		Body: conflictPage(e, &by.Entry, list)}, nil
}

// resolve copies the other version of a field into the form, for each field for which the person chose it.
func (e *Edit) resolve() {
	if e.Form.Get("do") != "resolve" {
		return
	}
	for _, name := range e.Fields.Names {
		if e.Form.Get("choose."+name) == "theirs" {
			e.take(name)
		}
	}
}

// take replaces all controls of a field with those of the other version.
func (e *Edit) take(name string) {
	for control := range e.Form.Values {
		if e.Fields.Owns(name, control) {
			delete(e.Form.Values, control)
		}
	}
	for control, values := range e.Now.Values {
		if e.Fields.Owns(name, control) {
			e.Form.Values[control] = values
		}
	}
	if !e.Form.Has(name) {
		e.Form.Set(name, "")
	}
}

// met reports whether someone else has saved since the form was opened.
func (e *Edit) met() bool { return e.Form.Get("version") != e.Now.Get("version") }

// labelOf returns the label of a field.
func (e *Edit) labelOf(ctx context.Context, name string) string {
	if e.Label != nil {
		return e.Label(ctx, name)
	}
	return e.Form.Label(ctx, name)
}

// Owns reports whether a control of a form belongs to a field.
func (s Fields) Owns(name, control string) bool {
	own := s.field(name).Owns
	return control == name || strings.HasPrefix(control, name+"[") || own != nil && own(control)
}

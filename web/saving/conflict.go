package saving

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
)

// difference is a field in which two versions differ.
type difference struct {
	name, mine, theirs string
	keepTheirs         bool // the user has not changed it
}

// differences lists the fields in which both versions differ, as far as the form
// has them.
func (e *Edit) differences() []difference {
	base, _ := url.ParseQuery(e.Form.Get("base"))
	var list []difference
	for _, name := range e.Fields.Names {
		mine, theirs := e.Fields.Text(e.Form, name), e.Fields.Text(e.Now, name)
		if mine == theirs || !e.Fields.Sent(e.Form, name) || e.Fields.Apart[name].Secret {
			continue
		}
		list = append(list, difference{name: name, mine: e.Readable(e.Form, name, mine), theirs: e.Readable(e.Now, name, theirs),
			keepTheirs: hashed(mine) == base.Get(name)})
	}
	return list
}

// secretTyped reports whether something was typed that can't be compared.
func (e *Edit) secretTyped() bool {
	return slices.ContainsFunc(e.Fields.Names, func(name string) bool {
		return e.Fields.Apart[name].Secret && e.Fields.Text(e.Form, name) != e.Fields.Text(e.Now, name)
	})
}

// settle shows both versions field by field. Where all that was typed is stored
// there is nothing to choose: the form was sent twice, or both wrote the same.
func (e *Edit) settle(v *frame.Visit) (*frame.Reply, error) {
	list := e.differences()
	if len(list) == 0 || !e.secretTyped() && !slices.ContainsFunc(list, func(d difference) bool { return !d.keepTheirs }) {
		return &frame.Reply{Redirect: e.Action, Say: "saved"}, nil
	}
	by := tenancy.Entry{}
	if e.By != nil {
		var err error
		if by, err = e.By(); err != nil {
			return nil, err
		}
	}
	for _, name := range e.Fields.Names {
		e.Form.Values.Del("choose." + name)
	}
	e.Form.Set("version", e.Now.Get("version"))
	e.Form.Set("base", e.Now.Get("base"))
	return &frame.Reply{Status: http.StatusConflict, Title: frame.Tell(v.Ctx, "conflict.title"), Section: e.Section,
		Body: conflictPage(e, &by, list)}, nil
}

// resolve takes the other version of the fields in which that was chosen.
func (e *Edit) resolve() {
	if e.Form.Get("do") != "resolve" {
		return
	}
	for _, name := range e.Fields.Names {
		if e.Form.Get("choose."+name) != "theirs" {
			continue
		}
		for control := range e.Form.Values {
			if e.Fields.owns(name, control) {
				delete(e.Form.Values, control)
			}
		}
		for control, values := range e.Now.Values {
			if e.Fields.owns(name, control) {
				e.Form.Values[control] = values
			}
		}
		if !e.Form.Has(name) {
			e.Form.Set(name, "")
		}
	}
}

// met reports whether somebody else has saved since the form was opened.
func (e *Edit) met() bool { return e.Form.Get("version") != e.Now.Get("version") }

// owns reports whether a control of a form is one of those of a field.
func (s Fields) owns(name, control string) bool {
	own := s.field(name).Owns
	return control == name || strings.HasPrefix(control, name+"[") || own != nil && own(control)
}

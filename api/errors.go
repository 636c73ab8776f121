package api

import (
	"errors"
	"strings"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ResourceError adds the resource to an error, for codes that contain its name.
type ResourceError struct {
	Resource string
	ID       int64
	Err      error
}

func (e *ResourceError) Error() string { return e.Resource + ": " + e.Err.Error() }

func (e *ResourceError) Unwrap() error { return e.Err }

// Errors specific to the REST interface.
var (
	ErrNoRoute         = errors.New("no such route")
	ErrMethod          = errors.New("method not allowed")
	ErrTooLarge        = errors.New("body too large")
	ErrMediaType       = errors.New("body in an unknown form")
	ErrUnreadable      = errors.New("body of a media type that is not read")
	ErrNotHierarchical = errors.New("tags have no parents")
)

// Failure is an error as returned to clients (rule 4.1).
type Failure struct {
	Status int
	Code   string
	Data   map[string]any       // for the placeholders of the message
	TermID int64                // of term_exists; otherwise 0
	ID     int64                // ID of the created item, in idempotency-secret-shown; otherwise 0
	Err    *args.Problems       // of rest_missing_callback_param and rest_invalid_param
	Limit  *tenancy.LimitError  // of limit_reached
	Access *tenancy.AccessError // of insufficient-scope
	Broken *JSONError           // of rest_invalid_json
}

// JSON returns the error envelope in a language.
func (f Failure) JSON(language string) []byte {
	w := &jsontext.Writer{Bytes: make([]byte, 0, 256)}
	w.Item()
	w.Text("code", f.Code)
	w.Text("message", f.message(language))
	w.Open("data", '{')
	w.Int("status", int64(f.Status))
	if f.Err != nil {
		f.problems(w, language)
	}
	if f.TermID != 0 {
		w.Int("term_id", f.TermID)
	}
	if f.Broken != nil {
		w.Int("json_error_code", f.Broken.Number)
		w.Text("json_error_message", f.Broken.Text)
	}
	if f.ID != 0 {
		w.Int("id", f.ID)
	}
	if f.Access != nil {
		w.Text("scope", f.Access.Name())
		if len(f.Access.Categories) > 0 {
			w.Open("categories", '[')
			for _, id := range f.Access.Categories {
				w.Number(id)
			}
			w.Close(']')
		}
	}
	if f.Limit != nil {
		w.Text("limit", f.Limit.What)
		w.Int("max", f.Limit.Max)
		w.Int("used", f.Limit.Have)
	}
	w.Close('}')
	if f.TermID != 0 {
		w.Open("additional_data", '[')
		w.Number(f.TermID)
		w.Close(']')
	}
	w.Close('}')
	return w.Bytes
}

// message returns the message for people.
func (f Failure) message(language string) string {
	if f.Limit != nil {
		return i18n.Text(language, f.Limit.Key(), f.Limit.Data())
	}
	if f.Access != nil && len(f.Access.Categories) > 0 {
		return i18n.Text(language, "error.insufficient-scope.categories", nil)
	}
	return i18n.Text(language, "error."+f.Code, f.data())
}

// data adds the names of the arguments to the data of the message.
func (f Failure) data() map[string]any {
	if f.Access != nil {
		return map[string]any{"Scope": f.Access.Name()}
	}
	if f.Err == nil {
		return f.Data
	}
	names := f.Err.Absent()
	if len(names) == 0 {
		for _, p := range f.Err.Broken() {
			names = append(names, p.Arg)
		}
	}
	return map[string]any{"Params": strings.Join(names, ", ")}
}

// problems writes params and details. A missing argument is only named. An invalid one has its message, and details
// if its type is wrong.
func (f Failure) problems(w *jsontext.Writer, language string) {
	if absent := f.Err.Absent(); len(absent) > 0 {
		w.Open("params", '[')
		for _, name := range absent {
			w.Comma()
			w.Bytes = jsontext.AppendString(w.Bytes, name)
		}
		w.Close(']')
		return
	}
	broken := f.Err.Broken()
	w.Open("params", '{')
	for _, p := range broken {
		w.Named(p.Arg)
		w.Bytes = jsontext.AppendString(w.Bytes, problemText(language, p))
	}
	w.Close('}')
	details(w, language, broken)
}

func details(w *jsontext.Writer, language string, broken []args.Problem) {
	filled := false
	begin := func() {
		if !filled {
			filled = true
			w.Open("details", '{')
		}
	}
	for _, p := range broken {
		if near, ok := p.Data["nearest"].([]string); ok {
			begin()
			w.Texts("nearest", near...)
		}
		if !p.Type {
			continue
		}
		begin()
		w.Named(p.Arg)
		w.Bytes = append(w.Bytes, '{')
		w.Text("code", "rest_invalid_type")
		w.Text("message", problemText(language, p))
		w.Open("data", '{')
		w.Text("param", p.Arg)
		w.Close('}')
		w.Close('}')
	}
	if !filled {
		w.Raw("details", "[]")
		return
	}
	w.Close('}')
}

// problemText returns the message of a problem. A problem within an object is inserted into the message about the
// object.
func problemText(language string, p args.Problem) string {
	data := map[string]any{"Arg": p.Arg}
	for k, v := range p.Data {
		if inner, ok := v.(args.Problem); ok {
			v = problemText(language, inner)
		}
		data[k] = v
	}
	return i18n.Text(language, p.Key, data)
}

package api

import (
	"strconv"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/i18n"
)

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// importOf writes an import.
func (v *View) importOf(i *imports.Import) {
	v.Item()
	v.Int("id", i.ID)
	v.Text("state", string(i.State))
	v.TextOrNull("format", i.Format)
	v.Bool("dry_run", i.DryRun)
	v.Text("policy", i.Policy)
	v.TextOrNull("name", i.Name)
	v.TextOrNull("url", i.URL)
	v.origin(i.From, nil)
	v.Float("progress", i.Progress())
	v.counts(&i.Counts)
	v.Problem(i.Problem)
	if len(i.Columns) > 0 {
		v.Open("columns", '{')
		for _, column := range i.Columns {
			v.Named(column.Header)
			v.Bytes = jsontext.AppendString(v.Bytes, column.Meaning)
		}
		v.Close('}')
	}
	v.Open("left_out", '[')
	for _, left := range i.LeftOut {
		v.Item()
		v.Text("kind", left.Kind)
		v.Int("count", int64(left.Count))
		v.Text("message", i18n.Text(v.Scope.Language, imports.LeftOutKey(left), map[string]any{"Count": left.Count}))
		v.Close('}')
	}
	v.Close(']')
	v.Instant("created", i.Created)
	v.Instant("started", i.Started)
	v.Instant("finished", i.Finished)
	v.Instant("undoable_until", i.UndoableUntil())
	v.Instant("undone", i.Undone)
	if i.Undoes != 0 {
		v.Int("undoes", i.Undoes)
	}
	address := v.Root + "/imports/" + idText(i.ID)
	v.Text("rest_url", address)
	v.Text("entries_url", address+"/entries")
	v.Close('}')
}

// TextOrNull writes a text, and null for "".
func (v *View) TextOrNull(key, text string) {
	if text == "" {
		v.Raw(key, "null")
		return
	}
	v.Text(key, text)
}

// importEntry writes an entry of the report of an import.
func (v *View) importEntry(e *imports.Entry) {
	v.Item()
	v.Int("number", int64(e.Number))
	if e.Line > 0 {
		v.Int("line", int64(e.Line))
	} else {
		v.Raw("line", "null")
	}
	v.TextOrNull("uid", e.UID)
	v.TextOrNull("recurrence_id", e.Recurrence)
	v.TextOrNull("title", e.Title)
	v.TextOrNull("start_date", e.Start)
	v.Text("result", string(e.Result))
	if e.Event != 0 {
		v.Open("event", '{')
		v.Int("id", e.Event)
		v.Text("rest_url", v.Root+"/events/"+idText(e.Event))
		v.Close('}')
	} else {
		v.Raw("event", "null")
	}
	v.Open("fields", '[')
	for _, name := range e.Fields {
		v.Comma()
		v.Bytes = strconv.AppendQuote(v.Bytes, name)
	}
	v.Close(']')
	v.findings("problems", e.Problems)
	v.findings("warnings", e.Warnings)
	v.Close('}')
}

func (v *View) findings(key string, list []imports.Finding) {
	v.Open(key, '[')
	for i := range list {
		v.Item()
		v.Text("code", list[i].Code)
		v.TextOrNull("param", list[i].Param)
		v.Text("message", problemText(v.Scope.Language, list[i].Problem()))
		v.Close('}')
	}
	v.Close(']')
}

package fuzz

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kalends/kalends/internal/args"
)

// numbers are those at which something ends.
var numbers = []string{"0", "-1", "1", "007", "127", "32767", "32768", "65536", "2147483647", "2147483648", "4294967296", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "99999999999999999999999", "1e3", "1e400", "0x10", "1.5", "NaN", " 1", "１"}

// texts are those that something may read as more than text.
var texts = []string{"", " ", "\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "%", "_", "%%", `\`, `'`, `"`, "';--", "$1", "@id", "{{.}}", "{0}", "<b>", "&amp;",
	"<script>", "]]>", "null", "true", "undefined", "[]", "{}", "[1", "a,b", ",", ",,,", "a[b]", "../..", "/", "//evil.example", "http://127.0.0.1:1/a.png",
	"http://[::1]/", "javascript:alert(1)", "mailto:a@b", "😀", "é", "e\u0301", "ﬁ", "İ", "ß", "\u202e", "\u0000", "\u200b", "\ufeff", "\U0010ffff", "\ufffd",
	"1970-01-01", "0000-00-00", "9999-12-31 23:59:59", "99999-01-01", "tomorrow", "+1 day", "last monday of", "2030-02-30", "2030-03-31 02:30:00", "now",
	"UTC+14", "UTC+99", "Europe/Berlin", "America/", "2030-01-01T00:00:00Z", "\\u0000", "\r\nX: y", "a\tb", "\x7f", "\x1b[0m", "nul", "?", "#", "&", "="}

// hostile returns a text, or a number, or something long of them.
func (f *fuzzer) hostile() string {
	switch f.r.IntN(12) {
	case 0:
		return one(f, numbers...)
	case 1:
		return one(f, texts...) + one(f, texts...)
	case 2:
		return strings.Repeat(one(f, texts...), one(f, 2, 50, 300, 3000))
	case 3:
		return strings.Repeat(one(f, "a", "a ", "é", "<b>", "(", "-", "1"), one(f, 63, 64, 200, 201, 255, 256, 1001, 5000))
	case 4:
		b := make([]byte, f.r.IntN(20))
		for i := range b {
			b[i] = byte(f.r.IntN(256))
		}
		return string(b)
	}
	return one(f, texts...)
}

// value is what a field says: one time in wrong something that it can't mean.
func (f *fuzzer) value(a *argument, wrong int) any {
	switch {
	case f.rare(wrong):
		return f.wrong()
	case a.field != nil:
		return f.right(a.field)
	case f.rare(4):
		return one(f, one(f, f.ids...), one(f, f.slugs...), "1", "on", "2030-01-01")
	}
	return one(f, a.seen...)
}

// wrong is a value of any kind.
func (f *fuzzer) wrong() any {
	switch f.r.IntN(12) {
	case 0:
		return nil
	case 1:
		return true
	case 2:
		if n := json.Number(one(f, numbers...)); json.Valid([]byte(n)) {
			return n
		}
		return -1.5
	case 3:
		return []any{f.hostile(), one(f, numbers...)}
	case 4:
		return map[string]any{f.hostile(): f.hostile(), "id": one(f, numbers...)}
	case 5:
		return []any{map[string]any{"id": f.hostile()}, []any{nil}}
	}
	return f.hostile()
}

// right is a value that a field of the interface takes.
func (f *fuzzer) right(a *args.Field) any {
	if len(a.Enum) > 0 {
		return one(f, a.Enum...)
	}
	switch a.Declared {
	case "boolean":
		return one(f, any(true), any(false), any("1"))
	case "integer":
		if strings.HasSuffix(a.Name, "page") {
			return 1 + f.r.IntN(3)
		}
		return f.link(a.Name)
	case "number":
		return f.r.Float64() * 50
	case "array":
		return f.list(a)
	case "object":
		if a.Inner() == nil {
			return f.rule()
		}
		return f.members(a.Inner())
	case "any":
		return one(f, any("5"), any("5–10 €"), any(12.5), any(nil), any([]any{"1", "2"}), any(map[string]any{"from": 1}))
	}
	return f.text(a)
}

// rule is how an event recurs, as text or as an object.
func (f *fuzzer) rule() any {
	text := one(f, "FREQ=WEEKLY;BYDAY=TH", "FREQ=DAILY;COUNT=3", "FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20291231", "FREQ=YEARLY", "FREQ=HOURLY")
	return one(f, any(text), any(map[string]any{"rrule": text}), any(map[string]any{"rrule": text, "exdate": []any{"2029-01-03", f.hostile()}}))
}

// list is a list of what a field holds.
func (f *fuzzer) list(a *args.Field) any {
	entry := func() any {
		switch {
		case a.Inner() != nil && (a.Items == "object" || f.rare(3)):
			return f.members(a.Inner())
		case a.Items == "string":
			return one(f, f.slugs...)
		}
		return f.link(a.Name)
	}
	switch f.r.IntN(4) {
	case 0:
		return entry()
	case 1:
		return []any{}
	}
	return []any{entry(), entry()}
}

// link is the id of something that a field of a name links.
func (f *fuzzer) link(name string) string {
	resource := map[string]string{"categories": "category", "tags": "tag", "parent": "category", "post": "event", "post_parent": "event",
		"include": "event"}[name]
	if list := f.items[cmp.Or(resource, name)]; len(list) > 0 {
		return one(f, list...).id
	}
	return one(f, "1", "2", "3") // people, and the first of everything
}

// members is an object with some of its fields.
func (f *fuzzer) members(t *args.Table) map[string]any {
	object := map[string]any{}
	for i := range t.Fields {
		switch field := &t.Fields[i]; {
		case field.Required || f.rare(3):
			object[field.Name] = f.right(field)
		case f.rare(10):
			object[field.Name] = f.wrong()
		}
	}
	return object
}

// text is a text that a field takes, going by its form and name.
func (f *fuzzer) text(a *args.Field) any {
	name := a.Name
	switch {
	case a.Format == "date-time" || strings.Contains(name, "date"):
		year := 2026 + f.r.IntN(3)
		if strings.HasPrefix(name, "end") || strings.HasSuffix(name, "until") {
			year = 2029
		}
		return fmt.Sprintf("%d-%02d-%02d %02d:%02d:00", year, 1+f.r.IntN(12), 1+f.r.IntN(28), f.r.IntN(24), f.r.IntN(60))
	case name == "timezone":
		return one(f, "UTC", "Europe/Berlin", "America/New_York", "UTC+5:30", "Pacific/Apia")
	case name == "image":
		return one(f, append([]string{""}, f.ids...)...)
	case a.Format == "uri":
		return one(f, "", "https://example.org/a?b=c#d")
	case name == "email":
		return fmt.Sprintf("p%d@example.org", f.r.IntN(1000))
	case name == "language":
		return one(f, "de", "en", "ar")
	case name == "password":
		return one(f, "", "correct horse battery", "x")
	case name == "slug":
		return one(f, f.slugs...)
	}
	return one(f, "Something", "Fest im Park", "a", "Сад", "حديقة", "concert, live", fmt.Sprint("text ", f.r.IntN(1000)))
}

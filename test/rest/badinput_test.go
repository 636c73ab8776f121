package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"

	"github.com/kalends/kalends/test/kit"
)

// Every argument of every route is given invalid values. The route table says which arguments there are and what they
// accept, so that new ones are covered, too.

// tolerant are the arguments that accept anything (rule 3.12) or have rules of their own.
var tolerant = map[string]bool{"strict_dates": true, "has_events": true, "only_with_upcoming": true, "force": true,
	"venue.show_map": true, "venue.show_map_link": true, "event.cost": true, "terms": true}

// attack is a value for one argument.
type attack struct {
	name    string
	value   any
	refused bool // else anything but a fault will do
}

// attacks returns the values to try on an argument.
func attacks(resource string, f args.Field) []attack {
	if tolerant[f.Name] || tolerant[resource+"."+f.Name] {
		return []attack{{"object", map[string]any{"a": []any{1}}, false}, {"text", "maybe", false}, {"null", nil, false}}
	}
	list := []attack{
		{"nested object", map[string]any{"a": map[string]any{"b": []any{1}}}, true},
		{"nested list", []any{[]any{[]any{1}}}, true},
		{"null", nil, f.NoNull},
		{"NUL", "1\x00", true},
		{"bad UTF-8", "a\xff\xfe", true},
	}
	switch {
	case f.Items != "":
		return append(list, listAttacks(f)...)
	case f.Declared == "integer" || f.Declared == "number":
		list = append(list, attack{"text", "many", true}, attack{"boolean", true, true}, attack{"empty", "", !f.Blank},
			attack{"infinite", "1e999", true}, attack{"hexadecimal", "0x10", true})
		if f.Declared == "integer" {
			list = append(list, attack{"fraction", 1.5, true}, attack{"beyond 64 bits", "99999999999999999999", true})
		}
		return append(list, boundAttacks(f)...)
	case f.Declared == "boolean":
		return append(list, attack{"text", "maybe", true}, attack{"two", 2, true}, attack{"empty", "", true})
	}
	return append(list, textAttacks(f)...)
}

func boundAttacks(f args.Field) []attack {
	var list []attack
	if f.Min != nil {
		list = append(list, attack{"below min", *f.Min - 1, true})
	}
	if f.Max != nil {
		list = append(list, attack{"above max", *f.Max + 1, true})
	}
	return list
}

func listAttacks(f args.Field) []attack {
	ids, texts := make([]any, 900), make([]string, 900)
	for i := range ids {
		ids[i], texts[i] = i+1, strconv.Itoa(i+1)
	}
	list := []attack{{"900 entries", ids, true}, {"boolean", true, true}, {"object in list", []any{map[string]any{"x": map[string]any{}}}, true}}
	if f.Items == "integer" {
		list = append(list, attack{"900 in a comma list", strings.Join(texts, ","), true})
	}
	return list
}

func textAttacks(f args.Field) []attack {
	list := []attack{{"boolean", true, true}}
	if f.Name != "image" {
		list = append(list, attack{"number", 5, true})
	}
	if f.NonEmpty {
		list = append(list, attack{"empty", "", true})
	}
	if f.Max != nil {
		list = append(list, attack{"too long", strings.Repeat("ä", int(*f.Max)+1), true})
	}
	if f.Bytes > 0 {
		list = append(list, attack{"too many bytes", strings.Repeat("x", f.Bytes+1), true})
	}
	if len(f.Enum) > 0 {
		list = append(list, attack{"not in enum", "perhaps", true})
	}
	if f.Format == "date-time" {
		list = append(list, attack{"no date", "the day after", true}, attack{"impossible", "2027-02-30", true},
			attack{"long", strings.Repeat("9", 5000), true})
	}
	return list
}

func TestBadArguments(t *testing.T) {
	t.Parallel()
	for _, resource := range []string{"", "event", "venue", "organizer", "category", "tag", "image", "submission"} {
		t.Run("resource "+resource, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			s := k.Sample()
			tried := 0
			for _, r := range api.New(nil).Routes() {
				if r.Resource != resource {
					continue
				}
				for _, f := range r.Arguments() {
					if !f.Path {
						tried += tryArgument(k, s, &r, f)
					}
				}
			}
			t.Logf("%d bad values tried", tried)
		})
	}
}

// tryArgument tries every attack on one argument, in every encoding.
func tryArgument(k *kit.Kit, s *kit.Sample, r *api.Route, f args.Field) (tried int) {
	k.T.Helper()
	before := k.State()
	for _, a := range attacks(r.Resource, f) {
		for _, encoding := range []string{"json", "form"} {
			values := map[string]any{}
			if made := kit.Valid(r.Resource); r.Status == http.StatusCreated {
				values = made
			} else {
				for _, g := range r.Arguments() {
					if value, ok := made[g.Name]; ok && g.Required {
						values[g.Name] = value
					}
				}
			}
			values[f.Name] = a.value
			if a.name == "empty" && strings.HasSuffix(r.Name, ".update") && (f.Name == "description" || f.Name == "excerpt") {
				continue // which was served like that (rule 3.17)
			}
			req, ok := attackRequest(s, r, values, encoding)
			if !ok {
				continue
			}
			tried++
			got := k.Send(req)
			about := fmt.Sprintf("%s %s %s = %s as %s", r.Methods[0], r.Path, f.Name, a.name, encoding)
			judge(k, about, f, a, got)
			if slug, ok := got.Body["slug"].(string); ok && got.ID() == s.IDs[r.Resource] {
				s.Slugs[r.Resource] = slug
			}
			if got.Status < http.StatusMultipleChoices {
				before = k.State()
			}
		}
	}
	if after := k.State(); after != before {
		k.T.Errorf("%s %s %s: refused writes left traces: %s, before %s", r.Methods[0], r.Path, f.Name, after, before)
	}
	return tried
}

// attackRequest encodes the arguments; ok is false if the encoding cannot express the value.
func attackRequest(s *kit.Sample, r *api.Route, values map[string]any, encoding string) (kit.Request, bool) {
	req := kit.Request{Method: r.Methods[0], Path: s.Path(r), As: "administrator"}
	if encoding == "json" {
		for _, v := range values {
			if text, ok := v.(string); ok && strings.Contains(text, "\xff") {
				return req, false
			}
		}
		req.JSON = values
		return req, true
	}
	form := url.Values{}
	for name, v := range values {
		switch v := v.(type) {
		case nil, map[string]any:
			return req, false
		case []any:
			if _, plain := v[0].(int); !plain {
				return req, false
			}
			for _, entry := range v {
				form.Add(name+"[]", fmt.Sprint(entry))
			}
		case float64:
			form.Set(name, strconv.FormatFloat(v, 'f', -1, 64))
		case string:
			form.Set(name, v)
		default:
			return req, false // a boolean or number is as good as its text
		}
	}
	if r.Methods[0] == http.MethodGet || r.Methods[0] == http.MethodDelete {
		encoded := form.Encode()
		req.Path += "?" + encoded
		return req, len(encoded) < 8000
	}
	req.Form = form
	return req, true
}

// judge returns what is wrong with the response to an attack.
func judge(k *kit.Kit, about string, f args.Field, a attack, got kit.Answer) {
	k.T.Helper()
	switch {
	case got.Status >= http.StatusInternalServerError:
		k.T.Errorf("%s: %s", about, got)
	case !a.refused:
	case got.Status != http.StatusBadRequest:
		k.T.Errorf("%s: %.300s", about, got)
	case got.Code() == "rest_missing_callback_param" && f.Required && a.value == nil:
	case got.Code() != "rest_invalid_param":
		k.T.Errorf("%s: %.300s", about, got)
	case !names(got, f.Name):
		k.T.Errorf("%s: data.params doesn't name it: %s", about, got)
	}
	k.IsError(about, got)
}

func TestMissingArguments(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, r := range api.New(nil).Routes() {
		var names []any
		for _, f := range r.Arguments() {
			if f.Required && !f.Path {
				names = append(names, f.Name)
			}
		}
		if r.Status != http.StatusCreated || len(names) == 0 {
			continue
		}
		null := map[string]any{"per_page": "x", "slug": 5}
		for _, name := range names {
			null[fmt.Sprint(name)] = nil
		}
		before := k.State()
		for about, body := range map[string]any{"empty": map[string]any{}, "null": null, "list": []any{1}, "scalar": 5} {
			a := k.Post(r.Path, "", body).Want(t, 400, "rest_missing_callback_param")
			data, _ := a.Body["data"].(map[string]any)
			if got, want := fmt.Sprint(data["params"]), fmt.Sprint(names); got != want {
				t.Errorf("%s %s: params %s, want %s", r.Path, about, got, want)
			}
		}
		if after := k.State(); after != before {
			t.Errorf("%s: %s, before %s", r.Path, after, before)
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	a := k.Post("/events", "", map[string]any{"title": 5, "start_date": "never", "end_date": "never", "all_day": "x",
		"venue": "x", "categories": true}).Want(t, 400, "rest_invalid_param")
	params := a.Params()
	if len(params) != 6 {
		t.Errorf("%d problems, want 6: %s", len(params), a)
	}
	if params["categories"] != "Use the ID, slug or name of each entry." {
		t.Errorf("categories: %v", params["categories"])
	}
	data, _ := a.Body["data"].(map[string]any)
	details, _ := data["details"].(map[string]any)
	allDay, _ := details["all_day"].(map[string]any)
	if allDay["code"] != "rest_invalid_type" || len(details) != 1 {
		t.Errorf("details: %v", details)
	}
}

func TestErrorsInLanguages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	seen := map[string]string{}
	for _, language := range i18n.Languages() {
		for path, code := range map[string]string{"/events?page=x": "rest_invalid_param", "/nowhere": "rest_no_route",
			"/events/999": "rest-event-not-found"} {
			byHeader := k.Send(kit.Request{Method: "GET", Path: path, Headers: map[string]string{"Accept-Language": language}})
			bySegment := k.Get("//"+language+"/calendar/events/v1"+path, "")
			for _, a := range []kit.Answer{byHeader, bySegment} {
				if a.Code() != code || a.Header.Get("Content-Language") != language {
					t.Errorf("%s %s: %s in %q", language, path, a, a.Header.Get("Content-Language"))
				}
			}
			text, _ := bySegment.Body["message"].(string)
			if params := bySegment.Params(); params != nil {
				text = fmt.Sprint(params["page"])
			}
			if other := seen[path+text]; other != "" {
				t.Errorf("%s: %q in %s and in %s", path, text, other, language)
			}
			seen[path+text] = language
			if strings.Contains(text, "problem.") || strings.Contains(text, "error.") {
				t.Errorf("%s %s: no text: %s", language, path, text)
			}
		}
	}
}

func TestDuplicateKeys(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	body := `{"name":"first","name":"second","slug":5,"slug":"last-wins"}`
	a := k.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", Body: body,
		Headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}}).Want(t, 201, "")
	if a.Body["name"] != "second" || a.Body["slug"] != "last-wins" {
		t.Errorf("not the last: %s", a)
	}
}

// names reports whether what is wrong is an argument, or something within it.
func names(a kit.Answer, argument string) bool {
	for name := range a.Params() {
		if name == argument || strings.HasPrefix(name, argument+".") {
			return true
		}
	}
	return false
}

// Names that a client made up are told without breaking the answer.
func TestNamesInProblems(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, name := range []string{`"`, "a\tb", `\`, "\r\nX: y", "", "\u0000", strings.Repeat("a", 100), "<b>", "de\u202e"} {
		for _, value := range []any{1, map[string]any{"title": "x"}, nil, map[string]any{"title": 5}} {
			made := kit.Valid("event")
			made["translations"] = map[string]any{name: value, "de": 1}
			a := k.Send(kit.Request{Method: "POST", Path: "/events", As: "administrator", JSON: made}).Want(t, http.StatusBadRequest, "rest_invalid_param")
			if a.Params()["translations"] == nil || a.Params()["translations.de"] == nil {
				t.Errorf("%q: %s", name, a)
			}
		}
	}
}

// The message about a venue that is neither an id nor an object says what to send.
func TestLinksSayWhatTheyTake(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, field := range []string{"venue", "organizer"} {
		a := k.Post("/events", "administrator", kit.Object{"title": "Choir", "start_date": "2027-06-04", "end_date": "2027-06-04", field: "Hall"})
		if a.Want(t, 400, "rest_invalid_param"); !strings.Contains(string(a.Raw), `"`+field+`":"Use the ID of each entry`) {
			t.Errorf("%s", a)
		}
	}
}

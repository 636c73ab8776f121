package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
)

// Every argument of every route is given values it can't take. The table of
// routes says which arguments there are and what they take, so an argument
// added tomorrow is tried as well.

// tolerant are the arguments that take anything (rule 3.12) or
// judge values by rules of their own.
var tolerant = map[string]bool{"strict_dates": true, "has_events": true, "only_with_upcoming": true, "force": true,
	"venue.show_map": true, "venue.show_map_link": true, "cost": true}

// attack is one value for one argument.
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

// sample is one item of each resource to aim at.
type sample struct {
	ids   map[string]int64
	slugs map[string]string
}

func (k *kit) sample() *sample {
	k.t.Helper()
	s := &sample{ids: map[string]int64{}, slugs: map[string]string{}}
	add := func(resource, path string, body map[string]any) {
		a := k.post(path, "administrator", body)
		if a.Status != http.StatusCreated {
			k.t.Fatalf("create %s: %s", resource, a)
		}
		s.ids[resource] = a.id()
		s.slugs[resource], _ = a.Body["slug"].(string)
	}
	for _, one := range []struct{ resource, path string }{{"venue", "/venues"}, {"organizer", "/organizers"},
		{"category", "/categories"}, {"tag", "/tags"}, {"event", "/events"}} {
		add(one.resource, one.path, valid(one.resource))
	}
	return s
}

// valid are the required arguments of a resource's create.
func valid(resource string) map[string]any {
	switch resource {
	case "event":
		return map[string]any{"title": "Valid", "start_date": "2030-01-01 10:00:00", "end_date": "2030-01-01 11:00:00"}
	case "category", "tag":
		return map[string]any{"name": "Valid"}
	}
	return map[string]any{resource: "Valid"}
}

// path fills the path of a route; items to remove aren't there.
func (s *sample) path(r *api.Route) string {
	id, slug := s.ids[r.Resource], s.slugs[r.Resource]
	if r.Methods[0] == http.MethodDelete {
		id, slug = 999999, "not-there"
	}
	return strings.NewReplacer("{id}", strconv.FormatInt(id, 10), "{slug}", slug).Replace(r.Path)
}

// state is what a refused write must leave alone.
func (k *kit) state() string {
	k.t.Helper()
	const counts = `SELECT concat_ws(' ', version, last_post_id, last_term_id,
		(SELECT count(*) FROM events), (SELECT count(*) FROM venues), (SELECT count(*) FROM organizers),
		(SELECT count(*) FROM terms), (SELECT count(*) FROM images), (SELECT count(*) FROM changes))
		FROM sites WHERE slug = 'demo'`
	return k.peek("demo", counts)
}

func TestBadArguments(t *testing.T) {
	t.Parallel()
	for _, resource := range []string{"", "event", "venue", "organizer", "category", "tag", "image"} {
		t.Run("resource "+resource, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			s := k.sample()
			tried := 0
			for _, r := range api.New(nil).Routes() {
				if r.Resource != resource {
					continue
				}
				for _, f := range r.Arguments() {
					if !f.Path {
						tried += k.tryArgument(s, &r, f)
					}
				}
			}
			t.Logf("%d bad values tried", tried)
		})
	}
}

// tryArgument tries every attack on one argument, in every encoding.
func (k *kit) tryArgument(s *sample, r *api.Route, f args.Field) (tried int) {
	k.t.Helper()
	before := k.state()
	for _, a := range attacks(r.Resource, f) {
		for _, encoding := range []string{"json", "form"} {
			values := map[string]any{}
			if made := valid(r.Resource); r.Status == http.StatusCreated {
				values = made
			} else {
				for _, g := range r.Arguments() {
					if value, ok := made[g.Name]; ok && g.Required {
						values[g.Name] = value
					}
				}
			}
			values[f.Name] = a.value
			req, ok := k.attackRequest(s, r, values, encoding)
			if !ok {
				continue
			}
			tried++
			got := k.send(req)
			about := fmt.Sprintf("%s %s %s = %s as %s", r.Methods[0], r.Path, f.Name, a.name, encoding)
			k.judge(about, f, a, got)
			if slug, ok := got.Body["slug"].(string); ok && got.id() == s.ids[r.Resource] {
				s.slugs[r.Resource] = slug
			}
			if got.Status < http.StatusMultipleChoices {
				before = k.state()
			}
		}
	}
	if after := k.state(); after != before {
		k.t.Errorf("%s %s %s: refused writes left traces: %s, before %s", r.Methods[0], r.Path, f.Name, after, before)
	}
	return tried
}

// attackRequest encodes the arguments; ok is false where the encoding can't
// hold the value.
func (k *kit) attackRequest(s *sample, r *api.Route, values map[string]any, encoding string) (request, bool) {
	req := request{Method: r.Methods[0], Path: s.path(r), As: "administrator"}
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

// judge says what is wrong with the answer to an attack.
func (k *kit) judge(about string, f args.Field, a attack, got answer) {
	k.t.Helper()
	switch {
	case got.Status >= http.StatusInternalServerError:
		k.t.Errorf("%s: %s", about, got)
	case !a.refused:
	case got.Status != http.StatusBadRequest:
		k.t.Errorf("%s: %.300s", about, got)
	case got.code() == "rest_missing_callback_param" && f.Required && a.value == nil:
	case got.code() != "rest_invalid_param":
		k.t.Errorf("%s: %.300s", about, got)
	case !got.names(f.Name):
		k.t.Errorf("%s: data.params doesn't name it: %s", about, got)
	}
	k.isError(about, got)
}

// isError checks the envelope of an error (rule 4.1).
func (k *kit) isError(about string, got answer) {
	k.t.Helper()
	if got.Status < http.StatusBadRequest {
		return
	}
	data, _ := got.Body["data"].(map[string]any)
	status, _ := data["status"].(float64)
	message, _ := got.Body["message"].(string)
	if int(status) != got.Status || got.code() == "" || message == "" || strings.HasPrefix(message, "error.") {
		k.t.Errorf("%s: no error of the interface: %s", about, got)
	}
	for name, text := range got.params() {
		if text == "" || strings.HasPrefix(fmt.Sprint(text), "problem.") {
			k.t.Errorf("%s: %s has no text: %v", about, name, text)
		}
	}
}

func TestMissingArguments(t *testing.T) {
	t.Parallel()
	k := newKit(t)
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
		before := k.state()
		for about, body := range map[string]any{"empty": map[string]any{}, "null": null, "list": []any{1}, "scalar": 5} {
			a := k.post(r.Path, "", body).want(t, 400, "rest_missing_callback_param")
			data, _ := a.Body["data"].(map[string]any)
			if got, want := fmt.Sprint(data["params"]), fmt.Sprint(names); got != want {
				t.Errorf("%s %s: params %s, want %s", r.Path, about, got, want)
			}
		}
		if after := k.state(); after != before {
			t.Errorf("%s: %s, before %s", r.Path, after, before)
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	a := k.post("/events", "", map[string]any{"title": 5, "start_date": "never", "end_date": "never", "all_day": "x",
		"venue": "x", "categories": true}).want(t, 400, "rest_invalid_param")
	params := a.params()
	if len(params) != 6 {
		t.Errorf("%d problems, want 6: %s", len(params), a)
	}
	if params["categories"] != "Give the ID, slug or name of each entry." {
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
	k := newKit(t)
	seen := map[string]string{}
	for _, language := range i18n.Languages() {
		for path, code := range map[string]string{"/events?page=x": "rest_invalid_param", "/nowhere": "rest_no_route",
			"/events/999": "rest-event-not-found"} {
			byHeader := k.send(request{Method: "GET", Path: path, Headers: map[string]string{"Accept-Language": language}})
			bySegment := k.get("//"+language+"/calendar/events/v1"+path, "")
			for _, a := range []answer{byHeader, bySegment} {
				if a.code() != code || a.Header.Get("Content-Language") != language {
					t.Errorf("%s %s: %s in %q", language, path, a, a.Header.Get("Content-Language"))
				}
			}
			text, _ := bySegment.Body["message"].(string)
			if params := bySegment.params(); params != nil {
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
	k := newKit(t)
	body := `{"name":"first","name":"second","slug":5,"slug":"last-wins"}`
	a := k.send(request{Method: "POST", Path: "/tags", As: "administrator", Body: body,
		Headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}}).want(t, 201, "")
	if a.Body["name"] != "second" || a.Body["slug"] != "last-wins" {
		t.Errorf("not the last: %s", a)
	}
}

// names reports whether what is wrong is an argument, or something within it.
func (a answer) names(argument string) bool {
	for name := range a.params() {
		if name == argument || strings.HasPrefix(name, argument+".") {
			return true
		}
	}
	return false
}

// Names that a client made up are told without breaking the answer.
func TestNamesInProblems(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, name := range []string{`"`, "a\tb", `\`, "\r\nX: y", "", "\u0000", strings.Repeat("a", 100), "<b>", "de\u202e"} {
		for _, value := range []any{1, map[string]any{"title": "x"}, nil, map[string]any{"title": 5}} {
			made := valid("event")
			made["translations"] = map[string]any{name: value, "de": 1}
			a := k.send(request{Method: "POST", Path: "/events", As: "administrator", JSON: made}).want(t, http.StatusBadRequest, "rest_invalid_param")
			if a.params()["translations"] == nil || a.params()["translations.de"] == nil {
				t.Errorf("%q: %s", name, a)
			}
		}
	}
}

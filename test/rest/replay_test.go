package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// The recordings are requests to The Events Calendar with its responses, without texts. Kalends must respond
// identically except for the exceptions, each of which refers to a row of docs/compatibility.md, and what kit.Differences
// leaves out, which applies to whole classes of responses.

type recording struct {
	Group   string
	Records []record
}

type record struct {
	N       int
	Name    string
	Step    string // in place of a request: "currency" or "ids"
	Last    int    // of "ids": the last id that is taken
	Request struct {
		Method, Path, Query, As, Encoding string
		Body                              any
	}
	Answer kit.Recorded
}

func TestReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*_*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var r recording
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		t.Run(r.Group, func(t *testing.T) { t.Parallel(); replay(t, r) })
	}
}

// TestExceptions: what differs from the recordings is told to clients.
func TestExceptions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if row, ok := strings.CutPrefix(line, "| "); ok {
			what, _, _ := strings.Cut(row, " | ")
			told[what] = true
		}
	}
	for group, list := range exceptions {
		for n, ex := range list {
			if !told[ex.why] {
				t.Errorf("%s %d: the document has no row %q", group, n, ex.why)
			}
		}
	}
}

// player replays one recording.
type player struct {
	*kit.Kit
	t      *testing.T
	group  string
	bodies map[int]any // recorded so far
}

func replay(t *testing.T, r recording) {
	p := &player{Kit: kit.New(t), t: t, group: r.Group, bodies: map[int]any{}}
	p.Exec("UPDATE sites SET last_post_id = 3, last_term_id = 1 WHERE slug = 'demo'")
	left := maps.Clone(exceptions[r.Group])
	for _, rec := range r.Records {
		switch rec.Step {
		case "currency":
			p.Exec("UPDATE sites SET currency_symbol = '€', currency_code = 'EUR', currency_position = 'postfix' WHERE slug = 'demo'")
			p.Platform.Forget(p.Sites["demo"].ID)
		case "ids": // the reference numbers other things too
			p.Exec("UPDATE sites SET last_post_id = $1 WHERE slug = 'demo'", rec.Last)
		default:
			p.play(rec)
			delete(left, rec.N)
		}
	}
	for n := range left {
		t.Errorf("%s %d: an exception for no record", r.Group, n)
	}
}

// play sends one recorded request and compares the response. It then reproduces other effects of TEC, such as resets
// on updates and what Kalends rejects or accepts on purpose, so that later records can be compared completely.
func (p *player) play(rec record) {
	if rec.Answer.Same != 0 {
		rec.Answer.Body = p.bodies[rec.Answer.Same]
	}
	p.bodies[rec.N] = rec.Answer.Body
	p.setClock(rec.Answer.Body)
	got := p.Send(rec.request())
	ex := exceptions[p.group][rec.N]
	resets := rec.resets()
	if ex.gives != "" {
		if is := strings.TrimSpace(fmt.Sprint(got.Status, " ", got.Code())); is != ex.gives {
			p.t.Errorf("%s %d %s: gives %s, want %s", p.group, rec.N, rec.Name, got, ex.gives)
		}
		if got.Status == rec.Answer.Status && got.Code() == codeOf(rec.Answer.Body) {
			p.t.Errorf("%s %d %s: answers as recorded, the exception is not needed", p.group, rec.N, rec.Name)
		}
	} else {
		p.compare(rec, got, ex, resets)
	}
	for _, request := range ex.then {
		p.then(request)
	}
	if rec.Answer.Status == 200 && resets != nil {
		again := p.Send(kit.Request{Method: "PATCH", Path: itemPath(rec), As: "administrator", JSON: resets})
		p.compare(rec, again, exception{}, nil)
	}
}

// setClock turns the clock to the time of the record, as far as it tells.
func (p *player) setClock(body any) {
	if p.Clock.IsZero() {
		p.Clock = time.Date(2026, 11, 20, 20, 32, 0, 0, time.UTC)
	}
	object, _ := body.(map[string]any)
	text, _ := object["modified_utc"].(string)
	if at, err := time.Parse(time.DateTime, text); err == nil && at.After(p.Clock) {
		p.Clock = at
	}
}

// then makes a request written as "METHOD path body", or sets the last id with
// "LAST table id".
func (p *player) then(text string) {
	p.t.Helper()
	method, rest, _ := strings.Cut(text, " ")
	path, body, _ := strings.Cut(rest, " ")
	if method == "LAST" {
		p.Exec("UPDATE sites SET last_"+path+"_id = $1::bigint WHERE slug = 'demo'", body)
		return
	}
	a := p.Send(kit.Request{Method: method, Path: path, As: "administrator", Body: body,
		Headers: map[string]string{"Content-Type": "application/json"}})
	if a.Status >= 300 {
		p.t.Errorf("%s: %s: %s", p.group, text, a)
	}
}

// compare reports the differences that no exception names, and exceptions that
// name no difference.
func (p *player) compare(rec record, got kit.Answer, ex exception, resets map[string]any) {
	p.t.Helper()
	diffs := kit.Differences(rec.Answer, got)
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(diffs)) {
		key := covering(strings.Fields(ex.keys), path)
		if key != "" {
			used[key] = true
			continue
		}
		if covering(slices.Collect(maps.Keys(resets)), path) == "" {
			p.t.Errorf("%s %d %s: %s: %s", p.group, rec.N, rec.Name, path, diffs[path])
		}
	}
	for key := range strings.FieldsSeq(ex.keys) {
		if !used[key] {
			p.t.Errorf("%s %d %s: %s is as recorded, the exception is not needed", p.group, rec.N, rec.Name, key)
		}
	}
}

// covering returns the key that is path, above it or the beginning of its name
// (date, date_utc), or "".
func covering(keys []string, path string) string {
	for _, key := range keys {
		rest, ok := strings.CutPrefix(path, key)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[' || strings.HasPrefix(rest, "_")) {
			return key
		}
	}
	return ""
}

// resetByUpdates are the fields the reference sets anew on every update that
// doesn't send them (rule 3.4); Kalends keeps them (rule 3.4).
var resetByUpdates = map[string]map[string]any{
	"events": {"status": "publish", "date": "now", "timezone": nil, "all_day": false, "website": nil, "cost": nil,
		"image": nil, "show_map": false, "show_map_link": false, "hide_from_listings": false, "sticky": false,
		"featured": false, "organizer": []any{}},
	"venues": {"status": "publish", "stateprovince": nil, "show_map": true, "show_map_link": true, "image": nil},
}

// resets returns what the reference sets anew with this request, nil when it is
// no update of an event or venue.
func (rec record) resets() map[string]any {
	collection, item, _ := strings.Cut(strings.Trim(rec.Request.Path, "/"), "/")
	fields := maps.Clone(resetByUpdates[collection])
	if item == "" || rec.Request.Method == http.MethodGet || rec.Request.Method == http.MethodDelete {
		return nil
	}
	sent, _ := rec.Request.Body.(map[string]any)
	maps.DeleteFunc(fields, func(name string, _ any) bool { _, ok := sent[name]; return ok })
	return fields
}

// itemPath returns the path of the recorded item by its id.
func itemPath(rec record) string {
	collection, _, _ := strings.Cut(strings.Trim(rec.Request.Path, "/"), "/")
	object, _ := rec.Answer.Body.(map[string]any)
	return fmt.Sprintf("%s/%s/%v", recordedRoot, collection, object["id"])
}

func codeOf(body any) string {
	object, _ := body.(map[string]any)
	code, _ := object["code"].(string)
	return code
}

const recordedRoot = "//wp-json/tribe/events/v1"

// request returns the recorded request.
func (rec record) request() kit.Request {
	r := rec.Request
	req := kit.Request{Method: r.Method, Path: recordedRoot + r.Path, As: r.As, Headers: map[string]string{}}
	if r.As == "admin" {
		req.As = "administrator"
	}
	if r.Query != "" {
		pairs, _ := url.ParseQuery(strings.ReplaceAll(r.Query, " ", "+"))
		req.Path += "?" + pairs.Encode()
	}
	switch r.Encoding {
	case "":
	case "json":
		req.JSON = r.Body
	case "form":
		req.Form = url.Values{}
		addFields(req.Form, "", r.Body)
	default:
		req.Body, _ = r.Body.(string)
		req.Headers["Content-Type"] = r.Encoding
	}
	return req
}

func addFields(form url.Values, name string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if name != "" {
				key = name + "[" + key + "]"
			}
			addFields(form, key, inner)
		}
	case []any:
		for _, inner := range v {
			addFields(form, name+"[]", inner)
		}
	default:
		form.Add(name, fmt.Sprint(v))
	}
}

package kit

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"

	"github.com/kalends/kalends/calendar/wording"
)

// Differences compares a response with the recorded one. It returns the differences by key path.
func Differences(want Recorded, got Answer) map[string]string {
	d := differ{abridged: want.Abridged, found: map[string]string{}}
	if got.Status != want.Status {
		d.found["status"] = fmt.Sprintf("status %d, recorded %d: %s", got.Status, want.Status, got.Raw)
		return d.found
	}
	for name, value := range want.Headers {
		sent, recorded := local(got.Header.Get(name)), local(value)
		if sent != recorded && (name != "Link" || !strings.Contains(sent, recorded)) { // which also leads to other pages
			d.found[name] = fmt.Sprintf("%q, recorded %q", got.Header.Get(name), value)
		}
	}
	var body any
	if err := json.Unmarshal(got.Raw, &body); err != nil {
		d.found["body"] = "no JSON: " + string(got.Raw)
		return d.found
	}
	d.value("", "", body, want.Body)
	return d.found
}

type differ struct {
	abridged bool
	found    map[string]string
}

// notCompared are keys whose values are specific to Kalends.
var notCompared = map[string]string{
	"message":         "texts follow the language",
	"_links":          "links lead to this API, and index and OPTIONS are compared in documents_test.go",
	"details":         "texts",
	"additional_data": "the term_id once more",
}

func (d *differ) value(path, key string, got, want any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			d.found[path] = fmt.Sprintf("%v, recorded an object", got)
			return
		}
		d.object(path, g, w)
	case []any:
		g, ok := got.([]any)
		if names, isObject := got.(map[string]any); isObject && key == "params" {
			g, ok = names2list(names), true // the recordings omit the texts
		}
		if !ok || len(g) != len(w) {
			d.found[path] = fmt.Sprintf("%v, recorded %d entries %v", got, len(w), w)
			return
		}
		for i := range w {
			d.value(fmt.Sprintf("%s[%d]", path, i), key, g[i], w[i])
		}
	default:
		if !equal(key, got, want, strings.Contains(path, "json_ld")) {
			d.found[path] = fmt.Sprintf("%#v, recorded %#v", got, want)
		}
	}
}

func (d *differ) object(path string, got, want map[string]any) {
	_, hasID := want["id"]
	for _, key := range Keys(got, want) {
		below := strings.TrimPrefix(path+"."+key, ".")
		g, inGot := got[key]
		w, inWant := want[key]
		_, skip := notCompared[key]
		switch {
		case skip, clockDisagrees(want, key):
		case key == "website" && w == "" && g == got["url"]: // its own url where none is given
		case d.abridged && hasID && !inWant:
		case inGot != inWant:
			d.found[below] = fmt.Sprintf("there %v, recorded %v (%v)", inGot, inWant, g)
		default:
			d.value(below, key, g, w)
		}
	}
}

// clockDisagrees reports whether key is a recorded UTC time that does not match the recorded wall-clock time. Kalends
// computes UTC (rule 3.8).
func clockDisagrees(want map[string]any, key string) bool {
	at, isUTC := strings.CutPrefix(strings.TrimSuffix(key, "_details"), "utc_")
	if !isUTC {
		return false
	}
	place, err := args.LocationOf(fmt.Sprint(want["timezone"]))
	if err != nil {
		return false
	}
	wall, err := time.ParseInLocation(time.DateTime, fmt.Sprint(want[at]), place)
	return err == nil && wall.UTC().Format(time.DateTime) != want["utc_"+at]
}

// equal compares two values. Texts of some keys are normalized on both sides.
func equal(key string, got, want any, ld bool) bool {
	g, isText := got.(string)
	w, ok := want.(string)
	if !isText || !ok {
		return reflect.DeepEqual(got, want)
	}
	g, w = local(g), local(w)
	switch {
	case ld && key == "description": // json_ld is plain text
		w = wording.PlainText(html.UnescapeString(strings.ReplaceAll(w, `\n`, "\n")))
	case ld && key == "name":
		w = strings.TrimPrefix(typewriter(html.UnescapeString(w)), "Private: ")
	case key == "title" || key == "venue" || key == "organizer" || key == "name": // no typographic replacement
		g, w = typewriter(g), typewriter(w)
	case key == "website": // unescaped
		w = html.UnescapeString(w)
	case key == "rest_url": // encoded; status=any is refused as input (rule 4.4)
		g, w = decoded(g), strings.ReplaceAll(decoded(w), "&status=any", "")
	}
	return g == w
}

// local removes the host from addresses and global ids.
func local(s string) string {
	return strings.NewReplacer("https://site.example", "", "http://localhost", "", "site.example?", "?", "localhost?", "?").Replace(s)
}

func typewriter(s string) string {
	return strings.NewReplacer("“", `"`, "”", `"`).Replace(html.UnescapeString(s))
}

func decoded(s string) string {
	if text, err := url.QueryUnescape(s); err == nil {
		return text
	}
	return s
}

// Keys returns the sorted keys of both objects without duplicates.
func Keys(a, b map[string]any) []string {
	var list []string
	for _, m := range []map[string]any{a, b} {
		for key := range m {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func names2list(m map[string]any) []any {
	list := make([]any, 0, len(m))
	for _, name := range Keys(m, nil) {
		list = append(list, name)
	}
	return list
}

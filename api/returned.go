package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Clients read an object, change some members and send all of them back. A member that equals the served one therefore
// means that this member should stay unchanged, even if it could not be sent otherwise (rule 3.17).

// spokenText are the members of an object that are text in a language.
var spokenText = []string{"title", "venue", "organizer", "name", "description", "excerpt", "slug", "cost", "seo_title", "seo_description"}

// returned removes from the arguments of an update what equals the answer to a read of the same address.
func (r *Route) returned(ctx context.Context, c *Call) {
	if r.Twin == nil || len(c.Values) == 0 || scopeOf(ctx).Principal.Anonymous() {
		return
	}
	reading := args.Values{}
	if language, asked := c.Asked["content_language"]; asked {
		reading["content_language"] = language
	}
	if _, whole := c.sent["translations"].(map[string]any); whole {
		reading["translations"] = "full"
	}
	served := r.Twin.served(ctx, c.Key, reading)
	if language, named := c.sent["content_language"]; named && served != nil && !same(language, served["content_language"]) {
		reading["content_language"] = language
		served = r.Twin.served(ctx, c.Key, reading)
		if !same(language, served["content_language"]) { // shown in another language, because this one has no text yet
			for _, name := range spokenText {
				delete(served, name)
			}
		}
		delete(served, "content_language")
	}
	own(scopeOf(ctx), c.sent, served)
	c.Asked, c.sent = different(c.Asked, served, "content_language"), different(c.sent, served)
	if _, isText := c.Asked["translations"].(string); isText { // says how to show texts
		delete(c.Asked, "translations")
	}
	before := len(c.Values)
	c.Values = maps.Clone(c.Asked)
	maps.Copy(c.Values, c.sent)
	c.Unchanged = len(c.Values) < before // unless other values are left
}

// served returns the object that a read of an item answers with, or nil if the caller may not read it.
func (r *Route) served(ctx context.Context, key calendar.Key, values args.Values) map[string]any {
	answer, err := r.Run(ctx, Call{Key: key, Values: values})
	if err != nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(answer.Body))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil
	}
	return object
}

// own normalizes a URL that was sent: without a website, responses have the URL of the item itself, and a client
// may send back this URL as it was read in another language. own replaces it with the URL in the present language.
func own(scope *tenancy.Scope, sent args.Values, served map[string]any) {
	website, _ := sent["website"].(string)
	address, _ := served["url"].(string)
	if website == "" || address == "" || served["website"] != address {
		return
	}
	if pathOf(scope, website) == pathOf(scope, address) {
		sent["website"] = address
	}
}

// pathOf returns an address of the site without its language.
func pathOf(scope *tenancy.Scope, address string) string {
	path, ok := strings.CutPrefix(address, scope.Base.Origin)
	if !ok {
		return address
	}
	_, _, rest := i18n.Cut(path)
	return rest
}

// different returns the arguments that differ from the served ones, and the excepted ones.
func different(values args.Values, served map[string]any, except ...string) args.Values {
	left := maps.Clone(values)
	for name, value := range values {
		was, there := served[name]
		switch {
		case !there || slices.Contains(except, name):
		case same(value, was), name == "recurrence" && same(rulesOf(value), rulesOf(was)):
			delete(left, name)
		case name == "translations":
			left[name] = changedTexts(value, was)
		}
	}
	return left
}

// changedTexts returns the translations without those that equal the served ones. Translations that were sent
// without their originals were not read from a response, so sending them unchanged confirms that they are not
// outdated.
func changedTexts(value, was any) any {
	sent, _ := value.(map[string]any)
	served, _ := was.(map[string]any)
	if sent == nil || served == nil {
		return value
	}
	changed := map[string]any{}
	for language, one := range sent {
		texts, isObject := one.(map[string]any)
		before, isServed := served[language].(map[string]any)
		if !isObject || !isServed || texts["made_from"] == nil && before["made_from"] != nil {
			changed[language] = one
			continue
		}
		left := map[string]any{}
		for name, text := range texts {
			if !same(text, before[name]) {
				left[name] = text
			}
		}
		if len(left) > 0 {
			changed[language] = left
		}
	}
	return changed
}

// rulesOf returns a recurrence without what follows from its rules, which depends on the language and on the time.
func rulesOf(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	rules := maps.Clone(object)
	for _, name := range recurrence.ReadOnly {
		delete(rules, name)
	}
	return rules
}

// same reports whether a sent value equals the served one. Forms send numbers and booleans as text, and a client
// need not send all members of an object with an id.
func same(sent, served any) bool {
	switch s := served.(type) {
	case map[string]any:
		object, ok := sent.(map[string]any)
		if !ok || len(object) != len(s) && object["id"] == nil {
			return false
		}
		for name, value := range object {
			if one, there := s[name]; !there || !same(value, one) {
				return false
			}
		}
		return true
	case []any:
		list, ok := sent.([]any)
		if !ok || len(list) != len(s) {
			return false
		}
		for i := range s {
			if !same(list[i], s[i]) {
				return false
			}
		}
		return true
	case json.Number:
		return sameNumeral(sent, s.String())
	case bool:
		text, _ := sent.(string)
		return sent == s || text != "" && (text == strconv.FormatBool(s) || text == map[bool]string{true: "1", false: "0"}[s])
	}
	return sent == served
}

// sameNumeral reports whether a value is the number with the given digits.
func sameNumeral(sent any, digits string) bool {
	var text string
	switch n := sent.(type) {
	case json.Number:
		text = n.String()
	case string:
		text = strings.TrimSpace(n)
	}
	if text == "" || text == digits {
		return text != ""
	}
	a, errA := strconv.ParseFloat(text, 64)
	b, errB := strconv.ParseFloat(digits, 64)
	return errA == nil && errB == nil && a == b
}

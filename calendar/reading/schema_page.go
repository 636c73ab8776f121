package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// page adds the events of a page: those in its JSON-LD scripts or, if there are none, those of its microdata.
func (f *schemaFile) page(data []byte) error {
	m := &microdata{left: MaxBytes}
	tokens := html.NewTokenizer(bytes.NewReader(data))
	tokens.SetMaxBuf(MaxBytes)
	script := false
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return ErrDamaged
			}
			break
		}
		if kind == html.TextToken && script {
			if text := scriptText(tokens.Text()); json.Valid(text) {
				f.walk(text, 0)
			}
			continue
		}
		token := tokens.Token()
		if token.Data == "meta" && strings.EqualFold(attributeOf(token, "name"), "generator") {
			f.product = attributeOf(token, "content")
		}
		script = kind == html.StartTagToken && token.Data == "script" &&
			strings.HasPrefix(strings.ToLower(strings.TrimSpace(attributeOf(token, "type"))), "application/ld+json")
		if m.take(kind, token); m.many > mostItems {
			return ErrMany
		}
	}
	if len(f.events) > 0 {
		return nil
	}
	for _, item := range m.items {
		text, err := json.Marshal(item)
		if err != nil {
			return err
		}
		f.walk(text, 0)
	}
	return nil
}

// scriptText returns a copy of the JSON of a script, without comments around it, and repaired.
func scriptText(text []byte) []byte {
	text = bytes.TrimSpace(text)
	for _, around := range [][2]string{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"/*<![CDATA[*/", "/*]]>*/"}} {
		if inner, is := bytes.CutPrefix(text, []byte(around[0])); is {
			text = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(inner), []byte(around[1])))
		}
	}
	return repaired(bytes.TrimSuffix(text, []byte(";")))
}

// repaired returns JSON without what pages often do wrong: line breaks within strings, apostrophes after a backslash, and
// commas after the last entry of a list.
func repaired(text []byte) []byte {
	fixed, inString := make([]byte, 0, len(text)), false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ':
			fixed = append(fixed, ' ')
		case c == '\\' && inString && i+1 < len(text):
			if i++; text[i] != '\'' {
				fixed = append(fixed, c)
			}
			fixed = append(fixed, text[i])
		case c == '"':
			inString = !inString
			fixed = append(fixed, c)
		case (c == '}' || c == ']') && !inString:
			fixed = append(bytes.TrimSuffix(bytes.TrimRight(fixed, " "), []byte(",")), c)
		default:
			fixed = append(fixed, c)
		}
	}
	return fixed
}

func attributeOf(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(t html.Token, name string) bool {
	return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// microdata reads the items of a page (HTML, §5).
type microdata struct {
	items []any // items that are not a property of another item
	open  []openTag
	text  []byte // of the outermost property that is open
	left  int    // remaining bytes for the texts of properties
	many  int    // number of items so far, including nested ones
}

// mostItems is the maximum number of items read from a page. An event has several: a place, an address, an organizer.
const mostItems = 2 * MaxEntries

// openTag is an element that is still open.
type openTag struct {
	name  string
	item  map[string]any // the item that the element is; nil if it is none
	of    map[string]any // the item that the element's property belongs to
	props []string       // whose value its text is
	from  int            // where its text begins
}

// void are the elements without an end tag.
var void = setOf("area base br col embed hr img input link meta param source track wbr")

// apartFromText are elements whose text is separate from the text before them.
var apartFromText = setOf("br p div li tr td h1 h2 h3 h4 h5 h6")

// mostOpen is the maximum nesting depth of elements.
const mostOpen = 1000

// take processes the next token of the page.
func (m *microdata) take(kind html.TokenType, t html.Token) {
	switch kind {
	case html.TextToken:
		if slices.ContainsFunc(m.open, func(o openTag) bool { return len(o.props) > 0 }) {
			m.text = append(m.text, t.Data...)
		} else {
			m.text = m.text[:0]
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		m.begin(t, kind == html.SelfClosingTagToken || void[t.Data])
	case html.EndTagToken:
		m.end(t.Data)
	}
}

// inner returns the item that the current element is in, or nil.
func (m *microdata) inner() map[string]any {
	for _, one := range slices.Backward(m.open) {
		if one.item != nil {
			return one.item
		}
	}
	return nil
}

func (m *microdata) begin(t html.Token, closed bool) {
	if len(m.text) > 0 && apartFromText[t.Data] {
		m.text = append(m.text, ' ')
	}
	tag := openTag{name: t.Data, from: len(m.text)}
	props := strings.Fields(attributeOf(t, "itemprop"))
	of := m.inner()
	value, written := writtenValue(t)
	switch {
	case has(t, "itemscope"):
		m.many++
		tag.item = map[string]any{"@type": attributeOf(t, "itemtype")}
		if id := attributeOf(t, "itemid"); id != "" {
			tag.item["@id"] = id
		}
		if of == nil || len(props) == 0 {
			m.items = append(m.items, tag.item)
		}
		for _, name := range props {
			add(of, name, tag.item)
		}
	case written:
		for _, name := range props {
			add(of, name, value)
		}
	case of != nil:
		tag.of, tag.props = of, props
	}
	if !closed && len(m.open) < mostOpen {
		m.open = append(m.open, tag)
	}
}

// writtenValue returns the value of an element if it is in an attribute.
func writtenValue(t html.Token) (string, bool) {
	name := map[string]string{"meta": "content", "a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src",
		"source": "src", "iframe": "src", "embed": "src", "object": "data", "time": "datetime", "data": "value", "meter": "value"}[t.Data]
	if has(t, "content") {
		name = "content"
	}
	if name == "" || !has(t, name) {
		return "", false
	}
	return attributeOf(t, name), true
}

// add adds a value to a property of an item.
func add(item map[string]any, name string, value any) {
	if item == nil {
		return
	}
	was, there := item[name]
	switch list, several := was.([]any); {
	case !there:
		item[name] = value
	case several:
		item[name] = append(list, value)
	default:
		item[name] = []any{was, value}
	}
}

// end closes the innermost element with a name, and all elements within it.
func (m *microdata) end(name string) {
	at := len(m.open) - 1
	for at >= 0 && m.open[at].name != name {
		at--
	}
	for at >= 0 && len(m.open) > at {
		tag := m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		if len(tag.props) == 0 {
			continue
		}
		from := min(tag.from, len(m.text))
		text := oneLine(string(m.text[from:min(len(m.text), from+MaxEntry)]))
		for _, prop := range tag.props {
			if m.left -= len(text); m.left > 0 {
				add(tag.of, prop, text)
			}
		}
	}
}

package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
)

// Limits of a request (wire.md §3).
const (
	maxBody  = 1 << 20  // JSON and forms
	maxDepth = 32       // of JSON
	maxMedia = 20 << 20 // a picture
)

// source collects the arguments of a request: the query, over it the form, over
// both the JSON body (wire.md §3). The path's arguments are kept apart.
func source(c *fiber.Ctx, media bool) (args.Values, *upload, error) {
	values := args.Values{}
	addForm(values, string(c.Context().URI().QueryString()))
	body := c.Body()
	if len(body) > maxBody && !media {
		return nil, nil, ErrTooLarge
	}
	if len(body) == 0 {
		return values, nil, nil
	}
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	reading := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	switch {
	case err != nil:
		return values, nil, nil // a body in no known form counts as none
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return values, nil, addJSON(values, body)
	case kind == "application/x-www-form-urlencoded" && !reading:
		addForm(values, string(body))
	case kind == "multipart/form-data" && !reading:
		file, err := addMultipart(values, body, parameters["boundary"], media)
		return values, file, err
	}
	return values, nil, nil
}

// addJSON puts the members of a JSON object into values. Lists and scalars
// count as no arguments (reference §1.2).
func addJSON(values args.Values, body []byte) error {
	if !utf8.Valid(body) || tooDeep(body) {
		return ErrJSON
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return ErrJSON
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return ErrJSON // something stands behind it
	}
	object, _ := v.(map[string]any)
	for name, value := range object {
		values[name] = value
	}
	return nil
}

// tooDeep reports whether brackets nest deeper than any argument does.
func tooDeep(body []byte) bool {
	depth, inString, escaped := 0, false, false
	for _, c := range body {
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// addForm puts urlencoded pairs into values.
func addForm(values args.Values, text string) {
	for text != "" {
		var pair string
		pair, text, _ = strings.Cut(text, "&")
		name, value, _ := strings.Cut(pair, "=")
		if n, err := url.QueryUnescape(name); err == nil {
			name = n
		}
		if v, err := url.QueryUnescape(value); err == nil {
			value = v
		}
		addPair(values, name, value)
	}
}

// addPair puts one form field into values: name, name[], name[0] and name[key]
// (wire.md §3).
func addPair(values args.Values, name, value string) {
	base, rest, nested := strings.Cut(name, "[")
	key, _, closed := strings.Cut(rest, "]")
	if base == "" {
		return
	}
	if !nested || !closed {
		values[name] = value
		return
	}
	if key == "" || strings.Trim(key, "0123456789") == "" {
		list, _ := values[base].([]any)
		values[base] = append(list, value)
		return
	}
	object, ok := values[base].(map[string]any)
	if !ok {
		object = map[string]any{}
		values[base] = object
	}
	object[key] = value
}

// addMultipart puts the fields of a multipart form into values and returns its
// file, if media may come.
func addMultipart(values args.Values, body []byte, boundary string, media bool) (*upload, error) {
	form, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(maxMedia)
	if err != nil {
		return nil, ErrMediaType
	}
	for name, list := range form.Value {
		for _, value := range list {
			addPair(values, name, value)
		}
	}
	if files := form.File["file"]; media && len(files) > 0 {
		r, err := files[0].Open()
		if err != nil {
			return nil, ErrMediaType
		}
		return &upload{name: files[0].Filename, r: r}, nil
	}
	return nil, nil
}

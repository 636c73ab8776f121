package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
)

// Limits of a request (rule 3.13).
const (
	MaxBody  = 1 << 20 // of JSON and forms, in bytes
	maxDepth = 32      // nesting of JSON
	maxParts = 10_000  // values and names in JSON
)

// Query returns the arguments in the address of a request, and its condition.
func Query(c *fiber.Ctx) Call {
	request := Call{Asked: args.Values{}, Condition: condition(c.Get(fiber.HeaderIfMatch))}
	args.ReadForm(request.Asked, string(c.Context().URI().QueryString()))
	return request
}

// Arguments returns the arguments of a request. Those in the body override those in the query (rule 3.1). Path arguments are
// separate. With media, the body may be a form with a file. The error is ErrTooLarge, ErrMediaType, ErrUnreadable or a *JSONError.
func Arguments(c *fiber.Ctx, media bool) (Call, error) {
	request := Query(c)
	var err error
	request.sent, request.Upload, err = source(c, media)
	request.Values = maps.Clone(request.Asked)
	maps.Copy(request.Values, request.sent)
	return request, err
}

// source returns the arguments and the file in the body of a request.
func source(c *fiber.Ctx, media bool) (args.Values, *Upload, error) {
	values := args.Values{}
	body := c.Request().Body()
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if len(body) > MaxBody && (!media || kind != "multipart/form-data") {
		return nil, nil, ErrTooLarge
	}
	if len(body) == 0 {
		return values, nil, nil
	}
	reading := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	switch {
	case err != nil && kind == "":
		return values, nil, nil
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return values, nil, AddJSON(values, body)
	case kind == "application/x-www-form-urlencoded" && !reading:
		args.ReadForm(values, string(body))
	case kind == "multipart/form-data" && !reading:
		file, err := addMultipart(values, body, parameters["boundary"], media)
		return values, file, err
	case !reading:
		return nil, nil, ErrUnreadable
	}
	return values, nil, nil
}

// AddJSON adds the members of a JSON object to values. Lists and scalars are no arguments (rule 3.1). The error is a
// *JSONError or ErrTooLarge.
func AddJSON(values args.Values, body []byte) error {
	if !utf8.Valid(body) {
		return &JSONError{5, "Malformed UTF-8 characters, possibly incorrectly encoded"}
	}
	if err := checkShape(body); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return brokenJSON(body, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return brokenJSON(body, err) // there is data after the object
	}
	if halved(body) {
		return &JSONError{10, "Single unpaired high surrogate in Unicode escape"}
	}
	object, _ := v.(map[string]any)
	maps.Copy(values, object)
	return nil
}

// JSONError is broken JSON, with the number and the text that PHP has for what is wrong, because clients of TEC may compare them.
type JSONError struct {
	Number int64
	Text   string
}

func (e *JSONError) Error() string { return "broken json: " + e.Text }

// brokenJSON returns the message of PHP for the error err of Go's decoder. For PHP, an unterminated text is a text
// with a control character, because it reads the zero byte at the end.
func brokenJSON(body []byte, err error) error {
	where, ok := errors.AsType[*json.SyntaxError](err)
	control := ok && where.Offset > 0 && body[where.Offset-1] < ' '
	if control || errors.Is(err, io.ErrUnexpectedEOF) && unended(body) {
		return &JSONError{3, "Control character error, possibly incorrectly encoded"}
	}
	return &JSONError{4, "Syntax error"}
}

// halved reports whether a text of valid JSON has half of a letter that takes two escapes. Go's decoder would replace it.
func halved(body []byte) bool {
	for at := 0; at < len(body); at++ {
		if body[at] != '\\' {
			continue
		}
		if at++; body[at] != 'u' {
			continue
		}
		first := escape(body[at-1:])
		at += 4
		if !utf16.IsSurrogate(first) {
			continue
		}
		if utf16.DecodeRune(first, escape(body[at+1:])) == utf8.RuneError {
			return true
		}
		at += 6
	}
	return false
}

// escape returns the number in an escape such as \u00e9 at the beginning of a text; or 0 without one.
func escape(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	number, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(number)
}

// unended reports whether JSON ends within a text.
func unended(body []byte) bool {
	inString := false
	for i := 0; i < len(body); i++ {
		switch {
		case inString && body[i] == '\\':
			i++
		case body[i] == '"':
			inString = !inString
		}
	}
	return inString
}

// checkShape returns a JSONError if brackets are nested deeper than any argument, and ErrTooLarge for too many
// values. Parsing these would take many times their size in memory before the sender is authenticated.
func checkShape(body []byte) error {
	depth, parts, inString, escaped := 0, 0, false, false
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
			depth++
			parts++
		case c == '}' || c == ']':
			depth--
		case c == ',' || c == ':':
			parts++
		}
		if depth > maxDepth {
			return &JSONError{1, "Maximum stack depth exceeded"}
		}
		if parts > maxParts {
			return ErrTooLarge
		}
	}
	return nil
}

// addMultipart adds the fields of a multipart form to values and returns its file, if media is allowed. It keeps
// everything in memory, where the body already is, so that nothing is left on disk.
func addMultipart(values args.Values, body []byte, boundary string, media bool) (*Upload, error) {
	sent, files, err := args.ReadMultipart(body, boundary)
	if err != nil {
		return nil, ErrMediaType
	}
	fields := args.Form{}
	for name, list := range sent {
		for _, value := range list {
			fields.Add(name, value)
		}
	}
	fields.Into(values)
	if list := files["file"]; media && len(list) > 0 {
		return &Upload{Name: list[0].Filename, Content: list[0].Open()}, nil
	}
	return nil, nil //nolint:nilnil // no file is no error
}

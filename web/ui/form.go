package ui

import (
	"bytes"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// ReadQuery reads the query of an address. It returns fiber.ErrBadRequest when
// there is something in it that is no text.
func ReadQuery(c *fiber.Ctx) (url.Values, error) {
	values := url.Values{}
	for name, value := range c.Context().QueryArgs().All() {
		values.Add(string(name), string(value))
	}
	return values, readable(values)
}

// readable returns fiber.ErrBadRequest when a name or a value is no text. Queries
// and forms of all pages pass here, so no page has to ask again.
func readable(values url.Values) error {
	for name, list := range values {
		if !args.Readable(name) || slices.ContainsFunc(list, func(text string) bool { return !args.Readable(text) }) {
			return fiber.ErrBadRequest
		}
	}
	return nil
}

// Posted is a form as it was sent.
type Posted struct {
	Values url.Values
	Files  map[string][]*multipart.FileHeader // by the name of their field; nil for a form without parts
}

// ReadPosted reads a form however it was sent. It returns fiber.ErrBadRequest for
// one that makes no sense or has something in it that is no text, and
// fiber.ErrUnsupportedMediaType for what is no form.
func ReadPosted(c *fiber.Ctx) (*Posted, error) {
	f := &Posted{Values: url.Values{}}
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	switch {
	case err != nil && len(c.Request().Body()) == 0:
	case kind == fiber.MIMEApplicationForm:
		f.Values, err = url.ParseQuery(string(c.Request().Body()))
	case kind == fiber.MIMEMultipartForm:
		err = f.readParts(c.Request().Body(), parameters["boundary"])
	default:
		return nil, fiber.ErrUnsupportedMediaType
	}
	if err != nil || readable(f.Values) != nil {
		return nil, fiber.ErrBadRequest
	}
	return f, nil
}

// readParts reads a form of parts. All of it stays in memory, where the body is: what
// has no room there would be left on the disk.
func (f *Posted) readParts(body []byte, boundary string) error {
	sent, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(int64(len(body)))
	if err != nil {
		return err
	}
	f.Values, f.Files = sent.Value, sent.File
	return nil
}

// Abroad reports whether a form was sent by a page of another origin.
func Abroad(c *fiber.Ctx) bool {
	switch c.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return true
	}
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host == "" || u.Host != tenancy.Current(c.UserContext()).Base.Host()
}

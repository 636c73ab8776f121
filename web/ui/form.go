package ui

import (
	"mime"
	"net/url"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ReadQuery parses the query of an address. It returns fiber.ErrBadRequest if it contains invalid text.
func ReadQuery(c *fiber.Ctx) (url.Values, error) {
	values := url.Values{}
	for name, value := range c.Context().QueryArgs().All() {
		values.Add(string(name), string(value))
	}
	return values, readable(values)
}

// readable returns fiber.ErrBadRequest if a name or value is invalid text. The queries and forms of all pages are
// checked here.
func readable(values url.Values) error {
	for name, list := range values {
		if !args.Readable(name) || slices.ContainsFunc(list, func(text string) bool { return !args.Readable(text) }) {
			return fiber.ErrBadRequest
		}
	}
	return nil
}

// Posted is a form as sent.
type Posted struct {
	Values url.Values
	Files  map[string][]*args.File // by field name; nil for a form that is not multipart
}

// ReadPosted parses a form in any encoding. It returns fiber.ErrBadRequest if it is malformed or contains invalid
// text, and fiber.ErrUnsupportedMediaType if it is not a form.
func ReadPosted(c *fiber.Ctx) (*Posted, error) {
	f := &Posted{Values: url.Values{}}
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	switch {
	case err != nil && len(c.Request().Body()) == 0:
	case kind == "text/ping": // a ping of a link; its URL has all the data
	case kind == fiber.MIMEApplicationForm:
		f.Values, err = url.ParseQuery(string(c.Request().Body()))
	case kind == fiber.MIMEMultipartForm:
		f.Values, f.Files, err = args.ReadMultipart(c.Request().Body(), parameters["boundary"])
	default:
		return nil, fiber.ErrUnsupportedMediaType
	}
	if err != nil || readable(f.Values) != nil {
		return nil, fiber.ErrBadRequest
	}
	return f, nil
}

// Abroad reports whether a form was sent by a page of another origin. What Sec-Fetch-Site says counts more than Origin, which is "null"
// if the page, or somebody's browser for all pages, sends no referrers (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
func Abroad(c *fiber.Ctx) bool {
	switch c.Get("Sec-Fetch-Site") {
	case "same-origin":
		return false
	case "", "none":
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

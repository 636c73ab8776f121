package frame

import (
	"bytes"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
)

// maxTyped is the maximum size of the fields before a file that is read as a stream.
const maxTyped = 64 << 10

// Streams reports whether a request is a form of the console with an archive. Archives may be larger than other
// forms, so they are read as a stream.
func Streams(c *fiber.Ctx) bool {
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return c.Method() == fiber.MethodPost && kind == fiber.MIMEMultipartForm && strings.HasPrefix(c.Path(), ConsoleRoot+"/sites/") &&
		strings.HasSuffix(c.Path(), "/copies")
}

// readStream parses the fields of a form up to its file. The handler reads the file, so that no file is read for
// people without a session.
func readStream(c *fiber.Ctx) (*Form, error) {
	_, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	body := io.Reader(bytes.NewReader(c.Request().Body()))
	if stream := c.Context().RequestBodyStream(); stream != nil {
		body = args.Incoming(stream, c.Context().Conn())
	}
	f, typed := &Form{Values: url.Values{}}, &io.LimitedReader{R: body, N: maxTyped}
	for form := multipart.NewReader(typed, parameters["boundary"]); ; {
		part, err := form.NextPart()
		if err == io.EOF { //nolint:errorlint // wrapped, it is a form without end
			return f, nil
		}
		if err != nil {
			return nil, fiber.ErrBadRequest
		}
		if part.FileName() != "" {
			f.Stream, typed.N = part, math.MaxInt64
			return f, nil
		}
		text, err := io.ReadAll(part)
		if err != nil || !args.Readable(part.FormName()) || !args.Readable(string(text)) {
			return nil, fiber.ErrBadRequest
		}
		f.Values.Add(part.FormName(), string(text))
	}
}

package frame

import (
	"bytes"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
)

// maxTyped is the size of the fields before a file that is read while it arrives, and pieceTimeout the time limit for one piece
// of it. The whole transfer has no limit.
const (
	maxTyped     = 64 << 10
	pieceTimeout = time.Minute
)

// Streams reports whether a form of the console may send an archive, which may be larger than other forms: it is read while it
// arrives.
func Streams(c *fiber.Ctx) bool {
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return c.Method() == fiber.MethodPost && kind == fiber.MIMEMultipartForm && strings.HasPrefix(c.Path(), ConsoleRoot+"/sites/") &&
		strings.HasSuffix(c.Path(), "/copies")
}

// readStream parses the fields of a form up to its file, which it leaves to the handler: nobody without a session has a file read.
func readStream(c *fiber.Ctx) (*Form, error) {
	_, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	body := io.Reader(&arriving{c.Context().RequestBodyStream(), c.Context().Conn()})
	if c.Context().RequestBodyStream() == nil {
		body = bytes.NewReader(c.Request().Body())
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

// arriving extends the read deadline with every piece of a body.
type arriving struct {
	io.Reader
	conn net.Conn
}

// Read implements io.Reader.
func (a *arriving) Read(p []byte) (int, error) {
	if err := a.conn.SetReadDeadline(time.Now().Add(pieceTimeout)); err != nil { //nolint:forbidigo // a connection needs the real clock
		return 0, err
	}
	return a.Reader.Read(p)
}

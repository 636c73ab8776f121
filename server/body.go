package server

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// maxFields is the maximum number of fields in a query or form. Parsing a field costs many times its size, before the
// sender is authenticated.
const maxFields = 1000

// crowded reports whether a query or a form has too many fields.
func crowded(text []byte) bool { return bytes.Count(text, []byte{'&'}) >= maxFields }

// readBody reads the body of a request before anything else is done, up to the size limit. Bodies that api, api/platform or
// web/forms/frame stream are left to their routes. If a body is not read to the end, the connection is closed, because the rest
// would be interpreted as the next request.
func (s *server) readBody(c *fiber.Ctx) error {
	if h := &c.Request().Header; ambiguous(h.RawHeaders(), h.IsHTTP11()) {
		lastOf(c)
		return fiber.ErrBadRequest
	}
	if h := &c.Request().Header; h.ContentLength() != 0 && isEncoded(h.Peek(fiber.HeaderContentEncoding)) {
		lastOf(c)
		c.Set(fiber.HeaderAcceptEncoding, "identity")
		return api.ErrUnreadable
	}
	if crowded(c.Context().URI().QueryString()) {
		lastOf(c)
		return fiber.ErrRequestURITooLong
	}
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return c.Next()
	}
	if api.Streams(c) || platform.Streams(c) || frame.Streams(c) {
		lastOf(c)
		return c.Next()
	}
	held := &heldReader{Reader: stream, all: &s.bodies, whose: func() (sender, error) { return s.senderOf(c) }}
	defer held.release()
	h := &c.Request().Header
	var before fasthttp.RequestHeader
	if h.ContentLength() < 0 {
		h.CopyTo(&before)
	}
	body, err := readAnnounced(held, h.ContentLength())
	if h.ContentLength() < 0 {
		before.CopyTo(h) // trailers are dropped: a proxy has not checked them as headers
	}
	if err != nil {
		lastOf(c)
		return err
	}
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if kind == fiber.MIMEApplicationForm && crowded(body) {
		return fiber.ErrRequestEntityTooLarge
	}
	c.Request().SetBodyRaw(body)
	return c.Next()
}

// readAnnounced reads a body of the announced length, or -1 if unknown. It does not allocate memory based on the announcement
// alone.
func readAnnounced(stream io.Reader, length int) ([]byte, error) {
	if length > maxRequest {
		return nil, fiber.ErrRequestEntityTooLarge
	}
	body, err := readBody(io.LimitReader(stream, maxRequest+1), length)
	var network net.Error
	switch {
	case errors.Is(err, errBusy), errors.Is(err, errSender):
		return nil, err
	case errors.As(err, &network) && network.Timeout():
		return nil, fiber.ErrRequestTimeout
	case err != nil:
		return nil, fiber.ErrBadRequest
	case len(body) > maxRequest:
		return nil, fiber.ErrRequestEntityTooLarge
	}
	return body, nil
}

// readBody reads all of a body into memory that grows with what has come, and to no more than the announced length.
func readBody(r io.Reader, length int) ([]byte, error) {
	body := make([]byte, 0, min(max(0, length), freeBody)+bytes.MinRead)
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		case len(body) == cap(body):
			room := 2 * cap(body)
			if most := length + bytes.MinRead; most > cap(body) {
				room = min(room, most)
			}
			grown := make([]byte, len(body), room)
			copy(grown, body)
			body = grown
		}
	}
}

// isEncoded reports whether a body has a content encoding. Encoded bodies are rejected, because a few kilobytes could
// decompress to any size.
func isEncoded(encoding []byte) bool {
	name := strings.TrimSpace(string(encoding))
	return name != "" && !strings.EqualFold(name, "identity")
}

// ambiguous reports whether headers define the host or the end of the body in conflicting ways, which a proxy may
// interpret differently (RFC 9112 §3.2, §5.2, §6.1, §6.3). Before HTTP/1.1 there is no chunked encoding.
func ambiguous(headers []byte, chunks bool) bool {
	hosts, ends := 0, 0
	for len(headers) > 0 {
		line := headers
		if end := bytes.IndexByte(headers, '\n'); end >= 0 {
			line, headers = headers[:end], headers[end+1:]
		} else {
			headers = nil
		}
		colon := bytes.IndexByte(line, ':')
		switch {
		case len(line) > 0 && (line[0] == ' ' || line[0] == '\t'): // a folded line, or an invalid one
			return true
		case colon == len("Host") && strings.EqualFold(string(line[:colon]), "Host"):
			hosts++
			if bytes.IndexByte(line, '@') >= 0 {
				return true
			}
		case colon == len("Content-Length") && strings.EqualFold(string(line[:colon]), "Content-Length"):
			ends++
		case colon == len("Transfer-Encoding") && strings.EqualFold(string(line[:colon]), "Transfer-Encoding"):
			ends++
			if !chunks || !strings.EqualFold(string(bytes.TrimSpace(line[colon+1:])), "chunked") {
				return true
			}
		}
	}
	return hosts > 1 || ends > 1
}

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
)

// maxFields is how many fields a query or a form has at most. Each costs many times its
// own bytes to read, whoever sent it.
const maxFields = 1000

// crowded reports whether a query or a form has more fields than that.
func crowded(text []byte) bool { return bytes.Count(text, []byte{'&'}) >= maxFields }

// whole takes in the body of a request before anything else is done with it, up to
// the most that is taken in at all. A body that api.Streams is left to its route,
// which reads it while it arrives. What is not read to its end would be taken for
// the next request, so the connection ends with it.
func (s *server) whole(c *fiber.Ctx) error {
	if h := &c.Request().Header; ambiguous(h.RawHeaders(), h.IsHTTP11()) {
		lastOf(c)
		return fiber.ErrBadRequest
	}
	if h := &c.Request().Header; h.ContentLength() != 0 && coded(h.Peek(fiber.HeaderContentEncoding)) {
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
	if api.Streams(c) {
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
	body, err := taken(held, h.ContentLength())
	if h.ContentLength() < 0 {
		before.CopyTo(h) // what came behind the body is no header: a proxy has not seen it as one
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

// taken reads a body of a length, -1 for one that isn't announced. The announced is
// no reason to keep memory for it.
func taken(stream io.Reader, length int) ([]byte, error) {
	if length > maxRequest {
		return nil, fiber.ErrRequestEntityTooLarge
	}
	var body bytes.Buffer
	body.Grow(min(max(0, length), freeBody) + bytes.MinRead)
	_, err := body.ReadFrom(io.LimitReader(stream, maxRequest+1))
	var network net.Error
	switch {
	case errors.Is(err, errBusy), errors.Is(err, errSender):
		return nil, err
	case errors.As(err, &network) && network.Timeout():
		return nil, fiber.ErrRequestTimeout
	case err != nil:
		return nil, fiber.ErrBadRequest
	case body.Len() > maxRequest:
		return nil, fiber.ErrRequestEntityTooLarge
	}
	return body.Bytes(), nil
}

// coded reports whether a body is packed. None is unpacked: a few kilobytes would be
// as large as they like.
func coded(encoding []byte) bool {
	name := strings.TrimSpace(string(encoding))
	return name != "" && !strings.EqualFold(name, "identity")
}

// ambiguous reports whether headers say in two ways whose a request is, or where it
// ends: a proxy in front may have read it in the other (RFC 9112 §3.2, §5.2, §6.1, §6.3).
// Before HTTP/1.1 there are no chunks.
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
		case len(line) > 0 && (line[0] == ' ' || line[0] == '\t'): // of the line before, or none
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

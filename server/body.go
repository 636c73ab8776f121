package server

import (
	"bytes"
	"errors"
	"io"
	"net"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
)

// whole takes in the body of a request before anything else is done with it, up to
// the most that is taken in at all. A body that api.Streams is left to its route,
// which reads it while it arrives. What is not read to its end would be taken for
// the next request, so the connection ends with it.
func whole(c *fiber.Ctx) error {
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return c.Next()
	}
	if api.Streams(c) {
		lastOf(c)
		return c.Next()
	}
	body, err := taken(stream, c.Request().Header.ContentLength())
	if err != nil {
		lastOf(c)
		return err
	}
	c.Request().SetBodyRaw(body)
	return c.Next()
}

// taken reads a body of a length, -1 for one that isn't announced.
func taken(stream io.Reader, length int) ([]byte, error) {
	if length > maxRequest {
		return nil, fiber.ErrRequestEntityTooLarge
	}
	var body bytes.Buffer
	body.Grow(max(0, length) + bytes.MinRead)
	_, err := body.ReadFrom(io.LimitReader(stream, maxRequest+1))
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return nil, fiber.ErrRequestTimeout
	case err != nil:
		return nil, fiber.ErrBadRequest
	case body.Len() > maxRequest:
		return nil, fiber.ErrRequestEntityTooLarge
	}
	return body.Bytes(), nil
}

// Package feeds builds the documents that other programs subscribe to: iCalendar files (RFC 5545), RSS, Atom and JSON
// Feed. Both api and web serve them.
package feeds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Document is a feed that is generated piece by piece, in sending order.
type Document struct {
	Kind    string    // media type
	Name    string    // name to save it as; "" if it is not a file
	Version int64     // version of the site, never later than that of the contents
	Until   time.Time // when time alone changes the contents; zero: never
	Changed time.Time // last change, to the second; zero: unknown

	next func(context.Context) ([]byte, error) // returns io.EOF after the last piece
}

// Held is the key of the fiber local with a client's If-None-Match, after the header was removed to get the whole
// response.
const Held = "held"

// maxBuffered is how much of a feed, in bytes, is generated before sending. A shorter document gets an ETag of its contents
// and is cached like any other response.
const maxBuffered = 2 << 20

// Answer is the response to send: Body, or Stream if the document is too long to hold.
type Answer struct {
	Body   []byte
	Stream *Stream
	ETag   string
}

// Answer generates a document as far as it fits in memory. A longer one gets a weak ETag of the site's version and
// the request; if match reports that the client has this tag, it generates nothing more.
func (d *Document) Answer(ctx context.Context, address string, match func(tag string) bool) (*Answer, error) {
	tag := `"` + d.tag([]byte(address+" "+tenancy.Current(ctx).Language+" "+d.Until.UTC().String())) + `"`
	if match(tag) {
		return &Answer{ETag: "W/" + tag}, nil
	}
	var b bytes.Buffer
	for b.Len() <= maxBuffered {
		piece, err := d.next(ctx)
		if errors.Is(err, io.EOF) {
			return &Answer{Body: b.Bytes(), ETag: `"` + d.tag(b.Bytes()) + `"`}, nil
		}
		if err != nil {
			return nil, err
		}
		b.Write(piece)
	}
	stream := &Stream{doc: d, ctx: context.WithoutCancel(ctx), piece: b.Bytes(), turn: turnOf(ctx)}
	return &Answer{Stream: stream, ETag: "W/" + tag}, nil
}

// tag returns the contents of an ETag: the version and a digest.
func (d *Document) tag(content []byte) string {
	sum := sha256.Sum256(content)
	return strconv.FormatInt(d.Version, 36) + "-" + base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Turn waits until the next piece may be generated, and returns a function to call afterwards.
type Turn func(context.Context) (leave func(), err error)

type turnKey struct{}

// WithTurn returns a context whose long feeds wait for a turn before each piece, because they continue after their
// request has given up its slot.
func WithTurn(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

func turnOf(ctx context.Context) Turn {
	if turn, ok := ctx.Value(turnKey{}).(Turn); ok {
		return turn
	}
	return func(context.Context) (func(), error) { return func() {}, nil }
}

// pieceTime is the time limit for generating one piece of a long feed, and sendTime the time limit for a client to
// receive a piece. The whole transfer has no limit.
const (
	pieceTime = 20 * time.Second
	sendTime  = time.Minute
)

// Package feeds makes the documents that other programs subscribe to: calendar files
// (RFC 5545), RSS, Atom and JSON Feed. Both skins send them.
package feeds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/kalends/kalends/tenancy"
)

// Document is a feed that is made piece by piece, in the order in which it is sent.
type Document struct {
	Kind    string    // media type
	Name    string    // to save it as, "" for what is no file
	Version int64     // of the site, or earlier than what it says
	Until   time.Time // when time alone changes it; zero: never
	Changed time.Time // when it was last another one, to the second; zero: not known

	next func(context.Context) ([]byte, error) // io.EOF behind the last piece
}

// Held is where the tags that a client holds lie among the locals of a request whose
// header of them was taken away, for its answer is wanted whole.
const Held = "held"

// whole is how much of a feed is made before it is sent. What fits in is sent with a
// tag of its content and kept like any answer.
const whole = 2 << 20

// Answer is how a document is sent: Body, or Stream where it is too long for that.
type Answer struct {
	Body   []byte
	Stream *Stream
	ETag   string
}

// Answer makes a document as far as it fits in memory. A long one has a weak tag made
// of the site's version and what was asked for; for a client that holds it, as match
// says, nothing more is made.
func (d *Document) Answer(ctx context.Context, address string, match func(tag string) bool) (*Answer, error) {
	tag := `"` + d.tag([]byte(address+" "+tenancy.Current(ctx).Language+" "+d.Until.UTC().String())) + `"`
	if match(tag) {
		return &Answer{ETag: "W/" + tag}, nil
	}
	var b bytes.Buffer
	for b.Len() <= whole {
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

// tag returns what a tag is made of: the version and a digest.
func (d *Document) tag(content []byte) string {
	sum := sha256.Sum256(content)
	return strconv.FormatInt(d.Version, 36) + "-" + base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Turn waits until a piece may be made, and returns what to call behind it.
type Turn func(context.Context) (leave func(), err error)

type turnKey struct{}

// WithTurn returns a context whose long feeds wait for a turn before each piece:
// they go on after the request has left the line of others.
func WithTurn(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

func turnOf(ctx context.Context) Turn {
	if turn, ok := ctx.Value(turnKey{}).(Turn); ok {
		return turn
	}
	return func(context.Context) (func(), error) { return func() {}, nil }
}

// pieceTime is how long one piece of a long feed may take to be made, and patience
// how long a client may take for one. The whole takes as long as it takes.
const (
	pieceTime = 20 * time.Second
	patience  = time.Minute
)

// Stream is the rest of a document, read as it is sent. An error on the way ends it
// early, which the client sees.
type Stream struct {
	Deadline func(time.Time) error // of the connection; nil: none

	doc   *Document
	ctx   context.Context
	turn  Turn
	piece []byte
	done  bool

	packed bytes.Buffer
	gzip   *gzip.Writer
}

// Compress has the stream sent compressed with gzip. It is called before Read.
func (s *Stream) Compress() {
	s.gzip = gzip.NewWriter(&s.packed)
	s.pack()
}

// Read implements io.Reader.
func (s *Stream) Read(p []byte) (n int, err error) {
	defer func() { // outside of whatever catches panics of handlers
		if r := recover(); r != nil {
			err = fmt.Errorf("feed: panic: %v\n%s", r, debug.Stack())
		}
	}()
	if s.Deadline != nil {
		if err = s.Deadline(time.Now().Add(pieceTime + patience)); err != nil { //nolint:forbidigo // of the connection, with the real one
			return 0, err
		}
	}
	for len(s.piece) == 0 {
		if s.done {
			return 0, io.EOF
		}
		if err = s.more(); err != nil {
			return 0, err
		}
	}
	n = copy(p, s.piece)
	s.piece = s.piece[n:]
	return n, nil
}

// Close implements io.Closer.
func (s *Stream) Close() error {
	s.piece, s.done = nil, true
	return nil
}

func (s *Stream) more() error {
	ctx, cancel := context.WithTimeout(s.ctx, pieceTime)
	defer cancel()
	leave, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.piece, err = s.doc.next(ctx)
	if s.done = errors.Is(err, io.EOF); s.done {
		err = nil
	}
	if err == nil && s.gzip != nil {
		s.pack()
	}
	return err
}

// pack puts the piece at hand in its compressed form. What goes into memory doesn't
// fail.
func (s *Stream) pack() {
	s.packed.Reset()
	_, _ = s.gzip.Write(s.piece)
	if s.done {
		_ = s.gzip.Close()
	}
	s.piece = bytes.Clone(s.packed.Bytes())
}

package feeds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Stream is the rest of a document, generated while it is sent. After an error it ends early, which the client
// notices.
type Stream struct {
	Deadline func(time.Time) error // sets the deadline of the connection; nil: none

	doc   *Document
	ctx   context.Context
	turn  Turn
	piece []byte
	done  bool

	packed bytes.Buffer
	gzip   *gzip.Writer
}

// Compress makes the stream gzip-compressed. It must be called before Read.
func (s *Stream) Compress() {
	s.gzip = gzip.NewWriter(&s.packed)
	s.pack()
}

// Read implements io.Reader.
func (s *Stream) Read(p []byte) (n int, err error) {
	defer func() { // nothing else recovers from panics here
		if r := recover(); r != nil {
			err = fmt.Errorf("feed: panic: %v\n%s", r, debug.Stack())
		}
	}()
	if s.Deadline != nil {
		if err = s.Deadline(time.Now().Add(pieceTime + sendTime)); err != nil { //nolint:forbidigo // a connection needs the real clock
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

// pack compresses the current piece. Writing to memory cannot fail.
func (s *Stream) pack() {
	s.packed.Reset()
	_, _ = s.gzip.Write(s.piece)
	if s.done {
		_ = s.gzip.Close()
	}
	s.piece = bytes.Clone(s.packed.Bytes())
}

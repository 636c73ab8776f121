package media

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode"
)

// Store keeps blobs under keys of the form {site}/{id}/{file} (rule 6.1:
// files on local disk by default or S3-compatible storage). Every method
// returns ErrBadKey for a key of another form, before anything is touched.
type Store interface {
	// Put stores size bytes of r, replacing what was there; readers see the
	// old blob or the new one, never a part. It returns ErrBadSize when r
	// holds fewer or more bytes.
	Put(ctx context.Context, key string, r io.Reader, size int64, mime string) error
	// Get returns the blob, to be closed by the caller, and what is known
	// about it; ErrNoBlob when there is none. The context is that of asking
	// for it: an answer is sent when its request has ended.
	Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)
	// Delete removes blobs; a missing one is no error. It goes on after a
	// failure and returns all of them joined.
	Delete(ctx context.Context, keys ...string) error
	// Clear removes all blobs whose keys begin with site and a slash, which
	// nobody writes any more; there may be none. Half of it done twice is all
	// of it done once.
	Clear(ctx context.Context, site string) error
	// Sweep removes the folders {site}/{id} whose files are all from before a
	// time and which named does not return, and what was begun before it and
	// never ended. It returns what it removed, also beside an error.
	Sweep(ctx context.Context, before time.Time, named Named) (Swept, error)
}

// Info describes a stored blob.
type Info struct {
	MIME     string
	Size     int64
	Modified time.Time
}

const maxKey = 512

// checkKey returns ErrBadKey unless key is {site}/{id}/{file}: three plain
// names, none of them hidden, so that no key can name a file in the making.
func checkKey(key string) error {
	if strings.Count(key, "/") != 2 || !plain(key) {
		return fmt.Errorf("%w: %q", ErrBadKey, key)
	}
	return nil
}

// plain reports whether a path is made of plain names, none of them hidden.
func plain(path string) bool {
	if len(path) > maxKey || !fs.ValidPath(path) {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part[0] == '.' || len(part) > 255 || strings.ContainsFunc(part, unsafeInKey) {
			return false
		}
	}
	return true
}

// checkSite returns ErrBadKey unless site can be the first part of a key.
func checkSite(site string) error { return checkKey(site + "/0/0") }

func unsafeInKey(r rune) bool {
	return r == '\\' || r == ':' || unicode.IsControl(r)
}

// exactly reads size bytes and returns ErrBadSize when there are fewer or more.
type exactly struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := e.r.Read(p)
	e.left -= int64(n)
	if e.left < 0 || err == io.EOF && e.left > 0 {
		return 0, ErrBadSize
	}
	return n, err
}

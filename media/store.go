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

// Store keeps blobs under keys of the form {site}/{id}/{file}, on local disk or in S3-compatible storage. Every
// method returns ErrBadKey for a malformed key before doing anything.
type Store interface {
	// Put stores size bytes of r atomically, replacing any existing blob. It returns ErrBadSize if r contains fewer
	// or more bytes.
	Put(ctx context.Context, key string, r io.Reader, size int64, mime string) error
	// Get returns a blob, to be closed by the caller, and its metadata; ErrNoBlob if there is none. The context
	// covers only the request: the blob can be read after it has ended.
	Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)
	// Delete removes blobs, ignoring missing ones. It continues after a failure and returns all errors joined.
	Delete(ctx context.Context, keys ...string) error
	// Clear removes all blobs whose keys begin with site and a slash. Nobody may write to these any more. It can be
	// repeated after a failure.
	Clear(ctx context.Context, site string) error
	// Sweep removes the folders {site}/{id} whose files are all older than a time and which named does not return,
	// and unfinished uploads begun before it. It returns what it removed, even with an error.
	Sweep(ctx context.Context, before time.Time, named Named) (Swept, error)
}

// Info describes a stored blob.
type Info struct {
	MIME     string
	Size     int64
	Modified time.Time
}

const maxKey = 512

// checkKey returns ErrBadKey unless key is {site}/{id}/{file} with three plain, unhidden names. Hidden names are
// reserved for temporary files.
func checkKey(key string) error {
	if strings.Count(key, "/") != 2 || !plain(key) {
		return fmt.Errorf("%w: %q", ErrBadKey, key)
	}
	return nil
}

// plain reports whether a path consists of plain, unhidden names.
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

// exactly reads size bytes and returns ErrBadSize if there are fewer or more.
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

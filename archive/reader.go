package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// What an archive may be at most. An archive of ours is far below: rows shrink to
// a tenth, blobs not at all.
const (
	maxManifest = 128 << 20
	maxLine     = 32 << 20
	maxRatio    = 100     // bytes unpacked to bytes of the archive,
	minUnpacked = 1 << 30 // of those that unpack to more than this
)

// Reader reads an archive that was looked over: its members are those of the
// manifest, and each is as long as the manifest says. Whether they hold what the
// manifest says shows when they are read: see Verify.
type Reader struct {
	manifest Manifest
	files    map[string]*zip.File
}

// Open looks an archive over. It returns ErrNoArchive, ErrDamaged, ErrTooNew or
// ErrTooLarge.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	packed, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if errors.Is(err, zip.ErrFormat) {
			return nil, fmt.Errorf("%w, or it was cut off: %w", ErrNoArchive, err)
		}
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	a := &Reader{files: make(map[string]*zip.File, len(packed.File))}
	for _, f := range packed.File {
		if !plain(f.Name) {
			return nil, fmt.Errorf("%w: no member can be named %q", ErrDamaged, f.Name)
		}
		if a.files[f.Name] != nil {
			return nil, fmt.Errorf("%w: it has %s twice", ErrDamaged, f.Name)
		}
		a.files[f.Name] = f
	}
	if err := a.readManifest(); err != nil {
		return nil, err
	}
	return a, a.compare(size)
}

// Manifest returns what the archive says of itself.
func (a *Reader) Manifest() *Manifest { return &a.manifest }

func (a *Reader) readManifest() error {
	f := a.files[manifestName]
	if f == nil {
		return fmt.Errorf("%w: it has no %s", ErrNoArchive, manifestName)
	}
	delete(a.files, manifestName)
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	case len(text) > maxManifest:
		return fmt.Errorf("%w: %s", ErrTooLarge, manifestName)
	}
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &format); err == nil && format.Format > Format {
		a.manifest.Format = format.Format // the rest may have another form
		return a.manifest.check()
	}
	if err := json.Unmarshal(text, &a.manifest); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	return a.manifest.check()
}

// compare holds the members against the manifest.
func (a *Reader) compare(size int64) error {
	var total int64
	for i := range a.manifest.Members {
		m := &a.manifest.Members[i]
		f := a.files[m.Name]
		switch {
		case f == nil:
			return fmt.Errorf("%w: %s is missing", ErrDamaged, m.Name)
		case f.UncompressedSize64 != uint64(m.Bytes):
			return fmt.Errorf("%w: %s has another size than its manifest says", ErrDamaged, m.Name)
		}
		if total += m.Bytes; total < 0 || total > max(minUnpacked, maxRatio*size) {
			return ErrTooLarge
		}
	}
	if len(a.files) != len(a.manifest.Members) {
		for name := range a.files {
			if !a.manifest.has(name) {
				return fmt.Errorf("%w: its manifest doesn't name %s", ErrDamaged, name)
			}
		}
	}
	return nil
}

func (m *Manifest) has(name string) bool {
	for i := range m.Members {
		if m.Members[i].Name == name {
			return true
		}
	}
	return false
}

// Verify reads everything and returns ErrDamaged for the first member that isn't
// what the manifest says.
func (a *Reader) Verify(ctx context.Context, progress Progress) error {
	done, total := int64(0), a.manifest.Bytes()
	for i := range a.manifest.Members {
		m := &a.manifest.Members[i]
		var err error
		if m.Table() != "" {
			err = a.lines(ctx, m)(isRow(m))
		} else {
			err = a.drain(ctx, m)
		}
		if err != nil {
			return err
		}
		done += m.Bytes
		progress.tell(done, total)
	}
	return nil
}

func (a *Reader) drain(ctx context.Context, m *Member) error {
	r, err := a.open(ctx, m)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

// isRow returns a look at lines: each is a JSON object.
func isRow(m *Member) func([]byte) error {
	return func(line []byte) error {
		if !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
			return fmt.Errorf("%w: a line of %s is no row", ErrDamaged, m.Name)
		}
		return nil
	}
}

// lines gives the rows of a table.
func (a *Reader) lines(ctx context.Context, m *Member) Lines {
	return func(yield func([]byte) error) error {
		r, err := a.open(ctx, m)
		if err != nil {
			return err
		}
		defer r.Close()
		scanner := bufio.NewScanner(r)
		scanner.Buffer(make([]byte, 64<<10), maxLine)
		rows := int64(0)
		for scanner.Scan() {
			rows++
			if err := yield(scanner.Bytes()); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(scanner.Err(), bufio.ErrTooLong):
			return fmt.Errorf("%w: line %d of %s", ErrTooLarge, rows+1, m.Name)
		case scanner.Err() != nil:
			return scanner.Err()
		case rows != m.Rows:
			return fmt.Errorf("%w: %s has %d rows, not %d", ErrDamaged, m.Name, rows, m.Rows)
		}
		return nil
	}
}

// open opens a member. Reading it to its end returns ErrDamaged unless the bytes
// are those of the manifest.
func (a *Reader) open(ctx context.Context, m *Member) (io.ReadCloser, error) {
	f := a.files[m.Name]
	if f == nil {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, m.Name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, m.Name, err)
	}
	return &checked{ReadCloser: r, ctx: ctx, of: m, hash: sha256.New(), left: m.Bytes}, nil
}

// checked reads a member and compares it with the manifest.
type checked struct {
	io.ReadCloser
	ctx  context.Context
	of   *Member
	hash hash.Hash
	left int64
}

func (c *checked) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.ReadCloser.Read(p)
	c.hash.Write(p[:n])
	c.left -= int64(n)
	switch {
	case c.left < 0:
		return 0, fmt.Errorf("%w: %s is longer than its manifest says", ErrDamaged, c.of.Name)
	case errors.Is(err, io.EOF):
		if c.left != 0 || hex.EncodeToString(c.hash.Sum(nil)) != c.of.SHA256 {
			return 0, fmt.Errorf("%w: %s isn't what its manifest says", ErrDamaged, c.of.Name)
		}
	case err != nil:
		return 0, fmt.Errorf("%w: %s: %w", ErrDamaged, c.of.Name, err)
	}
	return n, err
}

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
	"math"
)

// Limits of an archive. The archives that Export writes stay far below them: rows compress to a tenth, and blobs do
// not compress.
const (
	maxDirectory = 32 << 20 // bytes of the zip directory, about 300,000 members; for larger archives
	maxShare     = 64       // this fraction of the size of the archive
	maxManifest  = 16 << 20 // bytes of the manifest or, with many members,
	maxWords     = 3        // this many bytes per byte of the directory
	maxLine      = 32 << 20
	maxRatio     = 100     // ratio of uncompressed to compressed bytes
	minUnpacked  = 1 << 30 // applies to archives with more uncompressed bytes than this
)

// Reader reads an archive whose members match the manifest in name and size. Their contents are checked when they are
// read; see Verify.
type Reader struct {
	manifest Manifest
	files    map[string]*zip.File
}

// Open opens and inspects an archive. It returns ErrNoArchive, ErrDamaged, ErrTooNew or ErrTooLarge.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	members, most, err := directory(r, size)
	if err != nil {
		return nil, err
	}
	f := members[manifestName]
	if f == nil {
		return nil, fmt.Errorf("%w: it has no %s", ErrNoArchive, manifestName)
	}
	delete(members, manifestName)
	a := &Reader{files: make(map[string]*zip.File, len(members))}
	if err := a.readManifest(f, most, &roster{Reader: a, loose: members, most: max(minUnpacked, maxRatio*size)}); err != nil {
		return nil, err
	}
	for name := range members {
		return nil, fmt.Errorf("%w: its manifest does not name %s", ErrDamaged, name)
	}
	return a, nil
}

// directory returns the members of a zip by name, and the size limit of their manifest. The directory is limited
// because all members are held in memory, although empty members take up hardly any space in the file.
func directory(r io.ReaderAt, size int64) (members map[string]*zip.File, manifest int64, err error) {
	limit := max(maxDirectory, size/maxShare)
	bounded := &boundedReader{r, limit}
	packed, err := zip.NewReader(bounded, size)
	switch {
	case err == nil, errors.Is(err, zip.ErrInsecurePath):
	case errors.Is(err, zip.ErrFormat):
		return nil, 0, fmt.Errorf("%w, or it was cut off: %w", ErrNoArchive, err)
	case errors.Is(err, ErrTooLarge):
		return nil, 0, err
	default:
		return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	manifest = max(maxManifest, maxWords*(limit-bounded.left))
	bounded.left = math.MaxInt64 // the size of members is limited elsewhere
	members = make(map[string]*zip.File, len(packed.File))
	for _, f := range packed.File {
		if !plain(f.Name) {
			return nil, 0, fmt.Errorf("%w: %q is not a valid name of a member", ErrDamaged, f.Name)
		}
		if members[f.Name] != nil {
			return nil, 0, fmt.Errorf("%w: it has %s twice", ErrDamaged, f.Name)
		}
		members[f.Name] = f
	}
	return members, manifest, nil
}

// boundedReader returns ErrTooLarge once it has read a number of bytes.
type boundedReader struct {
	io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (b *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("%w: its directory", ErrTooLarge)
	}
	return b.ReaderAt.ReadAt(p, at)
}

// Manifest returns the manifest of the archive.
func (a *Reader) Manifest() *Manifest { return &a.manifest }

func (a *Reader) readManifest(f *zip.File, most int64, members *roster) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	case int64(len(text)) > most:
		return fmt.Errorf("%w: %s", ErrTooLarge, manifestName)
	}
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &format); err == nil && format.Format > Format {
		a.manifest.Format = format.Format // the rest may have another structure
		return a.manifest.check()
	}
	err = json.Unmarshal(text, &struct {
		*Manifest
		Members *roster `json:"members"`
	}{&a.manifest, members})
	switch {
	case refused(err):
		return err
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	return a.manifest.check()
}

// roster checks the members of a manifest against the files while parsing it, so that a manifest cannot list more
// members than exist.
type roster struct {
	*Reader
	loose map[string]*zip.File // not listed yet
	bytes int64                // uncompressed size of the listed members
	most  int64
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *roster) UnmarshalJSON(list []byte) error {
	in := json.NewDecoder(bytes.NewReader(list))
	if start, err := in.Token(); err != nil || start != json.Delim('[') {
		return errors.Join(errors.New("members are not a list"), err)
	}
	for in.More() {
		var m Member
		if err := in.Decode(&m); err != nil {
			return err
		}
		if err := r.take(&m); err != nil {
			return err
		}
	}
	return nil
}

// take checks a member against its file.
func (r *roster) take(m *Member) error {
	if err := m.check(); err != nil {
		return err
	}
	f := r.loose[m.Name]
	switch {
	case r.files[m.Name] != nil:
		return fmt.Errorf("%w: its manifest names %s twice", ErrDamaged, m.Name)
	case f == nil:
		return fmt.Errorf("%w: %s is missing", ErrDamaged, m.Name)
	case f.UncompressedSize64 != uint64(m.Bytes):
		return fmt.Errorf("%w: %s has another size than its manifest says", ErrDamaged, m.Name)
	}
	if r.bytes += m.Bytes; r.bytes < 0 || r.bytes > r.most {
		return ErrTooLarge
	}
	delete(r.loose, m.Name)
	r.files[m.Name] = f
	r.manifest.Members = append(r.manifest.Members, *m)
	return nil
}

// Verify reads everything. It returns ErrDamaged for the first member that differs from the manifest.
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

// isRow returns a function that checks that a line is a JSON object.
func isRow(m *Member) func([]byte) error {
	return func(line []byte) error {
		if !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
			return fmt.Errorf("%w: a line of %s is not a row", ErrDamaged, m.Name)
		}
		return nil
	}
}

// lines returns the rows of a table.
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

// open opens a member. Reading it to the end returns ErrDamaged unless the bytes match the manifest.
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
			return 0, fmt.Errorf("%w: %s differs from its manifest", ErrDamaged, c.of.Name)
		}
	case err != nil:
		return 0, fmt.Errorf("%w: %s: %w", ErrDamaged, c.of.Name, err)
	}
	return n, err
}

package archive

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"
)

// writer writes an archive member by member. It holds only the contents of the manifest in memory.
type writer struct {
	zip      *zip.Writer
	manifest *Manifest
	done     int64 // bytes
	total    int64 // bytes
	progress Progress
}

func newWriter(w io.Writer, m *Manifest, progress Progress) *writer {
	return &writer{zip: zip.NewWriter(w), manifest: m, progress: progress}
}

// sum counts and hashes the bytes written to a member.
type sum struct {
	to    io.Writer
	hash  hash.Hash
	bytes int64
}

func (s *sum) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// begin starts a member. Data that is already compressed is stored as it is.
func (w *writer) begin(name string, method uint16) (*sum, error) {
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: w.manifest.Made})
	if err != nil {
		return nil, err
	}
	return &sum{to: to, hash: sha256.New()}, nil
}

// end adds the member to the manifest.
func (w *writer) end(s *sum, m Member) {
	m.Bytes, m.SHA256 = s.bytes, hex.EncodeToString(s.hash.Sum(nil))
	w.manifest.Members = append(w.manifest.Members, m)
	w.done += m.Bytes
	w.progress.tell(w.done, max(w.done, w.total)) // a file may be larger than its database row says
}

// table writes the rows of a table.
func (w *writer) table(t Table, lines Lines) error {
	m := Member{Name: t.Name + tableEnding, Columns: t.Columns}
	to, err := w.begin(m.Name, zip.Deflate)
	if err != nil {
		return err
	}
	var line []byte
	err = lines(func(row []byte) error {
		m.Rows++
		line = append(append(line[:0], row...), '\n')
		_, err := to.Write(line)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	w.end(to, m)
	return nil
}

// blob writes one blob.
func (w *writer) blob(ctx context.Context, name string, r io.Reader) error {
	to, err := w.begin(name, zip.Store)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, unlessDone{ctx, r}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.end(to, Member{Name: name})
	return nil
}

// close writes the manifest and finishes the archive.
func (w *writer) close() error {
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: w.manifest.Made})
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(w.manifest); err != nil {
		return err
	}
	return w.zip.Close()
}

// unlessDone is a reader that fails once its context ends.
type unlessDone struct {
	ctx context.Context
	r   io.Reader
}

func (u unlessDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// second truncates a time to the precision of manifests.
func second(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

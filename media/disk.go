package media

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// Disk is a Store in a directory of the local disk.
type Disk struct{ root *os.Root }

// NewDisk returns a Store in dir, creating the directory if necessary. No key or symbolic link can refer to a file
// outside it. It returns an error if the directory cannot be created or opened.
func NewDisk(dir string) (*Disk, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("media directory: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("media directory: %w", err)
	}
	return &Disk{root}, nil
}

// Close closes the directory. The store cannot be used afterwards.
func (d *Disk) Close() error { return d.root.Close() }

// Put implements Store. When it returns nil, the data has been synced to disk. The type is determined by the key's
// extension, not by mime.
func (d *Disk) Put(ctx context.Context, key string, r io.Reader, size int64, _ string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	dir := path.Dir(key)
	f, temp, err := d.temp(dir)
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	err = errors.Join(fill(f, &exactly{ctx, r, size}), f.Close())
	if err == nil {
		err = d.root.Rename(temp, key)
	}
	if err != nil {
		return fmt.Errorf("put blob: %w", errors.Join(err, d.root.Remove(temp)))
	}
	return d.sync(dir)
}

func fill(f *os.File, r io.Reader) error {
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	return f.Sync()
}

// temp creates a new file in dir. It retries, because a concurrent Delete may remove the emptied directory between
// creating and using it.
func (d *Disk) temp(dir string) (f *os.File, name string, err error) {
	for range 3 {
		if err = d.root.MkdirAll(dir, 0o750); err != nil {
			return nil, "", err
		}
		name = path.Join(dir, ".new-"+rand.Text())
		f, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return f, name, err
}

// sync makes the entries of dir, and dir itself, survive a power failure.
func (d *Disk) sync(dir string) error {
	for ; ; dir = path.Dir(dir) {
		f, err := d.root.Open(dir)
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			return fmt.Errorf("put blob: %w", err)
		}
		if dir == "." {
			return nil
		}
	}
}

// Get implements Store.
func (d *Disk) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, Info{}, err
	}
	f, err := d.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Info{}, fmt.Errorf("%w: %s", ErrNoBlob, key)
	}
	if err != nil {
		return nil, Info{}, fmt.Errorf("get blob: %w", err)
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = ErrNoBlob
	}
	if err != nil {
		return nil, Info{}, fmt.Errorf("get blob: %w", errors.Join(err, f.Close()))
	}
	return f, Info{MIME: mimeOf(key), Size: stat.Size(), Modified: stat.ModTime()}, nil
}

// Delete implements Store. It removes the directory of an image with its last file.
func (d *Disk) Delete(ctx context.Context, keys ...string) error {
	var errs []error
	for _, key := range keys {
		if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
			errs = append(errs, err)
			continue
		}
		if err := d.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("delete blob: %w", err))
		}
		_ = d.root.Remove(path.Dir(key)) // fails while it contains other files
	}
	return errors.Join(errs...)
}

// Clear implements Store.
func (d *Disk) Clear(ctx context.Context, site string) error {
	if err := errors.Join(checkSite(site), ctx.Err()); err != nil {
		return err
	}
	if err := d.root.RemoveAll(site); err != nil {
		return fmt.Errorf("clear blobs: %w", err)
	}
	return nil
}

// Sweep implements Store.
func (d *Disk) Sweep(ctx context.Context, before time.Time, named Named) (Swept, error) {
	s := &sweeper{before: before, named: named, remove: d.discard}
	err := fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil || !entry.Type().IsRegular() {
			return err
		}
		stat, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.add(ctx, file{name, stat.Size(), stat.ModTime()})
	})
	if err == nil {
		err = s.flush(ctx)
	}
	if err != nil {
		return s.done, fmt.Errorf("sweep blobs: %w", err)
	}
	return s.done, nil
}

// discard removes a file, including hidden ones, and its directory when empty.
func (d *Disk) discard(_ context.Context, name string) error {
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = d.root.Remove(path.Dir(name)) // fails while it contains other files
	return nil
}

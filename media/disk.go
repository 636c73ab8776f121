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

// Disk is a Store in one directory of the local disk.
type Disk struct{ root *os.Root }

// NewDisk returns a Store in dir, which is made when it is missing. No key
// and no symbolic link leads out of it. It returns the error of the file
// system when the directory cannot be made or opened.
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

// Close gives the directory back; the store is of no use afterwards.
func (d *Disk) Close() error { return d.root.Close() }

// Put implements Store. The bytes are on the disk, not only in its cache,
// when it returns nil. The type is told by the key's ending, not by mime.
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

// temp opens a new file in dir. A Delete may take the emptied directory away
// between making and using it, hence the second and third try.
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

// sync makes the names in dir, and dir itself, survive a loss of power.
func (d *Disk) sync(dir string) error {
	for ; ; dir = path.Dir(dir) {
		f, err := d.root.Open(dir)
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted again meanwhile
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

// Delete implements Store. The directory of an image goes with its last file.
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
		_ = d.root.Remove(path.Dir(key)) // refused while it holds other files
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

// discard removes a file, hidden or not, and its directory with the last.
func (d *Disk) discard(_ context.Context, name string) error {
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = d.root.Remove(path.Dir(name)) // refused while it holds other files
	return nil
}

package archive

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// folder is the folder of a backup. Only the operator may read it, because it contains everything in the database.
type folder struct{ root *os.Root }

func openFolder(dir string, create bool) (*folder, error) {
	if create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

// Close closes the folder.
func (f *folder) Close() error { return f.root.Close() }

// put writes an archive under a name that identifies its content, and returns once it is completely on disk.
func (f *folder) put(name string, write func(io.Writer) error) (File, error) {
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return File{}, err
	}
	digest := &sum{hash: sha256.New()}
	made := File{}
	err := f.replace(name, func(w io.Writer) (string, error) {
		digest.to = w
		err := write(digest)
		made.Bytes, made.SHA256 = digest.bytes, hex.EncodeToString(digest.hash.Sum(nil))
		made.Name = name + "." + made.SHA256[:12] + ".zip"
		return made.Name, err
	})
	return made, err
}

// replace writes a file under a temporary name, and renames it when it is complete.
func (f *folder) replace(name string, write func(io.Writer) (as string, err error)) error {
	temp := path.Join(path.Dir(name), ".new-"+rand.Text())
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	as, err := write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = f.root.Rename(temp, as)
	}
	if err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	return nil
}

func (f *folder) writeJSON(name string, v any) error {
	return f.replace(name, func(w io.Writer) (string, error) {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return name, encoder.Encode(v)
	})
}

// has reports whether a file exists with its recorded size.
func (f *folder) has(file File) bool {
	info, err := f.root.Stat(file.Name)
	return err == nil && info.Mode().IsRegular() && info.Size() == file.Bytes
}

// open opens an archive after verifying its digest against the manifest.
func (f *folder) open(ctx context.Context, saved File) (*os.File, error) {
	file, err := f.root.Open(saved.Name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	digest := sha256.New()
	_, err = io.Copy(digest, unlessDone{ctx, file})
	if err == nil && hex.EncodeToString(digest.Sum(nil)) != saved.SHA256 {
		err = fmt.Errorf("%w: %s differs from %s", ErrDamaged, saved.Name, backupName)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// prune removes archives that the backup no longer refers to, and unfinished files.
func (f *folder) prune(b *Backup) error {
	named := map[string]bool{b.Installation.Name: true}
	for i := range b.Sites {
		named[b.Sites[i].Name] = true
	}
	failed := []error{f.remove(partialName)}
	for _, dir := range []string{".", sitesFolder} {
		list, err := f.list(dir)
		failed = append(failed, err)
		for _, name := range list {
			if !named[name] && ours(path.Base(name)) {
				failed = append(failed, f.remove(name))
			}
		}
	}
	return errors.Join(failed...)
}

// ours reports whether the name is one of a file that put or replace creates.
func ours(base string) bool {
	return strings.HasPrefix(base, ".new-") || path.Ext(base) == ".zip"
}

func (f *folder) list(dir string) ([]string, error) {
	d, err := f.root.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	for i, name := range names {
		names[i] = path.Join(dir, name)
	}
	return names, err
}

func (f *folder) remove(name string) error {
	if err := f.root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

package embedded

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// passwords are the random passwords of the two roles. They need no escaping in SQL literals and URLs.
type passwords struct {
	Superuser string `json:"superuser"`
	Service   string `json:"service"`
}

// loadPasswords reads the file, or writes a new one with random passwords when there is no data yet.
func loadPasswords(path string, fresh bool) (passwords, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && fresh {
		p := passwords{Superuser: rand.Text(), Service: rand.Text()}
		return p, p.save(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return passwords{}, fmt.Errorf("%w: %s is missing, so nobody can log in; restore it from a backup",
			ErrDamaged, path)
	}
	if err != nil {
		return passwords{}, err
	}
	var p passwords
	if err := json.Unmarshal(text, &p); err != nil || p.Superuser == "" || p.Service == "" {
		return p, fmt.Errorf("%w: %s cannot be understood; restore it from a backup", ErrDamaged, path)
	}
	return p, nil
}

// save writes the file so that after a crash there is either the whole file or none.
func (p passwords) save(path string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".passwords-*") // created with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing after the rename
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

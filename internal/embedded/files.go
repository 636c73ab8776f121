package embedded

import (
	"errors"
	"os"
)

// syncDir syncs a directory, so that new names in it survive a power failure.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

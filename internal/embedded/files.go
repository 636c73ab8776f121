package embedded

import (
	"errors"
	"os"
)

// syncDir makes the names in a directory survive a power cut.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

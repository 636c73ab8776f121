package embedded

import (
	"fmt"
	"os"
	"strings"
)

// lock takes the data directory for this process, or returns ErrInUse. The kernel releases it when the process
// ends, for whatever reason.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if taken, err := flock(f); err != nil || taken {
		holder := make([]byte, 20)
		n, _ := f.ReadAt(holder, 0) // only for the message
		_ = f.Close()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		return nil, fmt.Errorf("%w by another kalends (process %s); stop that one first, or choose another directory",
			ErrInUse, strings.TrimSpace(string(holder[:n])))
	}
	if err := f.Truncate(0); err != nil {
		_ = f.Close()
		return nil, err
	}
	if _, err := fmt.Fprintln(f, os.Getpid()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

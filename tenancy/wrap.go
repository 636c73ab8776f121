package tenancy

import "fmt"

// Wrap adds to an error what failed. It returns nil for nil.
func Wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

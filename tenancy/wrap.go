package tenancy

import "fmt"

// Wrap adds to an error the name of the operation that failed. It returns nil for nil.
func Wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

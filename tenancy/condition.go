package tenancy

// NoVersion is an unknown version, or the version of something that has none. It is not zero, because zero is the
// version of a new site.
const NoVersion = -1

// Condition decides whether an object with this version may be changed: if it returns an error, the change fails
// with it. A nil Condition allows every change (rule 3.16, If-Match).
type Condition func(version int64) error

// Check applies the condition to a version.
func (c Condition) Check(version int64) error {
	if c == nil {
		return nil
	}
	return c(version)
}

// AllOf returns the condition that all of the given ones hold.
func AllOf(when []Condition) Condition {
	return func(version int64) error {
		for _, cond := range when {
			if err := cond.Check(version); err != nil {
				return err
			}
		}
		return nil
	}
}

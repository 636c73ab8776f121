package tenancy

// NoVersion stands for an unknown version, or for something without a version. Zero cannot: it is the version of a new site.
const NoVersion = -1

// Condition decides whether an object with a version may be changed: the change fails with the error that it returns. A nil
// Condition always allows it (rule 3.16, If-Match).
type Condition func(version int64) error

// Check asks the condition about a version.
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

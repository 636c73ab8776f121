package tenancy

// NoVersion stands where no version is known, or where there is nothing that has one. Zero does not: it is the version of
// a new site.
const NoVersion = -1

// Condition decides whether what has that version may be changed; nil always allows.
// What it returns is returned (rule 3.16, If-Match).
type Condition func(version int64) error

// Check asks the condition about a version.
func (c Condition) Check(version int64) error {
	if c == nil {
		return nil
	}
	return c(version)
}

// AllOf is the condition that each of them holds.
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

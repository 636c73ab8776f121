package frame

import "github.com/kalends/kalends/calendar"

// Confirmation asks before something is gone for good.
type Confirmation struct {
	Action, Back string
	Names        []Pair   // id and name of what goes
	Text         string   // key, "" for the usual
	Notes        []string // what else happens
}

// Still lets a write through while the item has that version.
func Still(version int64) calendar.Condition {
	return func(now int64) error {
		if now != version {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

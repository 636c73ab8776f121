package main

import (
	"context"
	"fmt"
	"time"
)

// skew is how far the clocks of program and database may differ.
const skew = 2 * time.Second

// due returns the current time for deciding what is due. It is that of the database, because this machine's clock may
// be wrong, and publishing or deleting too early cannot be undone.
func (in *installation) due(ctx context.Context) (time.Time, error) {
	_, err := in.db.State(ctx)
	return in.db.Now(), err
}

// clocks returns what is wrong with this machine's clock compared with the database's.
func (in *installation) clocks(ctx context.Context) string {
	state, err := in.db.State(ctx)
	switch ahead := state.Ahead; {
	case err != nil || ahead.Abs() <= skew: // an unavailable database is reported elsewhere
		return ""
	case ahead > 0:
		return fmt.Sprintf("this machine is %s ahead of the database", ahead.Round(time.Second))
	default:
		return fmt.Sprintf("this machine is %s behind the database", (-ahead).Round(time.Second))
	}
}

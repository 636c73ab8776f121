package main

import (
	"context"
	"fmt"
	"time"
)

// skew is how far the clocks of the program and the database may be apart.
const skew = 2 * time.Second

// due returns the moment up to which things fall due, which is the database's: this
// machine may be wrong, and what is published or removed before its time can't be had back.
func (in *installation) due(ctx context.Context) (time.Time, error) {
	_, err := in.db.State(ctx)
	return in.db.Now(), err
}

// clocks says what is amiss with this machine's clock, as far as the database knows.
func (in *installation) clocks(ctx context.Context) string {
	state, err := in.db.State(ctx)
	switch ahead := state.Ahead; {
	case err != nil || ahead.Abs() <= skew: // that the database doesn't answer is said elsewhere
		return ""
	case ahead > 0:
		return fmt.Sprintf("this machine is %s ahead of the database", ahead.Round(time.Second))
	default:
		return fmt.Sprintf("this machine is %s behind the database", (-ahead).Round(time.Second))
	}
}

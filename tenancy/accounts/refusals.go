package accounts

import "context"

// refusals records failed sign-ins in the history of the Scope's site: a limited number in a row, then one more
// every half minute. The history is kept forever, and strangers cause these entries.
type refusals struct {
	sessions SessionStore
	attempts *Attempts
}

// note records that a sign-in as a user failed; 0 is an unknown user. It does nothing if there were too many
// failures.
func (r *refusals) note(ctx context.Context, user int64) error {
	wait, err := r.attempts.take(ctx, "refusals", mostRefusals)
	if err != nil || wait > 0 {
		return err
	}
	return r.sessions.Refused(ctx, user)
}

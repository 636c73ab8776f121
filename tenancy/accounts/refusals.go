package accounts

import "context"

// refusals notes in the history of the Scope's site that sign-ins failed: so many
// at once, then one more each half minute. The history is kept for ever, and
// strangers write this part of it.
type refusals struct {
	sessions SessionStore
	attempts *Attempts
}

// note notes that a sign-in as a user failed, 0 for nobody known, unless there were
// too many.
func (r *refusals) note(ctx context.Context, user int64) error {
	wait, err := r.attempts.take(ctx, "refusals", mostRefusals)
	if err != nil || wait > 0 {
		return err
	}
	return r.sessions.Refused(ctx, user)
}

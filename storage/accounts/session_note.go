package accounts

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// noteSession records a sign-in of user $2; 0 is an unknown user. It does not raise the site's version: pages do
// not show sign-ins, and a stranger who tries passwords must not invalidate the cache.
const noteSession = `
	INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, via, address)
	SELECT s.id, s.version, 'session', $2, $3, $4, $5, $6, COALESCE(u.login, ''), $7, $8
	FROM sites s
	LEFT JOIN users u ON u.site_id = s.id AND u.id = $5
	WHERE s.id = $1
	  AND ($5 = 0 OR u.id IS NOT NULL)`

// serial returns the number of an entry without a version. It is made from the time and a counter, because the
// clock may be too coarse. Each node starts the counter at a random value.
func serial(at time.Time) int64 {
	return at.UnixMicro()*tries + (beginning+turns.Add(1))%tries
}

const tries = 1 << 12 // of a microsecond

var (
	turns     atomic.Int64
	beginning = rand.Int64N(tries) //nolint:gosec // nobody gains from knowing where it begins
)

// queueSignIn notes that a user has signed in.
func queueSignIn(b *pgx.Batch, site int64, now time.Time, made *accounts.Session) {
	b.Queue(noteSession, site, made.UserID, serial(now), "sign_in", made.UserID, made.Created, string(tenancy.ViaSession), made.Address)
}

// Support keeps a session of the provider's support among the challenges, so that it creates no user on the site.
// The history records who has signed in.
func (s sessions) Support(ctx context.Context, hash, data []byte, now, expires time.Time) error {
	const note = `
		INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, via, via_name, address)
		SELECT s.id, s.version, 'session', 0, $2, 'sign_in', 0, $3, $4, $5, $6, $7
		FROM sites s
		WHERE s.id = $1`
	by := tenancy.SourceOf(ctx)
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(createChallenge, site, hash, data, expires)
		b.Queue(note, site, serial(s.db.Time()), now, by.Who, string(by.Via), by.Name, by.Address)
	})
}

// Refused records a failed sign-in. It stores neither the person, who is unknown, nor what was typed.
func (s sessions) Refused(ctx context.Context, user int64) error {
	now := s.db.Time().UTC()
	address := tenancy.Current(ctx).Address
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(noteSession, site, user, serial(now), "sign_in_failed", 0, now.Truncate(time.Second), "", address)
	})
}

package main

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/storage/pg"
)

// late is the lag of a replica that deserves attention.
const late = 10 * time.Second

// checkReplica checks the standby for public reads. The service works correctly whatever it finds, if necessary
// without the replica.
func (p *program) checkReplica(ctx context.Context, f *findings) {
	replica := p.config.ReplicaURL
	if replica == "" {
		f.ok("replica", "none; everything is read from the primary")
		return
	}
	if p.config.CacheBytes == 0 {
		f.warn("replica", "nothing is read from it: with KALENDS_CACHE_BYTES 0 no version of a site is known")
	}
	if p.config.wrongReplica() != nil {
		return // already reported
	}
	e, err := pg.Examine(ctx, replica)
	if err != nil {
		f.warn("replica", "it does not answer (%s); the service continues without it: check KALENDS_REPLICA_URL, that the standby runs, "+
			"and that its pg_hba.conf allows this machine", withoutAddress(err, replica))
		return
	}
	url, err := p.database()
	if err != nil {
		f.warn("replica", "it answers, but the primary does not")
		return
	}
	lag, why, err := pg.ExamineReplica(ctx, url, replica)
	switch {
	case err != nil:
		f.fail("replica", "%s: check KALENDS_REPLICA_URL", withoutAddress(err, replica))
	case why != "":
		f.fail("replica", "%s, so the service reads from the primary: KALENDS_REPLICA_URL has to be a streaming standby of DATABASE_URL",
			why)
	case lag > late:
		f.warn("replica", "it is %s behind: reads of sites that changed since go to the primary", lag.Round(time.Second))
	default:
		f.ok("replica", "a standby of this database, %s behind", lag.Round(time.Millisecond))
	}
	checkReplicaWalls(f, e)
}

// checkReplicaWalls checks what isolates sites in sessions of the replica.
func checkReplicaWalls(f *findings, e *pg.Examination) {
	switch {
	case e.Bypasses && !e.Member:
		f.fail("replica role", "%s bypasses row-level security and is not a member of %s: connect with the role of DATABASE_URL",
			e.Role, pg.ServiceRole)
	case len(e.Unforced)+len(e.Open) > 0:
		f.fail("replica role", "row-level security is not in force there on %s", strings.Join(append(e.Unforced, e.Open...), ", "))
	case e.Member:
		f.ok("replica role", "the service works there as %s, to which row-level security applies", pg.ServiceRole)
	default:
		f.ok("replica role", "the service works there as %s, to which row-level security applies", e.Role)
	}
}

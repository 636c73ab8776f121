package freshness

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// standbyReads is what the second node tells of reads and its replica.
type standbyReads struct{ replica, primary, behind, failed, closed, open int }

// follow makes a standby for the second node and returns its settings.
func (f *faults) follow() []string {
	f.t.Helper()
	if f.postgres == nil || !f.postgres.CanStandby() {
		return nil
	}
	f.standby = f.postgres.Standby()
	f.numbers = freeAddr(f.t)
	return []string{"KALENDS_REPLICA_URL=" + f.standby.URL(), "KALENDS_METRICS_ADDR=" + f.numbers}
}

// harmStandby holds the standby up, freezes and kills it.
func (f *faults) harmStandby(spell time.Duration) {
	f.t.Helper()
	if f.standby == nil {
		return
	}
	f.awaitStandby()
	f.phase("calm")
	time.Sleep(spell)
	f.inject("replica held up", spell, f.standby.Hold, f.standby.Release)
	f.again("replica held up now and then", spell, func() {
		f.standby.Hold()
		time.Sleep(50 * time.Millisecond)
		f.standby.Release()
	})
	f.inject("replica frozen", 2*spell, f.standby.Freeze, f.standby.Thaw)
	f.awaitStandby()
	f.inject("replica killed", spell, f.standby.Kill, nil)
	f.inject("replica restarted", spell, f.standby.Restart, nil)
	f.awaitStandby()
	storagetest.Until(f.t, "enough is read from the replica", func() bool { return f.standbyReads().replica >= enoughOfReplica })
}

// awaitStandby waits until the second node reads from the standby.
func (f *faults) awaitStandby() {
	f.t.Helper()
	storagetest.Until(f.t, "the replica is used", func() bool { return f.standbyReads().open == 1 })
}

// promoteStandby makes the standby a database of its own, last, as there is no
// way back.
func (f *faults) promoteStandby(spell time.Duration) {
	f.t.Helper()
	if f.standby == nil {
		return
	}
	f.awaitStandby()
	f.inject("replica promoted", spell, f.standby.Promote, nil)
	storagetest.Until(f.t, "the node notices", func() bool { return f.standbyReads().open == 0 })
	time.Sleep(spell) // what was being read
	promoted := f.standbyReads()
	time.Sleep(spell)
	if later := f.standbyReads(); later.replica != promoted.replica || later.open != 0 {
		f.t.Errorf("a promoted standby is read from: %+v, then %+v", promoted, later)
	}
}

// standbyReads asks the second node.
func (f *faults) standbyReads() standbyReads {
	f.t.Helper()
	res, err := http.Get("http://" + f.numbers + "/metrics")
	f.must(err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	f.must(err)
	number := func(name string) int {
		found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\d+)$`).FindSubmatch(text)
		if found == nil {
			f.t.Fatalf("no %s", name)
		}
		n, err := strconv.Atoi(string(found[1]))
		f.must(err)
		return n
	}
	return standbyReads{
		replica: number(`kalends_public_reads_total{place="replica"}`),
		primary: number(`kalends_public_reads_total{place="primary"}`),
		behind:  number(`kalends_replica_passed_over_total{reason="behind"}`),
		failed:  number(`kalends_replica_passed_over_total{reason="failed"}`),
		closed:  number(`kalends_replica_passed_over_total{reason="closed"}`),
		open:    number(`kalends_replica_open`),
	}
}

// reportStandby prints what the second node read where, and fails the test when
// the standby wasn't used, or not given up.
func (f *faults) reportStandby() {
	f.t.Helper()
	if f.standby == nil {
		fmt.Println("freshness: no replica, on a cluster or for want of pg_basebackup")
		return
	}
	s := f.standbyReads()
	calm, frozen := f.c.times["second node, calm"], f.c.times["second node, replica frozen"]
	slices.Sort(calm)
	slices.Sort(frozen)
	fmt.Printf("freshness: the second node read %d times from its replica and %d times from the primary: it was behind %d, failed %d, was closed %d times\n",
		s.replica, s.primary, s.behind, s.failed, s.closed)
	fmt.Printf("freshness: its reads in calm: median %s, p95 %s, p99 %s; replica frozen: median %s, p95 %s, p99 %s\n",
		part(calm, 50), part(calm, 95), part(calm, 99), part(frozen, 50), part(frozen, 95), part(frozen, 99))
	if s.replica < enoughOfReplica || s.behind == 0 || s.closed == 0 {
		f.t.Errorf("too little happened to say anything of the replica: %+v", s)
	}
	if slower(calm, frozen, 50, 3*time.Millisecond) {
		f.t.Errorf("a frozen replica makes reads three times slower")
	}
}

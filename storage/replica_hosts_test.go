package storage

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/storagetest"
)

// several returns an address of all these servers; attributes say which will do, ""
// any.
func (k *replicaKit) several(attributes string, servers ...string) string {
	k.Helper()
	var hosts []string
	var first *url.URL
	for _, address := range servers {
		u, err := url.Parse(address)
		k.must(err)
		if first == nil {
			first = u
		}
		hosts = append(hosts, u.Query().Get("host"))
	}
	q := first.Query()
	q.Set("host", strings.Join(hosts, ","))
	if attributes != "" {
		q.Set("target_session_attrs", attributes)
	}
	first.RawQuery = q.Encode()
	return first.String()
}

// opens looks at the replica as often as a service does in half a minute, until it is
// read from; it may take a connection or two to find the one that is well.
func (k *replicaKit) opens(about string) {
	k.Helper()
	why := ""
	for range 30 {
		k.db.LookAtReplica(k.Context())
		if _, why, _ = k.db.Replica(); why == "" {
			return
		}
	}
	k.Fatalf("%s: the replica is not read from: %s", about, why)
}

// answered reads as the public does, and says whether a replica answered.
func (k *replicaKit) answered(e *calendar.Event) bool {
	k.Helper()
	before := k.stats().Reads
	k.same("event", k.reads(e)["event"])
	return k.stats().Reads > before
}

// fails reads until nobody waits for the replica any more; each read is answered.
func (k *replicaKit) fails(about string, e *calendar.Event) {
	k.Helper()
	for range 2 * replicaStrikes {
		if k.answered(e) {
			k.Errorf("%s: a replica answers", about)
		}
	}
}

// TestReplicaOfSeveral: of several standbys one that is well is read from, whichever is
// dead, frozen or takes writes; without any the primary is.
func TestReplicaOfSeveral(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	e := k.linkedEvent()
	first, second := k.standby, k.cluster.Standby()
	nowhere := strings.Replace(first.URL(), "standby-0", "standby-none", 1)
	if nowhere == first.URL() {
		t.Fatal(first.URL())
	}
	for about, address := range map[string]string{
		"a dead one first":    k.several("", nowhere, first.URL()),
		"a dead one last":     k.several("standby", first.URL(), nowhere),
		"the primary first":   k.several("standby", k.url, first.URL()),
		"the primary as well": k.several("prefer-standby", k.url, second.URL()),
	} {
		k.db = k.reading(address)
		first.Follow()
		second.Follow()
		k.opens(about)
		if !k.answered(e) {
			t.Errorf("%s: the primary answers", about)
		}
	}
	k.db = k.reading(k.several("", k.url, first.URL())) // any will do, so it is the primary
	k.db.LookAtReplica(t.Context())
	if _, why, _ := k.db.Replica(); why != promoted || k.answered(e) {
		t.Errorf("the primary, taken for a replica: %q", why)
	}
	k.takeTurns(e, first, second)
}

// takeTurns has the standbys end and come back, one after the other.
func (k *replicaKit) takeTurns(e *calendar.Event, first, second *storagetest.StandbyProcess) {
	k.Helper()
	k.db = k.reading(k.several("standby", first.URL(), second.URL()))
	turn := func(about string, harm func(), mend func()) {
		k.Helper()
		k.opens("before " + about)
		if !k.answered(e) {
			k.Errorf("before %s: the primary answers", about)
		}
		harm()
		for range 2 * replicaStrikes {
			k.answered(e) // by whichever, and as the primary would
		}
		k.opens(about)
		if !k.answered(e) {
			k.Errorf("%s: the primary answers though one is well", about)
		}
		mend()
	}
	turn("the first ends", first.Kill, func() {})
	second.Kill()
	k.fails("both are dead", e)
	first.Restart()
	first.Follow()
	turn("the second comes back and the first freezes", func() {
		second.Restart()
		second.Follow()
		first.Freeze()
	}, first.Thaw)
	k.event()
	first.Follow()
	second.Follow()
	turn("one is promoted", first.Promote, func() {})
}

package storage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/storagetest"
)

// BenchmarkReplica makes lists and single events of a site of 1,000, with and
// without a standby, and tells the processor time that each takes in the primary
// and in the standby.
func BenchmarkReplica(b *testing.B) {
	k := newReplicaKit(b)
	e := k.linkedEvent()
	var ids []int64
	for range 999 {
		links := venueLinks(e.Venues[0].ID)
		links.Categories = termLinks(e.Categories[0].ID)
		ids = append(ids, k.create(k.sample(), links).ID)
	}
	k.vacuum()
	k.caughtUp()
	for _, read := range []struct {
		name string
		do   func(*DB) error
	}{
		{"list", func(db *DB) error {
			_, err := db.Events().List(k.at(0), calendar.EventQuery{Page: 1 + rand.IntN(60), PerPage: 15})
			return err
		}},
		{"one", func(db *DB) error {
			_, err := db.Events().Get(k.at(0), calendar.Key{ID: ids[rand.IntN(len(ids))]})
			return err
		}},
	} {
		for _, from := range []struct {
			name string
			db   *DB
		}{{"primary", k.plain}, {"replica", k.db}} {
			b.Run(read.name+"/"+from.name, func(b *testing.B) {
				primary, standby := processorTime(b, k.cluster.Pid()), processorTime(b, k.standby.Pid())
				reads := k.stats().Reads
				for b.Loop() {
					k.must(read.do(from.db))
				}
				n := float64(b.N)
				b.ReportMetric((processorTime(b, k.cluster.Pid())-primary)/n, "primary-µs/op")
				b.ReportMetric((processorTime(b, k.standby.Pid())-standby)/n, "standby-µs/op")
				b.ReportMetric(100*float64(k.stats().Reads-reads)/n, "%-from-standby")
			})
		}
	}
}

// processorTime returns the microseconds that a server and its children have
// used; Linux counts them in hundredths of a second.
func processorTime(t testing.TB, pid int) (sum float64) {
	t.Helper()
	for _, pid := range append(storagetest.ChildrenOf(t, pid), pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended, and its parent counts it
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		for _, i := range []int{11, 12, 13, 14} { // user, system, and of children that ended
			n, _ := strconv.ParseFloat(fields[i], 64)
			sum += n * 10_000
		}
	}
	return sum
}

package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestReplica starts the service while its replica is away and looks at what it
// tells of it, then and once it is there; the doctor looks at good ones and bad.
func TestReplica(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	doctor := newTerminal(t, cluster.URL())
	if out, err := doctor.run("migrate"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	standby := cluster.Standby()
	standby.Kill()
	numbers := freeAddr(t)
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + cluster.URL(), "KALENDS_REPLICA_URL=" + standby.URL(),
		"KALENDS_METRICS_ADDR=" + numbers}).started()
	wants := func(address, line string) {
		t.Helper()
		var text []byte
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			res, err := http.Get(address)
			if err != nil {
				t.Fatal(err)
			}
			text, _ = io.ReadAll(res.Body)
			if _ = res.Body.Close(); res.StatusCode == http.StatusOK && strings.Contains("\n"+string(text), "\n"+line+"\n") {
				return
			}
		}
		t.Errorf("no %q in\n%s", line, text)
	}
	ready, metrics := "http://"+s.addr+"/readyz", "http://"+numbers+"/metrics"
	wants(ready, "replica: warning, it doesn't answer; reading from the primary")
	list := "http://" + s.addr + "/calendar/events/v1/events"
	for _, address := range []string{list, list + "?page=1"} {
		if res, err := http.Get(address); err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("without the replica: %v, %v", res, err)
		} else {
			_ = res.Body.Close()
		}
	}
	wants(metrics, "kalends_replica_open 0")
	wants(metrics, `kalends_replica_passed_over_total{reason="closed"} 2`)
	wants(metrics, `kalends_public_reads_total{place="replica"} 0`)
	doctor.env["KALENDS_REPLICA_URL"] = strings.Replace(standby.URL(), "://kalends:", "://kalends:secret", 1)
	if states, text, err := doctor.diagnosis(); states["replica"] != "warn" || err != nil || strings.Contains(text, "secret") {
		t.Errorf("away: %s, %v\n%s", states["replica"], err, text)
	}

	standby.Restart()
	standby.Follow()
	wants(ready, "replica: ok")
	if res, err := http.Get(list + "?per_page=5"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("with the replica: %v, %v", res, err)
	} else {
		_ = res.Body.Close()
	}
	wants(metrics, "kalends_replica_open 1")
	wants(metrics, `kalends_public_reads_total{place="replica"} 1`)
	for _, c := range []struct{ url, state, role string }{
		{standby.URL(), "ok", "ok"},
		{cluster.URL(), "fail", "ok"},
		{storagetest.Database(t), "fail", "ok"},
	} {
		doctor.env["KALENDS_REPLICA_URL"] = c.url
		states, text, err := doctor.diagnosis()
		if states["replica"] != c.state || states["replica role"] != c.role || (err == nil) != (c.state == "ok") {
			t.Errorf("%s: %v, %v\n%s", c.state, states, err, text)
		}
	}
}

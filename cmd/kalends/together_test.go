package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestNodesStartTogether starts three nodes at once on an empty database: one
// migrates, one makes the first site and its admin, and all of them serve it.
func TestNodesStartTogether(t *testing.T) {
	t.Parallel()
	env := []string{"DATABASE_URL=" + storagetest.EmptyDatabase(t)}
	nodes := make([]*service, 3)
	for i := range nodes {
		nodes[i] = launchWith(t, dataDir(t), env)
	}
	var first []*service
	for _, node := range nodes {
		if node.started(); strings.Contains(node.out.String(), "First run") {
			first = append(first, node)
		}
	}
	if len(first) != 1 {
		t.Fatalf("%d nodes believe that they are the first", len(first))
	}
	password := first[0].password()
	for i, node := range nodes {
		node.must(http.StatusCreated, "POST", "/events", password, event("By each"))
		if list := node.must(http.StatusOK, "GET", "/events?search=By+each&start_date=2030-01-01&per_page=50", "", nil); list["total"] != float64(i+1) {
			t.Errorf("node %d shows %v of %d", i, list["total"], i+1)
		}
	}
}

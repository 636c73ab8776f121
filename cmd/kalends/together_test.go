package main

import (
	"fmt"
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
		made := node.must(http.StatusCreated, "POST", "/events", password, event("By each"))
		path := fmt.Sprintf("/events/%v", made["id"])
		if shown := nodes[(i+1)%len(nodes)].must(http.StatusOK, "GET", path, password, nil); shown["title"] != "By each" {
			t.Errorf("%s is %v on another node", path, shown["title"])
		}
	}
}

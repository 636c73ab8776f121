package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestPlanCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var plan, site map[string]any
	var list []map[string]any
	s.must(&site, "site", "create", "club", "--name=The Club")
	s.must(&plan, "plan", "set", "small", "--events=100", "--media-bytes=0", "--no-geo")
	limits, _ := plan["limits"].(map[string]any)
	if limits["events"] != 100.0 || limits["occurrences"] != 2e6 || limits["media_bytes"] != 0.0 || limits["users"] != nil || limits["requests_per_minute"] != nil || plan["geo"] != false {
		t.Errorf("set %v", plan)
	}
	if s.must(&site, "site", "update", "club", "--plan=small"); !strings.Contains(fmt.Sprint(site["plan"]), "name:small") {
		t.Errorf("the site %v", site)
	}
	s.must(&plan, "plan", "set", "small", "--users=3", "--occurrences=9", "--requests-per-minute=600")
	s.must(&plan, "plan", "show", "small")
	limits, _ = plan["limits"].(map[string]any)
	if limits["users"] != 3.0 || limits["occurrences"] != 9.0 || limits["requests_per_minute"] != 600.0 || limits["events"] != nil || plan["geo"] != true || plan["sites"] != 1.0 {
		t.Errorf("set again %v", plan)
	}
	s.must(&list, "plan", "list")
	if len(list) != 2 || list[0]["name"] != "small" || list[1]["name"] != "unlimited" {
		t.Errorf("list %v", list)
	}
	s.fails("Move them to another plan first", "plan", "delete", "small")
	s.fails("cannot be deleted", "plan", "delete", "unlimited")
	s.fails("no such plan", "plan", "show", "none")
	s.fails("--plan: ", "site", "update", "club", "--plan=none")
	s.fails("--events: ", "plan", "set", "small", "--events=-1")
	s.fails("<name>: ", "plan", "set", "No name")
	s.must(&site, "site", "update", "club", "--plan=unlimited")
	if s.must(&plan, "plan", "delete", "small"); plan["name"] != "small" {
		t.Errorf("deleted %v", plan)
	}
}

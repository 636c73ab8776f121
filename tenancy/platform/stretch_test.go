package platform

import (
	"math/rand/v2"
	"testing"
)

// TestStretches: whatever is known of the steps between versions, in whatever
// order it came, only steps that changed content alone are passed over.
func TestStretches(t *testing.T) {
	t.Parallel()
	const last = 40
	random := rand.New(rand.NewPCG(7, 7))
	covered := 0
	for range 300 {
		var s stretches
		content := map[int64]bool{}
		for version := int64(1); version <= last; version++ {
			content[version] = random.IntN(8) > 0
		}
		order := random.Perm(last)
		if random.IntN(2) == 0 { // as writes end: nearly in order
			for i := range order {
				order[i] = i
			}
			for i := range order[:last-1] {
				if random.IntN(4) == 0 {
					order[i], order[i+1] = order[i+1], order[i]
				}
			}
		}
		for _, i := range order {
			if version := int64(i + 1); content[version] {
				s.add(1, version)
			}
			covered += checkStretches(t, &s, content, last)
		}
	}
	if covered == 0 {
		t.Error("nothing was ever passed over")
	}
}

// checkStretches returns how many pairs of versions are said to be the same.
func checkStretches(t *testing.T, s *stretches, content map[int64]bool, last int64) (covered int) {
	t.Helper()
	for from := int64(1); from < last; from++ {
		for to := from + 1; to <= last; to++ {
			if !s.covers(1, from, to) {
				continue
			}
			covered++
			for version := from + 1; version <= to; version++ {
				if !content[version] {
					t.Fatalf("from %d to %d, although %d changed the site", from, to, version)
				}
			}
		}
	}
	return covered
}

func TestStretchesAreBounded(t *testing.T) {
	t.Parallel()
	var s stretches
	for site := range int64(3 * mostSites) {
		s.add(site, 5)
		s.add(site, 6)
	}
	if n := len(s.sites); n > mostSites || !s.covers(3*mostSites-1, 4, 6) || s.covers(3*mostSites, 4, 5) {
		t.Errorf("%d are remembered", n)
	}
}

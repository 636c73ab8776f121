package admin

import (
	"regexp"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What a page needs before it is complete: few files, and none that is found only in another. The bytes are those of the first visitor; the
// next ones get a tenth less (cache.Lasting).
func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	files := regexp.MustCompile(`<(?:link rel="stylesheet" href|script type="module" src)="(/static/[^"]+)"`)
	imported := regexp.MustCompile(`\b(?:import|from)"`)
	for path, most := range map[string]int{
		"/events/": 25_000, "/events/month/": 25_000, "/events/map/": 25_000, "/api-reference/": 25_000,
		"/admin/events": 23_900, "/admin/events/new": 28_500, "/admin/venues/new": 28_500, "/admin": 22_000, "/admin/settings": 24_600,
	} {
		p := b.Get(path)
		found := files.FindAllStringSubmatch(p.Body, -1)
		bytes, scripts := 0, 0
		for _, m := range found {
			file := b.Do("GET", m[1], nil, []string{"Accept-Encoding", "br"})
			bytes += len(file.Body)
			if plain := b.Get(m[1]); m[1][len(m[1])-3:] == ".js" {
				scripts++
				if imported.MatchString(plain.Body) {
					t.Errorf("%s: %s makes the browser wait for another script", path, m[1])
				}
			}
		}
		if p.Status != 200 || scripts == 0 || scripts > 2 || len(found) > 5 {
			t.Errorf("%s: %d, %d files, %d of them scripts", path, p.Status, len(found), scripts)
		}
		if bytes == 0 || bytes > most {
			t.Errorf("%s: scripts and styles have %d bytes, more than %d", path, bytes, most)
		}
		t.Logf("%s: %d files, %d bytes", path, len(found), bytes)
	}
}

package rest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestIndexInOrder: people find names where their language has them, on each page of an index
// and among filters.
func TestIndexInOrder(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i, name := range []string{"Zoo", "Öst", "Ärla", "Aula", "Oper", "saal 10", "Saal 2"} {
		k.Event(kit.Object{"venue": kit.Object{"venue": name}, "categories": []string{name}, "start_date": fmt.Sprintf("2030-03-0%d 10:00", i+1),
			"end_date": fmt.Sprintf("2030-03-0%d 11:00", i+1)})
	}
	names := func(path, pattern string) string {
		var list []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(k.Look(path).Want(t, 200, "").Raw), -1) {
			list = append(list, m[1])
		}
		return strings.Join(list, ", ")
	}
	const german, swedish = "Ärla, Aula, Oper, Öst, Saal 2, saal 10, Zoo", "Aula, Oper, Saal 2, saal 10, Zoo, Ärla, Öst"
	for path, want := range map[string]string{"/de/venues/": german, "/sv/venues/": swedish, "/de/categories/": german, "/sv/categories/": swedish} {
		kind := strings.TrimSuffix(map[bool]string{true: "/venue/", false: "/events/category/"}[strings.Contains(path, "venues")], "/")
		if got := names(path, `href="/[a-z]{2}`+kind+`/[^"]+"[^>]*>(?:<[^>]*>|\s)*([^<]*[^<\s])`); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{"/de/events/": german, "/sv/events/": swedish} {
		if got := names(path, `name="category"[^>]*>(?:<[^>]*>|\s)*([^<]*[^<\s])`); got != want {
			t.Errorf("%s: filters %s, want %s", path, got, want)
		}
	}
	for i := range 60 {
		k.Post("/venues", "editor", kit.Object{"venue": fmt.Sprintf("Halle %03d", i)}).Want(t, 201, "")
	}
	second := names("/de/venues/?page=2", `href="/de/venue/[^"]+"[^>]*>(?:<[^>]*>|\s)*([^<]*[^<\s])`)
	if !strings.HasPrefix(second, "Halle 048, Halle 049") || !strings.HasSuffix(second, "saal 10, Zoo") {
		t.Errorf("the second page: %s", second)
	}
	if a := k.Look("/de/venues/?page=3"); a.Status != 404 {
		t.Errorf("a page behind the last: %d", a.Status)
	}
}

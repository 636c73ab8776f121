package admin

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The code for another website leaves out what is ticked: several of each kind, and nothing that the site doesn't have.
func TestAdminEmbedLeavesOut(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Made("/categories", kit.Object{"name": "Games", "slug": "games"})
	k.Made("/categories", kit.Object{"name": "Council", "slug": "council"})
	k.Made("/tags", kit.Object{"name": "Members", "slug": "members"})
	barn := k.Post("/venues", "administrator", kit.Object{"venue": "Barn"}).ID()

	b := k.Person("editor")
	for _, box := range []string{`name="categories_exclude" value="games"`, `name="tags_exclude" value="members"`, fmt.Sprintf(`name="venue_exclude" value="%d"`, barn)} {
		if p := b.Get("/admin/embed"); !strings.Contains(p.Body, box) || strings.Contains(p.Body, box+" checked") {
			t.Errorf("no empty box %s", box)
		}
	}
	p := b.Get(fmt.Sprintf("/admin/embed?categories_exclude=games&categories_exclude=council&categories_exclude=nothing&tags_exclude=members&venue_exclude=%d", barn))
	for _, want := range []string{`name="categories_exclude" value="games" checked`, `categories_exclude=&#34;council,games&#34;`, `tags_exclude=&#34;members&#34;`,
		fmt.Sprintf(`venue_exclude=&#34;%d&#34;`, barn)} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("no %s in %s", want, p.Body)
		}
	}
	if strings.Contains(p.Body, "nothing&#34;") {
		t.Error("what the site doesn't have is left out")
	}
	address := regexp.MustCompile(`<iframe class="embedded" src="[^"]*(/embed/list/\?[^"]+)"`).FindStringSubmatch(p.Body)
	if address == nil {
		t.Fatal("no preview")
	}
	k.Look(strings.ReplaceAll(address[1], "&amp;", "&")).Want(t, 200, "")
}

package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The list of events is filtered by the extra fields of the site that allow it, in the page, its links, its export and what is chosen on all
// pages.
func TestFilterByExtraFields(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, body := range []kit.Object{
		{"label": "Stage", "kind": "choice", "of": []string{"event"}, "filter": true, "options": []kit.Object{{"key": "open_air", "label": "Open air"}, {"key": "hall", "label": "Hall"}}},
		{"label": "Dogs allowed", "kind": "yes_no", "of": []string{"event"}, "filter": true},
		{"label": "Notes", "kind": "text", "of": []string{"event"}},
	} {
		k.Post("/fields", "administrator", body).Want(t, 201, "")
	}
	k.Event(kit.Object{"title": "Outside", "fields": kit.Object{"stage": "open_air", "dogs_allowed": true}})
	k.Event(kit.Object{"title": "Inside", "fields": kit.Object{"stage": "hall"}})
	b := k.Person("editor")
	p := b.Get("/admin/events?view=all")
	if !p.Shows(`name="fields[stage]"`) || !p.Shows(`<option value="open_air">Open air</option>`) || !p.Shows(`name="fields[dogs_allowed]"`) || p.Shows(`name="fields[notes]"`) {
		t.Fatalf("the filter offers something else: %.3000s", p.Body)
	}
	titles := func(query string) string {
		page, found := b.Get("/admin/events?view=all&"+query).Body, []string{}
		for _, title := range []string{"Outside", "Inside"} {
			if strings.Contains(page, "<bdi>"+title+"</bdi>") {
				found = append(found, title)
			}
		}
		return strings.Join(found, " ")
	}
	for query, want := range map[string]string{
		"": "Outside Inside", "fields[stage]=open_air": "Outside", "fields[stage]=hall": "Inside", "fields[dogs_allowed]=true": "Outside",
		"fields[stage]=hall&fields[dogs_allowed]=true": "", "fields[stage]=": "Outside Inside", "fields[stage]=nowhere": "", "fields[other]=x": "",
	} {
		if got := titles(strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query)); got != want {
			t.Errorf("%s: %q, not %q", query, got, want)
		}
	}
	const list = "/admin/events?fields%5Bstage%5D=open_air&view=all"
	if p = b.Get(list); !p.Shows("fields%5Bstage%5D=open_air") || !p.Shows(`<option value="open_air" selected>`) {
		t.Errorf("the address loses the filter: %.3000s", p.Body)
	}
	if csv := b.Get("/admin/events/export?fields%5Bstage%5D=open_air&view=all").Body; !strings.Contains(csv, "Outside") || strings.Contains(csv, "Inside") {
		t.Errorf("the export: %s", csv)
	}
	b.Post("/admin/events", url.Values{"do": {"draft"}, "sure": {"1"}, "all": {"1"}, "to": {list}, "seen": {kit.AllSeen}})
	if got := titles("status=draft"); got != "Outside" {
		t.Errorf("all that is found: %q", got)
	}
}

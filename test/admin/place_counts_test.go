package admin

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var spaces = regexp.MustCompile(`\s+`)

// entry returns the text of the entry of a list with a name.
func entry(page, name string) string {
	for _, part := range strings.Split(page, "<li")[1:] {
		part, _, _ = strings.Cut(part, "</li>")
		if strings.Contains(part, "<bdi>"+name+"</bdi>") {
			return strings.TrimSpace(spaces.ReplaceAllString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString("<"+part, " "), " "))
		}
	}
	return ""
}

// Lists of venues and organizers say how many events each has: editors see all but the trash, authors the public ones and their own, visitors those
// that they can find. A series counts once.
func TestPlacesHaveNumbers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall := k.Made("/venues", kit.Object{"venue": "Hall", "city": "Lindau"})
	k.Made("/venues", kit.Object{"venue": "Unused"})
	choir := k.Made("/organizers", kit.Object{"organizer": "Choir"})
	at := func(more kit.Object) int64 {
		o := kit.Object{"venue": hall, "organizer": []int64{choir}, "start_date": "2031-03-24 10:00:00", "end_date": "2031-03-24 12:00:00"}
		maps.Copy(o, more)
		return k.Event(o)
	}
	at(kit.Object{"title": "Open"})
	at(kit.Object{"title": "Weekly", "recurrence": map[string]any{"rrule": []string{"FREQ=WEEKLY;COUNT=9"}}})
	at(kit.Object{"title": "Draft", "status": "draft"})
	at(kit.Object{"title": "Locked", "post_password": "secret"})
	gone := at(kit.Object{"title": "Gone"})
	k.Send(kit.Request{Method: "DELETE", Path: fmt.Sprintf("/events/%d", gone), As: "administrator"})
	editor, author := k.Person("editor"), k.Person("author")
	venues := editor.Get("/admin/venues").Body
	for _, c := range []struct {
		page, name, want string
	}{
		{venues, "Hall", "Lindau · 4 events"},
		{venues, "Unused", "0 events"},
		{editor.Get("/admin/organizers").Body, "Choir", "4 events"},
		{author.Get("/admin/venues").Body, "Hall", "2 events"},
		{k.Look("/en/venues/").String(), "Hall", "2 events"},
		{k.Look("/en/organizers/").String(), "Choir", "2 events"},
	} {
		if got := entry(c.page, c.name); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
	if got := entry(k.Look("/en/venues/").String(), "Unused"); got == "" || strings.Contains(got, "event") {
		t.Errorf("a venue without events: %q", got)
	}
}

// Events with a picture show it in the list, in the smallest size, loaded when it comes into view; others have none.
func TestEventListHasPictures(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	image := strings.TrimPrefix(kit.InLibrary(k, b), "/admin/media/")
	k.Event(kit.Object{"title": "With", "image": image})
	k.Event(kit.Object{"title": "Without"})
	pictures := regexp.MustCompile(`<img [^>]*>`).FindAllString(b.Get("/admin/events?view=all").Body, -1)
	if len(pictures) != 1 || !strings.Contains(pictures[0], "/stripes.png") || !strings.Contains(pictures[0], `loading="lazy"`) || !strings.Contains(pictures[0], `width="40" height="40"`) {
		t.Errorf("%q", pictures)
	}
}

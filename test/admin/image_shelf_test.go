package admin

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Without scripts, an image can be chosen from the library, too: the form is shown again with the search results and
// the input.
func TestAdminChoosesFromTheLibraryWithoutScripts(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/media")
	csrf := b.Cookies["csrf"]
	sendUpload(b, "pier.png", kit.Picture(40, 30), csrf)
	sendUpload(b, "quay.png", kit.Picture(40, 30), csrf)
	radios := regexp.MustCompile(`<input type="radio" name="image" value="(\d+)"`)
	for path, form := range map[string]url.Values{
		"/admin/events/new": {"title": {"Regatta"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"}},
		"/admin/venues/new": {"venue": {"Regatta"}},
	} {
		form = b.Fill(path, kit.EveryEditor, form)
		if radios.MatchString(b.Page.Body) || !strings.Contains(b.Page.Body, `value="row_image" formaction="`+path+`#f-shelf"`) {
			t.Errorf("%s: all pictures before they are asked for, or no way to ask", path)
		}
		form.Set("do", "row_image")
		if p := b.Post(path, form); p.Status != 200 || len(radios.FindAllString(p.Body, -1)) != 2 || !p.Shows(`value="Regatta"`) {
			t.Errorf("%s: all of them: %d %.3000s", path, p.Status, p.Body)
		}
		form.Set("image_search", "quay")
		p := b.Post(path, form)
		found := radios.FindAllStringSubmatch(p.Body, -1)
		if len(found) != 1 || !p.Shows("quay.png") || p.Shows("pier.png") {
			t.Fatalf("%s: looked for: %.3000s", path, p.Body)
		}
		form.Set("image_search", "nowhere")
		if p = b.Post(path, form); p.Status != 200 || radios.MatchString(p.Body) || !p.Shows("No matching images.") {
			t.Errorf("%s: not found: %d %.3000s", path, p.Status, p.Body)
		}
		form["image"] = []string{"", found[0][1]} // the field, and the one chosen
		form.Set("do", "save")
		if p = b.Post(path, form); p.Status != 303 {
			t.Fatalf("%s: %d %.3000s", path, p.Status, p.Body)
		}
		if p = b.Follow(); !strings.Contains(p.Body, ` data-image="`+found[0][1]+`"`) {
			t.Errorf("%s: it has no picture: %.3000s", path, p.Body)
		}
	}
}

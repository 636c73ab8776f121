package public

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestPoster(t *testing.T) {
	k := kit.PublicKit(t)
	page := k.Look("/en/event/lake/poster/")
	for _, want := range []string{"Lake Concert", "Sunday, March 14, 2027", "Pier", "Seeweg 1", "€10 – €20", "Music Society", `>localhost/en/event/lake<`, `class="poster-code"`} {
		if !strings.Contains(plainSpaces(string(page.Raw)), want) {
			t.Errorf("no %s on the poster", want)
		}
	}
	if words := kit.Untranslated.FindString(string(page.Raw)); words != "" {
		t.Errorf("the poster has the key %s", words)
	}
	if !strings.Contains(string(k.Look("/en/event/lake/").Raw), `href="/en/event/lake/poster/"`) {
		t.Error("the event does not lead to its poster")
	}
	// A series says how often, a date of it when; what needs a password hangs nowhere.
	k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=5"}})
	k.Event(map[string]any{"title": "Secret", "slug": "secret", "post_password": "sesame", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	for path, want := range map[string]string{
		"/en/event/choir/poster/": "Every Tuesday", "/en/event/choir/2026-12-08/poster/": "Tuesday, December\u00a08,\u00a02026", "/en/event/secret/poster/": "", "/en/event/nowhere/poster/": "",
		"/en/event/choir/2026-12-09/poster/": "",
	} {
		page := k.Look(path)
		if found := page.Status == http.StatusOK; found != (want != "") || !strings.Contains(string(page.Raw), want) || !found && strings.Contains(string(page.Raw), "Secret") {
			t.Errorf("%s: %d, without %q", path, page.Status, want)
		}
	}
}

var drawn = regexp.MustCompile(`<svg class="poster-code".*?</svg>`)

// The code of a poster is read by a program of others.
func TestPosterCodeIsRead(t *testing.T) {
	for _, program := range []string{"zbarimg", "convert"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs zbarimg and convert")
		}
	}
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Long", "slug": strings.Repeat("long-", 30) + "end", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	for n, path := range []string{"/en/event/lake/", "/en/event/" + strings.Repeat("long-", 30) + "end/"} {
		svg := drawn.FindString(strings.ReplaceAll(string(k.Look(path+"poster/").Raw), "\n", " "))
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.svg", n))
		k.Must(os.WriteFile(file, []byte(strings.Replace(svg, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" `, 1)), 0o600))
		k.Must(exec.Command("convert", file, file+".png").Run())
		got, err := exec.Command("zbarimg", "-q", "--raw", file+".png").Output()
		if want := "http://localhost" + path; err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("read %q (%v), want %s", got, err, want)
		}
	}
}

package public

import (
	"bytes"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/test/kit"
)

// The log has no address of a preview, which opens an event for whoever reads it.
func TestLogHasNoPreviews(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	k := kit.New(t, func(c *server.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, path := range []string{"//preview/VERYSECRET/", "//de/preview/VERYSECRET/", "//preview/VERYSECRET"} {
		k.Get(path, "")
	}
	if said := log.String(); strings.Contains(said, "VERYSECRET") || !strings.Contains(said, "/preview/…") {
		t.Errorf("%s", said)
	}
}

// A static file comes as it is to a client that does not say what it can unpack.
func TestStaticFilesUnpacked(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	sheet := regexp.MustCompile(`/static/[^"]+\.css`).FindString(string(k.Get("//events/", "").Raw))
	for accept, want := range map[string]string{"": "", "br": "br", "gzip": "gzip", "identity": ""} {
		r := kit.Request{Method: http.MethodGet, Path: "/" + sheet, Headers: map[string]string{}}
		if accept != "" {
			r.Headers["Accept-Encoding"] = accept
		}
		if a := k.Send(r); a.Status != 200 || a.Header.Get("Content-Encoding") != want {
			t.Errorf("%q: %d %q", accept, a.Status, a.Header.Get("Content-Encoding"))
		}
	}
}

// Which release runs is nobody's business.
func TestHealthNamesNoRelease(t *testing.T) {
	t.Parallel()
	if a := kit.New(t).Get("//healthz", ""); a.Status != 200 || string(a.Raw) != "ok\n" {
		t.Errorf("%d %q", a.Status, a.Raw)
	}
}

// Whether an event with a password has texts in a language is told to nobody who can't open it.
func TestTranslatedTellsNothingOfMaskedEvents(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Write("demo", "en", "de")
	k.Event(kit.Object{"title": "Open", "translations": kit.Object{"de": kit.Object{"title": "Offen"}}})
	k.Event(kit.Object{"title": "Masked", "post_password": "open it", "translations": kit.Object{"de": kit.Object{"title": "Verdeckt"}}})
	const path = "/events?translated=true&content_language=de&start_date=2000-01-01"
	if got := k.Get(path, "").Want(t, 200, "").Body["total"]; got != 1.0 {
		t.Errorf("without the password: %v", got)
	}
	if got := k.Get(path+"&password=open+it", "").Want(t, 200, "").Body["total"]; got != 2.0 {
		t.Errorf("with it: %v", got)
	}
	if got := k.Get(path, "editor").Want(t, 200, "").Body["total"]; got != 2.0 {
		t.Errorf("an editor: %v", got)
	}
}

package words

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// What two people have written is shown as people read it: no markup, no form of dates of machines, no names of the API.
func TestFieldsAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{Language: "de", Location: time.UTC, Settings: tenancy.Settings{Languages: []string{"de", "en"}}}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "de"})
	f := &frame.Form{Kind: "event", Values: url.Values{"translations.en.title": {"Choir"}, "translations.en.description": {"<p>Sing <b>along</b></p>"}}}
	for _, c := range []struct{ name, text, want string }{
		{"start_date", "2030-02-04T19:30", "4. Feb. 2030, 19:30 Uhr"},
		{"end_date", "2030-02-04", "4. Feb. 2030"},
		{"registration_until", "soon", "soon"},
		{"description", "<p>Lesung<br>und <em>Musik</em></p>", "Lesung und Musik"},
		{"tickets", "Normal\t12.50\tEUR\t\t2030-01-01T10:00\t\tsold_out\nKind\t5\tEUR\t\t\t\t", "Normal, 12.50, EUR, 1. Jan. 2030, 10:00 Uhr, Ausverkauft\nKind, 5, EUR"},
		{"translations", "", "Titel (Englisch): Choir\nBeschreibung (Englisch): Sing along"},
		{"seo_title", "2030", "2030"},
	} {
		got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(Readable(ctx, f, c.name, c.text, nil, nil))
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	f.Set("all_day", "1")
	if got := Readable(ctx, f, "start_date", "2030-02-04T00:00", nil, nil); got != "4.\u00a0Feb.\u00a02030" {
		t.Errorf("a whole day: %q", got)
	}
}

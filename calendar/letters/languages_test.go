package letters

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
)

// A letter calls the site as whoever gets it reads it, and says in how many days its link ends.
func TestSiteInLanguages(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{ID: 1, Name: "Riverton", Language: "en", Settings: tenancy.Settings{ContentLanguages: []string{"en", "de"},
		Texts: map[string]tenancy.SiteText{"de": {Name: "Flussstadt"}, "fr": {Name: "given up"}}}}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "fr"}) // of the editor
	for language, want := range map[string]string{"en": "Riverton", "de": "Flussstadt", "fr": "Riverton", "pl": "Riverton"} {
		b, sent := &box{}, hostile()
		sent.Language = language
		if err := writer(b).Confirm(ctx, &sent, "TOKEN"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.subject+b.text, want) || strings.Contains(b.subject+b.text, "given up") || want == "Riverton" && strings.Contains(b.text, "Flussstadt") {
			t.Errorf("%s: %q %q", language, b.subject, b.text)
		}
		if n := days(submissions.UnconfirmedLife.Hours()); n < 1 || !strings.Contains(b.text, string(rune('0'+n%10))) {
			t.Errorf("%s: %d days aren't in %q", language, n, b.text)
		}
	}
}

// An editor's message goes with a refusal alone: of an approval it says nothing.
func TestMessage(t *testing.T) {
	t.Parallel()
	b, s := &box{}, &submissions.Submission{Sent: hostile(), Status: submissions.Refused}
	if err := writer(b).Settled(within(t), s); err != nil || strings.HasSuffix(b.text, "\n\n") || !strings.HasSuffix(b.text, "\n") {
		t.Errorf("without a message: %q %v", b.text, err)
	}
	without := b.text
	s.Message = "One.\n\nTwo."
	if err := writer(b).Settled(within(t), s); err != nil || b.text != strings.TrimSuffix(without, "\n")+"\n\nOne.\n\nTwo.\n" {
		t.Errorf("with one: %q %v", b.text, err)
	}
}

package layout

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// Structured data cannot end the script that it stands in.
func TestDataStaysInItsScript(t *testing.T) {
	t.Parallel()
	p := &Page{Data: map[string]any{"name": "</script><b>"}}
	p.finish(tenancy.With(t.Context(), tenancy.Scope{Language: "de", Site: &tenancy.Site{Name: "Stadt"}}))
	text, framed := strings.CutPrefix(p.json, `<script type="application/ld+json">`)
	text, closed := strings.CutSuffix(text, `</script>`)
	if !framed || !closed || strings.Contains(text, "<") || !strings.Contains(text, "name") {
		t.Fatalf("not what a page can hold: %s", p.json)
	}
}

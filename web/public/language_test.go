package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// TestPathsAreNoLanguages: nothing that addresses of the program begin with is taken for a language, of which there are thousands.
func TestPathsAreNoLanguages(t *testing.T) {
	t.Parallel()
	first := []string{"tomorrow", "events", "event", "venue", "organizer", "tag", "category", "preview", "venues", "organizers", "tags", "categories", "submit",
		"robots.txt", "embed", "oembed", "api-reference", "language", "admin", "platform", "healthz", "readyz", "metrics", "media", "static", "calendar", "wp-json", "index.php"}
	for path := range elsewhere {
		segment, _, _ := strings.Cut(strings.Trim(path, "/"), "/")
		first = append(first, segment)
	}
	for _, segment := range first {
		if tag := tenancy.PathLanguage(segment); tag != "" {
			t.Errorf("/%s/ is in %s", segment, tag)
		}
	}
}
